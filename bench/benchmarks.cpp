#include "benchmarks.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace stiction::bench {
namespace {

constexpr long calls_of_a_model = 1'000'000;
constexpr double longest_row = 3;  // [s]

void print_rows(const std::vector<Row>& rows) {
  fmt::print("{:<44} {:<40} {:>8} {:>8} {:>10} {:>10} {:>10}\n", "what", "baseline", "ratio", "worst", "ns median",
             "ns worst", "deviation");
  for (const Row& r : rows) {
    fmt::print("{:<44} {:<40} {:>7.1f}x {:>7.1f}x {:>10.1f} {:>10.1f} {:>10.1e}\n", r.what, r.baseline,
               r.theirs.median / r.ours.median, r.theirs.worst / r.ours.worst, r.ours.median, r.ours.worst,
               r.deviation);
  }
  fmt::print(
      "ratio: baseline time over ours, medians of {} rounds in turn, of {} where a round is a whole simulation; worst: "
      "slowest round over slowest round\n",
      many_rounds, few_rounds);
}

void print_models(const std::vector<lab::ModelTiming>& models) {
  const auto print = [](const std::string& call, const lab::CallTiming& t, const lab::CallTiming& cheapest) {
    fmt::print(" {:<16} {:>9.1f} {:>7.2f}x {:>9.0f} {:>9.0f} {:>8}", call, t.median, t.median / cheapest.median, t.rare,
               t.worst, t.calls);
  };
  fmt::print("\n{:<24}", "model");
  for (const char* call : {"call", "call"}) {
    fmt::print(" {:<16} {:>9} {:>8} {:>9} {:>9} {:>8}", call, "ns median", "ratio", "99.9 %", "worst", "calls");
  }
  fmt::print("\n");
  for (const lab::ModelTiming& m : models) {
    fmt::print("{:<24}", m.model);
    print("step", m.step, models.front().step);
    print("solve", m.solve, models.front().solve);
    fmt::print("\n");
  }
  fmt::print(
      "step: friction at a given velocity, dt = 1 ms; solve: body and friction together, dt = 1 ms\n"
      "ns: one call, timed in groups of 16 with the clock's own time taken off; worst: the slowest group over 16, "
      "whatever "
      "interrupted it\n"
      "ratio: to {}, medians; a row ends after {:g} s\n",
      models.front().model, longest_row);
}

void print_controllers(const std::vector<lab::ControllerTiming>& controllers) {
  fmt::print("\n{:<26} {:>9} {:>8} {:>9} {:>9} {:>8}\n", "controller, one step", "ns median", "ratio", "99.9 %",
             "worst", "calls");
  for (const lab::ControllerTiming& c : controllers) {
    fmt::print("{:<26} {:>9.1f} {:>7.2f}x {:>9.0f} {:>9.0f} {:>8}\n", c.controller, c.step.median,
               c.step.median / controllers.front().step.median, c.step.rare, c.step.worst, c.step.calls);
  }
}

void print_spatial(const SpatialBench& bench) {
  const auto times = [](double ratio) { return ratio > 0 ? fmt::format("{:.1f}x", ratio) : std::string("-"); };
  fmt::print("\n{:<36} {:>8} {:>6} {:>9} {:>11} {:>11} {:>9} {:>9} {:>10}\n", "static friction", "contacts", "sides",
             "problems", "us median", "us 99 %", "ratio", "to cones", "deviation");
  for (const SpatialRow& r : bench.rows) {
    fmt::print("{:<36} {:>8} {:>6} {:>9} {:>11.2f} {:>11.2f} {:>9} {:>9} {:>10.1e}\n", r.what, r.contacts,
               r.sides == 0 ? std::string("cone") : std::to_string(r.sides), r.problems, r.median, r.rare,
               times(r.ratio), times(r.ratio_to_cones), r.deviation);
  }
  if (!bench.with_clp) {
    fmt::print("LP: not built with CLP\n");
  }
  for (const SpatialExponent& e : bench.exponents) {
    fmt::print("{:<36} grows with contacts to the power {:.2f}, from 100 to {}\n", e.what, e.exponent, e.max_contacts);
  }
  fmt::print(
      "the paper, 98 contacts: 850 us for the LP, {:.0f} times our verdict; 5150 us for the QP, {:.0f} times ours\n",
      850 / median_of(bench.rows, "verdict", 100), 5150 / median_of(bench.rows, "QP, cold", 100));
  fmt::print(
      "us: from contacts and load to the answer, each problem once; a cube in a corner and a peg in a hole, critical "
      "ratios 0.7, 0.99, 1.01 and 1.5; warm: the load moves by 1 % and 1 % of the contacts are others (CLP: only the "
      "load)\n"
      "ratio: a baseline's median over ours for the same program on the same problems; to cones: over our answer with "
      "exact cones\n"
      "deviation: of our QP, the largest gap over the energy without friction; of a baseline's, the largest difference "
      "over it; of verdicts, how many are wrong\n"
      "fewer problems: the row was stopped after {:g} s, a baseline's after {:g} s\n",
      longest_spatial_row, longest_baseline);
  fmt::print("\n{:<36} {:>11}\n", "projection onto a cone", "ns median");
  for (const ProjectionRow& r : bench.projections) {
    fmt::print("{:<36} {:>11.1f}\n", r.cone, r.median);
  }
}

nlohmann::json timing(const lab::CallTiming& t, const lab::CallTiming& cheapest) {
  return {{"ns_median", t.median},
          {"ns_99.9", t.rare},
          {"ns_worst", t.worst},
          {"ratio_median", t.median / cheapest.median},
          {"calls", t.calls}};
}

void append_spatial(nlohmann::json& all, const SpatialBench& bench) {
  for (const SpatialRow& r : bench.rows) {
    all.push_back({{"what", r.what},
                   {"contacts", r.contacts},
                   {"sides", r.sides},
                   {"problems", r.problems},
                   {"us_median", r.median},
                   {"us_99", r.rare},
                   {"deviation", r.deviation}});
    if (r.ratio > 0) {
      all.back()["ratio_median"] = r.ratio;
      all.back()["ratio_to_cones"] = r.ratio_to_cones;
    }
  }
  for (const SpatialExponent& e : bench.exponents) {
    all.push_back(
        {{"what", e.what + ", growth with contacts"}, {"to_contacts", e.max_contacts}, {"exponent", e.exponent}});
  }
  for (const ProjectionRow& r : bench.projections) {
    all.push_back({{"what", "projection onto a cone, " + r.cone}, {"ns_median", r.median}});
  }
}

}  // namespace

