// The one list of scalar models: the command line, scenario files and bindings choose from it by name.
#pragma once

#include <span>
#include <string_view>
#include <type_traits>

#include "stiction/scalar/any_model.h"
#include "stiction/scalar/armstrong.h"
#include "stiction/scalar/bliman_sorine.h"
#include "stiction/scalar/bliman_sorine_general.h"
#include "stiction/scalar/brown_mcphee.h"
#include "stiction/scalar/coulomb.h"
#include "stiction/scalar/dahl.h"
#include "stiction/scalar/elasto_plastic.h"
#include "stiction/scalar/gear.h"
#include "stiction/scalar/gear_bristles.h"
#include "stiction/scalar/gms.h"
#include "stiction/scalar/haessig_bristle.h"
#include "stiction/scalar/journal_bearing.h"
#include "stiction/scalar/karnopp.h"
#include "stiction/scalar/leuven.h"
#include "stiction/scalar/load_dependent.h"
#include "stiction/scalar/lugre.h"
#include "stiction/scalar/reset_integrator.h"
#include "stiction/scalar/specker.h"
#include "stiction/scalar/stiction.h"
#include "stiction/scalar/stribeck.h"
#include "stiction/scalar/tabulated.h"
#include "stiction/scalar/tanh.h"
#include "stiction/scalar/viscous.h"

namespace stiction::scalar {

template <class... M>
struct ModelList {
  static constexpr std::size_t size = sizeof...(M);
};

using RegisteredModels =
    ModelList<Coulomb, Viscous, Stiction, Stribeck, AsymmetricStribeck, LoadDependentStribeck, Gear, Tabulated, Karnopp,
              KarnoppOriginal, Armstrong, Dahl, LoadDependentDahl, HaessigBristle, ResetIntegrator, BlimanSorine1,
              BlimanSorine2, BlimanSorine, JournalBearing, LuGre, GearLuGre, ElastoPlastic, GearElastoPlastic, Gms,
              Leuven, BrownMcPhee, Specker, Tanh>;

/// Calls visit(std::type_identity<M>{}) for every model M, in the order of the list. Compiles the visitor for each.
template <class Visitor>
void for_each_model(Visitor&& visit) {
  [&]<class... M>(ModelList<M...>) { (visit(std::type_identity<M>{}), ...); }(RegisteredModels{});
}

}  // namespace stiction::scalar
