// Figs. 8 to 11: with friction the contact force deviates from the normals, and the body stays; without friction
// neither happens.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

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
  const char* forces;             // that figure, …
  const char* picture;            // … and the one with the pictures
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
/// The largest angle between the force of a contact and its normal [deg].
double steepest_angle(const Moment& m) { return std::atan(m.steepest) * 180 / std::numbers::pi; }
/// The angle whose tangent is all friction over all normal force [deg].
double mean_angle(const Moment& m) { return std::atan2(m.friction_sum, m.normal_sum) * 180 / std::numbers::pi; }
const double allowed_angle = std::atan(friction) * 180 / std::numbers::pi;

/// The direction of the sum of the normal forces.
Vector3 mean_normal(const Snapshot& shown) {
  Vector3 normal{};
  for (const viz::ShownForce& force : shown.forces) {
    normal = sum(normal, force.normal_force);
  }
  return scaled(1 / norm(normal), normal);
}

bool dragged(const Moment& m) { return m.time >= drag_after; }
bool within_cone(const Moment& m) { return m.time >= settled_after && m.time < drag_after; }
template <class Which>
std::vector<Moment> those(const std::vector<Moment>& moments, Which&& which) {
  std::vector<Moment> chosen;
  std::ranges::copy_if(moments, std::back_inserter(chosen), which);
  return chosen;
}

/// A run, and a picture of one of its cycles.
struct Run {
  std::vector<Moment> moments;
  Snapshot shown;
};
/// Shown is the cycle at `show_at`; without it the one in which the contact force is farthest from the normal.
Run run_of(const Setup& setup, const Pose& start, FrictionMethod method, std::optional<double> show_at,
           const Context& context, double from) {
  const haptics::PreparedScene& scene = prepared(setup.scene, context.quick);
  const double duration = drag_after + (context.quick ? 0.5 : 1);
  haptics::FrictionChoice choice = scene.description().friction;
  choice.method = method;
  haptics::Renderer renderer = renderer_with(scene, friction, choice, scene.description().render);
  renderer.reset_pose(start);
  Run run;
  double largest = 0;
  const auto after = [&](const Moment& m) {
    const double angle = angle_from_normal(m);
    if (show_at ? m.time == *show_at : angle > largest) {
      run.shown = snapshot(renderer, m.hand);
      largest = angle;
    }
  };
  run.moments = drive(renderer, [&](double time) { return hand_at(setup, time); }, duration, context,
                      {.from = from, .to = from + 0.25, .after = after});
  return run;
}

void add_tables_and_figures(Result& result, const Setup& setup, const Run& with, const Run& without) {
  const std::string with_name = fmt::format("{}_with", setup.scene);
  const std::string without_name = fmt::format("{}_without", setup.scene);
  for (const auto& [name, run] : {std::pair{with_name, &with}, std::pair{without_name, &without}}) {
    Table table = to_table(name, run->moments, 2);
    std::vector<double> angles;
    for (std::size_t k = 0; k < run->moments.size(); k += 2) {
      angles.push_back(angle_from_normal(run->moments[k]));
    }
    table.columns.push_back({"angle [deg]", std::move(angles)});
    table.columns.push_back({"friction step, running median [ms]", running_median(std::get<std::vector<double>>(
                                                                       table.columns[column::friction_time].values))});
    result.tables.push_back(std::move(table));
  }
  const std::string bound = fmt::format("{}_bound", setup.scene);
  result.tables.push_back({bound,
                           {{"time [s]", std::vector<double>{0, with.moments.back().time}},
                            {"arctan μ [deg]", std::vector<double>(2, allowed_angle)}}});
  Figure forces{setup.forces,
                fmt::format("The {}: held, from {:g} s on dragged", setup.name, drag_after),
                "time [s]",
                "force [N]",
                {{with_name, column::time, column::contacts, "contacts", "lines", "contacts"},
                 {with_name, column::time, column::count + 1, "friction step, running median", "lines", "time [ms]"}}};
  forces.panels_in_a_row = 1;
  if (std::string(setup.scene) == "door") {
    forces.series.push_back({with_name, column::time, column::coupling, "coupling", "lines", "force [N]"});
    forces.series.push_back({with_name, column::time, column::normal, "normal contact force", "lines", "force [N]"});
    forces.series.push_back({with_name, column::time, column::friction, "friction", "lines", "force [N]"});
  } else {
    forces.series.push_back({with_name, column::time, column::contact_force, "contact force", "lines", "force [N]"});
    forces.series.push_back(
        {with_name, column::time, column::contact_torque, "contact torque", "lines", "torque [N m]"});
  }
  result.figures.push_back(forces);
  result.figures.push_back({fmt::format("{}_angle", setup.picture),
                            fmt::format("The {}: contact force and normal", setup.name),
                            "time [s]",
                            "angle between [deg]",
                            {{with_name, column::time, column::count, "with friction"},
                             {without_name, column::time, column::count, "without friction"},
                             {bound, 0, 1, "arctan μ"}}});
}

