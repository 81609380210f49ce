// Figs. 8 and 10: grids of cells, and the steps of the force as the centre of rotation moves: one point for each
// cell, the paper's bilinear rule, and the exact integral.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "../lab.h"
#include "paper_setup.h"

namespace stiction::lab::planar_stepping {
namespace {

using planar::Patch;
using planar::Rule;
using planar::Wrench;

constexpr std::size_t cells = 21;
constexpr double side = 0.02;  // [m]

/// The largest change of a force from one sample to the next.
double largest_jump(std::span<const double> force) {
  double jump = 0;
  for (std::size_t i = 1; i < force.size(); ++i) {
    jump = std::max(jump, std::abs(force[i] - force[i - 1]));
  }
  return jump;
}

/// The largest force of rotations about points in and around the grid.
template <class WrenchOf>
double largest_force(const Patch& patch, const WrenchOf& wrench_of, int samples) {
  double largest = 0;
  const planar::Point cop = patch.centre_of_pressure();
  for (int i = 0; i <= samples; ++i) {
    for (int j = 0; j <= samples; ++j) {
      const planar::Point c{side * (1.2 * i / samples - 0.6) - cop.x, side * (1.2 * j / samples - 0.6) - cop.y};
      const Wrench w = wrench_of(patch, planar::Twist{c.y, -c.x, 1});
      largest = std::max(largest, std::hypot(w.x, w.y));
    }
  }
  return largest;
}

/// One point for each cell, as in the authors' code: a cell about whose centre the patch turns has no part.
Wrench one_point_a_cell(const Patch& patch, const planar::Twist& v) {
  const planar::Points& points = patch.points();
  Wrench sum;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double x = v.x - v.spin * points.y[i];
    const double y = v.y + v.spin * points.x[i];
    const double speed = std::hypot(x, y);
    if (speed > 1e-12) {  // [m/s]
      const double share = points.share[i] / speed;
      sum = sum + Wrench{-share * x, -share * y, -share * (points.x[i] * y - points.y[i] * x)};
    }
  }
  return sum;
}

/// Fig. 10 over the whole profile, with one point for each cell and with the authors' bilinear rule.
void whole_profile(const Patch& line, Result& result) {
  constexpr double interval = 2.5e-3;  // [s]
  Table table{"fig10", {{"time [s]", std::vector<double>{}}}};
  for (const char* column :
       {"fx [N]", "fy [N]", "torque [N m]", "fx bilinear [N]", "fy bilinear [N]", "torque bilinear [N m]"}) {
    table.columns.push_back({column, std::vector<double>{}});
  }
  for (long k = 0; k <= std::lround(paper_profile_duration / interval); ++k) {
    const double t = static_cast<double>(k) * interval;
    const Wrench one = one_point_a_cell(line, paper_profile(t));
    const Wrench blended = planar::authors_bilinear_wrench(line, paper_profile(t));
    const std::array row{t, one.x, one.y, one.torque, blended.x, blended.y, blended.torque};
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::get<std::vector<double>>(table.columns[i].values).push_back(row[i]);
    }
  }
  Figure figure{"fig10", "Steady friction of a line on the profile of Fig. 5", "time [s]", "force, torque", {}};
  figure.panels_in_a_row = 1;
  constexpr std::array labels{"fx", "fy", "torque", "fx, bilinear", "fy, bilinear", "torque, bilinear"};
  for (const std::size_t column : {1U, 2U, 4U, 5U, 3U, 6U}) {
    figure.series.push_back(
        {"fig10", 0, column, labels.at(column - 1), "lines", column % 3 == 0 ? "torque [N m]" : "force [N]"});
  }
  // Read from the drawing of Fig. 10, whose units are 1/68.75 N and 1/13782 N m; lines are simplified in it
  const auto drawn = from_figure("Fig. 10, its drawing");
  const auto at = [&](std::size_t column, double t) {
    return std::get<std::vector<double>>(
        table.columns[column].values)[static_cast<std::size_t>(std::lround(t / interval))];
  };
  result.claims.push_back(within("line turning about its middle: torque", drawn, -4.988e-3, at(3, 0.5), 2e-6, "N m"));
  result.claims.push_back(
      within("line turning about its middle, bilinear: torque", drawn, -4.950e-3, at(6, 0.5), 1e-5, "N m"));
  result.claims.push_back(within("line, 3 s: force along y", drawn, -0.7711, at(2, 3), 1e-3, "N"));
  result.claims.push_back(within("line, 3 s, bilinear: force along y", drawn, -0.7698, at(5, 3), 2e-3, "N"));
  result.claims.push_back(within("line, 3 s: torque", drawn, -3.513e-3, at(3, 3), 1e-5, "N m"));
  result.claims.push_back(within("line, 3 s, bilinear: torque", drawn, -3.507e-3, at(6, 3), 1e-5, "N m"));
  result.tables.push_back(table);
  result.figures.push_back(figure);
}

