#include "spatial_timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "clp_baseline.h"
#include "log_slope.h"
#include "plain_qp.h"
#include "published_lp.h"
#include "spatial/scenes.h"
#include "stiction/spatial/mujoco_pyramid.h"
#include "stiction/spatial/pyramid.h"
#include "timing.h"

namespace stiction::bench {
namespace {

using baselines::Clp;
using lab::ContactScene;
using lab::Family;
using lab::Random;
using spatial::Metric;
using spatial::StaticFriction;

constexpr std::array<std::size_t, 5> sizes{10, 100, 1000, 5000, 10'000};
constexpr std::size_t problems = 204;  // in each row, unless they take too long
constexpr std::array families{Family::cube_in_corner, Family::peg_in_hole};
constexpr std::array ratios{0.7, 0.99, 1.01, 1.5};  // critical ratios: static, near the threshold, sliding

volatile double sink = 0;

template <class Work>
double microseconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

double share_of(std::vector<double> times, double share) {
  if (times.empty()) {
    return 0;
  }
  const auto place = times.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(times.size() - 1));
  std::nth_element(times.begin(), place, times.end());
  return *place;
}

/// A row from the times of its calls [µs].
SpatialRow row_of(const std::string& what, std::size_t contacts, int sides, const std::vector<double>& times) {
  return {what, contacts, sides, times.size(), share_of(times, 0.5), share_of(times, 0.99)};
}

/// The k-th of a row's problems: families and ratios in turn.
ContactScene problem(std::size_t k, std::size_t contacts, StaticFriction& solver) {
  Random random(1000 * contacts + k);
  ContactScene scene = contact_scene(families.at(k % families.size()), contacts, random);
  load_to_ratio(scene, ratios.at(k / families.size() % ratios.size()), solver);
  return scene;
}
double ratio_of_problem(std::size_t k) { return ratios.at(k / families.size() % ratios.size()); }

/// Calls work(k) for each problem, until the row has taken too long.
void each_problem(double max_seconds, const std::function<void(std::size_t)>& work) {
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t k = 0; k < problems; ++k) {
    work(k);
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > max_seconds) {
      break;
    }
  }
}

/// Ours, cold: the verdict and the motion of each problem, with everything from the contacts to the answer.
void add_cold(std::size_t contacts, int sides, std::vector<SpatialRow>& rows) {
  StaticFriction solver(contacts, sides);
  std::vector<double> verdict_times;
  std::vector<double> solve_times;
  double wrong = 0;
  double gap = 0;
  each_problem(longest_spatial_row, [&](std::size_t k) {
    const ContactScene scene = problem(k, contacts, solver);
    spatial::Verdict verdict;
    spatial::Solution solution;
    // Once before the clock runs: what is timed is a cold start of the method, not of the caches
    for (const bool timed : {false, true}) {
      const double a = microseconds([&] {
        sink = solver.set(scene.contacts, scene.load) ? 1 : 0;
        verdict = solver.verdict();
      });
      const double b = microseconds([&] {
        sink = solver.set(scene.contacts, scene.load) ? 1 : 0;
        solution = solver.solve({.warm = false});
      });
      if (timed) {
        verdict_times.push_back(a);
        solve_times.push_back(b);
      }
    }
    wrong += verdict.proven() && verdict.holds() == (ratio_of_problem(k) < 1) ? 0 : 1;
    sink = solver.set({}, scene.load) ? 1 : 0;
    gap = std::max(gap, solution.gap / solver.solve().objective);
  });
  require_same("verdicts", wrong, 0);
  rows.push_back(row_of("verdict", contacts, sides, verdict_times));
  rows.push_back(row_of("QP, cold", contacts, sides, solve_times));
  rows.back().deviation = gap;
  rows.at(rows.size() - 2).deviation = wrong;
}