void add_claims(Result& result, const Setup& setup, const Run& with, const Run& without, double period) {
  const std::vector<Moment> still = those(with.moments, within_cone);
  const std::vector<Moment> sliding =
      those(with.moments, [](const Moment& m) { return dragged(m) && m.cycle.phase == Phase::slides; });
  const auto offset = [&](const std::vector<Moment>& run) {
    const auto before = static_cast<std::size_t>(std::lround(settled_after / period)) - 1;
    double largest = 0;
    for (const Moment& m : those(run, within_cone)) {
      largest = std::max(largest, norm(difference(m.cycle.body.position, run[before].cycle.body.position)));
    }
    return largest;
  };
  const auto largest = [](const std::vector<Moment>& moments, double (*number)(const Moment&)) {
    return number(std::ranges::max(moments, {}, number));
  };
  const auto held =
      static_cast<double>(std::ranges::count_if(still, [](const Moment& m) { return m.cycle.phase == Phase::held; }));
  const auto name = [&](const char* what) { return fmt::format("{}: {}", setup.name, what); };
  const auto contacts = [](const Moment& m) { return static_cast<double>(m.cycle.contacts); };
  const auto cost = [](const Moment& m) { return m.cycle.microseconds[2] / 1000; };
  const Source normal = printed("Fig. 8, caption: always normal to the contact");
  result.claims.push_back(within(name("cycles in which it is held, of those within the cone"),
                                 printed("Sections 5.1 and 5.2: static friction prevents the sliding"), 1,
                                 held / static_cast<double>(still.size()), 0, "-"));
  result.claims.push_back(within(name("its way then"), printed("Sections 5.1 and 5.2: kept in place; exactly 0"), 0,
                                 offset(with.moments), 0, "m"));
  result.claims.push_back(at_least(name("its way without friction, over the hand's"),
                                   requirement("it follows the hand"), 0.2, offset(without.moments) / setup.amplitude,
                                   "-"));
  result.claims.push_back(at_most(name("largest angle of a contact's force to its normal, at any time"),
                                  from_theory("Coulomb: arctan μ"), allowed_angle,
                                  largest(with.moments, steepest_angle), "deg", 1e-4));
  result.claims.push_back(within(name("largest angle of a contact's force to its normal, where it slides, median"),
                                 from_theory("Coulomb: arctan μ"), allowed_angle,
                                 quantile(sliding, 0.5, steepest_angle), 1e-3, "deg"));
  result.claims.push_back(at_most(name("angle of all friction to all normal force, at most"),
                                  from_theory("Coulomb: arctan μ, with the sizes of all forces"), allowed_angle,
                                  largest(with.moments, mean_angle), "deg", 1e-4));
  result.claims.push_back(at_least(name("angle of all friction to all normal force, where it slides, median"),
                                   from_theory("Coulomb: arctan μ if all contacts slide"), allowed_angle,
                                   quantile(sliding, 0.5, mean_angle), "deg", 0.1)
                              .as_info("less where some contacts hold, or have none because they separate"));
  result.claims.push_back(at_least(name("with friction the contact force leaves the normal by, at most"),
                                   requirement("Figs. 8 and 10: visibly; half of what a single contact's can"),
                                   0.5 * allowed_angle, largest(with.moments, angle_from_normal), "deg"));
  result.claims.push_back(at_most(name("without friction, the hand at rest, angle to the normal"), normal, 0.01,
                                  angle_from_normal(without.moments.front()), "deg"));
  result.claims.push_back(at_most(
      name("without friction, the hand swinging, angle to the normal, median"), normal, 0.5,
      quantile(those(without.moments, [](const Moment& m) { return !dragged(m); }), 0.5, angle_from_normal), "deg"));
  result.claims.push_back(within(name("contacts while it is dragged, median"),
                                 printed(fmt::format("{}, caption", setup.forces)), setup.contacts,
                                 quantile(those(with.moments, dragged), 0.5, contacts), setup.contacts, "-")
                              .as_info("another part, another place"));
  result.claims.push_back(at_most(name("cost of friction in a cycle, median"),
                                  printed(fmt::format("{}, caption", setup.forces)), setup.milliseconds,
                                  quantile(those(with.moments, dragged), 0.5, cost), "ms")
                              .as_info("depends on the machine"));
}

}  // namespace

