// Figs. 8 to 11: with friction the contact force deviates from the normals, and the body stays; without friction
// neither happens.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "../lab.h"
#include "drive.h"
#include "stiction/vector.h"

namespace stiction::lab::haptics_fig08_11 {
namespace {

using haptics::FrictionMethod;
using haptics::Phase;
using haptics::Pose;

constexpr double friction = 0.8;
constexpr double swing_time = 0.5;                             // [s]
constexpr double settled_after = 2 * swing_time;               // the first two swings are half as wide again [s]
constexpr double drag_after = settled_after + 2 * swing_time;  // [s]
constexpr double drag_speed = 0.03;                            // [m/s]

struct Setup {
  const char* scene;
  const char* name;
  Vector3 clear;
  Pose pressed;                   // the hand
  Vector3 along;                  // unit, along the surface
  double amplitude;               // of the hand [m]
  double contacts, milliseconds;  // in the paper's figure
  const char* figure;
};

/// The hand swings along the surface and then drags the body on.
Pose hand_at(const Setup& setup, double time) {
  const double amplitude = time < settled_after ? 1.5 * setup.amplitude : setup.amplitude;
  const double swing = time < drag_after ? amplitude * std::sin(2 * std::numbers::pi * time / swing_time)
                                         : drag_speed * (time - drag_after);
  return {sum(setup.pressed.position, scaled(swing, setup.along)), setup.pressed.rotation};
}

/// Angle between the force of the contacts, which is what the hand feels at rest, and their normal forces [deg].
double angle_from_normal(const Moment& m) { return angle(m.normal, negative(linear(m.cycle.coupling))); }

}  // namespace

Result run(const Context& context) {
  const double duration = drag_after + (context.quick ? 0.5 : 1);
  const std::array<Setup, 2> setups{{{"engine-bay",
                                      "starter",
                                      {0.06, -0.08, -0.12},
                                      {{0.06, -0.053, -0.12}},
                                      {0, 0.1, 0.995},
                                      0.001,
                                      50,
                                      0.76,
                                      "Fig. 9"},
                                     {"door",
                                      "window motor",
                                      {0.24, -0.19, 0.005},
                                      {{0.129, -0.111, -0.036}, haptics::rotation_by({-0.25, 0.25, 0.05})},
                                      {0, 0.98, 0.2},
                                      0.001,
                                      55,
                                      0.86,
                                      "Fig. 11"}}};
  Result result;
  result.notes = fmt::format(
      "A starter on the engine and a window motor in the door, pressed on with μ = {:g}. The hand swings along the "
      "surface, two times by half as much again, so that contacts at their limit settle, and two times within what "
      "friction holds; then it drags the body along. The force of the contacts is what the hand feels, but for its "
      "sign. With friction it leaves the sum of the normal forces while the body stays where it is. Without friction "
      "the body follows the hand, and the force is along the normals but for what the body lags behind. As the body is "
      "dragged its contacts come and go, and the normal forces with them. The places were sought among random ones for "
      "those where friction holds all of the swing: they are examples, not typical.",
      friction);
  double done = 0;
  for (const Setup& setup : setups) {
    const haptics::PreparedScene& scene = prepared(setup.scene, context.quick);
    const Pose start = settled(scene, {.position = setup.clear}, setup.pressed, context);
    const auto run = [&](FrictionMethod method) {
      haptics::FrictionChoice choice = scene.description().friction;
      choice.method = method;
      haptics::Renderer renderer = renderer_with(scene, friction, choice, scene.description().render);
      renderer.reset_pose(start);
      done += 0.25;
      return drive(renderer, [&](double time) { return hand_at(setup, time); }, duration, context,
                   {.from = done - 0.25, .to = done});
    };
    const std::vector<Moment> with = run(FrictionMethod::cone);
    const std::vector<Moment> without = run(FrictionMethod::none);
    double offset_with = 0;
    double offset_without = 0;
    double held = 0;
    double cycles = 0;
    double angle_with = 0;
    double steepest = 0;
    std::vector<Moment> dragged;
    for (std::size_t k = 0; k < with.size(); ++k) {
      steepest = std::max(steepest, with[k].steepest);
      if (with[k].time >= settled_after && with[k].time < drag_after) {
        const auto from = static_cast<std::size_t>(settled_after / scene.description().render.period) - 1;
        const auto offset = [&](const std::vector<Moment>& run_of) {
          return norm(difference(run_of[k].cycle.body.position, run_of[from].cycle.body.position));
        };
        offset_with = std::max(offset_with, offset(with));
        offset_without = std::max(offset_without, offset(without));
        held += with[k].cycle.phase == Phase::held ? 1 : 0;
        ++cycles;
        angle_with = std::max(angle_with, angle_from_normal(with[k]));
      }
      if (with[k].time >= drag_after) {
        dragged.push_back(with[k]);
      }
    }
    const std::string with_name = fmt::format("{}_with", setup.scene);
    const std::string without_name = fmt::format("{}_without", setup.scene);
    for (const auto& [name, moments] : {std::pair{with_name, &with}, std::pair{without_name, &without}}) {
      Table table = to_table(name, *moments, 2);
      std::vector<double> angles;
      for (std::size_t k = 0; k < moments->size(); k += 2) {
        angles.push_back(angle_from_normal((*moments)[k]));
      }
      table.columns.push_back({"angle [deg]", std::move(angles)});
      result.tables.push_back(std::move(table));
    }
    result.figures.push_back(
        {fmt::format("{}_forces", setup.scene),
         fmt::format("Forces on the {}: held, from {:g} s on dragged", setup.name, drag_after),
         "time [s]",
         "force [N]",
         {{with_name, 0, 7, "coupling"}, {with_name, 0, 8, "normal"}, {with_name, 0, 9, "friction"}}});
    result.figures.push_back({fmt::format("{}_angle", setup.scene),
                              fmt::format("The {}: contact force and normal", setup.name),
                              "time [s]",
                              "angle between [deg]",
                              {{with_name, 0, 13, "with friction"}, {without_name, 0, 13, "without friction"}}});
    const auto contacts = [](const Moment& m) { return static_cast<double>(m.cycle.contacts); };
    const auto cost = [](const Moment& m) { return m.cycle.microseconds[2] / 1000; };
    const auto claim_name = [&](const char* what) { return fmt::format("{}: {}", setup.name, what); };
    result.claims.push_back(within(claim_name("cycles in which it is held, of those within the cone"),
                                   "Figs. 8 and 10: static friction", 1, held / cycles, 0, "-"));
    result.claims.push_back(
        within(claim_name("its way then"), "the object stays put: exactly 0", 0, offset_with, 0, "m"));
    result.claims.push_back(at_least(claim_name("its way without friction, over the hand's"), "it follows the hand",
                                     0.2, offset_without / setup.amplitude, "-"));
    result.claims.push_back(at_least(claim_name("with friction the contact force leaves the normal by"),
                                     "Figs. 8 and 10", 1, angle_with, "deg"));
    result.claims.push_back(at_most(claim_name("without friction, the hand at rest, by"),
                                    "always normal to the contact", 0.01, angle_from_normal(without.front()), "deg"));
    const auto drag = static_cast<std::ptrdiff_t>(drag_after / scene.description().render.period);
    result.claims.push_back(
        at_most(claim_name("without friction, the hand swinging, by, median"), "always normal to the contact", 0.5,
                quantile(std::vector<Moment>(without.begin(), without.begin() + drag), 0.5, angle_from_normal), "deg"));
    result.claims.push_back(
        at_most(claim_name("largest friction of a contact over its normal force"), "μ", friction, steepest, "-", 1e-6));
    result.claims.push_back(within(claim_name("contacts while it is dragged, median"), setup.figure, setup.contacts,
                                   quantile(dragged, 0.5, contacts), setup.contacts, "-")
                                .as_info("another part, another place"));
    result.claims.push_back(at_most(claim_name("cost of friction in a cycle, median"), setup.figure, setup.milliseconds,
                                    quantile(dragged, 0.5, cost), "ms")
                                .as_info("depends on the machine"));
  }
  return result;
}

}  // namespace stiction::lab::haptics_fig08_11
