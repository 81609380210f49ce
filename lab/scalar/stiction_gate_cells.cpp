#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <thread>

#include "paper_setup.h"
#include "stiction/scalar/coulomb.h"
#include "stiction/scalar/stiction.h"
#include "stiction/scalar/stribeck.h"
#include "stiction/scalar/tanh.h"
#include "stiction/scalar/viscous.h"
#include "stiction_gate.h"

namespace stiction::lab {
namespace {

struct NamedMethod {
  const char* name;
  sim::Method method;
  bool ours;
  int substeps = 1;
};
constexpr std::array<NamedMethod, 5> methods{{
    {"sdirk2", sim::Method::sdirk2, true},
    {"backward-euler", sim::Method::backward_euler, true},
    {"semi-implicit-euler", sim::Method::semi_implicit_euler, false},
    {"explicit-euler", sim::Method::explicit_euler, false},
    {"runge-kutta-4", sim::Method::runge_kutta_4, false},
}};
constexpr std::array<NamedMethod, 1> finer_methods{{{"sdirk2, 4 sub-steps", sim::Method::sdirk2, true, 4}}};

/// A body under a load, watched from one time to another.
struct Trial {
  double mass = 1;
  sim::Load load;
  double watch_from = 10;
  double end = 0;
  double slide_distance = 1;        // moving more than this while watched is sliding, not creeping [m]
  double still = 1e-12;             // moving less than this is holding [m]
  std::function<void()> poll = {};  // called regularly; throws if the experiment must stop
};

/// For trials that take seconds each.
std::function<void()> poll_of(const Context& context) {
  return [&context] {
    if (context.cancelled && context.cancelled()) {
      throw Cancelled();
    }
  };
}

class Watch {
 public:
  explicit Watch(const Trial& trial) : trial_(trial) {}
  /// False once the body has drifted away.
  bool see(double time, double position) {
    last_ = position;
    if (!std::isfinite(position)) {
      return false;
    }
    if (time >= trial_.watch_from * (1 - 1e-12)) {
      low_ = std::min(low_, position);
      high_ = std::max(high_, position);
    }
    return std::abs(position) < 1e6 * trial_.slide_distance;
  }
  [[nodiscard]] Hold verdict() const {
    if (!std::isfinite(last_)) {
      return {infinity, last_, Verdict::diverges};
    }
    const double moved = high_ < low_ ? infinity : high_ - low_;
    return {moved, last_,
            moved > trial_.slide_distance ? Verdict::slides
            : moved > trial_.still        ? Verdict::moves
                                          : Verdict::holds};
  }

 private:
  const Trial& trial_;
  double low_ = infinity;
  double high_ = -infinity;
  double last_ = 0;
};

template <class Model>
Hold hold_fixed_step(const Model& model, const Trial& trial, sim::Method method, double h) {
  Watch watch(trial);
  sim::LineState<Model> y;
  const auto steps = std::llround(trial.end / h);
  for (long long i = 0; i < steps; ++i) {
    const double t = static_cast<double>(i) * h;
    if (i % 4096 == 0) {
      trial.poll();
    }
    y = sim::fixed_step(method, model, trial.mass, trial.load, t, y, h).state;
    if (!watch.see(t + h, y.position)) {
      break;
    }
  }
  return watch.verdict();
}

template <class Model>
Hold hold_accurately(const Model& model, const Trial& trial) {
  const auto run = sim::simulate(
      model, {.mass = trial.mass}, trial.load,
      {.duration = trial.end, .output_interval = 1e-3, .relative_tolerance = 1e-10, .progress = [&](double) {
         trial.poll();
       }});
  Watch watch(trial);
  for (std::size_t i = 0; i < run.time.size() && watch.see(run.time[i], run.position[i]); ++i) {
  }
  return watch.verdict();
}

/// Whether the body still moves by its own ringing when the watch begins: by more than 0.1 % of its final position.
bool ratchets(const Hold& truth) { return truth.moved > 1e-3 * std::abs(truth.position); }

/// One model on one body: the accurate solver once, then every fixed-step method.
template <class Model>
std::vector<GateCell> compare(const Model& model, const Trial& trial, GateCell cell, bool regularised,
                              std::span<const NamedMethod> more = {}) {
  cell.reference = hold_accurately(model, trial);
  const Hold& truth = cell.reference;
  const bool truly_holds = truth.verdict != Verdict::slides && truth.verdict != Verdict::diverges && !ratchets(truth);
  std::vector<GateCell> cells;
  const auto try_out = [&](const NamedMethod& candidate) {
    cell.method = candidate.name;
    cell.result = hold_fixed_step(model, trial, candidate.method, cell.step / candidate.substeps);
    if (cell.result.moved > 1e5 * trial.slide_distance && truth.verdict != Verdict::slides) {
      cell.result.verdict = Verdict::diverges;
    }
    cell.judged = candidate.ours && !regularised && truly_holds;
    cell.moves_too_much =
        cell.result.moved > trial.still + (candidate.method == sim::Method::backward_euler ? 0 : truth.moved);
    cells.push_back(cell);
  };
  std::for_each(methods.begin(), methods.end(), try_out);
  std::for_each(more.begin(), more.end(), try_out);
  return cells;
}

/// Runs the jobs on all cores; results come in the order of the jobs.
std::vector<GateCell> run_all(const std::vector<std::function<std::vector<GateCell>()>>& jobs, const Context& context,
                              double from, double to) {
  std::vector<std::vector<GateCell>> results(jobs.size());
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      try {
        context.step(from + (to - from) * static_cast<double>(i) / static_cast<double>(jobs.size()));
        results[i] = jobs[i]();
      } catch (...) {
        const std::scoped_lock lock(mutex);
        failure = std::current_exception();
        next = jobs.size();
      }
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
    threads.emplace_back(work);
  }
  work();
  threads.clear();
  if (failure) {
    std::rethrow_exception(failure);
  }
  std::vector<GateCell> cells;
  for (const auto& part : results) {
    cells.insert(cells.end(), part.begin(), part.end());
  }
  return cells;
}

struct BristleBody {
  const char* name;
  double mass;
  scalar::LuGre::Params params;  // damping is set cell by cell
};

}  // namespace

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::moves:
      return "moves";
    case Verdict::slides:
      return "slides";
    default:
      return "diverges";
  }
}

