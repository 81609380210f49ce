// How much the observer's parameters matter: each of them up to 50 % too large or too small, in the loop of Table 1.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "../lab.h"
#include "statistics.h"
#include "velocity_loop.h"

namespace stiction::lab::control_sensitivity {
namespace {

struct Parameter {
  const char* name;
  void (*scale)(VelocityLoop& loop, scalar::LuGre::Params& p, double factor);
};
constexpr std::array<Parameter, 8> parameters{{
    {"all forces", [](VelocityLoop& loop, scalar::LuGre::Params&, double f) { loop.scale = f; }},
    {"stiffness σ0", [](VelocityLoop&, scalar::LuGre::Params& p, double f) { p.stiffness *= f; }},
    {"damping σ1", [](VelocityLoop&, scalar::LuGre::Params& p, double f) { p.damping *= f; }},
    {"Coulomb level α0",
     [](VelocityLoop&, scalar::LuGre::Params& p, double f) {
       const double excess = p.static_force - p.coulomb_force;
       p.coulomb_force *= f;
       p.static_force = p.coulomb_force + excess;
     }},
    {"Stribeck excess α1", [](VelocityLoop&, scalar::LuGre::Params& p,
                              double f) { p.static_force = p.coulomb_force + f * (p.static_force - p.coulomb_force); }},
    {"Stribeck velocity v0", [](VelocityLoop&, scalar::LuGre::Params& p, double f) { p.stribeck_velocity *= f; }},
    {"viscous α2", [](VelocityLoop&, scalar::LuGre::Params& p, double f) { p.viscous *= f; }},
    {"gain k", [](VelocityLoop& loop, scalar::LuGre::Params&, double f) { loop.gain *= f; }},
}};

}  // namespace

Result run(const Context& context) {
  context.step(0);
  const auto disturbance = sampled(table1_disturbance(), context.quick ? 2e-3 : 1e-3);
  const auto error_of = [&](const VelocityLoop& loop) { return 1e3 * rms(run(loop, disturbance).error); };
  const double none = error_of({.friction = table1_friction()});
  const double coulomb = error_of({.friction = table1_friction(), .compensation = Compensation::coulomb});
  const double nominal = error_of({.friction = table1_friction(), .compensation = Compensation::lugre});

  const int steps = context.quick ? 4 : 20;
  std::vector<double> factors;
  for (int i = 0; i <= steps; ++i) {
    factors.push_back(0.5 + static_cast<double>(i) / steps);
  }
  Result result;
  Table curves{"rms", {{"factor [-]", factors}}};
  Figure figure{"rms",
                "Error against the size of one parameter of the observer",
                "parameter over its true value [-]",
                "rms error · 1e3 [m/s]",
                {}};
  std::vector<std::string> names;
  std::vector<double> low;
  std::vector<double> high;
  for (const Parameter& parameter : parameters) {
    std::vector<double> errors;
    for (const double factor : factors) {
      context.step((static_cast<double>(names.size()) + factor - 0.5) / static_cast<double>(parameters.size()));
      VelocityLoop loop{.friction = table1_friction(), .compensation = Compensation::lugre};
      auto params = loop.model.params();
      parameter.scale(loop, params, factor);
      loop.model = scalar::LuGre::make(params);
      errors.push_back(error_of(loop));
    }
    names.emplace_back(parameter.name);
    low.push_back(errors.front());
    high.push_back(errors.back());
    const double worst = *std::max_element(errors.begin(), errors.end());
    result.claims.push_back(at_most(names.back() + " off by up to 50 %: worst rms error over that without compensation",
                                    printed("Section 6: not overly sensitive"), 0.75, worst / none, "-"));
    figure.series.push_back({"rms", 0, curves.columns.size(), names.back()});
    curves.columns.push_back({names.back() + ": rms · 1e3 [m/s]", errors});
  }
  const auto worst_of = [&](std::size_t i) { return std::max(low[i], high[i]); };
  double next = 0;  // the worst of the parameters other than the level of sliding friction
  for (const std::size_t i : {1U, 2U, 4U, 5U, 7U}) {
    next = std::max(next, worst_of(i));
  }
  const Source fitted = requirement("Table 1, which plant and gains were searched to reach");
  result.claims.push_back(
      within("all forces 50 % too large: rms error · 1e3", fitted, 6.72, high[0], 0.06 * 6.72, "m/s"));
  result.claims.push_back(
      within("all forces 50 % too small: rms error · 1e3", fitted, 6.22, low[0], 0.06 * 6.22, "m/s"));
  result.claims.push_back(at_least("Coulomb level off by 50 %: rms error over the worst of shape, bristle and gain",
                                   printed("Section 6: a substantial incentive to adapt"), 1, worst_of(3) / next, "-"));
  result.claims.push_back(
      at_most("shape, bristle or gain off by 50 %: worst rms error over that of Coulomb compensation",
              requirement("a rough LuGre model beats a right Coulomb level"), 1, next / coulomb, "-"));
  result.notes = fmt::format(
      "One parameter of the observer at a time is wrong, the body is as it was. The rms error is {:.2f} with the right "
      "parameters, {:.2f} with Coulomb compensation and {:.2f} without. What matters is the level of the sliding "
      "friction; stiffness, damping, Stribeck curve and gain may be far off.",
      nominal, coulomb, none);
  result.tables = {
      {"ends", {{"parameter", names}, {"rms · 1e3 at 50 % [m/s]", low}, {"rms · 1e3 at 150 % [m/s]", high}}, true},
      curves};
  result.figures = {figure};
  return result;
}

}  // namespace stiction::lab::control_sensitivity
