// Fig. 16: Yamane's frictional springs creep with the hand; and the limit of their stiffness.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "../lab.h"
#include "drive.h"
#include "haptic_baselines.h"
#include "stiction/vector.h"

namespace stiction::lab::haptics_fig16 {
namespace {

using baselines::Method;
using baselines::with_method;
using haptics::Pose;

constexpr double friction = 1;
constexpr double amplitude = 0.001;  // of the hand [m]
constexpr double swings = 2;         // of the hand in a second
constexpr Vector3 left{std::numbers::sqrt2 / 2, -std::numbers::sqrt2 / 2, 0};

/// A cube on the floor whose hand jumps by 0.1 mm: its motion in a cycle half a second later [m].
double unrest(Method method, double spring, const Context& context) {
  const haptics::PreparedScene& scene = prepared("cube-and-corner", context.quick);
  constexpr double large_friction = 10;  // so that no spring reaches the friction limit
  haptics::Renderer renderer =
      renderer_with(scene, large_friction, with_method({}, method, spring), scene.description().render);
  const Pose pressed{.position = {0.1, 0.1, 0.045}};
  renderer.reset_pose(settled(scene, {.position = {0.1, 0.1, 0.051}}, pressed, context));
  double last = 0;
  const std::vector<Moment> moments =
      drive(renderer,
            [&](double time) {
              return time < 0.01 ? pressed : Pose{.position = sum(pressed.position, {1e-4, 0, 0})};
            },
            0.5, context, {.forces = false});
  for (std::size_t k = moments.size() - 100; k < moments.size(); ++k) {
    last = std::max(last, norm(linear(moments[k].cycle.motion)));
  }
  return last;
}

}  // namespace

Result run(const Context& context) {
  const double duration = context.quick ? 0.5 : 2;
  const haptics::PreparedScene& scene = prepared("cube-and-corner", context.quick);
  const Pose pressed{{0.045, 0.045, 0.045}, haptics::rotation_by({0.2, -0.2, 0})};
  const Pose start = settled(scene, {.position = {0.06, 0.06, 0.06}}, pressed, context);
  const auto swing = [](double time) { return amplitude * std::sin(2 * std::numbers::pi * swings * time); };
  const auto hand = [&](double time) {
    return Pose{sum(pressed.position, scaled(swing(time), left)), pressed.rotation};
  };
  struct Way {
    const char* name;
    Method method;
    double spring;
  };
  constexpr std::array<Way, 4> ways{{{"this library", Method::cone, 1},
                                     {"springs as stiff as the contacts", Method::springs, 1},
                                     {"springs 10 times as stiff", Method::springs, 10},
                                     {"springs a tenth as stiff", Method::springs, 0.1}}};
  Result result;
  result.notes = fmt::format(
      "Above: a cube in the corner, some 70 contacts, μ = {:g}, the hand moving left and right by 1 mm, within what "
      "friction holds. Springs must stretch to give a force: the cube follows the hand, and does not come back to "
      "where "
      "it was. This library keeps it there. Stiffer springs creep less, and for the explicit form there is a limit: "
      "the "
      "balance of a cycle does not know of the springs, and overshoots when all of them together are stiffer along the "
      "surface than the coupling, here at 0.05 of the contacts' stiffness, a little less since the cube can also tilt. "
      "It is found with a cube on the floor, {:g} s after the hand has jumped by 0.1 mm, with μ = {:g} so that no "
      "spring "
      "comes to its end. The implicit form has no such limit there. But where springs do come to their end it has one "
      "in practice, as the paper says: with the hand moving by 4 mm, the cube leaps about once they are very stiff.",
      friction, 0.5, 10.0);
  Figure creep{"fig16", "A cube under a moving hand", "time [s]", "way of the cube [m]", {}};
  std::array<double, ways.size()> most{};
  double correlation = 0;
  double residual_displacement = 0;
  std::array<double, ways.size()> costs{};
  for (std::size_t w = 0; w < ways.size(); ++w) {
    const auto choice = with_method(scene.description().friction, ways.at(w).method, ways.at(w).spring);
    haptics::Renderer renderer = renderer_with(scene, friction, choice, scene.description().render);
    renderer.reset_pose(start);
    const double done = 0.1 * static_cast<double>(w);
    const std::vector<Moment> moments = drive(renderer, hand, duration, context, {done, done + 0.1, false});
    std::vector<double> times, offsets;
    double both = 0;
    double hands = 0;
    double bodies = 0;
    for (const Moment& moment : moments) {
      const double offset = dot(difference(moment.cycle.body.position, start.position), left);
      times.push_back(moment.time);
      offsets.push_back(offset);
      most.at(w) = std::max(most.at(w), std::abs(offset));
      both += offset * swing(moment.time);
      hands += swing(moment.time) * swing(moment.time);
      bodies += offset * offset;
    }
    costs.at(w) = quantile(moments, 0.5, [](const Moment& m) { return m.cycle.microseconds[2]; });
    if (w == 1) {
      correlation = both / std::sqrt(hands * bodies);
      residual_displacement = std::abs(offsets.back());  // the hand is back
    }
    const std::string table = fmt::format("way_{}", w);
    result.tables.push_back({table, {{"time [s]", times}, {"way [m]", offsets}}});
    creep.series.push_back({table, 0, 1, ways.at(w).name});
  }
  // Limit of the stiffness
  std::vector<double> ratios, explicit_unrest, implicit_unrest;
  for (const double ratio : {0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.1, 1.0, 100.0, 1e4, 1e6}) {
    context.step(0.4 + 0.03 * static_cast<double>(ratios.size()));
    ratios.push_back(ratio);
    explicit_unrest.push_back(unrest(Method::explicit_springs, ratio, context));
    implicit_unrest.push_back(unrest(Method::springs, ratio, context));
  }
  double stable = 0.01;
  double unstable = 0.1;
  for (int k = 0; k < 8; ++k) {
    const double middle = std::sqrt(stable * unstable);
    (unrest(Method::explicit_springs, middle, context) > 1e-9 ? unstable : stable) = middle;
  }
  // With wide swings they reach the friction limit
  std::vector<double> wide;
  const std::vector<double> wide_ratios{1, 10, 100, 1e3, 1e4};
  for (const double ratio : wide_ratios) {
    const auto choice = with_method(scene.description().friction, Method::springs, ratio);
    haptics::Renderer renderer = renderer_with(scene, friction, choice, scene.description().render);
    renderer.reset_pose(start);
    const std::vector<Moment> moments =
        drive(renderer,
              [&](double time) {
                return Pose{sum(pressed.position, scaled(4 * swing(time), left)), pressed.rotation};
              },
              0.5, context, {0.9, 1, false});
    wide.push_back(quantile(moments, 1, [](const Moment& m) { return norm(linear(m.cycle.motion)); }));
  }
  result.tables.push_back({"stiffness",
                           {{"stiffness over that of the contacts [-]", ratios},
                            {"explicit: motion in a cycle [m]", explicit_unrest},
                            {"implicit: motion in a cycle [m]", implicit_unrest}},
                           true});
  result.tables.push_back(
      {"wide_swings",
       {{"stiffness over that of the contacts [-]", wide_ratios}, {"implicit: largest motion in a cycle [m]", wide}},
       true});
  Figure limit{"stiffness",
               "Unrest of a cube whose hand is at rest",
               "stiffness of the springs over that of the contacts",
               "motion in a cycle [m]",
               {{"stiffness", 0, 1, "explicit", "linespoints"}, {"stiffness", 0, 2, "implicit", "linespoints"}}};
  limit.x_log = true;
  limit.y_log = true;
  result.figures = {creep, limit};
  const haptics::RenderParams params;
  const double at_limit = stable * params.parallel_contacts * params.contact_stiffness / params.coupling_stiffness;
  result.claims = {
      within("this library: largest way", printed("Fig. 16, caption: position fixed; exactly 0"), 0, most[0], 0, "m"),
      at_least("springs as stiff as the contacts: largest way over the hand's",
               requirement("Fig. 16, caption: creeps; here by more than a fiftieth"), 0.02, most[1] / amplitude, "-"),
      at_least("springs as stiff as the contacts: correlation of their way with the hand's",
               requirement("Fig. 16, caption: follows the manipulandum"), 0.7, correlation, "-"),
      at_least("springs as stiff as the contacts: way that is left when the hand is back, over the hand's",
               requirement("section 5.6: always slides"), 0.01, residual_displacement / amplitude, "-"),
      at_least("springs 10 times as stiff: largest way over the hand's", requirement("Fig. 16, caption: creeps"), 0.005,
               most[2] / amplitude, "-"),
      within("explicit: all springs at the limit over the coupling",
             from_theory("the balance overshoots by as much: 1"), 1, at_limit, 0.15, "-"),
      at_most("implicit, up to 1e6: motion in a cycle, the hand at rest",
              from_theory("the balance includes the springs: no such limit"), 1e-9, std::ranges::max(implicit_unrest),
              "m"),
      at_least("implicit, 1e4, wide swings: largest motion in a cycle over that with 1",
               requirement("section 5.6: a stability limit in practice, without a number"), 3,
               wide.back() / wide.front(), "-"),
      at_most("cost of this library over the springs'", printed("Section 5.6: about 6"), 6, costs[0] / costs[1], "-")
          .as_info("depends on the machine"),
  };
  return result;
}

}  // namespace stiction::lab::haptics_fig16
