// The one list of scalar models: the command line, scenario files and bindings choose from it by name.
#pragma once

#include <variant>

#include "stiction/scalar/coulomb.h"
#include "stiction/scalar/lugre.h"
#include "stiction/scalar/stiction.h"
#include "stiction/scalar/stribeck.h"
#include "stiction/scalar/tanh.h"
#include "stiction/scalar/viscous.h"

namespace stiction::scalar {

using AnyModel = std::variant<Coulomb, Viscous, Stiction, Stribeck, AsymmetricStribeck, Tanh, LuGre>;

/// Calls visit(std::type_identity<M>{}) for every model M, in the order of the list.
template <class Visitor>
void for_each_model(Visitor&& visit) {
  [&]<class... M>(std::type_identity<std::variant<M...>>) {
    (visit(std::type_identity<M>{}), ...);
  }(std::type_identity<AnyModel>{});
}

}  // namespace stiction::scalar
