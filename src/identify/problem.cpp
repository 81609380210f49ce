#include "problem.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "parallel.h"
#include "signals.h"

namespace stiction::identify {
namespace {

std::vector<Number> numbers_of(const std::vector<Slot>& slots) {
  std::vector<Number> numbers;
  for (const Slot& slot : slots) {
    numbers.push_back({slot.name, slot.unit, slot.start, slot.scale, slot.min, slot.max});
  }
  return numbers;
}

}  // namespace

Problem::Problem(const Engine& engine, std::vector<Prepared>& prepared, std::vector<SteadyPoint>& steady,
                 const Guess& guess, const Options& options, Budget& budget)
    : engine_(engine),
      prepared_(prepared),
      steady_(steady),
      options_(options),
      numbers_(numbers_of(engine.slots(guess))),
      slots_(numbers_.size()),
      mass_(numbers_.size()),
      budget_(budget) {
  if (!prepared_.empty()) {
    numbers_.push_back({"mass", "kg", guess.mass, 0, 0, guess.max_mass});
    offset_ = numbers_.size();
    numbers_.push_back({"offset", "N", 0, 0.1 * guess.coulomb_force, -infinity, infinity});
  }
  for (std::size_t i = 0; i < prepared_.size(); ++i) {
    add_track(static_cast<int>(i), guess);
  }
}

std::vector<double> Problem::decode(std::span<const double> at) const {
  std::vector<double> values(numbers_.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = numbers_[i].decode(at[i]);
  }
  return values;
}

std::vector<Problem::Part> Problem::parts() const {
  std::vector<Part> list;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < prepared_.size(); ++i) {
    const std::size_t n = prepared_[i].track.recording->time.size();
    list.push_back({begin, n, static_cast<int>(i), true});
    begin += n;
    if (is_loop(prepared_[i].track.drive)) {
      list.push_back({begin, n, static_cast<int>(i), false});
      begin += n;
    }
  }
  list.push_back({begin, steady_.size(), -1, false});
  return list;
}

void Problem::add_track(int index, const Guess& guess) {
  const Prepared& prepared = prepared_[static_cast<std::size_t>(index)];
  const Recording& log = *prepared.track.recording;
  const auto add = [&](const char* name, double start, double scale, double min, double max = infinity) {
    numbers_.push_back({name, "", std::clamp(start, min, max), scale, min, max, index});
    return numbers_.size() - 1;
  };
  TrackNumbers n;
  const double interval = (log.time.back() - log.time.front()) / static_cast<double>(log.time.size() - 1);
  n.position = add("start position", log.position.front(), prepared.track.position_noise, -infinity);
  const std::size_t first_samples = std::min<std::size_t>(20, log.time.size());
  const auto begins = [first_samples](const std::vector<double>& values) {
    return std::vector<double>(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(first_samples));
  };
  const auto torque = begins(log.torque);
  n.velocity = add("start velocity", slope_of(begins(log.time), begins(log.position), first_samples)[0],
                   prepared.track.position_noise / interval, -infinity);
  const double largest = 2 * (guess.coulomb_force + guess.static_excess);
  n.torque =
      add("start friction", std::accumulate(torque.begin(), torque.end(), 0.0) / static_cast<double>(first_samples),
          0.1 * guess.coulomb_force, -largest, largest);
  if (prepared.loop) {
    const auto gain = [&](const char* name, double value) { return value > 0 ? add(name, value, 0, 0) : 0; };
    n.kp = gain("kp", prepared.loop->kp);
    n.ki = gain("ki", prepared.loop->ki);
    n.kd = gain("kd", prepared.loop->kd);
    if (n.ki != 0) {
      n.integral =
          add("start integral", prepared.bias / prepared.loop->ki, guess.coulomb_force / prepared.loop->ki, -infinity);
    } else if (n.kp != 0 && log.reference == Recording::Reference::velocity) {
      n.shift =
          add("reference shift", prepared.bias / prepared.loop->kp, guess.coulomb_force / prepared.loop->kp, -infinity);
    }
  }
  tracks_.push_back(n);
}

LeastSquares Problem::least_squares(double share) const {
  LeastSquares problem;
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const Number& number = numbers_[i];
    const bool fixed = i == mass_ && has_body() && options_.mass.has_value();
    const double start = number.encode(fixed ? *options_.mass : number.start);
    problem.start.push_back(start);
    problem.lower.push_back(fixed               ? start - 1e-12
                            : number.scale == 0 ? std::max(start - 14, std::log(number.min))
                                                : number.min / number.scale);
    problem.upper.push_back(fixed               ? start + 1e-12
                            : number.scale == 0 ? std::max(start, std::min(start + 14, std::log(number.max)))
                                                : number.max / number.scale);
  }
  const Part last = parts().back();
  problem.residuals = last.begin + last.count;
  problem.evaluate = [this, share](std::span<const double> at, std::span<double> residuals, Jacobian* jacobian) {
    evaluate(at, residuals, jacobian, share);
  };
  problem.stop = [this] { return budget_.exhausted(); };
  return problem;
}

