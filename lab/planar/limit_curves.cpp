// Figs. 8 and 14 to 16: the contact surfaces, their limit curves, and the point about which a rotation gives no force.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numbers>
#include <numeric>

#include "../lab.h"
#include "paper_setup.h"

namespace stiction::lab::planar_limit_curves {
namespace {

using planar::Patch;
using planar::Point;
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

/// The twists of Fig. 14: from sliding along x or y to spinning.
Twist twist_of_curve(double q, bool along_x) {
  const double v = 0.011 * std::cos(q);
  return {along_x ? v : 0, along_x ? 0 : v, std::sin(q)};
}

struct LimitCurve {
  const char* name;
  const char* label;
  planar::PressureGrid (*grid)(std::size_t n, double side);
  bool along_x;
};
constexpr std::array<LimitCurve, 4> curves{{{"circle", "circle", planar::paper::circle, true},
                                            {"square", "square", planar::paper::square, true},
                                            {"line_vx", "line, sliding across it", planar::paper::line, true},
                                            {"line_vy", "line, sliding along it", planar::paper::line, false}}};

/// The velocities that Fig. 14 marks on its curves, as it prints them.
struct Mark {
  double speed, spin;  // [m/s], [rad/s]
};
constexpr std::array<Mark, 3> marked{{{0.0042, 0.93}, {0.0078, 0.71}, {0.010, 0.38}}};

std::vector<double>& numbers_of(Table& table, std::size_t column) {
  return std::get<std::vector<double>>(table.columns[column].values);
}
Table pairs(const std::string& name) {
  return {
      name,
      {{"force over its largest [-]", std::vector<double>{}}, {"torque over its largest [-]", std::vector<double>{}}}};
}
void add_pair(Table& table, double force, double torque) {
  numbers_of(table, 0).push_back(force);
  numbers_of(table, 1).push_back(torque);
}

/// Fig. 8: the pressure of the six surfaces with 1 N on them.
void surfaces(Result& result) {
  constexpr std::array<double, 6> drawn{441, 317, 21, 21, 18, 84};  // cells with pressure, counted
  Figure figure{"fig08", "Contact surfaces of 21 × 21 cells, 1 N: pressure [10⁴ N/m²]", "x [mm]", "y [mm]", {}};
  figure.panels_in_a_row = 3;
  figure.equal_units = true;
  Table table{"fig08", {{"x [mm]", std::vector<double>{}}, {"y [mm]", std::vector<double>{}}}};
  for (std::size_t i = 0; i < paper_shapes.size(); ++i) {
    const planar::PressureGrid grid = paper_shapes.at(i).grid(21, side);
    const double area = grid.width * grid.height;
    const double sum = std::reduce(grid.pressure.begin(), grid.pressure.end());
    std::vector<double> pressure;
    for (std::size_t row = 0; row < grid.rows; ++row) {
      for (std::size_t col = 0; col < grid.columns; ++col) {
        pressure.push_back(1e-4 * grid.pressure[grid.index(col, row)] / sum / area);
        if (i == 0) {
          numbers_of(table, 0).push_back(1e3 * grid.centre(col, row).x);
          numbers_of(table, 1).push_back(1e3 * grid.centre(col, row).y);
        }
      }
    }
    const std::string name = paper_shapes.at(i).name;
    const auto cells = std::ranges::count_if(pressure, [](double p) { return p > 0; });
    result.claims.push_back(within(name + ": cells with pressure", from_figure("Fig. 8, counted"), drawn.at(i),
                                   static_cast<double>(cells), 0, "-"));
    figure.series.push_back({"fig08", 0, 1, name, "cells", "", table.columns.size()});
    table.columns.push_back({"pressure, " + name + " [1e4 N/m²]", pressure});
  }
  result.tables.push_back(table);
  result.figures.push_back(figure);
}

/// Fig. 14: limit curves over their largest values, with the ellipse, and three velocities on each.
void limit_curves(Result& result, const Context& context, std::size_t cells, int points) {
  Figure figure{"fig14",
                "Limit curves, and where three velocities lie on them",
                "force over its largest [-]",
                "torque over its largest [-]",
                {}};
  std::array<Table, 3> marks;
  for (std::size_t m = 0; m < marked.size(); ++m) {
    marks.at(m) = pairs(fmt::format("marks_{}", m + 1));
  }
  double r = 0;  // of the circle
  double off_ellipse = 0;
  for (const LimitCurve& curve : curves) {
    context.check();
    const Patch patch(curve.grid(cells, side));
    const bool circle = curve.name == std::string_view("circle");
    r = circle ? patch.torque_radius() : r;
    const auto at = [&](const Twist& twist) {
      const Wrench w = planar::coulomb_wrench(patch, twist);
      return std::pair(std::hypot(w.x, w.y), std::abs(w.torque) / patch.torque_radius());
    };
    Table table = pairs(curve.name);
    for (int k = 0; k <= points; ++k) {
      const auto [force, torque] = at(twist_of_curve(k * pi / 2 / points, curve.along_x));
      add_pair(table, force, torque);
    }
    for (std::size_t m = 0; m < marked.size(); ++m) {
      const auto [v, spin] = marked.at(m);
      const auto [force, torque] = at(curve.along_x ? Twist{v, 0, spin} : Twist{0, v, spin});
      add_pair(marks.at(m), force, torque);
      if (circle) {
        off_ellipse = std::max(off_ellipse, force / torque / (v / (r * spin)));
      }
    }
    result.tables.push_back(table);
    figure.series.push_back({curve.name, 0, 1, curve.label});
  }
  Table ellipse = pairs("ellipse");
  for (int k = 0; k <= points; ++k) {
    add_pair(ellipse, std::cos(k * pi / 2 / points), std::sin(k * pi / 2 / points));
  }
  result.tables.push_back(ellipse);
  figure.series.push_back({"ellipse", 0, 1, "ellipsoid of the circle", "dashes"});
  for (std::size_t m = 0; m < marked.size(); ++m) {
    const double angle = std::atan2(r * marked.at(m).spin, marked.at(m).speed);
    add_pair(marks.at(m), std::cos(angle), std::sin(angle));
    result.tables.push_back(marks.at(m));
    figure.series.push_back({marks.at(m).name, 0, 1,
                             fmt::format("v = {} m/s, ω = {} rad/s", marked.at(m).speed, marked.at(m).spin), "points"});
  }
  result.figures.push_back(figure);
  result.claims.push_back(at_least("circle, the marked velocities: force over torque, against the ellipsoid's, at most",
                                   printed("Section V-B: varies significantly, even for a circle; 1.2 is ours"), 1.2,
                                   off_ellipse, "-"));
}

/// The data: the 100th of 300 points of each curve, 101 × 101 cells, authors' bilinear rule, and the constants r.
void compare_with_data(Result& result) {
  const Source data = from_authors(planar_data);
  const auto on_curve = [&](const char* name, const planar::PressureGrid& grid, bool along_x, const Wrench& expected) {
    const Wrench w = planar::authors_bilinear_wrench(Patch(grid), twist_of_curve(100 * pi / 2 / 299, along_x));
    result.claims.push_back(
        within(fmt::format("{}: force along x, authors' rule", name), data, expected.x, w.x, 1e-9, "N"));
    result.claims.push_back(
        within(fmt::format("{}: force along y, authors' rule", name), data, expected.y, w.y, 1e-9, "N"));
    result.claims.push_back(
        within(fmt::format("{}: torque, authors' rule", name), data, expected.torque, w.torque, 1e-11, "N m"));
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
    result.claims.push_back(within(name + ": r, N = 21", data, constants[i].r21, r(21), 1e-12, "m"));
    result.claims.push_back(within(name + ": r, N = 101", data, constants[i].r101, r(101), 1e-12, "m"));
  }

  // A line of half length a that turns about a point c on it: f = c/a and τ = (a² − c²)/(2a), so τ/r = 1 − f²
  const Patch line = thin_line();
  double off_parabola = 0;
  for (int k = 1; k < 20; ++k) {
    const Wrench w = planar::coulomb_wrench(line, {side / 2 * k / 20.0, 0, 1});
    off_parabola = std::max(off_parabola, std::abs(std::abs(w.torque) / (side / 4) - (1 - w.x * w.x)));
  }
  result.claims.push_back(at_most("thin line: largest distance from the parabola", from_theory("τ/r = 1 − f²"), 0,
                                  off_parabola, "-", 0.005));
}

/// Parallel projection in the direction from which Fig. 15 is seen.
struct View {
  std::array<double, 3> right, up, towards;
};
View view_of(double azimuth, double elevation) {
  const double ca = std::cos(azimuth);
  const double sa = std::sin(azimuth);
  const double ce = std::cos(elevation);
  const double se = std::sin(elevation);
  return {{-sa, ca, 0}, {-se * ca, -se * sa, ce}, {ce * ca, ce * sa, se}};
}
double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Fig. 15: the surface of the gradient line, as points on the side that faces the reader; and its sections.
void surface_of_gradient_line(Result& result, std::size_t cells, int points, bool quick) {
  const Patch gradient(planar::paper::gradient_line(cells));
  const double r = gradient.torque_radius();
  const auto h = [&](double theta, double phi) {
    const Wrench w = planar::coulomb_wrench(
        gradient, {r * std::cos(theta) * std::sin(phi), r * std::sin(theta) * std::sin(phi), std::cos(phi)});
    return std::array{w.x, w.y, w.torque / r};
  };
  const View view = view_of(69 * pi / 180, 20 * pi / 180);
  Table surface{"fig15", {}};
  for (const char* name : {"to the right [-]", "upwards [-]", "fx over its largest [-]", "fy over its largest [-]",
                           "torque over its largest [-]"}) {
    surface.columns.push_back({name, std::vector<double>{}});
  }
  const int around = quick ? 120 : 240;
  double largest = 0;
  for (int i = 0; i < around; ++i) {
    for (int k = 0; k <= around / 2; ++k) {
      const double theta = 2 * pi * i / around;
      const double phi = 2 * pi * k / around;
      const auto at = h(theta, phi);
      largest = std::max({largest, std::hypot(at[0], at[1]), std::abs(at[2])});
      // The surface is convex, and its outward normal is the motion that friction opposes
      const std::array normal{-std::cos(theta) * std::sin(phi), -std::sin(theta) * std::sin(phi), -std::cos(phi)};
      if (dot(normal, view.towards) > 0) {
        const std::array row{dot(at, view.right), dot(at, view.up), at[0], at[1], at[2]};
        for (std::size_t c = 0; c < row.size(); ++c) {
          numbers_of(surface, c).push_back(row.at(c));
        }
      }
    }
  }
  result.tables.push_back(surface);
  Figure figure{"fig15",
                "Limit surface of the gradient line over its largest values, coloured by torque",
                "to the right, seen from an azimuth of 69° and 20° above [-]",
                "upwards [-]",
                {}};
  figure.equal_units = true;
  figure.series.push_back({"fig15", 0, 1, "", "points", "", 4});
  for (const auto& [name, axis] : {std::pair("fx", 0), {"fy", 1}, {"torque", 2}}) {
    Table line{fmt::format("fig15_{}", name),
               {{"to the right [-]", std::vector<double>{}}, {"upwards [-]", std::vector<double>{}}}};
    for (const double end : {1.0, 1.4}) {
      std::array<double, 3> tip{};
      tip.at(static_cast<std::size_t>(axis)) = end;
      add_pair(line, dot(tip, view.right), dot(tip, view.up));
    }
    figure.series.push_back({line.name, 0, 1, fmt::format("{}, from 1 to 1.4", name)});
    result.tables.push_back(line);
  }
  result.figures.push_back(figure);
  result.claims.push_back(
      at_most("gradient line: largest |h|, exact rule", printed("eq. 29: at most 1"), 1, largest, "-", 1e-9));

  Figure sections{"fig15_sections",
                  "Limit surface of the gradient line: sections, by the direction of sliding",
                  "force along it [-]",
                  "torque over r [-]",
                  {}};
  for (int degrees = 0; degrees <= 90; degrees += 30) {
    const double theta = degrees * pi / 180;
    Table section = pairs(fmt::format("fig15_{}", degrees));
    for (int k = 0; k <= points; ++k) {
      const auto at = h(theta, k * pi / points);
      add_pair(section, at[0] * std::cos(theta) + at[1] * std::sin(theta), at[2]);
    }
    sections.series.push_back({section.name, 0, 1, fmt::format("{}° to x", degrees)});
    result.tables.push_back(section);
  }
  result.figures.push_back(sections);
}

/// Fig. 16, left: pressure on a line with a gradient, and the force of rotations about its points.
void forceless_point_of_line(Result& result, std::size_t cells) {
  const Patch thin = thin_gradient_line(cells);
  const double apart = planar::forceless_centre_of_rotation(thin).y;
  // From the top: half of the force within L (1 − 1/√2), the centre of pressure at L/3
  result.claims.push_back(within("gradient line: centre of no force above the centre of pressure",
                                 from_theory("L (1/√2 − 2/3)"), side * (std::numbers::sqrt2 / 2 - 2.0 / 3), apart, 1e-6,
                                 "m"));
  result.claims.push_back(within("gradient line: force of a turn about the centre of pressure",
                                 from_theory("5/9 − 4/9"), 1.0 / 9, force_about(thin, {}), 1e-4, "N"));
  const double cop = thin.centre_of_pressure().y;
  Table line{"fig16_line",
             {{"y [mm]", std::vector<double>{}},
              {"pressure of 1 N [N/mm]", std::vector<double>{}},
              {"force of a rotation about y [N]", std::vector<double>{}}}};
  for (int k = 0; k <= 100; ++k) {
    const double y = side * (k / 100.0 - 0.5);
    numbers_of(line, 0).push_back(1e3 * y);
    numbers_of(line, 1).push_back(1e-3 * 2 * (y + side / 2) / (side * side));
    numbers_of(line, 2).push_back(planar::coulomb_wrench(thin, {y - cop, 0, 1}).x);
  }
  result.tables.push_back(line);
  Figure figure{"fig16_line",
                "Gradient line: the centre of pressure and the point p_s of no force",
                "y [mm]",
                "pressure, force",
                {}};
  figure.panels_in_a_row = 1;
  figure.series.push_back({"fig16_line", 0, 1, "pressure", "lines", "pressure [N/mm]"});
  figure.series.push_back({"fig16_line", 0, 2, "rotation about y", "lines", "force [N]"});
  for (const auto& [name, label, y, low, high] :
       {std::tuple("fig16_cop", "centre of pressure", cop, 0.0, 0.1), {"fig16_ps", "p_s", cop + apart, 0.0, 0.1}}) {
    Table mark{name,
               {{"y [mm]", std::vector{1e3 * y, 1e3 * y}},
                {"pressure [N/mm]", std::vector{low, high}},
                {"force [N]", std::vector{-1.0, 1.0}}}};
    figure.series.push_back({name, 0, 1, label, "dashes", "pressure [N/mm]"});
    figure.series.push_back({name, 0, 2, label, "dashes", "force [N]"});
    result.tables.push_back(mark);
  }
  result.figures.push_back(figure);
}

/// Fig. 16, for all surfaces, as numbers.
void forceless_points(Result& result) {
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
      numbers_of(centres, 1 + i).push_back(numbers.at(i));
    }
    result.claims.push_back(
        at_most(fmt::format("{}: force of a turn about p_s", name), printed("Fig. 16: zero"), 0, remains, "N", 1e-9));
    const double distance = std::hypot(centre.x, centre.y);
    const std::string_view shape = name;
    const std::string claim = fmt::format("{}: p_s from the centre of pressure", name);
    if (shape == "gradient line") {
      result.claims.push_back(at_least(claim, printed("Fig. 16: they do not coincide"), 1e-4, distance, "m"));
    } else if (shape == "non-convex 2") {
      result.claims.push_back(at_least(claim, requirement("no symmetry along x"), 1e-4, distance, "m"));
    } else {
      result.claims.push_back(at_most(claim, from_theory("the same point, by symmetry"), 0, distance, "m", 1e-9));
    }
  }
  result.tables.push_back(centres);
}

