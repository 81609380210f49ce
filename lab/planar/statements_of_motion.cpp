// Statements of the paper about bodies in motion: the disc of Figs. 6 and 23 to 25, the box of Figs. 26 to 32.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "held_box.h"
#include "paper_setup.h"
#include "statements.h"
#include "stiction/planar/slip.h"
#include "stiction/sim/planar_steps.h"

namespace stiction::lab::planar_statements {
namespace {

using planar::Distributed;
using planar::Patch;
using planar::Point;
using planar::Reduced;
using planar::SurfaceTable;
using planar::Twist;
using planar::Wrench;

constexpr double contact_radius = 0.025;  // of the authors' code, with the inertia of a disc of 50 mm [m]
constexpr double gravity = 9.81;          // [m/s²]
constexpr double interval = 2e-3;         // between points of a path [s]

struct Loads {
  Wrench applied;
  double normal = gravity;
};
/// The loads of Figs. 6 and 23, or those of Figs. 24 and 25; held over 10 ms.
Loads loads_at(double t, bool normal_swings) {
  const double held = 0.01 * std::floor(t / 0.01 + 1e-9);
  const double rise = std::min(held / 0.2, 1.0);
  const double wave = std::sin(6 * pi * held);
  if (normal_swings) {
    return {{rise, 0, 0.03 * rise}, gravity + (held <= 1 ? 0 : wave)};
  }
  const double torque = held <= 2.8 ? 0 : held < 3 ? 0.03 * (held - 2.8) / 0.2 : 0.03 + 0.01 * wave;
  return {{held < 1 ? rise : 1 + 0.4 * wave, 0, torque}};
}

template <class Contact>
sim::PlanarSteps<Contact> disc_on(Contact contact) {
  return {{.mass = 1, .inertia = 0.5 * 0.05 * 0.05, .carried = true}, std::move(contact)};
}

struct Path {
  std::vector<double> time, x;  // [s], [m]
  /// Half of the range of x.
  [[nodiscard]] double amplitude(double from, double to) const {
    double low = infinity;
    double high = -infinity;
    for (std::size_t i = 0; i < time.size(); ++i) {
      if (time[i] >= from && time[i] < to) {
        low = std::min(low, x[i]);
        high = std::max(high, x[i]);
      }
    }
    return (high - low) / 2;
  }
};
Path moved(const Context& context, const Distributed& model, bool normal_swings) {
  context.check();
  auto steps = disc_on(sim::DistributedContact(model));
  const double dt = context.quick ? 1e-3 : 1e-4;
  Path path;
  for (long k = 0; k < std::lround(5 / dt); ++k) {
    const double t = static_cast<double>(k) * dt;
    const Loads loads = loads_at(t, normal_swings);
    steps.step({loads.applied, loads.normal}, dt);
    if ((k + 1) % std::lround(interval / dt) == 0) {
      path.time.push_back(t + dt);
      path.x.push_back(steps.position.x);
    }
  }
  return path;
}

/// The same by the adaptive solver: how the reduced model deflects depends on its path, which steps of a fixed length
/// follow less well.
Path moved_accurately(const Context& context, const Reduced<planar::AngleTable>& model, bool normal_swings) {
  context.check();
  sim::PlanarBody body;
  body.mass = 1;
  body.inertia = 0.5 * 0.05 * 0.05;
  body.carried = true;
  body.load = [=](double t) { return loads_at(t, normal_swings).applied; };
  body.normal_force = [=](double t) { return loads_at(t, normal_swings).normal; };
  for (int i = 1; i < 500; ++i) {
    body.jumps.push_back(0.01 * i);
  }
  const auto run = sim::simulate(body, model, {},
                                 {.duration = 5,
                                  .interval = interval,
                                  .relative_tolerance = context.quick ? 1e-4 : 1e-7,
                                  .absolute_tolerance = context.quick ? 1e-10 : 1e-13,
                                  .max_step = 1e-2});
  Path path;
  for (const auto& row : run.rows) {
    path.time.push_back(row.time);
    path.x.push_back(row.state.position.x);
  }
  return path;
}

/// The force of a slow ramp at which the disc is faster than the Stribeck velocity.
double break_away(const planar::Friction& friction, const Patch& patch) {
  auto steps = disc_on(sim::ReducedContact<SurfaceTable>{
      Reduced<SurfaceTable>::make({friction, patch.pressure_moments(), SurfaceTable(patch)})});
  constexpr double dt = 2e-3;
  double force = 0;
  while (steps.velocity.x < friction.stribeck_velocity && force < 20) {
    force += dt;  // 1 N/s
    steps.step({{force, 0, 0}, gravity}, dt);
  }
  return force;
}

void share_of_break_away(Result& result) {
  const planar::Friction friction = planar::preset::waltersson_p1();
  const Patch patch(planar::paper::circle(21, 2 * contact_radius));
  result.claims.push_back(within("disc: 1 N over the force at which it slips, by a slow ramp",
                                 printed("Section VI-B: 1/12 of the force required to initiate slip"), 1.0 / 12,
                                 1 / break_away(friction, patch), 1.0 / 11.5 - 1.0 / 12, "-"));
  // Loads stay below what ends slip, at μ_C, at every time
  for (const double radius : {contact_radius, 0.05}) {
    const Patch contact(planar::paper::circle(21, 2 * radius));
    double largest = 0;
    for (int k = 0; k < 500; ++k) {
      for (const bool normal : {false, true}) {
        const Loads loads = loads_at(0.01 * k, normal);
        if (k > 0) {
          largest = std::max(largest, 1 / planar::slip(contact, loads.applied, friction.coulomb * loads.normal).factor);
        }
      }
    }
    result.claims.push_back(at_most(
        fmt::format("disc: largest load over that of sliding, contact of {:g} mm radius", 1e3 * radius),
        printed("caption of Fig. 6: under the threshold for initiating or sustaining slippage"), 1, largest, "-"));
  }
}

/// The box of Figs. 26 to 32.
constexpr planar::Friction box_friction = planar::preset::waltersson_p1();
constexpr double weight = 0.2 * gravity;

void grip_needed(Result& result) {
  std::vector<double> offset;
  Figure figure{"grip",
                "Grip of each of two fingers that holds the box",
                "centre of mass from the contact's centre [mm]",
                "normal force [N]",
                {}};
  Table table{"grip", {}};
  for (int k = 0; k <= 60; ++k) {
    offset.push_back(0.5 * k);
  }
  table.columns.push_back({"offset [mm]", offset});
  std::array<double, 2> circle{};
  for (const auto& [name, grid] : std::array<PaperShape, 3>{{{"circle", planar::paper::circle},
                                                             {"square", planar::paper::square},
                                                             {"gradient line", planar::paper::gradient_line_x}}}) {
    const Patch patch(grid(21, side));
    const auto needed = [&](double at) {
      const Wrench load = at_point(Wrench{0, -weight, 0}, {at, 0}, patch.centre_of_pressure());
      return 1 / (2 * box_friction.static_level * planar::slip(patch, load, 1).factor);
    };
    std::vector<double> force;
    for (const double x : offset) {
      force.push_back(needed(1e-3 * x));
    }
    if (std::string_view(name) == "circle") {
      circle = {needed(0.025), needed(0.002)};
    }
    table.columns.push_back({fmt::format("{} [N]", name), force});
    figure.series.push_back({"grip", 0, table.columns.size() - 1, name});
  }
  result.tables.push_back(table);
  result.figures.push_back(figure);
  result.claims.push_back(at_least("circle: normal force that holds the box in case 1, over that in case 2",
                                   printed("Section VI-C: in case 1 a larger normal force is required"), 1,
                                   circle[0] / circle[1], "-"));
  const auto r = [](const planar::PressureGrid& grid) { return Patch(grid).torque_radius(); };
  result.claims.push_back(at_most(
      "r of the gradient line over the smaller of circle and square",
      printed("Section VI-C: less torsional friction than the circle or square"), 1,
      r(planar::paper::gradient_line_x()) / std::min(r(planar::paper::circle()), r(planar::paper::square())), "-"));
}

sim::PlanarOptions box_options() {
  return {.duration = 2, .interval = 2e-3, .relative_tolerance = 1e-7, .absolute_tolerance = 1e-9, .max_step = 1e-2};
}
sim::PlanarRun held(const Context& context, const Hold& hold, const Patch& patch) {
  context.check();
  return sim::simulate(held_box(hold), authors_reduced(box_friction, patch), {.position = {hold.mass_at, 0}},
                       box_options());
}
Twist at_contact(const sim::PlanarState& state, Point contact) {
  return at_point(state.velocity, state.position, contact);
}
/// The mean distance of the centre of rotation from the contact's centre: what that slides for each radian.
double mean_centre_of_rotation(const sim::PlanarRun& run) {
  double slid = 0;
  double rotated = 0;
  for (const auto& row : run.rows) {
    const Twist v = at_contact(row.state, {});
    slid += std::hypot(v.x, v.y);
    rotated += std::abs(v.spin);
  }
  return slid / rotated;
}

void outcomes(const Context& context, Result& result) {
  const Patch circle(planar::paper::circle(21, side));
  struct Case {
    const char* name;
    double mass_at;
    NormalForce sine_force, dip_force;
  };
  std::array<double, 2> between{};  // the ends of the two profiles, over the way
  std::array<double, 2> centre{};
  const std::array<Case, 2> cases{
      {{"case 1", 0.025, sine(3.6, 0.9), dip(2.9, 4, 30)}, {"case 2", 0.002, sine(1.73, 0.91), dip(0.84, 2, 32.5)}}};
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const Case& one = cases.at(c);
    const auto first = held(context, {one.mass_at, one.sine_force}, circle);
    const auto second = held(context, {one.mass_at, one.dip_force}, circle);
    const Point a = first.rows.back().state.position;
    const Point b = second.rows.back().state.position;
    const Point start{one.mass_at, 0};
    const auto length = [](Point p) { return std::hypot(p.x, p.y); };
    between.at(c) = length(a - b) / std::max(length(a - start), length(b - start));
    centre.at(c) = std::max(mean_centre_of_rotation(first), mean_centre_of_rotation(second));
  }
  result.claims.push_back(at_most("case 1: mean distance of the centre of rotation from the contact's centre",
                                  printed("Section VI-C: the centre of area is akin to a pivot; taken as: in the "
                                          "contact"),
                                  side / 2, centre[0], "m"));
  result.claims.push_back(at_most("case 1: distance between the ends with the two normal forces, over the way",
                                  printed("Section VI-C: a similar displacement; taken as a twentieth"), 0.05,
                                  between[0], "-"));
  result.claims.push_back(at_least("case 2: the same, over that of case 1",
                                   printed("Section VI-C: in case 2 the choice of the normal force has an influence"),
                                   2, between[1] / between[0], "-"));
  result.claims.push_back(at_least("case 2: mean distance of the centre of rotation from the contact's centre",
                                   printed("Section VI-C: a combined rotational and tangential motion; taken as: "
                                           "outside the contact"),
                                   side / 2, centre[1], "m"));
}

/// The gradient line in case 2: how much of the slip is rotation, and whether the centre of mass comes to hang below
/// the centre of pressure.
void aligning(const Context& context, Result& result) {
  const Patch line(planar::paper::gradient_line_x(21, side));
  const Point cop = line.centre_of_pressure();
  const double r = line.torque_radius();
  const Hold hold{0.002, sine(1.73, 0.91)};
  context.check();
  const auto distributed = sim::simulate(held_box(hold), Distributed::make({box_friction, line}),
                                         {.position = {hold.mass_at, 0}}, box_options());
  Table table{"aligning",
              {{"time [s]", std::vector<double>{}},
               {"tangential slip [mm/s]", std::vector<double>{}},
               {"rotation times r [mm/s]", std::vector<double>{}},
               {"centre of mass beside the centre of pressure [mm]", std::vector<double>{}}}};
  std::array<double, 2> slid{};        // in the first slip, and later
  std::array<double, 2> rotated{};     // r times the angle
  constexpr double first_ends = 0.75;  // the grip is firm from 0.65 to 0.85 s, and a period of 0.5 s later again
  for (const auto& row : distributed.rows) {
    const Twist v = at_contact(row.state, cop);
    const double slides = std::hypot(v.x, v.y);
    const double rotates = r * std::abs(v.spin);
    const std::array values{row.time, 1e3 * slides, 1e3 * rotates, 1e3 * (row.state.position.x - cop.x)};
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::get<std::vector<double>>(table.columns[i].values).push_back(values[i]);
    }
    const std::size_t when = row.time < first_ends ? 0 : 1;
    slid.at(when) += slides;
    rotated.at(when) += rotates;
  }
  const auto rotation_share = [&](std::size_t when) { return rotated.at(when) / (slid.at(when) + rotated.at(when)); };
  const auto& beside = std::get<std::vector<double>>(table.columns[3].values);
  result.claims.push_back(at_least("gradient line, first slip: share of rotation in the path of a point at r",
                                   printed("Section VI-C: initially slips in both directions; taken as a tenth"), 0.1,
                                   rotation_share(0), "-"));
  result.claims.push_back(at_most("gradient line, later slips: the same",
                                  printed("Section VI-C: later only slips in the tangential direction; taken as a "
                                          "twentieth"),
                                  0.05, rotation_share(1), "-"));
  result.claims.push_back(at_most("gradient line: centre of mass beside the centre of pressure, end over start",
                                  printed("Section VI-C: it quickly aligns under the CoP; taken as a tenth"), 0.1,
                                  std::abs(beside.back() / beside.front()), "-"));
  result.tables.push_back(table);
  result.figures.push_back({"aligning",
                            "Case 2, gradient line, sine: slip of the contact at the centre of pressure",
                            "time [s]",
                            "speed [mm/s]",
                            {{"aligning", 0, 1, "tangential"}, {"aligning", 0, 2, "rotation times r"}}});
  result.figures.push_back({"aligned",
                            "Case 2, gradient line, sine: the centre of mass comes below the centre of pressure",
                            "time [s]",
                            "horizontal distance [mm]",
                            {{"aligning", 0, 3, ""}}});
}

}  // namespace

