#include "haptic_baselines.h"

#include <utility>

namespace stiction::baselines {

haptics::FrictionChoice with_method(haptics::FrictionChoice choice, Method method, double stiffness_ratio) {
  using haptics::FrictionMethod;
  choice.custom = {};
  switch (method) {
    case Method::cone:
      choice.method = FrictionMethod::cone;
      break;
    case Method::pyramid:
      choice.method = FrictionMethod::pyramid;
      break;
    case Method::switched:
      choice.method = FrictionMethod::switched;
      break;
    case Method::none:
      choice.method = FrictionMethod::none;
      break;
    case Method::springs:
    case Method::explicit_springs:
      choice.custom = [=](std::size_t max_contacts) {
        return make_spring_friction(max_contacts, {stiffness_ratio, method == Method::springs});
      };
      break;
    case Method::staggered:
      choice.custom = [=](std::size_t max_contacts) {
        return make_staggered_projections(max_contacts, {.rigidity = stiffness_ratio});
      };
      break;
    case Method::gauss_seidel:
      choice.custom = [=](std::size_t max_contacts) {
        return make_gauss_seidel(max_contacts, {.rigidity = stiffness_ratio});
      };
      break;
    case Method::constraint:
      choice.custom = [=](std::size_t max_contacts) {
        return make_constraint_contact(max_contacts, {.rigidity = 1e5 * stiffness_ratio, .max_rounds = 30});
      };
      break;
  }
  return choice;
}

const std::map<std::string, Method>& method_names() {
  static const std::map<std::string, Method> names{{"springs", Method::springs},
                                                   {"explicit-springs", Method::explicit_springs},
                                                   {"staggered", Method::staggered},
                                                   {"gauss-seidel", Method::gauss_seidel},
                                                   {"constraint", Method::constraint}};
  return names;
}

}  // namespace stiction::baselines