/// Fig. 8: the cells of each mask; returns the circle's, of 21 × 21 and of 101 × 101.
std::array<double, 2> cells_of_masks(Result& result) {
  Table masks{"fig8",
              {{"shape", std::vector<std::string>{}},
               {"cells of 21 × 21", std::vector<double>{}},
               {"cells of 101 × 101", std::vector<double>{}}},
              true};
  std::array<double, 2> circle{};
  for (const auto& [name, grid] : paper_shapes) {
    const std::array count{static_cast<double>(Patch(grid(21, side)).size()),
                           static_cast<double>(Patch(grid(101, side)).size())};
    std::get<std::vector<std::string>>(masks.columns[0].values).emplace_back(name);
    std::get<std::vector<double>>(masks.columns[1].values).push_back(count[0]);
    std::get<std::vector<double>>(masks.columns[2].values).push_back(count[1]);
    circle = std::string_view(name) == "circle" ? count : circle;
  }
  result.tables.push_back(masks);
  return circle;
}

/// The force of a line, while the centre of rotation moves along it from its middle to its end and beyond.
struct Passing {
  std::array<std::vector<double>, 3> force;  // by rule: midpoint, bilinear, exact
  std::array<double, 3> error{};             // from the closed form
};
constexpr double from = 0.8;  // [s]
constexpr double to = 1.4;

Passing pass(const Context& context, const Patch& line, double dt, Result& result) {
  Passing passing;
  std::vector<double> time;
  std::vector<double> closed;
  const auto steps = std::lround((to - from) / dt);
  for (long k = 0; k <= steps; ++k) {
    if (k % 1000 == 0) {
      context.step(0.5 * static_cast<double>(k) / static_cast<double>(steps));
    }
    const double t = from + static_cast<double>(k) * dt;
    const planar::Twist v = paper_profile(t);
    time.push_back(t);
    // A line without width, half length a: f = c/a with the centre of rotation at c
    closed.push_back(-std::min(v.x / v.spin / (side / 2), 1.0));
    std::size_t i = 0;
    for (const Rule rule : {Rule::midpoint, Rule::bilinear, Rule::exact}) {
      passing.force[i].push_back(planar::coulomb_wrench(line, v, rule).x);
      passing.error[i] = std::max(passing.error[i], std::abs(passing.force[i].back() - closed.back()));
      ++i;
    }
  }
  result.tables.push_back({"line",
                           {{"time [s]", time},
                            {"midpoint [N]", passing.force[0]},
                            {"bilinear [N]", passing.force[1]},
                            {"exact [N]", passing.force[2]},
                            {"closed form [N]", closed}}});
  result.figures.push_back({"fig10_steps",
                            "Steady force of a line whose centre of rotation moves along it",
                            "time [s]",
                            "force along x [N]",
                            {{"line", 0, 1, "one point a cell"},
                             {"line", 0, 2, "bilinear"},
                             {"line", 0, 3, "exact"},
                             {"line", 0, 4, "closed form"}}});
  return passing;
}

}  // namespace

