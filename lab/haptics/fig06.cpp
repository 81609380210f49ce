// Fig. 6: a body is lifted off. Its springs are still pressed, so that friction could hold it back; by the rule of
// section 4.1 contacts that leave have none.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>

#include "drive.h"
#include "experiments.h"
#include "stiction/spatial/vector.h"

namespace stiction::lab {
namespace {

using haptics::FrictionMethod;
using haptics::Separation;
using haptics::Vec3;

constexpr double friction = 10;
constexpr double pressing = 0.2;  // until the hand is as deep as it goes [s]
constexpr double speed = 0.1;     // of the hand that lifts [m/s]

struct Place {
  const char* scene;
  const char* body;
  Vec3 clear;    // where nothing touches yet
  Vec3 pressed;  // where the hand presses
  Vec3 way;      // unit, along which it lifts
  double lift;   // how far [m]
};
struct Lifted {
  std::vector<double> lift, pull;  // of the hand [m]; of the coupling on the body, along the way [N]
  double most_pull = 0;            // while it touches [N]
  double normal = 0;               // the sum of the normal forces before it is lifted [N]
  double moved = 0;                // of the body, until the end [m]
  bool free = false;               // in the end
};

Lifted lift(const Place& place, FrictionMethod method, Separation rule, const Context& context, double from,
            double to) {
  const haptics::PreparedScene& scene = prepared(place.scene, context.quick);
  haptics::FrictionChoice choice = scene.description().friction;
  choice.method = method;
  choice.separation = rule;
  haptics::Renderer renderer = renderer_with(scene, friction, choice, scene.description().render);
  renderer.place({.position = place.clear});
  const auto raised = [](double time) { return std::max(0.0, speed * (time - pressing)); };
  const auto hand = [&](double time) {
    const double share = std::min(1.0, time / pressing);
    const Vec3 start =
        spatial::sum(spatial::scaled(1 - share, place.clear), spatial::scaled(share, place.pressed));
    return haptics::Pose{.position = spatial::sum(start, spatial::scaled(raised(time), place.way))};
  };
  const std::vector<Moment> moments =
      drive(renderer, hand, pressing + place.lift / speed, context, {.from = from, .to = to});
  Lifted result;
  Vec3 start{};
  for (const Moment& moment : moments) {
    if (moment.time < pressing) {
      start = moment.cycle.body.position;
      result.normal = spatial::norm(moment.normal);
      continue;
    }
    result.lift.push_back(raised(moment.time));
    result.pull.push_back(spatial::dot(linear(moment.cycle.coupling), place.way));
    result.free = result.free || moment.cycle.contacts == 0;
    result.most_pull = result.free ? result.most_pull : std::max(result.most_pull, result.pull.back());
  }
  result.moved = spatial::norm(spatial::difference(moments.back().cycle.body.position, start));
  return result;
}

}  // namespace

Result haptics_fig06(const Context& context) {
  constexpr double third = 1 / std::numbers::sqrt3;
  constexpr std::array<Place, 2> places{
      {{"cube-and-corner", "cube", {0.051, 0.051, 0.051}, {0.045, 0.045, 0.045}, {third, third, third}, 0.1},
       {"engine-bay", "starter", {0.08, -0.073, 0}, {0.08, -0.055, 0}, {0, -1, 0}, 0.1}}};
  struct Rule {
    Separation rule;
    const char* name;
  };
  constexpr std::array<Rule, 3> rules{{{Separation::none, "no rule"},
                                       {Separation::printed, "rule as printed"},
                                       {Separation::pulled, "rule, pulled contacts only"}}};
  struct Method {
    FrictionMethod method;
    const char* name;
  };
  constexpr std::array<Method, 2> methods{{{FrictionMethod::cone, "cones"}, {FrictionMethod::switched, "switched"}}};

  Result result;
  result.notes = fmt::format(
      "A body is pressed into contact with μ = {:g}, then the hand lifts it at 0.1 m/s: a cube out of a corner, along "
      "the corner's diagonal, and a starter off the engine. While it is pressed friction holds it where it first "
      "touched. Drawn is how hard the coupling pulls the body out; while that is below 0 it still presses. Without the "
      "rule of section 4.1 the springs stay pressed, and friction holds the body until the pull is beyond the cones. "
      "For the cube that is when each wall gives its share of μ N, at (√2 μ − 1) times the sum of the normal forces. "
      "With the rule, as printed or only for contacts that the hand pulls at, it comes off with next to no pull, with "
      "the paper's switch between friction and none as with the cones of this library.",
      friction);
  std::vector<std::string> bodies, used_methods, used_rules;
  std::vector<double> pulls, normals, ends;
  double done = 0;
  for (const Place& place : places) {
    Figure figure{fmt::format("{}", place.body),
                  fmt::format("A {} is lifted, μ = {:g}", place.body, friction),
                  "lift of the hand [m]",
                  "pull on the body [N]",
                  {}};
    double stuck = 0;     // the least pull without the rule [N]
    double normal = 0;    // [N]
    double most_on = 0;   // the most with it [N]
    double moved = 0;     // by the least of the bodies that come off [m]
    for (const Method& method : methods) {
      for (const Rule& rule : rules) {
        const Lifted lifted = lift(place, method.method, rule.rule, context, done, done + 1.0 / 12);
        done += 1.0 / 12;
        const bool off = rule.rule == Separation::none;
        if (off) {
          stuck = method.method == FrictionMethod::cone ? lifted.most_pull : std::min(stuck, lifted.most_pull);
          normal = lifted.normal;
        } else {
          most_on = std::max(most_on, lifted.free ? lifted.most_pull : lifted.pull.back());
          moved = moved == 0 ? lifted.moved : std::min(moved, lifted.moved);
        }
        bodies.emplace_back(place.body);
        used_methods.emplace_back(method.name);
        used_rules.emplace_back(rule.name);
        pulls.push_back(lifted.most_pull);
        normals.push_back(lifted.normal);
        ends.push_back(lifted.free ? 1 : 0);
        const std::string name = fmt::format("{}_{}_{}", place.body, method.name, static_cast<int>(rule.rule));
        result.tables.push_back({name, {{"lift [m]", lifted.lift}, {"pull [N]", lifted.pull}}});
        figure.series.push_back({name, 0, 1, fmt::format("{}, {}", method.name, rule.name)});
      }
    }
    fmt::print("{} stuck {} normal {} on {} moved {}\n", place.body, stuck, normal, most_on, moved);
    result.figures.push_back(figure);
  }
  result.tables.push_back({"lifts",
                           {{"body", bodies},
                            {"friction", used_methods},
                            {"rule", used_rules},
                            {"normal forces before [N]", normals},
                            {"most pull in contact [N]", pulls},
                            {"comes off [-]", ends}},
                           true});
  return result;
}

}  // namespace stiction::lab