LeastSquares Problem::steady_least_squares() const {
  LeastSquares problem = least_squares();
  problem.residuals = steady_.size();
  problem.evaluate = [this](std::span<const double> at, std::span<double> residuals, Jacobian* jacobian) {
    budget_.report();
    if (jacobian != nullptr) {
      jacobian->setZero();
    }
    steady_residuals({0, steady_.size()}, at, residuals, jacobian, 1);
  };
  return problem;
}

void Problem::predict(std::size_t track, std::span<const double> values, std::span<double> position,
                      std::span<double> torque, Sensitivity* sensitivity) const {
  const TrackNumbers& n = tracks_[track];
  Unknowns start;
  start.position = values[n.position];
  start.velocity = values[n.velocity];
  start.torque = values[n.torque];
  start.offset = values[offset_];
  const Prepared& prepared = prepared_[track];
  if (prepared.loop) {
    const auto gain = [&](std::size_t number) { return number == 0 ? 0.0 : values[number]; };
    start.loop = {gain(n.kp), gain(n.ki), gain(n.kd)};
    start.integral = gain(n.integral);
    start.shift = gain(n.shift);
  }
  const std::size_t steps = engine_.simulate(values.subspan(0, slots_), options_.stribeck_exponent, values[mass_],
                                             prepared.track, start, position, torque, sensitivity);
  budget_.spend(work_of(steps, sensitivity != nullptr));
}

std::size_t Problem::work_of(std::size_t steps, bool with_derivatives) const {
  return static_cast<std::size_t>((with_derivatives ? 2.5 : 1) * engine_.cost * static_cast<double>(steps));
}

std::size_t Problem::work_of_an_iteration() const {
  std::size_t steps = 0;
  for (const Prepared& prepared : prepared_) {
    steps += prepared.track.recording->time.size() * static_cast<std::size_t>(prepared.track.steps);
  }
  const std::size_t derivatives =
      engine_.differentiable ? work_of(steps, true) : numbers_.size() * work_of(steps, false);
  return 1 + work_of(steps, false) + derivatives;
}

double Problem::steady_force(std::span<const double> values, double velocity) const {
  return engine_.steady_force(values.subspan(0, slots_), options_.stribeck_exponent, velocity) -
         (has_body() ? values[offset_] : 0);
}

// Residuals and their derivatives -------------------------------------------------------------------------------------

void Problem::evaluate(std::span<const double> at, std::span<double> residuals, Jacobian* jacobian,
                       double share) const {
  budget_.report();
  if (jacobian != nullptr && !engine_.differentiable && has_body()) {
    evaluate_by_differences(at, residuals, *jacobian, share);
    return;
  }
  if (jacobian != nullptr) {
    jacobian->setZero();
  }
  std::vector<Part> work = parts();
  std::erase_if(work,
                [](const Part& part) { return part.track >= 0 && !part.position; });  // computed with the position
  in_parallel(work.size(), [&](std::size_t i) {
    if (work[i].track < 0) {
      steady_residuals(work[i], at, residuals, jacobian, share);
    } else {
      track_residuals(work[i], at, residuals, jacobian, share);
    }
  });
}

void Problem::evaluate_by_differences(std::span<const double> at, std::span<double> residuals, Jacobian& jacobian,
                                      double share) const {
  evaluate(at, residuals, nullptr, share);
  const auto list = parts();
  in_parallel(numbers_.size(), [&](std::size_t i) {
    std::vector<double> nudged(at.begin(), at.end());
    nudged[i] += nudge;
    std::vector<double> changed(residuals.begin(), residuals.end());
    for (const Part& part : list) {
      if (part.track < 0) {
        steady_residuals(part, nudged, changed, nullptr, share);
      } else if (part.position && (numbers_[i].track < 0 || numbers_[i].track == part.track)) {
        track_residuals(part, nudged, changed, nullptr, share);
      }
    }
    for (std::size_t k = 0; k < changed.size(); ++k) {
      jacobian(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(i)) = (changed[k] - residuals[k]) / nudge;
    }
  });
}