Result run(const Context& context) {
  const double dt = context.quick ? 2e-4 : 2e-5;
  const Patch line(planar::paper::line(cells, side));
  const auto exact = [](const Patch& patch, const planar::Twist& v) { return planar::coulomb_wrench(patch, v); };
  const auto floored = [](const Patch& patch, const planar::Twist& v) {
    return planar::coulomb_wrench(patch, v, Rule::bilinear);
  };

  Result result;
  result.notes =
      "A line of 21 cells on the profile of Fig. 5, steady sliding with Coulomb friction, while the centre of "
      "rotation runs along it from its middle to its end and beyond. With one point for each cell the force steps "
      "whenever a cell's centre is passed. The bilinear rule steps once, where the centre of rotation leaves the "
      "grid; the exact integral never. The authors' code of the bilinear rule extrapolates in a strip left of and "
      "below the grid.";
  whole_profile(line, result);
  const auto [force, error] = pass(context, line, dt, result);
  const std::array<double, 2> circle = cells_of_masks(result);

  // The end of the line is passed at 1.2 s
  const auto inside = [&](std::span<const double> values) {
    return values.first(static_cast<std::size_t>(std::lround((1.2 - from) / dt)));
  };
  // Across a cell's centre one share of 1/N turns round
  const double step = 2.0 / cells;
  // On the way from the middle to the end, c = 0.015 (t − 0.8)/0.6 m
  const double slope = 0.015 / 0.6 / (side / 2) * dt;
  const Patch pads(planar::paper::non_convex_1());
  const int samples = context.quick ? 252 : 756;
  context.step(0.6);
  const std::vector<Claim> claims{
      within("line, one point a cell: step of the force, as drawn", from_figure("Fig. 10, its drawing"), 0.0953,
             largest_jump(force[0]), 2e-4, "N"),
      within("line, one point a cell: largest step of the force",
             from_theory("the steps of Fig. 10 in closed form: 2/N"), step, largest_jump(force[0]), 1e-6, "N"),
      at_most("line, bilinear: largest step with the centre of rotation inside the grid, over that of one point a cell",
              printed("Fig. 10: the bilinear rule mitigates the steps"), 0.1,
              largest_jump(inside(force[1])) / largest_jump(force[0]), "-"),
      at_most("line, bilinear: step where the centre of rotation leaves the grid, over that of one point a cell",
              requirement("the rule ends there"), 0.25, largest_jump(force[1]) / largest_jump(force[0]), "-"),
      at_most("line, exact: largest change from sample to sample over the closed form's",
              from_theory("an integral has no steps"), 1, largest_jump(force[2]) / slope, "-", 0.05),
      within("line, one point a cell: largest distance from the closed form", from_theory("closed form: 1/N"), step / 2,
             error[0], 1e-3, "N"),
      at_most("line, exact: largest distance from a line without width over that of one point a cell",
              from_theory("closed form"), 0.5, error[2] / error[0], "-"),
      within("line: largest force with the authors' index",
             from_authors("their code extrapolates beside the grid: 1.06"), 1.06,
             largest_force(line, planar::authors_bilinear_wrench, samples), 0.01, "N"),
      within("two pads: largest force with the authors' index",
             from_authors("their code extrapolates beside the grid: 1.15"), 1.15,
             largest_force(pads, planar::authors_bilinear_wrench, samples), 0.01, "N"),
      at_most("line: largest force with the index rounded down", from_theory("Coulomb: at most μ f_N"), 1,
              largest_force(line, floored, samples), "N", 1e-12),
      at_most("two pads: largest force with the index rounded down", from_theory("Coulomb: at most μ f_N"), 1,
              largest_force(pads, floored, samples), "N", 1e-12),
      at_most("two pads: largest force with the exact integral", from_theory("Coulomb: at most μ f_N"), 1,
              largest_force(pads, exact, samples), "N", 1e-9),
      within("circle: cells of 21 × 21", from_authors(planar_data), 317, circle[0], 0, "-"),
      within("circle: cells of 101 × 101", from_authors(planar_data), 7845, circle[1], 0, "-"),
      within("circle, 21 × 21: area of the cells over the disc's", from_authors(planar_data), 0.915,
             circle[0] / (cells * cells) / (std::numbers::pi / 4), 5e-4, "-"),
  };
  result.claims.insert(result.claims.end(), claims.begin(), claims.end());
  return result;
}

}  // namespace stiction::lab::planar_stepping