/// Ours, warm: a hand that moves by 1 % per millisecond, while contacts appear and disappear.
SpatialRow warm_row(std::size_t contacts) {
  constexpr std::size_t frames = problems / (families.size() * ratios.size()) + 2;
  StaticFriction fresh(contacts);
  std::vector<double> times;
  double deviation = 0;
  for (std::size_t k = 0; k < families.size() * ratios.size(); ++k) {
    StaticFriction solver(contacts);
    ContactScene scene = problem(k, contacts, fresh);
    Random random(k);
    for (std::size_t frame = 0; frame < frames; ++frame) {
      spatial::Solution warm;
      const double time = microseconds([&] {
        sink = solver.set(scene.contacts, scene.load) ? 1 : 0;
        warm = solver.solve();
      });
      if (frame > 0) {
        times.push_back(time);
      }
      if (frame % 8 == 1) {
        sink = fresh.set(scene.contacts, scene.load) ? 1 : 0;
        const spatial::Solution cold = fresh.solve({.warm = false});
        const double difference = std::abs(warm.objective - cold.objective) - warm.gap - cold.gap;
        deviation = std::max(deviation, difference / (cold.objective + 1e-300));
      }
      next_frame(scene, 0.01, random);
    }
  }
  require_same("warm and cold starts", deviation, 1e-9);
  SpatialRow row = row_of("QP, warm", contacts, 0, times);
  row.deviation = deviation;
  return row;
}

/// CLP on one form of the program, cold and from its last basis after the load has changed by a per cent.
void add_clp(const std::string& name, std::size_t contacts, int sides, bool as_published, Clp::Method method,
             std::vector<SpatialRow>& rows) {
  StaticFriction solver(contacts, sides);
  std::vector<double> cold_times;
  std::vector<double> warm_times;
  std::vector<double> our_times;
  double differ = 0;
  each_problem(longest_baseline, [&](std::size_t k) {
    ContactScene scene = problem(k, contacts, solver);
    const auto program = [&] {
      const auto own = baselines::in_own_units(scene.contacts, scene.load);
      return as_published ? baselines::published_lp(own.contacts, own.load, sides)
                          : baselines::six_row_lp(own.contacts, own.load, sides);
    };
    const auto ours = [&] {
      sink = solver.set(scene.contacts, scene.load) ? 1 : 0;
      return solver.verdict({.metric = Metric::mass});
    };
    const auto first = program();
    bool feasible = false;
    // Loading the matrix is part of a cold start; making it is not
    std::optional<Clp> clp;
    cold_times.push_back(microseconds([&] {
      clp.emplace(first);
      feasible = clp->solve(method).solved;
    }));
    spatial::Verdict verdict = ours();
    our_times.push_back(microseconds([&] { verdict = ours(); }));
    differ += feasible == verdict.holds() ? 0 : 1;
    for (double& component : scene.load.wrench) {
      component *= 1 + 0.01 * std::sin(static_cast<double>(k));
    }
    const auto second = program();
    warm_times.push_back(microseconds([&] { feasible = clp->solve_again(second, method).solved; }));
    differ += feasible == ours().holds() ? 0 : 1;
  });
  require_same(name + ": verdicts", differ, 0);
  for (const bool warm : {false, true}) {
    SpatialRow row = row_of(name + (warm ? ", warm" : ", cold"), contacts, sides, warm ? warm_times : cold_times);
    row.ratio = row.median / share_of(our_times, 0.5);
    row.ratio_to_cones = row.median / median_of(rows, "verdict", contacts);
    rows.push_back(row);
  }
}

