// Tables II, V and VI: the cost of steps and tables, against the number of cells.
#include <fmt/format.h>

#include <chrono>

#include "../call_timing.h"
#include "../lab.h"
#include "../log_slope.h"
#include "paper_setup.h"

namespace stiction::lab::planar_timing {
namespace {

using planar::Distributed;
using planar::Patch;
using planar::Reduced;
using planar::SurfaceTable;
using planar::Twist;

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
double min_time(int goes, const Work& work) {
  double minimum = infinity;
  for (int k = 0; k < goes; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    minimum = std::min(minimum, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return minimum;
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
struct PublishedTable {
  std::size_t quarter;
  double seconds;  // Table VI
};
constexpr std::array<PublishedTable, 8> published_tables{
    {{5, 0.022}, {9, 0.058}, {13, 0.11}, {17, 0.19}, {21, 0.29}, {25, 0.39}, {29, 0.53}, {33, 0.7}}};

}  // namespace

Result run(const Context& context) {
  const long calls = context.quick ? 4'000 : 100'000;
  const double max_seconds = context.quick ? 0.05 : 0.5;
  const planar::Friction friction = timed_friction();
  Result result;
  result.notes =
      "Square patch, elasto-plastic bristles, the settings of the authors' timing script (σ0 = 1e5, σ1 = 20, steps of "
      "0.1 ms). Published figures are of the authors' laptop, ours of this run: their ratio mixes two machines, and "
      "nothing here is judged by it. `stiction bench planar` compares with the paper's equations written plainly, in "
      "one "
      "process. Tables: ours has 24 cells along the side of a face, 1875 nodes; N_ls = 20 makes 1701.";
  Table steps{"table2_table5",
              {{"N", std::vector<double>{}},
               {"distributed, Euler [1/s]", std::vector<double>{}},
               {"distributed, our step [1/s]", std::vector<double>{}},
               {"reduced, Euler [1/s]", std::vector<double>{}},
               {"reduced, our step [1/s]", std::vector<double>{}},
               {"table [s]", std::vector<double>{}},
               {"paper, distributed [1/s]", std::vector<double>{}},
               {"paper, reduced [1/s]", std::vector<double>{}},
               {"paper, table [s]", std::vector<double>{}}},
              true};
  std::vector<double> cells;
  std::vector<double> cost;
  for (std::size_t k = 0; k < published.size(); ++k) {
    const Published& p = published[k];
    context.step(static_cast<double>(k) / published.size());
    const Patch patch(planar::paper::square(p.n));
    const auto distributed = Distributed::make({friction, patch});
    std::vector<double> z(distributed.state_size());
    const auto reduced = Reduced<SurfaceTable>::make({friction, patch.pressure_moments(), SurfaceTable(patch)});
    Reduced<SurfaceTable>::State three;
    const std::array values{
        static_cast<double>(p.n),
        rate_of(timed(calls, max_seconds, [&](std::size_t) { return distributed.euler_step(z, twist, 1, 1e-5).x; })),
        rate_of(timed(calls, max_seconds, [&](std::size_t) { return distributed.step(z, twist, 1, dt).x; })),
        rate_of(timed(calls, max_seconds,
                      [&](std::size_t) {
                        const auto next = reduced.euler_step(three, twist, 1, 1e-5);
                        three = next.state;
                        return next.wrench.x;
                      })),
        rate_of(timed(calls, max_seconds,
                      [&](std::size_t) {
                        const auto next = reduced.step(three, twist, 1, dt);
                        three = next.state;
                        return next.wrench.x;
                      })),
        min_time(context.quick ? 2 : 10,
                 [&] {
                   detail::sink = SurfaceTable(patch)({1, 2, 3})[0];
                 }),
        p.distributed,
        p.reduced,
        p.tables};
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::get<std::vector<double>>(steps.columns[i].values).push_back(values[i]);
    }
    if (p.n == 21) {
      // The patch slides steadily by now: both models give the same force
      const double many = distributed.step(z, twist, 1, dt).x;
      result.claims.push_back(at_most("the two models' forces in the motion that is timed, apart",
                                      "here: the same answer", 0.01,
                                      std::abs(many / reduced.step(three, twist, 1, dt).wrench.x - 1), "-"));
    }
    if (p.n >= 9) {
      cells.push_back(static_cast<double>(patch.size()));
      cost.push_back(1 / values[2]);
    }
    const auto info = [&](const std::string& name, double expected, double measured, const char* unit, bool more) {
      Claim claim = more ? at_least(name, "Tables II and V", expected, measured, unit)
                         : at_most(name, "Table V", expected, measured, unit);
      result.claims.push_back(claim.as_info("another machine"));
    };
    if (p.n == 21) {
      info("distributed, N = 21, Euler steps per second", p.distributed, values[1], "1/s", true);
      info("distributed, N = 21, our steps per second", p.distributed, values[2], "1/s", true);
      info("reduced, Euler steps per second", p.reduced, values[3], "1/s", true);
      info("reduced, our steps per second", p.reduced, values[4], "1/s", true);
      info("table, N = 21", p.tables, values[5], "s", false);
    }
  }
  result.tables.push_back(steps);
  result.claims.push_back(within("distributed: slope of log cost over log cells, N = 9 to 101", "here: linear in cells",
                                 1, log_slope(cells, cost), 0.15, "-")
                              .as_info("times are not judged"));

  Table tables{"table6",
               {{"N_ls", std::vector<double>{}},
                {"nodes", std::vector<double>{}},
                {"table over angles [s]", std::vector<double>{}},
                {"table over a cube with as many nodes [s]", std::vector<double>{}},
                {"paper [s]", std::vector<double>{}}},
               true};
  const Patch patch(planar::paper::square());
  std::vector<double> nodes;
  std::vector<double> table_cost;
  for (const auto& [quarter, seconds] : published_tables) {
    const auto count = static_cast<double>((4 * quarter + 1) * (quarter + 1));
    const auto side = static_cast<std::size_t>(std::lround(std::sqrt(count / 3))) - 1;
    const int goes = context.quick ? 2 : 10;
    const std::array values{static_cast<double>(quarter), count,
                            min_time(goes,
                                     [&, n = quarter] {
                                       detail::sink = planar::AngleTable(patch, n)({1, 2, 3})[0];
                                     }),
                            min_time(goes,
                                     [&] {
                                       detail::sink = SurfaceTable(patch, side)({1, 2, 3})[0];
                                     }),
                            seconds};
    for (std::size_t i = 0; i < values.size(); ++i) {
      std::get<std::vector<double>>(tables.columns[i].values).push_back(values[i]);
    }
    nodes.push_back(count);
    table_cost.push_back(values[2]);
  }
  result.tables.push_back(tables);
  result.claims.push_back(within("table over angles: slope of log cost over log nodes", "Table VI: linear in nodes", 1,
                                 log_slope(nodes, table_cost), 0.15, "-")
                              .as_info("times are not judged"));
  // The paper's headline ratios, of its own numbers: nothing to reproduce on another machine but their size
  const auto& at21 = std::get<std::vector<double>>(steps.columns[4].values)[4];
  const auto& many21 = std::get<std::vector<double>>(steps.columns[2].values)[4];
  result.claims.push_back(within("steps of the reduced model for one of the distributed, N = 21", "abstract: 80", 80,
                                 at21 / many21, 40, "-")
                              .as_info("both are faster here"));
  Figure figure{"table2",
                "Steps per second against N",
                "N",
                "steps per second",
                {{"table2_table5", 0, 2, "distributed", "linespoints"},
                 {"table2_table5", 0, 4, "reduced", "linespoints"},
                 {"table2_table5", 0, 6, "distributed, paper", "points"}}};
  figure.y_log = true;
  result.figures.push_back(figure);
  return result;
}

}  // namespace stiction::lab::planar_timing