/// Fig. 16, right: the two points on a surface of two dimensions, here a triangle under uniform pressure.
void forceless_point_of_triangle(Result& result) {
  const std::vector<Point> corners{{-0.003, 0.01}, {0.003, 0.01}, {0, -0.01}};
  const Patch patch(planar::polygon_grid({corners}, 21, 81));
  const Point cop = patch.centre_of_pressure();
  const Point ps = cop + planar::forceless_centre_of_rotation(patch);
  Table outline{"fig16_triangle", {{"x [mm]", std::vector<double>{}}, {"y [mm]", std::vector<double>{}}}};
  for (std::size_t i = 0; i <= corners.size(); ++i) {
    add_pair(outline, 1e3 * corners[i % corners.size()].x, 1e3 * corners[i % corners.size()].y);
  }
  result.tables.push_back(outline);
  result.tables.push_back({"fig16_points",
                           {{"x, centre of pressure [mm]", std::vector{1e3 * cop.x, 1e3 * cop.x}},
                            {"y, centre of pressure [mm]", std::vector{1e3 * cop.y, 1e3 * cop.y}},
                            {"x, p_s [mm]", std::vector{1e3 * ps.x, 1e3 * ps.x}},
                            {"y, p_s [mm]", std::vector{1e3 * ps.y, 1e3 * ps.y}}}});
  Figure figure{"fig16", "A triangle: its centre of pressure and the point p_s of no force", "x [mm]", "y [mm]", {}};
  figure.equal_units = true;
  figure.series = {{"fig16_triangle", 0, 1, "uniform pressure"},
                   {"fig16_points", 0, 1, "centre of pressure", "points"},
                   {"fig16_points", 2, 3, "p_s", "points"}};
  result.figures.push_back(figure);
  result.claims.push_back(at_most("triangle of 6 × 20 mm: force of a turn about p_s", printed("Fig. 16: zero"), 0,
                                  force_about(patch, ps - cop), "N", 1e-9));
  result.claims.push_back(at_least("triangle of 6 × 20 mm: p_s from the centre of pressure",
                                   printed("Fig. 16: they do not coincide"), 1e-4, ps.y - cop.y, "m"));
  // A slender one is a line whose pressure is as its width
  const Patch slender(planar::polygon_grid({{{-1e-5, 0.01}, {1e-5, 0.01}, {0, -0.01}}}, 1, 400));
  result.claims.push_back(within(
      "slender triangle: p_s above the centre of pressure", from_theory("L (1/√2 − 2/3), as on the gradient line"),
      side * (std::numbers::sqrt2 / 2 - 2.0 / 3), planar::forceless_centre_of_rotation(slender).y, 1e-6, "m"));
}

}  // namespace

Result run(const Context& context) {
  const std::size_t cells = context.quick ? 51 : 101;
  const int points = context.quick ? 100 : 300;
  Result result;
  result.notes =
      "Coulomb friction. Fig. 8: the masks of the paper. Fig. 14: tangential force against torque, each over its "
      "largest value, as the motion goes from sliding to spinning. Marks of one colour are at one velocity: the curves "
      "are near to the ellipse, the marks are not near to its mark. Fig. 15: the surface of the gradient line as "
      "points "
      "that are evenly spaced in the angles of eq. 33, where they face the reader, and its sections. Fig. 16: the "
      "point "
      "p_s about which a turn gives no tangential force, against the centre of pressure.";
  context.step(0);
  surfaces(result);
  limit_curves(result, context, cells, points);
  context.step(0.4);
  compare_with_data(result);
  context.step(0.6);
  surface_of_gradient_line(result, cells, points, context.quick);
  context.step(0.8);
  forceless_point_of_line(result, context.quick ? 200 : 800);
  forceless_point_of_triangle(result);
  forceless_points(result);
  return result;
}

}  // namespace stiction::lab::planar_limit_curves
