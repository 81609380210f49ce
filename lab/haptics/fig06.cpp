// Fig. 6: a body is lifted off. Its springs are still compressed, so that friction could hold it back; by the rule of
// section 4.1 separating contacts have no friction.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>

#include "../lab.h"
#include "drive.h"
#include "stiction/vector.h"

namespace stiction::lab::haptics_fig06 {
namespace {

using haptics::FrictionMethod;
using haptics::Separation;

constexpr double friction = 10;
constexpr double pressing = 0.1;       // before it is lifted [s]
constexpr double lift_of_hand = 0.15;  // [m]
constexpr double speed = 0.1;          // of the hand that lifts [m/s]

struct Setup {
  const char* scene;
  const char* name;
  Vector3 clear;      // position without contact
  Vector3 pressed;    // position to which the hand presses
  Vector3 direction;  // unit, along which the hand lifts
  double shown_lift;  // of the hand in the pictures [m]
  Vector3 view;       // from the part to the eye
};
struct Lifted {
  std::vector<double> lift, pull;  // of the hand [m]; of the coupling on the body, along the direction [N]
  double max_pull = 0;             // while in contact [N]
  double normal = 0;               // the sum of the normal forces before lifting [N]
  double moved = 0;                // of the body, until the end [m]
  bool free = false;               // in the end
  Snapshot shown;                  // when the hand has been lifted by the setup's `shown_lift`
};

Lifted lift(const Setup& setup, FrictionMethod method, Separation rule, const Context& context, double from,
            double to) {
  const haptics::PreparedScene& scene = prepared(setup.scene, context.quick);
  haptics::FrictionChoice choice = scene.description().friction;
  choice.method = method;
  choice.separation = rule;
  haptics::Renderer renderer = renderer_with(scene, friction, choice, scene.description().render);
  renderer.reset_pose(settled(scene, {.position = setup.clear}, {.position = setup.pressed}, context));
  const auto raised = [](double time) { return std::max(0.0, speed * (time - pressing)); };
  const auto hand = [&](double time) {
    return haptics::Pose{.position = sum(setup.pressed, scaled(raised(time), setup.direction))};
  };
  Lifted result;
  const auto after = [&](const Moment& m) {
    if (raised(m.time) <= setup.shown_lift) {
      result.shown = snapshot(renderer, m.hand);
    }
  };
  const std::vector<Moment> moments =
      drive(renderer, hand, pressing + lift_of_hand / speed, context, {.from = from, .to = to, .after = after});
  Vector3 start{};
  for (const Moment& moment : moments) {
    if (moment.time < pressing) {
      start = moment.cycle.body.position;
      result.normal = norm(moment.normal);
      continue;
    }
    result.lift.push_back(raised(moment.time));
    result.pull.push_back(dot(linear(moment.cycle.coupling), setup.direction));
    result.free = result.free || moment.cycle.contacts == 0;
    result.max_pull = result.free ? result.max_pull : std::max(result.max_pull, result.pull.back());
  }
  result.moved = norm(difference(moments.back().cycle.body.position, start));
  return result;
}

}  // namespace

Result run(const Context& context) {
  constexpr double third = 1 / std::numbers::sqrt3;
  constexpr std::array<Setup, 3> setups{
      {{"cube-and-corner",
        "cube",
        {0.051, 0.051, 0.051},
        {0.045, 0.045, 0.045},
        {third, third, third},
        0.06,
        {-0.05, 1, 0.3}},
       {"engine-bay", "starter", {0.08, -0.08, 0.07}, {0.08, -0.063, 0.07}, {0, -1, 0}, 0.014, {1, -0.6, 0.5}},
       {"engine-bay", "wedged starter", {0, -0.08, -0.04}, {0, -0.055, -0.04}, {0, -1, 0}, 0, {0, -1, 0}}}};
  struct Rule {
    Separation rule;
    const char* name;
  };
  constexpr std::array<Rule, 3> rules{{{Separation::none, "no rule"},
                                       {Separation::as_published, "rule as published"},
                                       {Separation::pulled, "pulled only"}}};
  struct Method {
    FrictionMethod method;
    const char* name;
  };
  constexpr std::array<Method, 2> methods{{{FrictionMethod::cone, "cones"}, {FrictionMethod::switched, "switched"}}};

  Result result;
  result.notes = fmt::format(
      "A body is pressed into contact, μ = {:g}, and lifted at 0.1 m/s: a cube out of a corner along the corner's "
      "diagonal, and a starter off the engine. It begins where it rests without friction. Drawn is how hard "
      "the coupling pulls it out; below 0 it still presses. Without the rule of section 4.1 the springs stay pressed "
      "and friction holds the body, until the pull is beyond the cones: for the cube at (√2 μ − 1) times the sum N of "
      "the normal forces, when every wall gives μ times its own. With the rule, as published or only for contacts that "
      "the hand pulls at, it comes off with next to no pull, with the paper's switch between friction and none as well "
      "as with the cones. A starter wedged between two pipes is another matter: there the pipes press it from two "
      "sides, the hand pulls along them, and μ = {:g} does hold it. The starter's places were sought among random ones "
      "for those that show this: they are examples, not typical.",
      friction, friction);
  std::vector<std::string> names;
  std::vector<std::string> used_methods;
  std::vector<std::string> used_rules;
  std::vector<double> pulls;
  std::vector<double> normals;
  std::array<double, 3> stuck{};  // least pull without the rule, of both methods [N]
  std::array<double, 3> loose{};  // most pull with it [N]
  double normal = 0;              // of the cube [N]
  double behind = 0;              // largest distance of the hand beyond the body when it comes off with the rule [m]
  std::size_t runs = 0;
  for (std::size_t p = 0; p < setups.size(); ++p) {
    const Setup& setup = setups.at(p);
    Figure figure{fmt::format("place_{}", p),
                  fmt::format("A {} is lifted, μ = {:g}", setup.name, friction),
                  "lift of the hand [m]",
                  "pull on the body [N]",
                  {}};
    stuck.at(p) = std::numeric_limits<double>::infinity();
    for (const Method& method : methods) {
      for (const Rule& rule : rules) {
        constexpr double share = 1.0 / (setups.size() * methods.size() * rules.size());
        const double from = share * static_cast<double>(runs++);
        const Lifted lifted = lift(setup, method.method, rule.rule, context, from, from + share);
        if (rule.rule == Separation::none) {
          stuck.at(p) = std::min(stuck.at(p), lifted.max_pull);
        } else {
          loose.at(p) = std::max(loose.at(p), lifted.max_pull);
          if (p < 2) {
            behind = std::max(
                behind, lifted.free ? lifted.max_pull / haptics::RenderParams{}.coupling_stiffness : lift_of_hand);
          }
        }
        normal = p == 0 ? lifted.normal : normal;
        // As in the paper: cube and starter without the rule, and with it
        if (p < 2 && method.method == FrictionMethod::cone && rule.rule != Separation::pulled) {
          const bool sticks = rule.rule == Separation::none;
          result.pictures.push_back(picture(
              fmt::format("fig06_{}_{}", setup.name, sticks ? "sticks" : "comes_off"),
              fmt::format("The {} {} section 4.1's rule, the hand (thin) lifted by {:g} mm: total contact force (red), "
                          "its part along the normals (grey)",
                          setup.name, sticks ? "without" : "with", 1000 * setup.shown_lift),
              prepared(setup.scene, context.quick), lifted.shown, {viz::SceneArrows::total, setup.view}));
        }
        names.emplace_back(setup.name);
        used_methods.emplace_back(method.name);
        used_rules.emplace_back(rule.name);
        pulls.push_back(lifted.max_pull);
        normals.push_back(lifted.normal);
        const std::string table = fmt::format("place_{}_{}_{}", p, method.name, static_cast<int>(rule.rule));
        result.tables.push_back({table, {{"lift [m]", lifted.lift}, {"pull [N]", lifted.pull}}});
        figure.series.push_back({table, 0, 1, fmt::format("{}, {}", method.name, rule.name)});
      }
    }
    result.figures.push_back(figure);
  }
  result.tables.push_back({"lifts",
                           {{"body", names},
                            {"friction", used_methods},
                            {"rule", used_rules},
                            {"normal forces before [N]", normals},
                            {"most pull in contact [N]", pulls}},
                           true});
  const double held = (std::numbers::sqrt2 * friction - 1) * normal;
  const Source none = requirement("Fig. 6, caption: no stickiness; in numbers: next to nothing");
  result.claims = {
      within("cube, no rule: pull at which it comes off", from_theory("all three cones used up: (√2 μ − 1) N"), held,
             stuck[0], 0.01 * held, "N"),
      at_most("cube: pull with the rule over that without", none, 0.05, loose[0] / stuck[0], "-"),
      at_least("starter, no rule: pull at which it comes off", requirement("Fig. 6, caption: sticks to the engine"), 1,
               stuck[1], "N"),
      at_most("starter: pull with the rule over that without", none, 0.1, loose[1] / stuck[1], "-"),
      at_most("hand beyond the body when that comes off, with the rule", none, 0.5e-3, behind, "m"),
      at_most("wedged starter: pull with the rule over that without", none, 0.1, loose[2] / stuck[2], "-")
          .as_info("a wedge that friction does hold"),
  };
  return result;
}

}  // namespace stiction::lab::haptics_fig06
