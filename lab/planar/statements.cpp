// Statements in the text of the paper that no figure or table carries, each with a number computed here: bristles and
// limit surfaces. statements_of_tables.cpp has those about the reduced model, statements_of_motion.cpp those about
// bodies in motion.
#include "statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "directions.h"
#include "paper_setup.h"
#include "stiction/scalar/elasto_plastic.h"

namespace stiction::lab::planar_statements {
namespace {

using planar::Distributed;
using planar::Patch;
using planar::Point;
using planar::Twist;
using planar::Wrench;

Distributed one_bristle(const planar::Friction& friction) {
  planar::Points points;
  points.add({0, 0}, 1);
  return Distributed::make({friction, Patch(points)});
}

void states(Result& result) {
  const auto distributed = Distributed::make({planar::preset::waltersson_p1(), Patch(planar::paper::square())});
  constexpr std::size_t reduced = sizeof(planar::Reduced<planar::AngleTable>::State) / sizeof(double);
  result.claims.push_back(within("state variables of the distributed model, 21 × 21 cells",
                                 printed("Section VI-D: 882 state variables"), 882,
                                 static_cast<double>(distributed.state_size()), 0, "-"));
  result.claims.push_back(within("state variables of the reduced model", printed("Section VI-D: 3 state variables"), 3,
                                 static_cast<double>(reduced), 0, "-"));
}

/// Section IV-A: the norm in eq. 10 makes the steady deflection the same in all directions.
void bristle_directions(Result& result) {
  const Distributed bristle = one_bristle(planar::preset::waltersson_p0());
  const auto steady = [&](const Twist& v) {
    std::vector<double> z(2);
    bristle.advance(z, v, 1);
    return bristle.wrench(z, v, 1);
  };
  constexpr double speed = 0.01;  // [m/s]
  std::vector<double> angle;
  std::vector<double> coupled;
  std::vector<double> separate;
  for (int degrees = 0; degrees <= 90; ++degrees) {
    const Twist v{speed * std::cos(degrees * pi / 180), speed * std::sin(degrees * pi / 180), 0};
    const Wrench both = steady(v);
    angle.push_back(degrees);
    coupled.push_back(std::hypot(both.x, both.y));
    separate.push_back(std::hypot(steady({v.x, 0, 0}).x, steady({0, v.y, 0}).y));
  }
  const auto spread = [](const std::vector<double>& force) {
    return std::ranges::max(force) - std::ranges::min(force);
  };
  const auto source = printed("Section IV-A: the norm of the steady deflection does not depend on the direction");
  result.claims.push_back(at_most("steady force of a bristle, over all directions: largest less smallest", source, 0,
                                  spread(coupled), "N", 1e-9));
  result.claims.push_back(within("the same with one bristle for each axis, which eq. 10 couples", from_theory("√2 − 1"),
                                 std::numbers::sqrt2 - 1, spread(separate), 1e-3, "N"));
  result.tables.push_back({"bristle",
                           {{"direction [deg]", angle},
                            {"one bristle of two dimensions [N]", coupled},
                            {"one bristle for each axis [N]", separate}}});
  result.figures.push_back({"bristle",
                            "Steady force of a bristle by the direction of motion, 1 N of normal force",
                            "direction of motion [deg]",
                            "force [N]",
                            {{"bristle", 0, 1, "coupled by the norm of the velocity (eq. 10)"},
                             {"bristle", 0, 2, "one bristle for each axis"}}});
}

/// Section III-C: within the elastic range force stays proportional to displacement. Section IV-B: along a line the
/// extension is the model of Dupont et al.
void elasto_plastic(const Context& context, Result& result) {
  planar::Friction friction = planar::preset::waltersson_p0();
  friction.damping = 0;
  const double reach = 0.99 * friction.elastic_share * friction.coulomb / friction.stiffness;
  Table loops{"elastic", {}};
  std::array<double, 2> off{};
  for (const bool plastic : {true, false}) {
    friction.elasto_plastic = plastic;
    const Distributed bristle = one_bristle(friction);
    std::vector<double> z(2);
    Point at;
    std::vector<double> x;
    std::vector<double> force;
    constexpr int in_a_round = 400;
    for (int k = 1; k <= 3 * in_a_round; ++k) {
      const double phase = 2 * pi * k / in_a_round;
      const Point next{reach * std::sin(phase), 0.5 * reach * std::sin(phase) * std::sin(0.4 * phase)};
      const double scale = std::min(1.0, reach / std::hypot(next.x, next.y));
      const Point to{scale * next.x, scale * next.y};
      const Wrench w = bristle.step(z, {to.x - at.x, to.y - at.y, 0}, 1, 1);
      at = to;
      x.push_back(1e6 * at.x);
      force.push_back(-w.x);
      double& largest = off.at(plastic ? 0 : 1);
      largest = std::max(largest, std::hypot(w.x + friction.stiffness * at.x, w.y + friction.stiffness * at.y));
    }
    loops.columns.push_back({plastic ? "x, elasto-plastic [μm]" : "x, LuGre [μm]", x});
    loops.columns.push_back({plastic ? "force, elasto-plastic [N]" : "force, LuGre [N]", force});
  }
  result.claims.push_back(at_most("elasto-plastic below break-away: force off −σ0 f_N times the displacement",
                                  printed("Section III-C: proportional to the micro-displacement"), 0, off[0], "N",
                                  1e-9));
  result.claims.push_back(
      at_least("LuGre on the same path: force off it", requirement("a tenth of the friction"), 0.1, off[1], "N"));
  result.tables.push_back(loops);
  result.figures.push_back({"elastic",
                            "Three rounds below break-away: force along x against displacement",
                            "x [μm]",
                            "force [N]",
                            {{"elastic", 0, 1, "elasto-plastic"}, {"elastic", 2, 3, "LuGre"}}});

  // There and back along a line, in steps of at most 1 % of the way from z_ba to z_max
  friction = planar::preset::waltersson_p0();
  const Distributed planar_model = one_bristle(friction);
  const auto scalar_model = scalar::ElastoPlastic::make({.stiffness = friction.stiffness,
                                                         .damping = friction.damping,
                                                         .coulomb_force = friction.coulomb,
                                                         .static_force = friction.static_level,
                                                         .stribeck_velocity = friction.stribeck_velocity,
                                                         .viscous = friction.viscous,
                                                         .elastic_share = friction.elastic_share});
  std::vector<double> z(2);
  scalar::ElastoPlastic::State state;
  double apart = 0;
  const int steps = context.quick ? 10'000 : 40'000;
  constexpr double dt = 1e-4;
  for (int k = 0; k < steps; ++k) {
    const double t = k * dt;
    const double v = 6e-6 * std::sin(2 * pi * 0.9 * t) + 4e-6 * std::sin(2 * pi * 3.1 * t);
    const auto next = scalar_model.step(state, v, dt);
    state = next.state;
    apart = std::max(apart, std::abs(planar_model.step(z, {v, 0, 0}, 1, dt).x + next.force));
  }
  result.claims.push_back(at_most("motion along a line: force off that of the scalar elasto-plastic model",
                                  printed("Section IV-B: for 1D motion equivalent to the standard method"), 0, apart,
                                  "N", 1e-3));
}

/// Section III-D.
void limit_surfaces(const Context& context, Result& result) {
  Figure figure{
      "spinning", "Force that moves a spinning body along x", "v over r omega [-]", "force over mu f_N [-]", {}};
  const int points = context.quick ? 60 : 300;
  double largest = 0;
  for (const auto& [name, grid] : paper_shapes) {
    const Patch patch(grid(21, side));
    const double r = patch.torque_radius();
    std::vector<double> ratio;
    std::vector<double> force;
    for (int k = 1; k <= points; ++k) {
      ratio.push_back(3.0 * k / points);
      force.push_back(-planar::coulomb_wrench(patch, {ratio.back() * r, 0, 1}).x);
      largest = std::max(largest, force.back());
    }
    std::string file = fmt::format("spinning_{}", name);
    std::ranges::replace(file, ' ', '_');
    result.tables.push_back({file, {{"v over r omega [-]", ratio}, {"force over mu f_N [-]", force}}});
    figure.series.push_back({result.tables.back().name, 0, 1, name});
  }
  result.figures.push_back(figure);
  result.claims.push_back(
      at_most("force along x of a body that spins, over that of one that does not, largest of six "
              "shapes and of all speeds up to 3 r ω",
              printed("Section III-D: a spinning object requires less force to push it"), 1, largest, "-"));

  // Force along and across the sliding, and torque, for all directions of sliding
  const auto spread = [&](const Patch& patch) {
    const double r = patch.torque_radius();
    double most = 0;
    for (int k = 1; k < 10; ++k) {
      std::array<double, 3> low{1e300, 1e300, 1e300};
      std::array<double, 3> high{-1e300, -1e300, -1e300};
      for (int degrees = 0; degrees < 360; degrees += 5) {
        const double c = std::cos(degrees * pi / 180);
        const double s = std::sin(degrees * pi / 180);
        const Wrench w = planar::coulomb_wrench(patch, {0.2 * k * r * c, 0.2 * k * r * s, 1});
        const std::array values{w.x * c + w.y * s, w.y * c - w.x * s, w.torque / r};
        for (std::size_t i = 0; i < 3; ++i) {
          low[i] = std::min(low[i], values[i]);
          high[i] = std::max(high[i], values[i]);
          most = std::max(most, high[i] - low[i]);
        }
      }
    }
    return most;
  };
  const auto curve = printed("Section III-D: circular pressure, the limit surface becomes a curve in one quadrant");
  const Patch round(planar::pressure_grid(planar::soft_finger_pressure(side / 2, 2), {-side / 2, -side / 2},
                                          {side / 2, side / 2}, 51, 51));
  result.claims.push_back(at_most("soft finger, k = 2: change of force and torque over the directions of sliding",
                                  curve, 0, spread(round), "mu f_N", 1e-3));
  result.claims.push_back(at_least("gradient line: the same", printed("Section III-D: in general a surface"), 0.1,
                                   spread(Patch(planar::paper::gradient_line(21, side))), "mu f_N"));
}

/// Sections II and V-B: how far the ellipsoid is from the surface, and from the point of the same motion.
void ellipsoid(const Context& context, Result& result) {
  Table table{"ellipsoid",
              {{"shape", std::vector<std::string>{}},
               {"to the closest point, rms [mu f_N]", std::vector<double>{}},
               {"to the point of the same motion, rms [mu f_N]", std::vector<double>{}},
               {"ratio [-]", std::vector<double>{}}},
              true};
  const int n = context.quick ? 500 : 5000;
  double smallest = infinity;
  for (const auto& [name, grid] : paper_shapes) {
    const Patch patch(grid(21, side));
    const double r = patch.torque_radius();
    double closest = 0;
    double same = 0;
    for (int k = 0; k < n; ++k) {
      const auto d = direction(k, n);
      const Wrench w = planar::coulomb_wrench(patch, {d[0], d[1], d[2] / r});
      const std::array h{w.x, w.y, w.torque / r};
      // In (f_x, f_y, τ/r) the ellipsoid is the unit sphere, and its point for this motion is −d
      closest += square(std::hypot(h[0], h[1], h[2]) - 1) / n;
      same += (square(h[0] + d[0]) + square(h[1] + d[1]) + square(h[2] + d[2])) / n;
    }
    const double ratio = std::sqrt(same / closest);
    smallest = std::min(smallest, ratio);
    std::get<std::vector<std::string>>(table.columns[0].values).emplace_back(name);
    const std::array numbers{std::sqrt(closest), std::sqrt(same), ratio};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      std::get<std::vector<double>>(table.columns[1 + i].values).push_back(numbers[i]);
    }
  }
  result.tables.push_back(table);
  result.claims.push_back(
      at_least("ellipsoid's error at the same motion over its distance from the surface, least of "
               "six shapes",
               printed("Sections II, V-B: less accurate than the closest distance shows; taken as "
                       "twice"),
               2, smallest, "-"));
}

}  // namespace

Result run(const Context& context) {
  Result result;
  result.notes =
      "What the paper says in words, with a number for each. Where it gives no number (\"more even\", \"a large "
      "part\", \"a minor impact\") the claim names the one that is taken for it. Gradient line: the paper puts its "
      "larger error down to the steps of the distributed model, so the reduced model is compared once with 21 "
      "bristles, and once with the same pressure on many bristles in each cell, along the line and across it, whose "
      "force has no steps. Disc: 1 kg under the loads of Figs. 6 and 23 to 25. Box: that of Figs. 26 to 32; the "
      "centre of rotation is the mean over the path, by the length that the contact's centre slides for each radian.";
  states(result);
  bristle_directions(result);
  elasto_plastic(context, result);
  context.step(0.2);
  limit_surfaces(context, result);
  ellipsoid(context, result);
  context.step(0.4);
  reduced_model(context, result);
  context.step(0.6);
  disc_under_loads(context, result);
  context.step(0.8);
  box_in_hand(context, result);
  return result;
}

}  // namespace stiction::lab::planar_statements
