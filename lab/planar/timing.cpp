// Tables II, V and VI: the cost of steps and of pre-computed limit surfaces, against the number of cells.
#include <fmt/format.h>

#include <chrono>
#include <numbers>

#include "../call_timing.h"
#include "../lab.h"
#include "../log_slope.h"
#include "directions.h"
#include "paper_setup.h"

namespace stiction::lab::planar_timing {
namespace {

using planar::AngleTable;
using planar::Distributed;
using planar::Patch;
using planar::Reduced;
using planar::SurfaceTable;
using planar::Twist;

constexpr const char* machine = "times depend on the machine";
constexpr const char* own_numbers = "a statement of the paper against its own times: nothing of ours is measured";
constexpr std::size_t paper_quarter = 20;  // N_ls of Table V
constexpr double side = 0.02;              // [m]

/// The settings of the authors' timing script.
planar::Friction timed_friction() {
  planar::Friction friction = planar::preset::waltersson_p1();
  friction.stiffness = 1e5;
  friction.damping = 20;
  return friction;
}
constexpr Twist twist{0.1, -0.05, 1.59};
constexpr double dt = 1e-4;

/// Steps per second.
double rate_of(const CallTiming& timing) { return 1e9 / timing.median; }

/// The shortest time of several runs [s].
template <class Work>
double min_time(int runs, const Work& work) {
  double minimum = infinity;
  for (int k = 0; k < runs; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    minimum = std::min(minimum, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return minimum;
}

Table empty_table(const char* name, const std::vector<const char*>& columns) {
  Table table{name, {}, true};
  for (const char* column : columns) {
    table.columns.push_back({column, std::vector<double>{}});
  }
  return table;
}
void add_row(Table& table, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::get<std::vector<double>>(table.columns[i].values).push_back(values[i]);
  }
}
const std::vector<double>& numbers(const Table& table, std::size_t column) {
  return std::get<std::vector<double>>(table.columns[column].values);
}
std::vector<double> without_first(const std::vector<double>& values) { return {values.begin() + 1, values.end()}; }

/// Largest distance of the points from the straight line y = a + b x that fits them best, over y.
double off_straight_line(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double sx = 0;
  double sy = 0;
  double sxx = 0;
  double sxy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sx += x[i];
    sy += y[i];
    sxx += x[i] * x[i];
    sxy += x[i] * y[i];
  }
  const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    largest = std::max(largest, std::abs((sy - slope * sx) / n + slope * x[i] - y[i]) / y[i]);
  }
  return largest;
}

struct Published {
  std::size_t n;
  double distributed, reduced;  // Tables II and V [1/s]; 0: not given
  double tables;                // Table V [s]
};
constexpr std::array<Published, 9> published{{{5, 1.6e5, 8.7e5, 0.024},
                                              {9, 3.9e4, 8.5e5, 0.054},
                                              {13, 2.8e4, 7.7e5, 0.1},
                                              {17, 1.7e4, 8.6e5, 0.18},
                                              {21, 1.1e4, 8.7e5, 0.26},
                                              {25, 7.7e3, 8.6e5, 0.37},
                                              {29, 5.7e3, 8.6e5, 0.49},
                                              {33, 4.5e3, 8.6e5, 0.63},
                                              {101, 4.3e2, 0, 0}}};
constexpr std::size_t largest_table = 33;  // N of Table V
struct PublishedTable {
  std::size_t quarter;
  double seconds;  // Table VI
};
constexpr std::array<PublishedTable, 8> published_tables{
    {{5, 0.022}, {9, 0.058}, {13, 0.11}, {17, 0.19}, {21, 0.29}, {25, 0.39}, {29, 0.53}, {33, 0.7}}};

/// Table II and the second row of Table V.
void time_steps(const Context& context, Result& result) {
  const long calls = context.quick ? 4'000 : 100'000;
  const double max_seconds = context.quick ? 0.05 : 0.5;
  const planar::Friction friction = timed_friction();
  Table steps = empty_table("table2_table5",
                            {"N", "distributed, Euler [1/s]", "distributed, our step [1/s]", "reduced, Euler [1/s]",
                             "reduced, our step [1/s]", "paper, distributed [1/s]", "paper, reduced [1/s]"});
  std::vector<double> cells;
  std::vector<double> cost;
  for (std::size_t k = 0; k < published.size(); ++k) {
    const Published& p = published[k];
    context.step(0.5 * static_cast<double>(k) / published.size());
    const Patch patch(planar::paper::square(p.n));
    const auto distributed = Distributed::make({friction, patch});
    std::vector<double> z(distributed.state_size());
    const auto reduced = Reduced<SurfaceTable>::make({friction, patch.pressure_moments(), SurfaceTable(patch)});
    Reduced<SurfaceTable>::State three;
    const auto next_of = [&](const auto& next) {
      three = next.state;
      return next.wrench.x;
    };
    const double many_euler =
        rate_of(timed(calls, max_seconds, [&](std::size_t) { return distributed.euler_step(z, twist, 1, 1e-5).x; }));
    const double many =
        rate_of(timed(calls, max_seconds, [&](std::size_t) { return distributed.step(z, twist, 1, dt).x; }));
    const double three_euler = rate_of(
        timed(calls, max_seconds, [&](std::size_t) { return next_of(reduced.euler_step(three, twist, 1, 1e-5)); }));
    const double three_ours =
        rate_of(timed(calls, max_seconds, [&](std::size_t) { return next_of(reduced.step(three, twist, 1, dt)); }));
    add_row(steps, {static_cast<double>(p.n), many_euler, many, three_euler, three_ours, p.distributed, p.reduced});
    if (p.n >= 9) {
      cells.push_back(static_cast<double>(patch.size()));
      cost.push_back(1 / many);
    }
    if (p.n != 21) {
      continue;
    }
    // The patch slides steadily by now: both models give the same force
    const double force = distributed.step(z, twist, 1, dt).x;
    result.claims.push_back(at_most("the two models' forces in the motion that is timed, apart",
                                    requirement("the same answer"), 0.01,
                                    std::abs(force / reduced.step(three, twist, 1, dt).wrench.x - 1), "-"));
    const auto info = [&](const char* name, const char* table, double expected, double measured) {
      result.claims.push_back(at_least(name, printed(table), expected, measured, "1/s").as_info(machine));
    };
    info("distributed, N = 21, Euler steps per second", "Table II", p.distributed, many_euler);
    info("distributed, N = 21, our steps per second", "Table II", p.distributed, many);
    info("reduced, Euler steps per second", "Table V", p.reduced, three_euler);
    info("reduced, our steps per second", "Table V", p.reduced, three_ours);
    result.claims.push_back(within("steps of the reduced model for one of the distributed, N = 21",
                                   printed("abstract: 80"), 80, three_ours / many, 40, "-")
                                .as_info("both are faster here"));
  }
  result.claims.push_back(within("distributed: slope of log cost over log cells, N = 9 to 101",
                                 requirement("linear in cells"), 1, log_slope(cells, cost), 0.15, "-")
                              .as_info(machine));
  result.tables.push_back(steps);
  Figure figure{"table2",
                "Steps per second against N",
                "N",
                "steps per second",
                {{steps.name, 0, 2, "distributed", "linespoints"},
                 {steps.name, 0, 4, "reduced", "linespoints"},
                 {steps.name, 0, 5, "distributed, paper", "points"},
                 {steps.name, 0, 6, "reduced, paper", "points"}}};
  figure.x_log = true;
  figure.y_log = true;
  result.figures.push_back(figure);
}

/// Cells that are summed for one table with the bilinear rule: four sums for each node whose centre of rotation is in
/// the grid, one for others.
double cells_summed(const Patch& patch, std::size_t quarter) {
  const double r = patch.torque_radius();
  const planar::Point cop = patch.centre_of_pressure();
  double sums = 0;
  for (std::size_t i = 0; i <= 4 * quarter; ++i) {
    for (std::size_t j = 0; j <= quarter; ++j) {
      const double theta = std::numbers::pi / 2 * static_cast<double>(i) / static_cast<double>(quarter);
      const double phi = std::numbers::pi / 2 * static_cast<double>(j) / static_cast<double>(quarter);
      const double distance = r * std::tan(phi);  // from the centre of pressure, across the direction of sliding
      const double x = cop.x - distance * std::sin(theta);
      const double y = cop.y + distance * std::cos(theta);
      sums += j < quarter && std::max(std::abs(x), std::abs(y)) < side / 2 ? 4 : 1;
    }
  }
  return sums * static_cast<double>(patch.size());
}

double table_time(const Patch& patch, std::size_t quarter, AngleTable::WrenchOf rule, int runs) {
  return min_time(runs, [&] { detail::sink = AngleTable(patch, quarter, rule)({1, 2, 3})[0]; });
}

/// The first row of Table V: one kind of table, by the paper's rule and by exact integrals.
void time_tables(const Context& context, Result& result) {
  const int runs = context.quick ? 2 : 10;
  Table table =
      empty_table("table5", {"N", "cells N × N", "cells summed, bilinear", "corners, exact, square",
                             "corners, exact, circle", "corners, exact, k = 2", "bilinear, square [s]",
                             "exact, square [s]", "exact, circle [s]", "exact, k = 2 [s]", "paper, square [s]"});
  double apart = 0;  // of the two rules, at the largest N
  for (const Published& p : published) {
    if (p.n > largest_table) {
      continue;
    }
    context.step(0.5 + 0.2 * static_cast<double>(p.n) / largest_table);
    const Patch square(planar::paper::square(p.n));
    const Patch circle(planar::paper::circle(p.n));
    const Patch finger(planar::pressure_grid(planar::soft_finger_pressure(side / 2, 2), {-side / 2, -side / 2},
                                             {side / 2, side / 2}, p.n, p.n));
    const auto corners = [](const Patch& patch) { return static_cast<double>(patch.corners().size()); };
    add_row(table, {static_cast<double>(p.n), static_cast<double>(p.n * p.n), cells_summed(square, paper_quarter),
                    corners(square), corners(circle), corners(finger),
                    table_time(square, paper_quarter, planar::authors_bilinear_wrench, runs),
                    table_time(square, paper_quarter, nullptr, runs), table_time(circle, paper_quarter, nullptr, runs),
                    table_time(finger, paper_quarter, nullptr, runs), p.tables});
    if (p.n == largest_table) {
      const AngleTable bilinear(square, paper_quarter, planar::authors_bilinear_wrench);
      const AngleTable exact(square, paper_quarter);
      apart = largest_difference(bilinear, exact, 500);
    }
  }
  // Below N = 9 a table's fixed cost counts
  const auto slope = [&](std::size_t column) {
    return log_slope(without_first(numbers(table, 1)), without_first(numbers(table, column)));
  };
  const auto linear = printed("Section VI-D: pre-computation is linear in the number of cells N × N");
  result.claims.push_back(
      within("paper's rule: exponent of the cells summed over N × N", linear, 1, slope(2), 0.01, "-"));
  result.claims.push_back(
      at_most("Table V: largest distance of the paper's times from a straight line in N × N, relative", linear, 0.1,
              off_straight_line(numbers(table, 1), numbers(table, 10)), "-")
          .as_info(own_numbers));
  result.claims.push_back(
      within("paper's rule here: exponent of time over N × N, N = 9 to 33", linear, 1, slope(6), 0.15, "-")
          .as_info(machine));
  const auto corner_source = from_theory("corners at which the pressure has a mixed second difference");
  result.claims.push_back(within("exact rule, uniform square: corners that count, N = 33", corner_source, 4,
                                 numbers(table, 3).back(), 0, "-"));
  result.claims.push_back(
      within("exact rule, uniform square: exponent of its corners over N × N", corner_source, 0, slope(3), 0, "-"));
  result.claims.push_back(within("exact rule, circle of cells: exponent of its corners over N × N",
                                 from_theory("corners of the outline, whose length is in proportion to N"), 0.5,
                                 slope(4), 0.1, "-"));
  result.claims.push_back(within("exact rule, soft finger k = 2: exponent of its corners over N × N",
                                 from_theory("every cell has a pressure of its own"), 1, slope(5), 0.15, "-"));
  result.claims.push_back(within("exact rule, soft finger k = 2: exponent of time over N × N, N = 9 to 33",
                                 requirement("linear, as the corners"), 1, slope(9), 0.15, "-")
                              .as_info(machine));
  result.claims.push_back(at_most("square, N = 33: largest difference between the two rules' tables",
                                  requirement("both tables are of the same surface"), 0.01, apart, "-"));
  result.claims.push_back(
      at_most("table by the paper's rule, N = 21", printed("Table V"), published[4].tables, numbers(table, 6)[4], "s")
          .as_info(machine));
  result.tables.push_back(table);
  Figure figure{"table5",
                "Time of one table of N_ls = 20, by the paper's rule and by exact integrals",
                "cells N × N",
                "time [s]",
                {{"table5", 1, 6, "bilinear, square", "linespoints"},
                 {"table5", 1, 7, "exact, square", "linespoints"},
                 {"table5", 1, 8, "exact, circle", "linespoints"},
                 {"table5", 1, 9, "exact, soft finger k = 2", "linespoints"},
                 {"table5", 1, 10, "paper, square", "points"}}};
  figure.x_log = true;
  figure.y_log = true;
  result.figures.push_back(figure);
}

/// Table VI.
void time_resolutions(const Context& context, Result& result) {
  const int runs = context.quick ? 2 : 10;
  const Patch patch(planar::paper::square());
  Table table =
      empty_table("table6", {"N_ls", "cells of the table", "nodes", "over angles, bilinear [s]",
                             "over angles, exact [s]", "over a cube with as many nodes, exact [s]", "paper [s]"});
  for (const auto& [quarter, seconds] : published_tables) {
    context.step(0.7 + 0.3 * static_cast<double>(quarter) / 33);
    const auto nodes = static_cast<double>((4 * quarter + 1) * (quarter + 1));
    const auto cube = static_cast<std::size_t>(std::lround(std::sqrt(nodes / 3))) - 1;
    add_row(table, {static_cast<double>(quarter), static_cast<double>(4 * quarter * quarter), nodes,
                    table_time(patch, quarter, planar::authors_bilinear_wrench, runs),
                    table_time(patch, quarter, nullptr, runs),
                    min_time(runs,
                             [&] {
                               detail::sink = SurfaceTable(patch, cube)({1, 2, 3})[0];
                             }),
                    seconds});
  }
  const auto linear = printed("Section VI-D: 4 N_ls² cells are sampled");
  result.claims.push_back(
      at_most("Table VI: largest distance of the paper's times from a straight line in N_ls², relative", linear, 0.1,
              off_straight_line(numbers(table, 1), numbers(table, 6)), "-")
          .as_info(own_numbers));
  result.claims.push_back(within("paper's rule here: exponent of time over the nodes of the table", linear, 1,
                                 log_slope(numbers(table, 2), numbers(table, 3)), 0.15, "-")
                              .as_info(machine));
  result.tables.push_back(table);
  Figure figure{"table6",
                "Time of one table, 21 × 21 cells",
                "N_ls",
                "time [s]",
                {{"table6", 0, 3, "over angles, bilinear", "linespoints"},
                 {"table6", 0, 4, "over angles, exact", "linespoints"},
                 {"table6", 0, 5, "over a cube, exact", "linespoints"},
                 {"table6", 0, 6, "paper", "points"}}};
  figure.x_log = true;
  figure.y_log = true;
  result.figures.push_back(figure);
}

}  // namespace

Result run(const Context& context) {
  Result result;
  result.notes =
      "Square patch, elasto-plastic bristles, the settings of the authors' timing script (σ0 = 1e5, σ1 = 20, steps "
      "of 0.1 ms). Published times are of the authors' laptop, ours of this run: their ratio mixes two machines, and "
      "nothing here is judged by it. `stiction bench planar` compares with the paper's equations written plainly, in "
      "one process. Table V, like beside like: one table over angles with N_ls = 20, its nodes by the paper's "
      "bilinear rule and by exact integrals. The paper's rule sums all cells four times for a node whose centre of "
      "rotation is in the grid and once for others, so its work is linear in N × N whatever the pressure. The exact "
      "integral over a cell is the alternating sum of an antiderivative at its four corners, and a corner counts "
      "only with the mixed second difference of the pressure around it: where four cells with equal pressure meet, "
      "nothing remains. So a uniform square has four corners for every N and its table has a constant cost; a circle "
      "has the corners of its outline, in proportion to N; a pressure that differs from cell to cell, as that of a "
      "soft finger, has nearly all, and there the exact rule is linear in N × N too.";
  time_steps(context, result);
  time_tables(context, result);
  time_resolutions(context, result);
  return result;
}

}  // namespace stiction::lab::planar_timing
