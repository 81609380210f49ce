// From loads to motion: when patches slip and in which direction, a disc that slides and spins to a stop, and a pushed
// body.
#include "stiction/planar/slip.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "../lab.h"
#include "directions.h"
#include "paper_setup.h"
#include "stiction/planar/ellipsoid.h"

namespace stiction::lab::planar_slip {
namespace {

using planar::LimitEllipsoid;
using planar::Patch;
using planar::Point;
using planar::Twist;
using planar::Wrench;

constexpr double pi = std::numbers::pi;
constexpr double side = 0.02;  // [m]

Patch disc(double radius, std::size_t cells) {
  std::vector<Point> loop;
  for (int k = 0; k < 720; ++k) {
    loop.push_back({radius * std::cos(2 * pi * k / 720), radius * std::sin(2 * pi * k / 720)});
  }
  return Patch(planar::polygon_grid({loop}, cells, cells));
}

/// A force along x at different heights: the fraction of μ f_N at which the patch slips.
void pulled_aside(Result& result, bool quick) {
  Figure figure{"force_aside",
                "Force that makes a patch slip, by its distance from the centre",
                "distance over r [-]",
                "force over mu f_N [-]",
                {}};
  const int points = quick ? 40 : 200;
  const double width = 1e-3 * side;
  const Patch thin(planar::PressureGrid{1, 1, {-width / 2, -side / 2}, width, side, {1}});
  double error = 0;
  const auto add = [&](const char* name, const char* label, const Patch& patch) {
    const double r = patch.torque_radius();
    std::vector<double> distance;
    std::vector<double> force;
    for (int k = 0; k <= points; ++k) {
      distance.push_back(4.0 * k / points);
      force.push_back(planar::slip(patch, {1, 0, distance.back() * r}, 1).factor);
    }
    result.tables.push_back({name, {{"distance over r [-]", distance}, {"force over mu f_N [-]", force}}});
    figure.series.push_back({name, 0, 1, label});
  };
  add("aside_line", "line, pulled across", thin);
  add("aside_square", "square", Patch(planar::paper::square(21, side)));
  add("aside_pads", "two pads", Patch(planar::paper::non_convex_1(21, side)));
  add("aside_disc", "disc", disc(side / 2, 51));
  std::vector<double> distance;
  std::vector<double> force;
  for (int k = 0; k <= points; ++k) {
    distance.push_back(4.0 * k / points);
    force.push_back(LimitEllipsoid{}.slip({1, 0, distance.back()}, 1).factor);
    // A line: q c = r (1 − q²)
    const double half = distance.back() / 2;
    const double parabola = std::sqrt(half * half + 1) - half;
    const auto& line = std::get<std::vector<double>>(result.tables[0].columns[1].values);
    error = std::max(error, std::abs(line[static_cast<std::size_t>(k)] / parabola - 1));
  }
  result.tables.push_back({"aside_ellipsoid", {{"distance over r [-]", distance}, {"force over mu f_N [-]", force}}});
  figure.series.push_back({"aside_ellipsoid", 0, 1, "ellipsoid"});
  result.figures.push_back(figure);
  result.claims.push_back(at_most("line, pulled across: slipping force off the parabola, relative",
                                  from_theory("closed form: τ/r = 1 − f²"), 0, error, "-", 1e-5));

  planar::Points two;
  two.add({0, 0}, 1);
  two.add({0.1, 0}, 1);
  const Patch pair(two);
  const Wrench load = at_point(Wrench{0, 1, 0}, {0.03, 0}, pair.centre_of_pressure());
  result.claims.push_back(within("body on two points, pulled across at 3/10: slipping force over mu f_N",
                                 from_theory("statics: ½ over 7/10"), 0.5 / 0.7, planar::slip(pair, load, 1).factor,
                                 1e-12, "-"));
}

/// From motion to wrench and back for every shape, and the errors of the ellipsoids.
void there_and_back(const Context& context, Result& result) {
  Table table{"shapes",
              {{"shape", std::vector<std::string>{}},
               {"rounds, median", std::vector<double>{}},
               {"rounds, most", std::vector<double>{}},
               {"gap, most", std::vector<double>{}},
               {"motion by the paper's ellipsoid, off in the mean [deg]", std::vector<double>{}},
               {"load by the paper's ellipsoid, rms [%]", std::vector<double>{}},
               {"load by the fitted one, rms [%]", std::vector<double>{}}},
              true};
  const int n = context.quick ? 300 : 3000;
  double factor_off = 0;
  double twist_off = 0;
  double gap = 0;
  double median = 0;
  double fit_gain = infinity;
  for (const auto& [name, grid] : paper_shapes) {
    const Patch patch(grid(21, side));
    const double r = patch.torque_radius();
    const LimitEllipsoid simple = LimitEllipsoid::of_radius(r);
    std::vector<double> rounds;
    double worst_gap = 0;
    double angle = 0;
    for (int k = 0; k < n; ++k) {
      const auto d = direction(k, n);
      const Twist v{d[0], d[1], d[2] / r};
      const auto back = planar::slip(patch, -1.0 * planar::coulomb_wrench(patch, v), 1);
      factor_off = std::max(factor_off, std::abs(back.factor - 1));
      twist_off =
          std::max(twist_off, std::hypot(back.twist.x - v.x, back.twist.y - v.y, r * (back.twist.spin - v.spin)));
      const Wrench load{d[0], d[1], d[2] * r};
      const auto s = planar::slip(patch, load, 1);
      rounds.push_back(s.rounds);
      worst_gap = std::max(worst_gap, s.gap);
      const Twist e = simple.slip(load, 1).twist;
      const double along =
          (e.x * s.twist.x + e.y * s.twist.y + r * r * e.spin * s.twist.spin) / std::hypot(e.x, e.y, r * e.spin);
      angle += std::acos(std::min(along, 1.0)) * 180 / pi / n;
    }
    std::ranges::sort(rounds);
    const double simple_load = error_of(simple, patch).load_rms;
    const double fitted_load = error_of(fitted_ellipsoid(patch), patch).load_rms;
    fit_gain =
        std::min(fit_gain, error_of(simple, patch).wrench_rms - error_of(fitted_ellipsoid(patch), patch).wrench_rms);
    std::get<std::vector<std::string>>(table.columns[0].values).emplace_back(name);
    const std::array numbers{rounds[rounds.size() / 2], rounds.back(),    worst_gap, angle,
                             100 * simple_load,         100 * fitted_load};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      std::get<std::vector<double>>(table.columns[1 + i].values).push_back(numbers[i]);
    }
    gap = std::max(gap, worst_gap);
    median = std::max(median, rounds[rounds.size() / 2]);
  }
  result.tables.push_back(table);
  result.claims.push_back(at_most("motion to wrench to motion: load factor off 1",
                                  from_theory("the motion is normal to the limit surface"), 0, factor_off, "-", 1e-10));
  result.claims.push_back(at_most("motion to wrench to motion: direction of motion",
                                  from_theory("the motion is normal to the limit surface"), 0, twist_off, "-", 1e-6));
  result.claims.push_back(
      at_most("largest proven gap of the load factor", requirement("bound of the solver"), 1e-9, gap, "-"));
  result.claims.push_back(
      at_most("rounds of the solver, median", requirement("quadratic convergence"), 7, median, "-"));
  result.claims.push_back(at_least("fitted ellipsoid: least gain in the wrench over the paper's, rms",
                                   from_theory("best of all, so not worse"), 0, fit_gain, "mu f_N"));
}

/// A uniform disc that slides and spins on a table. In units of μ g and the radius, with F and T the force and torque:
///   dv/dt = −F,   d(ωR)/dt = −m R² T/I = −2 T
void sliding_disc(const Context& context, Result& result) {
  const Patch patch = disc(1, context.quick ? 41 : 101);
  Figure figure{"sliding_disc",
                "A disc slides and spins to a stop",
                "part of the motion that is left [-]",
                "v over omega R [-]",
                {},
                true,
                true};
  double lowest = infinity;
  double highest = 0;
  for (const double start : {0.02, 0.2, 0.653, 2.0, 20.0}) {
    double v = start / std::hypot(start, 1);
    double spin = 1 / std::hypot(start, 1);
    std::vector<double> left;
    std::vector<double> ratio;
    while (std::hypot(v, spin) > 1e-15) {  // the ratio changes slowly: v/(ωR) ~ (ωR)^−¼ at first
      left.push_back(std::hypot(v, spin));
      ratio.push_back(v / spin);
      const double dt = 0.02 * left.back();
      const Wrench now = planar::coulomb_wrench(patch, {v, 0, spin});
      const Wrench middle = planar::coulomb_wrench(
          patch, {v + dt / 2 * now.x, 0, spin + dt * now.torque});  // a step of the midpoint rule
      v += dt * middle.x;
      spin += dt * 2 * middle.torque;
    }
    lowest = std::min(lowest, ratio.back());
    highest = std::max(highest, ratio.back());
    const std::string name = fmt::format("disc_{:g}", start);
    result.tables.push_back({name, {{"part of the motion that is left [-]", left}, {"v over omega R [-]", ratio}}});
    figure.series.push_back({name, 0, 1, fmt::format("from {:g}", start)});
  }
  result.figures.push_back(figure);
  const Source farkas = from_theory("Farkas et al., Phys. Rev. Lett. 90 (2003) 248302: both motions end together");
  result.claims.push_back(within("disc at the end: least v/(ωR) of five starts", farkas, 0.653, lowest, 2e-3, "-"));
  result.claims.push_back(within("disc at the end: largest v/(ωR) of five starts", farkas, 0.653, highest, 2e-3, "-"));
}

/// A pusher that moves along x and sticks; the arm from the contact to the centre of pressure rotates with the body, at
/// dθ/ds = spin/speed.
double pushed_distance(double from, double to, double length, int steps, const auto& spin_of) {
  double distance = 0;
  const double step = (to - from) / steps;
  for (int k = 0; k < steps; ++k) {
    const double theta = from + (k + 0.5) * step;
    distance += step / spin_of(Point{-length * std::cos(theta), -length * std::sin(theta)});
  }
  return distance;
}

void pushing(const Context& context, Result& result) {
  const int points = context.quick ? 40 : 200;
  Figure figure{"pushing",
                "Turning of a pushed body, by the distance of the push from the centre",
                "distance over r [-]",
                "spin times r over speed [-]",
                {}};
  const double arm = side;  // behind the centre of pressure
  const auto add = [&](const char* name, const char* label, double r, const auto& spin_of) {
    std::vector<double> distance;
    std::vector<double> turning;
    for (int k = 0; k <= points; ++k) {
      distance.push_back(3.0 * k / points);
      turning.push_back(-r * spin_of(Point{-arm, distance.back() * r}));
    }
    result.tables.push_back({name, {{"distance over r [-]", distance}, {"spin times r over speed [-]", turning}}});
    figure.series.push_back({name, 0, 1, label});
  };
  const auto exact = [](const Patch& patch) {
    return [&patch](Point at) {
      return planar::pushed(patch, 1, {at + patch.centre_of_pressure(), {1, 0}, infinity}, {1, 0}).twist.spin;
    };
  };
  const Patch round = disc(side / 2, context.quick ? 41 : 101);
  const Patch pads(planar::paper::non_convex_1(21, side));
  const Patch line(planar::paper::line(21, side));
  const LimitEllipsoid ellipsoid = LimitEllipsoid::of_radius(round.torque_radius());
  const auto by_ellipsoid = [&](Point at) { return ellipsoid.pushed(at, {1, 0}).spin; };
  add("push_disc", "disc", round.torque_radius(), exact(round));
  add("push_pads", "two pads", pads.torque_radius(), exact(pads));
  add("push_line", "line across the push", line.torque_radius(), exact(line));
  add("push_ellipsoid", "ellipsoid, r of the disc", round.torque_radius(), by_ellipsoid);
  result.figures.push_back(figure);

  // Ellipsoid: dθ/ds = d sin θ/(c² + d²), so s = (c² + d²)/d ln(tan ½θ₁/tan ½θ₀)
  const double c = round.torque_radius();
  const double from = 10 * pi / 180;
  const double closed = (c * c + arm * arm) / arm * std::log(std::tan(pi / 4) / std::tan(from / 2));
  const int steps = context.quick ? 400 : 2000;
  result.claims.push_back(within("ellipsoid: way of the pusher until a body turned from 10° to 90°",
                                 from_theory("closed form of Lynch's motion"), closed,
                                 pushed_distance(from, pi / 2, arm, steps, by_ellipsoid), 1e-6, "m"));
  result.claims.push_back(within("disc: the same, over the ellipsoid's", requirement("the ellipsoid is near"), 1,
                                 pushed_distance(from, pi / 2, arm, steps, exact(round)) / closed, 0.05, "-"));

  // Mason's vote: the pusher's direction and both edges of its cone, each by the side on which it passes the centre
  int against = 0;
  int votes = 0;
  const int tries = context.quick ? 500 : 5000;
  for (const auto& [name, grid] : paper_shapes) {
    const Patch patch(grid(21, side));
    for (int k = 0; k < tries; ++k) {
      const auto d = direction(k, tries);
      const Point at{side * d[0], side * d[1]};
      const double facing = std::atan2(-d[1], -d[0]) + 1.2 * d[2];
      const double heading = facing + 1.4 * std::sin(1e3 * k);
      const double half = std::atan(0.3 + 0.3 * std::cos(77.0 * k));
      const auto side_of = [&](double angle) { return at.x * std::sin(angle) - at.y * std::cos(angle) > 0 ? 1 : -1; };
      const int vote = side_of(heading) + side_of(facing + half) + side_of(facing - half);
      const auto push = planar::pushed(
          patch, 1, {at + patch.centre_of_pressure(), {std::cos(facing), std::sin(facing)}, std::tan(half)},
          {std::cos(heading), std::sin(heading)});
      ++votes;
      against += push.twist.spin * vote * side < -1e-9 ? 1 : 0;
    }
  }
  result.claims.push_back(at_most("share of pushes that turn against the vote",
                                  from_theory("Mason, Int. J. Robotics Research 5 (1986) 3"), 0,
                                  static_cast<double>(against) / static_cast<double>(votes), "-"));
}

}  // namespace

Result run(const Context& context) {
  Result result;
  result.notes =
      "The limit surface from the other side: a load is given, and the motion of least power is sought. Force aside: "
      "a force along x slips the earlier the farther it passes the centre of pressure. Shapes: each motion's wrench "
      "taken as a load must give the motion back. Sliding disc: whatever it starts with, a uniform disc ends with "
      "the same ratio of sliding and spinning, so both end at once. Pushing: a point that sticks to the body pushes "
      "it straight.";
  pulled_aside(result, context.quick);
  context.step(0.2);
  there_and_back(context, result);
  context.step(0.5);
  sliding_disc(context, result);
  context.step(0.7);
  pushing(context, result);
  return result;
}

}  // namespace stiction::lab::planar_slip
