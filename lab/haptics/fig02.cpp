// Fig. 2: a peg 1 % too large, and contacts that give way less and less.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "drive.h"
#include "experiments.h"
#include "stiction/spatial/vector.h"

namespace stiction::lab {
namespace {

using haptics::FrictionMethod;
using haptics::Pose;

constexpr double start_height = 0.046;  // of the peg's centre: it does not touch yet [m]
constexpr double hand_way = 0.032;      // [m]
constexpr double speed = 0.02;          // of the hand [m/s]

struct Pushed {
  double way = 0;    // of the peg [m]
  double force = 0;  // the largest on it [N]
};

Pushed push(FrictionMethod method, double rigidity, double mu, const Context& context, double from, double to) {
  const haptics::PreparedScene& scene = prepared("peg-and-hole", context.quick);
  haptics::FrictionChoice choice = scene.description().friction;
  choice.method = method;
  choice.rigidity = rigidity;
  choice.separation = haptics::Separation::none;
  haptics::Renderer renderer = renderer_with(scene, mu, choice, scene.description().render);
  renderer.place({.position = {0, 0, start_height}});
  const auto hand = [](double time) {
    return Pose{.position = {0, 0, start_height - std::min(hand_way, speed * time)}};
  };
  const std::vector<Moment> moments = drive(renderer, hand, hand_way / speed + 0.2, context, {from, to, false});
  return {start_height - moments.back().cycle.body.position[2],
          quantile(moments, 1, [](const Moment& m) { return -m.cycle.coupling[2]; })};
}

}  // namespace

Result haptics_fig02(const Context& context) {
  const std::vector<double> rigidities =
      context.quick ? std::vector<double>{1, 10, 100} : std::vector<double>{1, 3, 10, 30, 100, 300, 1000, 1e4};
  constexpr std::array<double, 2> coefficients{0, 0.5};
  Result result;
  result.notes =
      "The hand pushes a peg down on a hole that is 1 % too small, by 32 mm, which is 16 N where the peg stays above. "
      "Contacts as springs let it in: with μ = 0 it follows the hand, with μ = 0.5 it is 2 mm behind. Staggered "
      "projections and Gauss–Seidel have contacts that give way by λ/k; the larger k, the closer they are to the "
      "constraint-based contact of Fig. 2, which lets nothing penetrate. From 30 times the stiffness of our springs on "
      "the peg stays above the hole, with friction and without: the force that it takes grows with the "
      "stiffness, without bound. What is not shown is the limit itself. Contacts are only found where a point is "
      "inside "
      "already, and hardly any are when contacts are very rigid: the peg is thrown from one set of three or "
      "four points to the next, and may tumble in. A contact without any penetration would need points found before "
      "they touch, with their gaps.";
  std::vector<std::string> names;
  std::vector<double> used_rigidity, used_mu, ways, forces;
  const auto add = [&](const char* name, FrictionMethod method, double rigidity, double mu, double from, double to) {
    const Pushed pushed = push(method, rigidity, mu, context, from, to);
    names.emplace_back(name);
    used_rigidity.push_back(rigidity);
    used_mu.push_back(mu);
    ways.push_back(pushed.way);
    forces.push_back(pushed.force);
    return pushed;
  };
  Figure figure{"fig02",
                "How far a hand that goes 32 mm brings the peg",
                "stiffness of the contacts over that of our springs",
                "way of the peg [m]",
                {}};
  figure.x_log = true;
  double done = 0;
  for (const double mu : coefficients) {
    const Pushed springs = add("springs with cones", FrictionMethod::cone, 1, mu, done, done + 0.05);
    done += 0.05;
    result.claims.push_back(at_least(fmt::format("springs, μ = {:g}: way of the peg over the hand's", mu),
                                     "Fig. 2: penalty contact can be inserted", 0.9, springs.way / hand_way, "-"));
    for (const auto& [method, name] : {std::pair{FrictionMethod::staggered, "staggered projections"},
                                       std::pair{FrictionMethod::gauss_seidel, "Gauss–Seidel"}}) {
      std::vector<double> along;
      for (const double rigidity : rigidities) {
        const double share = 0.225 / static_cast<double>(rigidities.size());
        const Pushed pushed = add(name, method, rigidity, mu, done, done + share);
        done += share;
        along.push_back(pushed.way);
        if (rigidity == 100) {
          result.claims.push_back(
              at_most(fmt::format("{}, 100 times as rigid, μ = {:g}: way of the peg over the hand's", name, mu),
                      "Fig. 2: cannot be inserted", 0.1, pushed.way / hand_way, "-"));
          result.claims.push_back(
              at_least(fmt::format("{}, 100 times as rigid, μ = {:g}: force over that on springs", name, mu),
                       "Fig. 2: cannot be inserted", 5, pushed.force / springs.force, "-"));
        }
      }
      const std::string table = fmt::format("{}_{:g}", method == FrictionMethod::staggered ? "staggered" : "gauss", mu);
      result.tables.push_back({table, {{"stiffness ratio [-]", rigidities}, {"way [m]", along}}});
      figure.series.push_back({table, 0, 1, fmt::format("{}, μ = {:g}", name, mu), "linespoints"});
    }
  }
  result.tables.push_back({"pushed",
                           {{"contact", names},
                            {"stiffness ratio [-]", used_rigidity},
                            {"μ [-]", used_mu},
                            {"way of the peg [m]", ways},
                            {"largest force [N]", forces}},
                           true});
  result.figures.push_back(figure);
  return result;
}

}  // namespace stiction::lab