double position_error(const GateCell& cell) {
  const double difference = std::abs(cell.result.position - cell.reference.position);
  return difference == 0 ? 0 : difference / std::abs(cell.reference.position);
}

std::vector<GateCell> gate_cells(const Context& context) {
  const std::vector<double> loads =
      context.quick ? std::vector{0.5, 0.8, 0.95} : std::vector{0.1, 0.25, 0.5, 0.65, 0.8, 0.9, 0.95};
  const std::vector<double> steps =
      context.quick ? std::vector{1e-4, 1e-3, 1e-2} : std::vector{1e-4, 3e-4, 1e-3, 3e-3, 1e-2};
  const std::vector<double> ratios =
      context.quick ? std::vector{0.1, 1.0, 10.0} : std::vector{0.1, 0.3, 1.0, 3.0, 10.0};
  const std::vector<BristleBody> bodies{
      {"lugre, linear", 1, canudas_1995().params()},
      {"lugre, rotary", 0.01, {.stiffness = 1e4, .coulomb_force = 0.5, .static_force = 0.7, .stribeck_velocity = 0.01}},
  };
  const auto trial_for = [poll = poll_of(context), end = gate_end(context)](double mass, double load, double length) {
    return Trial{.mass = mass,
                 .load = {.force = sim::Ramp{0, load, 0, 1, true}},
                 .end = end,
                 .slide_distance = length,
                 .poll = poll};
  };

  std::vector<std::function<std::vector<GateCell>()>> jobs;
  for (const auto& body : bodies) {
    for (const double load : loads) {
      for (const double step : steps) {
        for (const double ratio : ratios) {
          jobs.emplace_back([=] {
            auto params = body.params;
            params.damping = ratio * step * params.stiffness;
            const auto model = scalar::LuGre::make(params);
            const auto trial = trial_for(body.mass, load * params.static_force, model.largest_deflection());
            return compare(model, trial, {body.name, "", params.stiffness, load, step, ratio, {}, {}}, false);
          });
        }
      }
    }
  }
  // Models without a bristle: no stiffness, no damping; 1 kg, F_C = 1 N, F_S = 1.5 N.
  const auto add = [&](const auto& model, double breakaway, bool regularised) {
    for (const double load : loads) {
      for (const double step : steps) {
        jobs.emplace_back([=] {
          return compare(model, trial_for(1, load * breakaway, 1e-2), {model.info.name, "", 0, load, step, 0, {}, {}},
                         regularised);
        });
      }
    }
  };
  add(scalar::Coulomb::make({.coulomb_force = 1}), 1, false);
  add(scalar::Stiction::make({.coulomb_force = 1, .static_force = 1.5}), 1.5, false);
  add(scalar::Stribeck::make({.coulomb_force = 1, .static_force = 1.5, .stribeck_velocity = 1e-3}), 1.5, false);
  add(scalar::Tanh::make({.coulomb_force = 1, .transition_velocity = 1e-3}), 1, true);
  add(scalar::Viscous::make({.viscous = 1000}), 1, true);
  return run_all(jobs, context, 0, 0.9);
}

std::vector<GateCell> fixed_gate_cells(const Context& context) {
  std::vector<std::function<std::vector<GateCell>()>> jobs;
  for (const double step : {1e-3, 2e-3}) {
    for (const double stiffness : {1e3, 1e4, 1e5}) {
      for (const double ratio : {0.1, 0.5, 1.0, 2.0, 10.0}) {
        jobs.emplace_back([=, poll = poll_of(context)] {
          const auto model = scalar::LuGre::make({.stiffness = stiffness,
                                                  .damping = ratio * step * stiffness,
                                                  .coulomb_force = 0.5,
                                                  .static_force = 0.7,
                                                  .stribeck_velocity = 0.01});
          const Trial trial{.mass = 0.01,
                            .load = {.force = 0.2},
                            .watch_from = 2,
                            .end = 20,
                            .slide_distance = model.largest_deflection(),
                            .still = 1e-9,
                            .poll = poll};
          return compare(model, trial, {"lugre, fixed cells", "", stiffness, 0.2 / 0.7, step, ratio, {}, {}}, false,
                         finer_methods);
        });
      }
    }
  }
  return run_all(jobs, context, 0.9, 1);
}

}  // namespace stiction::lab