/// The slow reference to a gap of 1e-6, against ours to 1e-10.
SpatialRow plain_row(std::size_t contacts) {
  StaticFriction solver(contacts);
  std::vector<double> times;
  std::vector<double> our_times;
  double deviation = 0;
  each_problem(longest_baseline, [&](std::size_t k) {
    const ContactScene scene = problem(k, contacts, solver);
    baselines::PlainSolution plain;
    times.push_back(microseconds([&] {
      plain = baselines::plain_qp<double>(scene.contacts, scene.load, {.gap = 1e-6, .max_iterations = 100'000});
    }));
    spatial::Solution ours;
    for (int again = 0; again < 2; ++again) {
      const double time = microseconds([&] {
        sink = solver.set(scene.contacts, scene.load) ? 1 : 0;
        ours = solver.solve({.warm = false});
      });
      if (again == 1) {
        our_times.push_back(time);
      }
    }
    deviation = std::max(deviation, std::abs(plain.objective - ours.objective) / plain.without_friction);
  });
  require_same("QP by projected gradients", deviation, 1e-5);
  SpatialRow row = row_of("QP, projected gradients, cold", contacts, 0, times);
  row.ratio = row.median / share_of(our_times, 0.5);
  row.ratio_to_cones = row.ratio;
  row.deviation = deviation;
  return row;
}

/// The slope of log median over log contacts, from 100 contacts to `max_contacts`.
SpatialExponent exponent_of(const std::string& what, std::size_t max_contacts, const std::vector<SpatialRow>& rows) {
  std::vector<double> contacts;
  std::vector<double> medians;
  for (const SpatialRow& row : rows) {
    if (row.what == what && row.sides == 0 && row.contacts >= 100 && row.contacts <= max_contacts) {
      contacts.push_back(static_cast<double>(row.contacts));
      medians.push_back(row.median);
    }
  }
  return {what, max_contacts, lab::log_slope(contacts, medians)};
}

template <std::size_t N, class Cone>
ProjectionRow projection(const std::string& name, const Cone& cone) {
  Random random(7);
  std::vector<Vector<double, N>> forces(1024);
  for (auto& force : forces) {
    for (double& component : force) {
      component = random.gaussian();
    }
  }
  std::vector<double> times;
  for (int round = 0; round < many_rounds; ++round) {
    double sum = 0;
    const double time = microseconds([&] {
      for (const auto& force : forces) {
        sum += cone.project(force)[0];
      }
    });
    sink = sum;
    times.push_back(1e3 * time / static_cast<double>(forces.size()));
  }
  return {name, share_of(times, 0.5)};
}

std::vector<ProjectionRow> projections() {
  using spatial::Fit;
  using spatial::Pyramid;
  return {projection<3>("circular", spatial::CircularCone<>{0.5}),
          projection<3>("elliptic, condim 3", spatial::EllipticCone<3>{{0.5, 0.8}}),
          projection<4>("elliptic, condim 4", spatial::EllipticCone<4>{{0.5, 0.8, 0.02}}),
          projection<6>("elliptic, condim 6", spatial::EllipticCone<6>{{0.5, 0.8, 0.02, 0.01, 0.01}}),
          projection<3>("box", spatial::BoxCone<>{0.5, 0.8}),
          projection<3>("pyramid, 4 sides", Pyramid<>::make({0.5, 4, Fit::inscribed})),
          projection<3>("pyramid, 8 sides", Pyramid<>::make({0.5, 8, Fit::circumscribed})),
          projection<3>("pyramid, 16 sides", Pyramid<>::make({0.5, 16, Fit::circumscribed})),
          projection<3>("MuJoCo's pyramid, condim 3", spatial::MujocoPyramid<3>{{0.5, 0.8}}),
          projection<6>("MuJoCo's pyramid, condim 6", spatial::MujocoPyramid<6>{{0.5, 0.8, 0.02, 0.01, 0.01}})};
}

}  // namespace

double median_of(const std::vector<SpatialRow>& rows, const std::string& what, std::size_t contacts) {
  return std::find_if(rows.begin(), rows.end(),
                      [&](const SpatialRow& r) { return r.what == what && r.contacts == contacts && r.sides == 0; })
      ->median;
}

SpatialBench spatial_bench() {
  SpatialBench bench;
  bench.with_clp = Clp::available();
  for (const std::size_t contacts : sizes) {
    add_cold(contacts, 0, bench.rows);
    bench.rows.push_back(warm_row(contacts));
  }
  for (const int sides : {4, 8, 16}) {
    for (const std::size_t contacts : sizes) {
      add_cold(contacts, sides, bench.rows);
    }
  }
  for (const std::size_t contacts : {std::size_t{10}, std::size_t{100}, std::size_t{1000}}) {
    bench.rows.push_back(plain_row(contacts));
    for (const int sides : {4, 8, 16}) {
      if (bench.with_clp) {
        add_clp("LP as printed, CLP", contacts, sides, true, Clp::Method::primal, bench.rows);
        add_clp("LP of six rows, CLP primal", contacts, sides, false, Clp::Method::primal, bench.rows);
        add_clp("LP of six rows, CLP dual", contacts, sides, false, Clp::Method::dual, bench.rows);
      }
    }
  }
  for (const char* what : {"verdict", "QP, cold", "QP, warm"}) {
    for (const std::size_t max_contacts :
         {std::size_t{5000}, std::size_t{10000}}) {  // the second leaves the nearer caches
      bench.exponents.push_back(exponent_of(what, max_contacts, bench.rows));
    }
  }
  bench.projections = projections();
  return bench;
}

}  // namespace stiction::bench
