// Fig. 1: the cost of a verdict and of a motion, against the number of contacts.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "../lab.h"
#include "../log_slope.h"
#include "scenes.h"

namespace stiction::lab::spatial_contact_cost {
namespace {

using spatial::StaticFriction;

constexpr std::array<std::size_t, 7> sizes{10, 30, 100, 300, 1000, 3000, 10'000};
constexpr std::array ratios{0.7, 0.99, 1.01, 1.5};

template <class Work>
double microseconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}
double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double energy_without_friction(const ContactScene& scene) {
  StaticFriction solver(0);
  return solver.set({}, scene.load) ? solver.solve().objective : 0;
}

/// A block on a floor, pulled through the centre of its friction: the load that friction holds is Σ μ N.
double block_error(std::size_t contacts, Random& random) {
  std::vector<spatial::Contact> feet;
  double holds = 0;
  for (std::size_t i = 0; i < contacts; ++i) {
    const Vector3 arm{0.1 * random.uniform() - 0.05, 0.1 * random.uniform() - 0.05, 0};
    feet.push_back({.arm = arm,
                    .normal_force = random.uniform() * 30 / static_cast<double>(contacts),
                    .friction = 0.3 + 0.5 * random.uniform()});
    holds += feet.back().friction * feet.back().normal_force;
  }
  Vector3 centre{};
  for (const auto& foot : feet) {
    for (std::size_t i = 0; i < 2; ++i) {
      centre[i] += foot.friction * foot.normal_force / holds * foot.arm[i];
    }
  }
  spatial::Load load{.wrench = {2, 1, 0, 0, 0, centre[0] * 1 - centre[1] * 2}, .length = 0.05};
  for (std::size_t i = 0; i < 6; ++i) {
    load.gradient[i][i] = i < 3 ? -hand_stiffness : -hand_rotational_stiffness;
    load.mass[i][i] = i < 3 ? 0.5 : 8e-4;
  }
  StaticFriction solver(contacts);
  if (!solver.set(feet, load)) {
    return 1;
  }
  return std::abs(solver.verdict({}, true).critical_ratio() / (std::sqrt(5.0) / holds) - 1);
}

void show_costs(const Table& table, Result& result) {
  const auto column = [&](std::size_t k) { return std::get<std::vector<double>>(table.columns[k].values); };
  const auto later = [](const std::vector<double>& values) {
    return std::vector<double>(values.begin() + 2, values.end());
  };
  constexpr const char* machine = "times depend on the machine";
  result.claims.push_back(at_most("100 contacts: verdict and motion, cold", printed("caption of Fig. 1: under 1 ms"),
                                  1000, column(1)[2] + column(2)[2], "us")
                              .as_info(machine));
  result.claims.push_back(within("motion: exponent of cost against contacts, from 100 on",
                                 from_theory("one sweep a step: linear"), 1,
                                 log_slope(later(column(0)), later(column(2))), 0.1, "-")
                              .as_info(machine));
  result.claims.push_back(within("verdict: exponent of cost against contacts, from 100 on",
                                 from_theory("one sweep a step: linear"), 1,
                                 log_slope(later(column(0)), later(column(1))), 0.1, "-")
                              .as_info(machine));
  Figure figure{"fig1",
                "Cost against the number of contacts",
                "contacts",
                "time [us]",
                {{"fig1", 0, 1, "verdict", "linespoints"},
                 {"fig1", 0, 2, "motion, cold", "linespoints"},
                 {"fig1", 0, 3, "motion, warm", "linespoints"}}};
  figure.x_log = true;
  figure.y_log = true;
  result.figures.push_back(figure);
}

}  // namespace

Result run(const Context& context) {
  const std::size_t problems = context.quick ? 8 : 64;
  Result result;
  result.notes =
      "A cube in a corner and a peg in a hole, both with contacts at random places, from loads that friction holds "
      "well "
      "to loads that it does not. Exact cones. Cold: nothing is known before. Warm: the load has moved by 1 % and 1 % "
      "of the contacts are others. Times are of one core and depend on the machine.";
  Table table{"fig1",
              {{"contacts", std::vector<double>{}},
               {"verdict [us]", std::vector<double>{}},
               {"motion, cold [us]", std::vector<double>{}},
               {"motion, warm [us]", std::vector<double>{}},
               {"largest gap [-]", std::vector<double>{}}},
              true};
  double wrong = 0;
  double gap = 0;
  double block = 0;
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const std::size_t n = sizes.at(s);
    StaticFriction solver(n);
    std::array<std::vector<double>, 3> times;
    double gap_here = 0;
    for (std::size_t k = 0; k < problems; ++k) {
      context.step((static_cast<double>(s) + static_cast<double>(k) / static_cast<double>(problems)) /
                   static_cast<double>(sizes.size()));
      Random random(100 * n + k);
      const double ratio = ratios.at(k / 2 % ratios.size());
      ContactScene scene = contact_scene(k % 2 == 0 ? Family::cube_in_corner : Family::peg_in_hole, n, random);
      load_to_ratio(scene, ratio, solver);
      const bool given = solver.set(scene.contacts, scene.load);
      spatial::Verdict verdict;
      spatial::Solution cold;
      spatial::Solution warm;
      times[0].push_back(microseconds([&] { verdict = solver.verdict(); }));
      times[1].push_back(microseconds([&] { cold = solver.solve({.warm = false}); }));
      gap_here = std::max(gap_here, cold.gap / energy_without_friction(scene));
      next_frame(scene, 0.01, random);
      times[2].push_back(microseconds([&] {
        if (solver.set(scene.contacts, scene.load)) {
          warm = solver.solve();
        }
      }));
      wrong += given && verdict.proven() && verdict.holds() == (ratio < 1) ? 0 : 1;
      gap_here = std::max(gap_here, warm.gap / energy_without_friction(scene));
    }
    const std::array<double, 5> values{static_cast<double>(n), median(times[0]), median(times[1]), median(times[2]),
                                       gap_here};
    for (std::size_t k = 0; k < values.size(); ++k) {
      std::get<std::vector<double>>(table.columns[k].values).push_back(values.at(k));
    }
    gap = std::max(gap, gap_here);
    Random random(n);
    block = std::max(block, block_error(n, random));
  }
  result.tables.push_back(table);
  result.claims.push_back(
      at_most("verdicts that are wrong or not proven", requirement("loads of known critical ratio"), 0, wrong, "-"));
  result.claims.push_back(at_most("largest duality gap over the energy without friction", requirement("as asked for"),
                                  spatial::Options{}.gap, gap, "-", 1e-14));
  result.claims.push_back(at_most("block on a floor, 10 to 10 000 contacts: error of its critical ratio",
                                  from_theory("closed form: F/Σ μ N"), 0, block, "-", 1e-8));
  show_costs(table, result);
  return result;
}

}  // namespace stiction::lab::spatial_contact_cost