Benchmarks run_benchmarks(const std::string& group) {
  const bool all = group.empty();
  Benchmarks result;
  const auto add = [&](const std::vector<Row>& rows) {
    result.rows.insert(result.rows.end(), rows.begin(), rows.end());
  };
  if (all) {
    add(scalar_rows());
  }
  if (all || group == "planar") {
    add(planar_rows());
    add(planar_body_rows());
  }
  if (all) {
    result.models = lab::time_models(calls_of_a_model, longest_row);
    result.controllers = lab::time_controllers(calls_of_a_model, longest_row);
  }
  if (all || group == "spatial") {
    result.spatial = spatial_bench();
  }
  return result;
}

void print(const Benchmarks& benchmarks) {
  if (!benchmarks.rows.empty()) {
    print_rows(benchmarks.rows);
  }
  if (!benchmarks.models.empty()) {
    print_models(benchmarks.models);
    print_controllers(benchmarks.controllers);
  }
  if (benchmarks.spatial) {
    print_spatial(*benchmarks.spatial);
  }
}

std::string to_json(const Benchmarks& benchmarks) {
  const auto& [rows, models, controllers, spatial] = benchmarks;
  nlohmann::json all = nlohmann::json::array();
  for (const Row& r : rows) {
    all.push_back({{"what", r.what},
                   {"baseline", r.baseline},
                   {"ratio_median", r.theirs.median / r.ours.median},
                   {"ratio_worst", r.theirs.worst / r.ours.worst},
                   {"ns_median", r.ours.median},
                   {"ns_worst", r.ours.worst},
                   {"baseline_ns_median", r.theirs.median},
                   {"baseline_ns_worst", r.theirs.worst},
                   {"deviation", r.deviation}});
  }
  for (const lab::ModelTiming& m : models) {
    all.push_back({{"what", "one call of " + m.model},
                   {"model", m.model},
                   {"baseline", models.front().model},
                   {"step", timing(m.step, models.front().step)},
                   {"solve", timing(m.solve, models.front().solve)}});
  }
  for (const lab::ControllerTiming& c : controllers) {
    all.push_back({{"what", "one step of " + c.controller},
                   {"controller", c.controller},
                   {"baseline", controllers.front().controller},
                   {"step", timing(c.step, controllers.front().step)}});
  }
  if (spatial) {
    append_spatial(all, *spatial);
  }
  return all.dump(2);
}

}  // namespace stiction::bench