Result run(const Context& context) {
  const std::array<Setup, 2> setups{{{"engine-bay",
                                      "starter",
                                      {0.06, -0.08, -0.12},
                                      {{0.06, -0.053, -0.12}},
                                      {0, 0.1, 0.995},
                                      0.001,
                                      50,
                                      0.76,
                                      "fig09",
                                      "fig08"},
                                     {"door",
                                      "window motor",
                                      {0.24, -0.19, 0.005},
                                      {{0.129, -0.111, -0.036}, haptics::rotation_by({-0.25, 0.25, 0.05})},
                                      {0, 0.98, 0.2},
                                      0.001,
                                      55,
                                      0.86,
                                      "fig11",
                                      "fig10"}}};
  Result result;
  result.notes = fmt::format(
      "A starter on the engine and a window motor in the door, pressed on with μ = {:g}. The hand swings along the "
      "surface, two times by half as much again, so that contacts at their limit settle, and two times within what "
      "friction holds; then it drags the body along. The force of the contacts is what the hand feels, but for its "
      "sign. With friction it leaves the sum of the normal forces while the body stays where it is. Where the body "
      "slides, friction is used up: each contact's force is {:.2f}° from its normal, arctan μ, and never farther. The "
      "total can be a little farther, since the normals are not parallel. Without friction the body follows the hand, "
      "and the force is along the normals but for what the body lags behind. As the body is dragged its contacts come "
      "and go, and the normal forces with them. The pictures show the total force of the contacts (red), and its part "
      "along the normals (grey), where the angle between them is largest, and without friction at rest. The places "
      "were sought among random ones for those where friction holds all of the swing: they are examples, not typical.",
      friction, allowed_angle);
  double done = 0;
  for (const Setup& setup : setups) {
    const haptics::PreparedScene& scene = prepared(setup.scene, context.quick);
    const Pose start = settled(scene, {.position = setup.clear}, setup.pressed, context);
    const Run with = run_of(setup, start, FrictionMethod::cone, {}, context, done);
    const Run without = run_of(setup, start, FrictionMethod::none, 0.0, context, done + 0.25);
    done += 0.5;
    add_tables_and_figures(result, setup, with, without);
    add_claims(result, setup, with, without, scene.description().render.period);
    // From the side: across both the normal and the way along the surface
    const Vector3 normal = mean_normal(with.shown);
    const Vector3 across = cross(normal, setup.along);
    const Vector3 view = sum(scaled(across[2] + across[0] < 0 ? -1.0 : 1.0, across), scaled(0.5, normal));
    for (const auto& [kind, run] : {std::pair{"with", &with}, std::pair{"without", &without}}) {
      result.pictures.push_back(picture(fmt::format("{}_{}", setup.picture, kind),
                                        fmt::format("The {} {} friction: total contact force (red), its part along the "
                                                    "normals (grey), the hand (thin)",
                                                    setup.name, kind),
                                        scene, run->shown, {viz::SceneArrows::total, view}));
    }
  }
  return result;
}

}  // namespace stiction::lab::haptics_fig08_11
