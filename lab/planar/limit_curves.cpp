// Figs. 14 to 16: limit curves of several contact surfaces, and the point about which a rotation gives no force.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "../lab.h"
#include "paper_setup.h"

namespace stiction::lab::planar_limit_curves {
namespace {

using planar::Patch;
using planar::Point;
using planar::Rule;
using planar::Twist;
using planar::Wrench;

constexpr double pi = std::numbers::pi;
constexpr double side = 0.02;  // [m]

/// Constants r of the data, by the authors' rule.
struct Constants {
  const char* shape;
  double r21, r101;  // [m]
};
constexpr std::array<Constants, 6> constants{{{"square", 0.00762546508273, 0.00765080647663},
                                              {"circle", 0.00635716048862, 0.00659592205464},
                                              {"line", 0.00494997984356, 0.00499706673489},
                                              {"gradient line", 0.00398779182355, 0.00396664683796},
                                              {"non-convex 1", 0.00859351152605, 0.00855749173868},
                                              {"non-convex 2", 0.00655030174271, 0.00649992811526}}};

/// The twists of Fig. 14: from sliding along x or y to spinning.
Twist twist_of_curve(double q, bool along_x) {
  const double v = 0.011 * std::cos(q);
  return {along_x ? v : 0, along_x ? 0 : v, std::sin(q)};
}

struct Curve {
  const char* name;
  const char* label;
  planar::PressureGrid (*grid)(std::size_t n, double side);
  bool along_x;
};
constexpr std::array<Curve, 5> curves{{{"circle", "circle", planar::paper::circle, true},
                                       {"square", "square", planar::paper::square, true},
                                       {"line_across", "line, sliding across it", planar::paper::line, true},
                                       {"line_along", "line, sliding along it", planar::paper::line, false},
                                       {"gradient_line", "gradient line, across", planar::paper::gradient_line, true}}};

/// A line of zero width whose pressure decreases from the top to zero at the bottom.
Patch thin_gradient_line(std::size_t cells) {
  return Patch(planar::pressure_grid([](double, double y) { return y + side / 2; }, {-1e-7, -side / 2},
                                     {1e-7, side / 2}, 1, cells));
}
Patch thin_line() { return Patch(planar::rectangle_points(1e-9, side, 1, 400)); }

/// Force of a rotation about a point, per newton.
double force_about(const Patch& patch, Point centre) {
  const Wrench w = planar::coulomb_wrench(patch, {centre.y, -centre.x, 1});
  return std::hypot(w.x, w.y);
}

}  // namespace

Result run(const Context& context) {
  const std::size_t cells = context.quick ? 51 : 101;
  const int points = context.quick ? 100 : 300;
  Result result;
  result.notes =
      "Coulomb friction. Fig. 14: tangential force against torque, each over its largest value, as the motion goes "
      "from "
      "sliding to spinning. Marks are at one and the same velocity, a turn about a point 10 mm away: the curves are "
      "near to the ellipse, the marks are not near to its mark. Fig. 15: the surface of the gradient line, for several "
      "directions of sliding. Fig. 16: the point p_s about which a turn gives no tangential force, against the centre "
      "of "
      "pressure.";

  // Fig. 14
  Figure fig14{"fig14", "Limit curves", "force [-]", "torque over r [-]", {}};
  Table marks{"marks", {{"force [-]", std::vector<double>{}}, {"torque over r [-]", std::vector<double>{}}}};
  double circle_ratio = 0;  // of force over torque, against the ellipsoid's
  double ellipse_mark = 0;  // angle on the ellipse, with the circle's r
  for (std::size_t i = 0; i < curves.size(); ++i) {
    context.step(0.5 * static_cast<double>(i) / static_cast<double>(curves.size()));
    const Curve& curve = curves[i];
    const Patch patch(curve.grid(cells, side));
    const double r = patch.torque_radius();
    std::vector<double> force;
    std::vector<double> torque;
    for (int k = 0; k <= points; ++k) {
      const Wrench w = planar::coulomb_wrench(patch, twist_of_curve(k * pi / 2 / points, curve.along_x));
      force.push_back(std::hypot(w.x, w.y));
      torque.push_back(std::abs(w.torque) / r);
    }
    result.tables.push_back({curve.name, {{"force [-]", force}, {"torque over r [-]", torque}}});
    fig14.series.push_back({curve.name, 0, 1, curve.label});
    const Wrench mark = planar::coulomb_wrench(patch, curve.along_x ? Twist{side / 2, 0, 1} : Twist{0, side / 2, 1});
    std::get<std::vector<double>>(marks.columns[0].values).push_back(std::hypot(mark.x, mark.y));
    std::get<std::vector<double>>(marks.columns[1].values).push_back(std::abs(mark.torque) / r);
    if (i == 0) {
      circle_ratio = std::hypot(mark.x, mark.y) / (std::abs(mark.torque) / r) / (side / 2 / r);
      ellipse_mark = std::atan2(r, side / 2);
    }
  }
  Table ellipse{"ellipse", {{"force [-]", std::vector<double>{}}, {"torque over r [-]", std::vector<double>{}}}};
  for (int k = 0; k <= points; ++k) {
    std::get<std::vector<double>>(ellipse.columns[0].values).push_back(std::cos(k * pi / 2 / points));
    std::get<std::vector<double>>(ellipse.columns[1].values).push_back(std::sin(k * pi / 2 / points));
  }
  std::get<std::vector<double>>(marks.columns[0].values).push_back(std::cos(ellipse_mark));
  std::get<std::vector<double>>(marks.columns[1].values).push_back(std::sin(ellipse_mark));
  result.tables.push_back(ellipse);
  result.tables.push_back(marks);
  fig14.series.push_back({"ellipse", 0, 1, "ellipsoid"});
  fig14.series.push_back({"marks", 0, 1, "turning about 10 mm", "points"});
  result.figures.push_back(fig14);

  // The data: the 100th of 300 points of each curve, 101 × 101 cells, authors' bilinear rule
  const auto on_curve = [&](const char* name, const planar::PressureGrid& grid, bool along_x, const Wrench& expected) {
    const Wrench w = planar::authors_bilinear_wrench(Patch(grid), twist_of_curve(100 * pi / 2 / 299, along_x));
    result.claims.push_back(
        within(fmt::format("{}: force along x, authors' rule", name), planar_data, expected.x, w.x, 1e-9, "N"));
    result.claims.push_back(
        within(fmt::format("{}: force along y, authors' rule", name), planar_data, expected.y, w.y, 1e-9, "N"));
    result.claims.push_back(
        within(fmt::format("{}: torque, authors' rule", name), planar_data, expected.torque, w.torque, 1e-11, "N m"));
  };
  on_curve("circle, sliding along x", planar::paper::circle(101), true, {-0.964712478584, 0, -0.00132253503903});
  on_curve("square, sliding along x", planar::paper::square(101), true, {-0.947808747756, 0, -0.00190918495221});
  on_curve("gradient line, sliding along y", planar::paper::gradient_line(101), false,
           {0.00347341627085, -0.971800381962, -0.00110639442101});
  for (std::size_t i = 0; i < constants.size(); ++i) {
    const auto r = [&](std::size_t n) {
      return std::abs(planar::authors_bilinear_wrench(Patch(paper_shapes[i].grid(n, side)), {0, 0, 1}).torque);
    };
    const std::string name = constants[i].shape;
    result.claims.push_back(within(name + ": r, N = 21", planar_data, constants[i].r21, r(21), 1e-12, "m"));
    result.claims.push_back(within(name + ": r, N = 101", planar_data, constants[i].r101, r(101), 1e-12, "m"));
  }

  // A line of half length a that turns about a point c on it: f = c/a and τ = (a² − c²)/(2a), so τ/r = 1 − f²
  const Patch line = thin_line();
  double off_parabola = 0;
  for (int k = 1; k < 20; ++k) {
    const Wrench w = planar::coulomb_wrench(line, {side / 2 * k / 20.0, 0, 1});
    off_parabola = std::max(off_parabola, std::abs(std::abs(w.torque) / (side / 4) - (1 - w.x * w.x)));
  }
  result.claims.push_back(at_most("thin line: largest distance from the parabola", "closed form: τ/r = 1 − f²", 0,
                                  off_parabola, "-", 0.005));
  result.claims.push_back(at_least("circle, turning about its rim: force over torque, against the ellipsoid's",
                                   "Section V-B: varies significantly", 1.2, circle_ratio, "-"));

  // Fig. 15
  context.step(0.6);
  const Patch gradient(planar::paper::gradient_line(cells));
  const double r = gradient.torque_radius();
  Figure fig15{"fig15",
               "The surface of the gradient line, by the direction of sliding",
               "force along it [-]",
               "torque over r [-]",
               {}};
  double largest = 0;
  for (int degrees = 0; degrees < 360; degrees += 15) {
    std::vector<double> force;
    std::vector<double> torque;
    const double theta = degrees * pi / 180;
    for (int k = 0; k <= points; ++k) {
      const double phi = k * pi / points;
      const Twist v{r * std::cos(theta) * std::sin(phi), r * std::sin(theta) * std::sin(phi), std::cos(phi)};
      const Wrench w = planar::coulomb_wrench(gradient, v);
      force.push_back(w.x * std::cos(theta) + w.y * std::sin(theta));
      torque.push_back(w.torque / r);
      largest = std::max({largest, std::hypot(w.x, w.y), std::abs(torque.back())});
    }
    if (degrees <= 90 && degrees % 30 == 0) {
      const std::string name = fmt::format("fig15_{}", degrees);
      result.tables.push_back({name, {{"force [-]", force}, {"torque over r [-]", torque}}});
      fig15.series.push_back({name, 0, 1, fmt::format("{}° to x", degrees)});
    }
  }
  result.figures.push_back(fig15);
  result.claims.push_back(
      at_most("gradient line: largest |h|, exact rule", "eq. 29: at most 1", 1, largest, "-", 1e-9));

  // Fig. 16
  context.step(0.8);
  const Patch thin = thin_gradient_line(context.quick ? 200 : 800);
  const double apart = planar::forceless_centre_of_rotation(thin).y;
  // From the top: half of the force within L (1 − 1/√2), the centre of pressure at L/3
  result.claims.push_back(within("gradient line: centre of no force above the centre of pressure",
                                 "closed form: L (1/√2 − 2/3)", side * (std::numbers::sqrt2 / 2 - 2.0 / 3), apart, 1e-6,
                                 "m"));
  result.claims.push_back(within("gradient line: force of a turn about the centre of pressure",
                                 "closed form: 5/9 − 4/9", 1.0 / 9, force_about(thin, {}), 1e-4, "N"));
  Table centres{"fig16",
                {{"shape", std::vector<std::string>{}},
                 {"x of p_s from the centre of pressure [m]", std::vector<double>{}},
                 {"y of p_s from the centre of pressure [m]", std::vector<double>{}},
                 {"force about the centre of pressure [N]", std::vector<double>{}},
                 {"force about p_s [N]", std::vector<double>{}}},
                true};
  for (const auto& [name, grid] : paper_shapes) {
    const Patch patch(grid(21, side));
    const Point centre = planar::forceless_centre_of_rotation(patch);
    const double remains = force_about(patch, centre);
    std::get<std::vector<std::string>>(centres.columns[0].values).emplace_back(name);
    const std::array numbers{centre.x, centre.y, force_about(patch, {}), remains};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      std::get<std::vector<double>>(centres.columns[1 + i].values).push_back(numbers[i]);
    }
    result.claims.push_back(
        at_most(fmt::format("{}: force of a turn about p_s", name), "Fig. 16: none", 0, remains, "N", 1e-9));
    const double distance = std::hypot(centre.x, centre.y);
    const std::string_view shape = name;
    const std::string claim = fmt::format("{}: p_s from the centre of pressure", name);
    if (shape == "gradient line" || shape == "non-convex 2") {
      result.claims.push_back(at_least(claim, "Fig. 16: not the same point", 1e-4, distance, "m"));
    } else {
      result.claims.push_back(at_most(claim, "by symmetry: the same point", 0, distance, "m", 1e-9));
    }
  }
  result.tables.push_back(centres);
  return result;
}

}  // namespace stiction::lab::planar_limit_curves