void disc_under_loads(const Context& context, Result& result) {
  share_of_break_away(result);
  const Patch patch(planar::paper::circle(context.quick ? 9 : 21, 2 * contact_radius));
  const Patch fine(planar::paper::circle(21, 2 * contact_radius));
  planar::Friction friction = planar::preset::waltersson_p1();
  const auto distributed = Distributed::make({friction, patch});
  const Path tangential = moved_accurately(context, authors_reduced(friction, fine), false);
  const Path many = moved(context, distributed, false);
  const Path normal = moved_accurately(context, authors_reduced(friction, fine), true);
  const Path normal_many = moved(context, distributed, true);
  friction.elasto_plastic = false;
  const Path lugre = moved_accurately(context, authors_reduced(friction, fine), true);

  // Two whole periods before the torque, and five with it
  const auto rise = [](const Path& path) { return path.amplitude(11.0 / 3, 5) / path.amplitude(2, 8.0 / 3); };
  result.claims.push_back(
      at_least("tangential load swings, reduced, elasto-plastic: amplitude with torque over that "
               "without",
               printed("Section VI-B: a slight increase when the torque is added"), 1.01, rise(tangential), "-"));
  result.claims.push_back(within("the same ratio, as drawn", from_figure("Fig. 23, its drawing: 4.93 over 4.07"), 1.21,
                                 rise(tangential), 0.005, "-"));
  result.claims.push_back(
      within("the same ratio", from_authors("poses made with their code: 1.209"), 1.209, rise(tangential), 0.005, "-"));
  result.claims.push_back(within("the same ratio, distributed", from_theory("bristles that stay elastic: no change"), 1,
                                 rise(many), 1e-3, "-"));
  // x = F/(σ0 f_N)
  const double range = 1 / friction.stiffness * (1 / (gravity - 1) - 1 / (gravity + 1));
  result.claims.push_back(within("normal load swings, distributed, elasto-plastic: range of the displacement",
                                 from_theory("elastic bristles: F/(σ0 f_N)"), range, 2 * normal_many.amplitude(3, 5),
                                 0.02 * range, "m"));
  result.claims.push_back(within("the same range, as drawn", from_figure("Fig. 24, its drawing"), 2.10e-8,
                                 2 * normal_many.amplitude(3, 5), 2e-10, "m"));
  result.claims.push_back(within("the same range, reduced, as drawn", from_figure("Fig. 25, its drawing"), 2.62e-8,
                                 2 * normal.amplitude(3, 5), 2e-10, "m"));
  result.claims.push_back(
      at_least("normal load swings, reduced: amplitude of elasto-plastic bristles over LuGre's in the "
               "last period",
               printed("Section VI-B: oscillations in displacement persist; taken as half"), 0.5,
               normal.amplitude(14.0 / 3, 5) / lugre.amplitude(14.0 / 3, 5), "-"));
  const auto micro = [](std::vector<double> x) {
    std::ranges::for_each(x, [](double& value) { value *= 1e6; });
    return x;
  };
  result.tables.push_back({"disc",
                           {{"time [s]", tangential.time},
                            {"tangential, reduced [μm]", micro(tangential.x)},
                            {"tangential, distributed [μm]", micro(many.x)},
                            {"normal, reduced [μm]", micro(normal.x)},
                            {"normal, distributed [μm]", micro(normal_many.x)},
                            {"normal, reduced, LuGre [μm]", micro(lugre.x)}}});
  result.figures.push_back(
      {"amplitude",
       "Tangential load swings, from 3 s on the torque too: displacement of elasto-plastic bristles",
       "time [s]",
       "x [μm]",
       {{"disc", 0, 1, "reduced"}, {"disc", 0, 2, "distributed"}}});
  result.figures.push_back({"persists",
                            "Normal load swings: displacement",
                            "time [s]",
                            "x [μm]",
                            {{"disc", 0, 3, "reduced, elasto-plastic"},
                             {"disc", 0, 4, "distributed, elasto-plastic"},
                             {"disc", 0, 5, "reduced, LuGre"}}});
}

void box_in_hand(const Context& context, Result& result) {
  grip_needed(result);
  outcomes(context, result);
  aligning(context, result);
}

}  // namespace stiction::lab::planar_statements