std::vector<std::optional<std::size_t>> Problem::gradient_numbers(std::size_t track) const {
  std::vector<std::optional<std::size_t>> list;
  for (std::size_t i = 0; i < slots_; ++i) {
    list.emplace_back(i);
  }
  const TrackNumbers& n = tracks_[track];
  list.insert(list.end(), {mass_, offset_, n.position, n.velocity, n.torque});
  for (const std::size_t number : {n.kp, n.ki, n.kd, n.integral, n.shift}) {
    list.push_back(number == 0 ? std::nullopt : std::optional(number));
  }
  return list;
}

void Problem::track_residuals(const Part& part, std::span<const double> at, std::span<double> residuals,
                              Jacobian* jacobian, double share) const {
  const auto index = static_cast<std::size_t>(part.track);
  const Track& track = prepared_[index].track;
  const Recording& log = *track.recording;
  const std::size_t n = part.count;
  std::vector<double> position(n);
  std::vector<double> torque(n);
  const auto gradient = gradient_numbers(index);
  Sensitivity sensitivity;
  sensitivity.model_numbers = slots_;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    sensitivity.slope[static_cast<Eigen::Index>(i)] = gradient[i] ? numbers_[*gradient[i]].slope(at[*gradient[i]]) : 0;
  }
  predict(index, decode(at), position, torque, jacobian != nullptr ? &sensitivity : nullptr);
  const auto put = [&](std::size_t row, double measured, double simulated, double noise, bool used,
                       const std::vector<Gradient>& derivative, std::size_t k) {
    residuals[row] = used ? (measured - simulated) / noise : 0;
    for (std::size_t i = 0; i < gradient.size() && jacobian != nullptr && used; ++i) {
      if (gradient[i]) {
        (*jacobian)(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(*gradient[i])) =
            -derivative[k][static_cast<Eigen::Index>(i)] / noise;
      }
    }
  };
  for (std::size_t k = 0; k < n; ++k) {
    const bool used = track.use[k] != 0 && counts(k, n, share);
    put(part.begin + k, log.position[k], position[k], track.position_noise, used, sensitivity.position, k);
    if (is_loop(track.drive)) {
      put(part.begin + n + k, log.torque[k], torque[k], track.torque_noise, used, sensitivity.torque, k);
    }
  }
}

void Problem::steady_residuals(const Part& part, std::span<const double> at, std::span<double> residuals,
                               Jacobian* jacobian, double share) const {
  budget_.spend(steady_.size() * (jacobian != nullptr ? numbers_.size() : 1));
  const auto write = [&](std::span<const double> values, auto&& out) {
    for (std::size_t k = 0; k < steady_.size(); ++k) {
      const SteadyPoint& point = steady_[k];
      const bool used = point.used && steady_counts(k, share);
      out(part.begin + k, used ? (point.torque - steady_force(values, point.velocity)) / point.deviation : 0);
    }
  };
  write(decode(at), [&](std::size_t row, double r) { residuals[row] = r; });
  const std::size_t common = has_body() ? offset_ + 1 : slots_;  // the other numbers do not matter
  for (std::size_t i = 0; i < common && jacobian != nullptr; ++i) {
    std::vector<double> nudged(at.begin(), at.end());
    nudged[i] += nudge;
    write(decode(nudged), [&](std::size_t row, double r) {
      (*jacobian)(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(i)) = (r - residuals[row]) / nudge;
    });
  }
}

bool choose_steps(const Problem& problem, std::vector<Prepared>& prepared, std::span<const double> values,
                  int max_steps) {
  bool changed = false;
  for (std::size_t i = 0; i < prepared.size() && !problem.budget().exhausted(); ++i) {
    problem.budget().report();
    Track& track = prepared[i].track;
    const int before = track.steps;
    const std::size_t n = track.recording->time.size();
    std::vector<double> coarse(n);
    std::vector<double> fine(n);
    std::vector<double> torque(n);
    const double span = track.recording->time.back() - track.recording->time.front();
    // A strong correction hides finer detail.
    const int max_needed_steps =
        track.correction * span > 0.01 * static_cast<double>(n) ? std::min(max_steps, 2) : max_steps;
    for (track.steps = 1, problem.predict(i, values, coarse, torque); track.steps < max_needed_steps;
         std::swap(coarse, fine)) {
      track.steps *= 2;
      problem.predict(i, values, fine, torque);
      double change = 0;
      for (std::size_t k = 0; k < n; ++k) {
        change += square((fine[k] - coarse[k]) / track.position_noise);
      }
      if (change < square(0.3)) {
        track.steps /= 2;
        break;
      }
    }
    changed = changed || track.steps != before;
  }
  return changed;
}

}  // namespace stiction::identify
