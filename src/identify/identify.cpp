#include "stiction/identify/identify.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <tuple>

#include "engine.h"
#include "least_squares.h"
#include "prepare.h"

namespace stiction::identify {
namespace {

constexpr double two_sided_95 = 1.959963984540054;
constexpr double undetermined = 0.35;  // relative deviation beyond which a number counts as not determined
constexpr double training_share = 0.7;

/// One number of the search vector.
struct Number {
  std::string name;
  std::string unit;
  double start = 0;
  double scale = 0;  // 0: positive, searched by its logarithm
  double least = 0, most = infinity;
  int track = -1;  // the only recording that depends on it; −1: all

  [[nodiscard]] double encode(double value) const { return scale == 0 ? std::log(value) : value / scale; }
  [[nodiscard]] double decode(double at) const { return scale == 0 ? std::exp(at) : at * scale; }
  /// dvalue/dat
  [[nodiscard]] double slope(double at) const { return scale == 0 ? std::exp(at) : scale; }
};

struct TrackNumbers {
  std::size_t position = 0, velocity = 0, torque = 0;
  std::size_t kp = 0, ki = 0, kd = 0, integral = 0, shift = 0;  // 0: not fitted
};

/// The whole problem: which numbers are free and where the residuals come from.
class Problem {
 public:
  Problem(const Engine& engine, std::vector<Prepared>& prepared, std::vector<SteadyPoint>& steady, const Guess& guess,
          const Options& options)
      : engine_(engine),
        prepared_(prepared),
        steady_(steady),
        options_(options),
        numbers_(numbers_of(engine.slots(guess))),
        slots_(numbers_.size()),
        mass_(numbers_.size()) {
    if (!prepared_.empty()) {
      numbers_.push_back({"mass", "kg", guess.mass, 0, 0, infinity});
      offset_ = numbers_.size();
      numbers_.push_back({"offset", "N", 0, 0.1 * guess.coulomb_force, -infinity, infinity});
    }
    for (std::size_t i = 0; i < prepared_.size(); ++i) {
      add_track(static_cast<int>(i), guess);
    }
  }

  [[nodiscard]] const std::vector<Number>& numbers() const { return numbers_; }
  [[nodiscard]] std::size_t slots() const { return slots_; }
  [[nodiscard]] bool has_body() const { return !prepared_.empty(); }
  [[nodiscard]] std::size_t mass() const { return mass_; }
  [[nodiscard]] std::size_t offset() const { return offset_; }
  [[nodiscard]] const TrackNumbers& track_numbers(std::size_t i) const { return tracks_[i]; }
  void set_start(std::size_t number, double value) { numbers_[number].start = value; }
  [[nodiscard]] std::vector<double> decode(std::span<const double> at) const {
    std::vector<double> values(numbers_.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = numbers_[i].decode(at[i]);
    }
    return values;
  }

  struct Part {
    std::size_t begin = 0, count = 0;
    int track = -1;  // −1: steady points
    bool position = true;
  };
  [[nodiscard]] std::vector<Part> parts() const {
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

  /// `share` < 1: only the first part of each recording counts, and three of four steady points.
  [[nodiscard]] LeastSquares least_squares(double share = 1) const {
    LeastSquares problem;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const Number& number = numbers_[i];
      const bool fixed = i == mass_ && has_body() && options_.mass.has_value();
      const double start = number.encode(fixed ? *options_.mass : number.start);
      problem.start.push_back(start);
      problem.lower.push_back(fixed ? start - 1e-12 : number.scale == 0 ? start - 14 : number.least / number.scale);
      problem.upper.push_back(fixed ? start + 1e-12 : number.scale == 0 ? start + 14 : number.most / number.scale);
      problem.step.push_back(1e-6);
    }
    const auto list = parts();
    problem.residuals = list.back().begin + list.back().count;
    problem.evaluate = [this, list, share](std::span<const double> at, int number, std::span<double> residuals) {
      const auto values = decode(at);
      const int only = number < 0 ? -1 : numbers_[static_cast<std::size_t>(number)].track;
      for (const Part& part : list) {
        if (part.track < 0) {
          steady_residuals(values, residuals.subspan(part.begin, part.count), share);
        } else if (part.position && (only < 0 || only == part.track)) {
          track_residuals(static_cast<std::size_t>(part.track), values, residuals.subspan(part.begin), share);
        }
      }
    };
    problem.progress = options_.progress;
    return problem;
  }

  void predict(std::size_t track, std::span<const double> values, std::span<double> position,
               std::span<double> torque) const {
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
    engine_.simulate(values.subspan(0, slots_), options_.stribeck_exponent, values[mass_], prepared.track, start,
                     position, torque);
  }

  [[nodiscard]] double steady_force(std::span<const double> values, double velocity) const {
    return engine_.steady_force(values.subspan(0, slots_), options_.stribeck_exponent, velocity) -
           (has_body() ? values[offset_] : 0);
  }

  [[nodiscard]] static bool counts(std::size_t k, std::size_t n, double share) {
    return static_cast<double>(k) < share * static_cast<double>(n);
  }
  [[nodiscard]] static bool steady_counts(std::size_t k, double share) { return share >= 1 || k % 4 != 3; }

 private:
  static std::vector<Number> numbers_of(const std::vector<Slot>& slots) {
    std::vector<Number> numbers;
    for (const Slot& slot : slots) {
      numbers.push_back({slot.name, slot.unit, slot.start, slot.scale, slot.least, slot.most});
    }
    return numbers;
  }

  void add_track(int index, const Guess& guess) {
    const Prepared& prepared = prepared_[static_cast<std::size_t>(index)];
    const Recording& log = *prepared.track.recording;
    const auto add = [&](const char* name, double start, double scale, double least, double most = infinity) {
      numbers_.push_back({name, "", std::clamp(start, least, most), scale, least, most, index});
      return numbers_.size() - 1;
    };
    TrackNumbers n;
    const double interval = (log.time.back() - log.time.front()) / static_cast<double>(log.time.size() - 1);
    n.position = add("start position", log.position.front(), prepared.track.position_noise, -infinity);
    const std::size_t few = std::min<std::size_t>(20, log.time.size());
    const auto begins = [few](const std::vector<double>& values) {
      return std::vector<double>(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(few));
    };
    const auto torque = begins(log.torque);
    n.velocity = add("start velocity", slope_of(begins(log.time), begins(log.position), few)[0],
                     prepared.track.position_noise / interval, -infinity);
    const double most = 2 * (guess.coulomb_force + guess.static_excess);
    n.torque = add("start friction", std::accumulate(torque.begin(), torque.end(), 0.0) / static_cast<double>(few),
                   0.1 * guess.coulomb_force, -most, most);
    if (prepared.loop) {
      const auto gain = [&](const char* name, double value) { return value > 0 ? add(name, value, 0, 0) : 0; };
      n.kp = gain("kp", prepared.loop->kp);
      n.ki = gain("ki", prepared.loop->ki);
      n.kd = gain("kd", prepared.loop->kd);
      if (n.ki != 0) {
        n.integral = add("start integral", prepared.bias / prepared.loop->ki, guess.coulomb_force / prepared.loop->ki,
                         -infinity);
      } else if (n.kp != 0 && log.reference == Recording::Reference::velocity) {
        n.shift = add("reference shift", prepared.bias / prepared.loop->kp, guess.coulomb_force / prepared.loop->kp,
                      -infinity);
      }
    }
    tracks_.push_back(n);
  }

  void track_residuals(std::size_t index, std::span<const double> values, std::span<double> out, double share) const {
    const Track& track = prepared_[index].track;
    const Recording& log = *track.recording;
    const std::size_t n = log.time.size();
    std::vector<double> position(n);
    std::vector<double> torque(n);
    predict(index, values, position, torque);
    for (std::size_t k = 0; k < n; ++k) {
      const bool used = track.use[k] != 0 && counts(k, n, share);
      out[k] = used ? (log.position[k] - position[k]) / track.position_noise : 0;
      if (is_loop(track.drive)) {
        out[n + k] = used ? (log.torque[k] - torque[k]) / track.torque_noise : 0;
      }
    }
  }

  void steady_residuals(std::span<const double> values, std::span<double> out, double share) const {
    for (std::size_t k = 0; k < steady_.size(); ++k) {
      const SteadyPoint& point = steady_[k];
      out[k] = point.used && steady_counts(k, share)
                   ? (point.torque - steady_force(values, point.velocity)) / point.deviation
                   : 0;
    }
  }

  const Engine& engine_;
  std::vector<Prepared>& prepared_;
  std::vector<SteadyPoint>& steady_;
  const Options& options_;
  std::vector<Number> numbers_;
  std::vector<TrackNumbers> tracks_;
  std::size_t slots_ = 0, mass_ = 0, offset_ = 0;
};

/// Sets each recording's steps so that twice as many would change less than a third of one deviation of anything that
/// can be learnt from all its samples together. Tells whether anything changed.
bool choose_steps(const Problem& problem, std::vector<Prepared>& prepared, std::span<const double> values) {
  bool changed = false;
  for (std::size_t i = 0; i < prepared.size(); ++i) {
    Track& track = prepared[i].track;
    const int before = track.steps;
    const std::size_t n = track.recording->time.size();
    std::vector<double> coarse(n);
    std::vector<double> fine(n);
    std::vector<double> torque(n);
    const double span = track.recording->time.back() - track.recording->time.front();
    // What draws an axis back firmly hides finer detail.
    const int most = track.correction * span > 0.01 * static_cast<double>(n) ? 2 : 8;
    for (track.steps = 1, problem.predict(i, values, coarse, torque); track.steps < most; std::swap(coarse, fine)) {
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

double rms(const Eigen::VectorXd& residuals, const Problem::Part& part, const std::vector<char>* use = nullptr) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t k = 0; k < part.count; ++k) {
    if (use == nullptr || (*use)[k] != 0) {
      sum += square(residuals[static_cast<Eigen::Index>(part.begin + k)]);
      ++count;
    }
  }
  return count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0;
}

/// A matrix C with covariance C Cᵀ of the numbers. It allows for residuals that depend on their neighbours: H⁻¹ M H⁻¹
/// with H = JᵀJ and M from sums over blocks of neighbours, and each number's variance is never smaller than that for
/// independent residuals of the size seen. Directions that the data say nothing about come out as enormous.
Eigen::MatrixXd covariance_root(const Solution& solution, const std::vector<Problem::Part>& parts) {
  const Eigen::MatrixXd& j = solution.jacobian;
  const Eigen::MatrixXd h = j.transpose() * j;
  const Eigen::Index n = h.rows();
  Eigen::VectorXd size = h.diagonal().cwiseSqrt();
  for (Eigen::Index i = 0; i < n; ++i) {
    size[i] = size[i] > 0 ? size[i] : 1e-6;
  }
  const Eigen::MatrixXd scaled = size.cwiseInverse().asDiagonal() * h * size.cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled);
  const Eigen::VectorXd inverse = eigen.eigenvalues().cwiseMax(1e-13).cwiseInverse();
  const Eigen::MatrixXd directions = size.cwiseInverse().asDiagonal() * eigen.eigenvectors();
  const Eigen::MatrixXd h_inverse = directions * inverse.asDiagonal() * directions.transpose();
  std::vector<Eigen::VectorXd> sums;
  Eigen::MatrixXd plain = Eigen::MatrixXd::Zero(n, n);
  for (const Problem::Part& part : parts) {
    const std::size_t block = part.track < 0 ? 1 : std::clamp<std::size_t>(part.count / 100, 1, 200);
    const double variance = square(std::max(1.0, rms(solution.residuals, part)));
    for (std::size_t begin = 0; begin < part.count; begin += block) {
      const auto first = static_cast<Eigen::Index>(part.begin + begin);
      const auto count = static_cast<Eigen::Index>(std::min(block, part.count - begin));
      const auto rows = j.middleRows(first, count);
      sums.emplace_back(rows.transpose() * solution.residuals.segment(first, count));
      plain += variance * rows.transpose() * rows;
    }
  }
  // Two roots side by side: their covariances add. The second has the directions of which nothing is known, which no
  // residual depends on and the first therefore misses.
  const auto blocks = static_cast<Eigen::Index>(sums.size());
  Eigen::MatrixXd root = Eigen::MatrixXd::Zero(n, blocks + n);
  for (Eigen::Index k = 0; k < blocks; ++k) {
    root.col(k) = h_inverse * sums[static_cast<std::size_t>(k)];
  }
  const Eigen::MatrixXd independent = h_inverse * plain * h_inverse;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double least = std::sqrt(std::max(0.0, independent(i, i)));
    if (const double deviation = root.row(i).norm(); deviation < least) {
      root.row(i) *= least / std::max(deviation, 1e-300);
    }
    if (eigen.eigenvalues()[i] < 1e-11) {
      root.col(blocks + i) = directions.col(i) * std::sqrt(inverse[i]);
    }
  }
  return root;
}

/// Everything about one model's fit.
class Fitting {
 public:
  Fitting(const std::string& model, std::vector<Prepared> prepared, std::vector<SteadyPoint> steady, const Guess& guess,
          const Options& options)
      : name_(model),
        engine_(find_engine(model)),
        prepared_(std::move(prepared)),
        steady_(std::move(steady)),
        options_(options),
        problem_(engine_, prepared_, steady_, search_start(draw_sliding_back(guess)), options_) {}

  Fit run() {
    LeastSquares search = problem_.least_squares();
    if (problem_.has_body()) {
      choose_steps(problem_, prepared_, problem_.decode(search.start));
      choose_start(search);
      search.most_iterations = 15;
      solve(search);
      let_go();
      choose_steps(problem_, prepared_, problem_.decode(solution_.at));
      solve_without_drifting(search);
      solve(search);
      for (int round = 0; round < 3 && choose_drives(); ++round) {
        choose_steps(problem_, prepared_, problem_.decode(solution_.at));
        solve(search);
      }
    }
    if (choose_steps(problem_, prepared_, problem_.decode(search.start)) || !solution_.converged) {
      search.most_iterations = 25;
      solve(search);
    }
    try_other_drives(search);
    if (problem_.has_body() && drop_outliers() > 0) {
      solve(search);
    }
    if (problem_.has_body()) {
      try_noisier_torque(search);
    }
    Fit fit = describe();
    if (options_.held_out) {
      fit.held_out_excess = held_out();
    }
    judge(fit);
    return fit;
  }

 private:
  /// A sliding axis that is simulated by its torque drifts away on the torque's noise unless it is drawn back.
  const Guess& draw_sliding_back(const Guess& guess) {
    for (Prepared& prepared : prepared_) {
      const auto& [x, u] = std::tie(prepared.track.recording->position, prepared.track.recording->torque);
      const auto [low, high] = std::minmax_element(x.begin(), x.end());
      const auto [least, most] = std::minmax_element(u.begin(), u.end());
      // Presliding creeps along, too, but without the torque that sliding takes.
      const bool slides = *high - *low > 5 * guess.coulomb_force / guess.stiffness &&
                          std::max(-*least, *most) > 0.95 * guess.coulomb_force;
      prepared.track.correction = is_loop(prepared.track.drive) ? 0 : 30;
      firm_.push_back(!slides);
    }
    return guess;
  }

  /// The starts for inertia and damping from which the recordings are followed best.
  Guess search_start(Guess guess) {
    if (prepared_.empty()) {
      guess.mass = 1;
      return guess;
    }
    std::array<double, 4> best_at{};  // as the arguments of `look`
    double least = infinity;
    double rate = infinity;
    for (const Prepared& prepared : prepared_) {
      const auto& time = prepared.track.recording->time;
      rate = std::min(rate, static_cast<double>(time.size() - 1) / (time.back() - time.front()));
    }
    const auto look = [&](double level, double stiffness, double frequency, double ratio) {
      Guess tried = guess;
      tried.coulomb_force *= level;
      tried.static_excess *= level;
      tried.stiffness = stiffness;
      tried.mass = options_.mass.value_or(stiffness / square(2 * 3.141592653589793 * rate * frequency));
      tried.damping = 2 * ratio * std::sqrt(stiffness * tried.mass);
      const Problem problem(engine_, prepared_, steady_, tried, options_);
      const LeastSquares search = problem.least_squares();
      std::vector<double> residuals(search.residuals);
      search.evaluate(search.start, -1, residuals);
      double cost = 0;
      for (const double r : residuals) {
        cost += std::log1p(r * r);  // a start far off in a few places may still be the best
      }
      starts_.emplace_back(cost, tried);
      if (cost < least) {
        least = cost;
        best_at = {level, stiffness, frequency, ratio};
      }
    };
    // Swings between a thousandth and a third of the sampling rate, weakly and strongly damped. Without steady points
    // the friction may be far above what the data show.
    for (int cell = 0; cell < 36; ++cell) {
      const double level = std::array{1.0, 2.0}[static_cast<std::size_t>(cell % 2)];
      if (level == 1 || steady_.empty()) {
        look(level, guess.stiffness, 0.001 * std::pow(2, cell / 4),
             std::array{0.2, 0.7}[static_cast<std::size_t>(cell / 2 % 2)]);
      }
    }
    // The stiffness was read off noisy signals.
    for (const double factor : {0.25, 0.5, 2.0, 4.0, 8.0}) {
      look(best_at[0], guess.stiffness * factor, best_at[2], best_at[3]);
    }
    for (const double factor : {0.25, 0.5, 0.7, 1.4, 2.0, 4.0}) {
      look(best_at[0], best_at[1], best_at[2] * factor, best_at[3]);
    }
    // The best, and up to two that are not much worse with quite another inertia.
    std::sort(starts_.begin(), starts_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::pair<double, Guess>> kept;
    for (const auto& start : starts_) {
      const bool near = start.first < 1.15 * starts_.front().first;
      const bool other = std::all_of(kept.begin(), kept.end(), [&](const auto& k) {
        return std::abs(std::log(k.second.mass / start.second.mass)) > std::log(5.0);
      });
      if (near && other && kept.size() < 3) {
        kept.push_back(start);
      }
    }
    starts_ = std::move(kept);
    return starts_.front().second;
  }

  /// The start from which a few steps lead to the least cost.
  void choose_start(LeastSquares& search) {
    search.most_iterations = 8;
    double least = infinity;
    std::vector<double> best = search.start;
    for (std::size_t i = 0; i < starts_.size() && starts_.size() > 1; ++i) {
      const Problem other(engine_, prepared_, steady_, starts_[i].second, options_);
      const auto values = other.decode(other.least_squares().start);
      for (std::size_t k = 0; k < values.size(); ++k) {
        search.start[k] = std::clamp(problem_.numbers()[k].encode(values[k]), search.lower[k], search.upper[k]);
      }
      solve(search);
      if (solution_.cost() < least) {
        least = solution_.cost();
        best = search.start;
      }
    }
    search.start = best;
  }

  void solve(LeastSquares& search) {
    solution_ = minimise(search);
    search.start = solution_.at;
  }

  /// Recordings that need not be drawn back no longer are.
  void let_go() {
    for (std::size_t i = 0; i < prepared_.size(); ++i) {
      prepared_[i].track.correction = firm_[i] ? 0 : prepared_[i].track.correction;
    }
  }

  /// A first fit to the recordings that need not be drawn back, where there are both kinds: they say more.
  void solve_without_drifting(LeastSquares& search) {
    std::vector<std::vector<char>> use;
    bool firm = false;
    bool drifting = false;
    for (Prepared& prepared : prepared_) {
      use.push_back(prepared.track.use);
      (prepared.track.correction > 0 ? drifting : firm) = true;
      if (prepared.track.correction > 0) {
        std::fill(prepared.track.use.begin(), prepared.track.use.end(), 0);
      }
    }
    if (firm && drifting) {
      solve(search);
    }
    for (std::size_t i = 0; i < prepared_.size(); ++i) {
      prepared_[i].track.use = use[i];
    }
  }

  double cost_now() const {
    const LeastSquares search = problem_.least_squares();
    std::vector<double> residuals(search.residuals);
    search.evaluate(solution_.at, -1, residuals);
    return std::inner_product(residuals.begin(), residuals.end(), residuals.begin(), 0.0);
  }

  /// Torque held or in straight lines, loop continuous or sampled, and how firmly a drifting axis is drawn back.
  /// Tells whether anything changed.
  bool choose_drives() {
    bool changed = false;
    for (Prepared& prepared : prepared_) {
      Track& track = prepared.track;
      const Track before = track;
      Track best = track;
      double least = cost_now();
      const auto try_it = [&](Drive drive, double correction) {
        track.drive = drive;
        track.correction = correction;
        if (const double cost = cost_now(); cost < least) {
          least = cost;
          best = track;
        }
      };
      if (is_loop(track.drive)) {
        try_it(Drive::continuous_loop, 0);
        try_it(Drive::sampled_loop, 0);
      } else {
        const std::vector<double> sliding{0, 3, 10, 30, 100};
        for (const double correction : before.correction > 0 ? sliding : std::vector<double>{0}) {
          try_it(Drive::held_torque, correction);
          try_it(Drive::linear_torque, correction);
        }
      }
      track = best;
      changed = changed || track.drive != before.drive || track.correction != before.correction;
    }
    return changed;
  }

  /// The choice was made before the parameters were known: each recording's other drive is fitted in full as well.
  /// Where the data hardly tell them apart, the intervals allow for both.
  void try_other_drives(LeastSquares& search) {
    for (Prepared& prepared : prepared_) {
      Track& track = prepared.track;
      Track other = track;
      std::swap(track, other);
      Solution rival = solution_;
      constexpr std::array opposite{Drive::linear_torque, Drive::held_torque, Drive::sampled_loop,
                                    Drive::continuous_loop};
      track.drive = opposite[static_cast<std::size_t>(track.drive)];
      search.most_iterations = 5;
      solve(search);
      if (solution_.cost() < 1.2 * rival.cost()) {
        search.most_iterations = 15;
        solve(search);
      }
      if (!(solution_.cost() < rival.cost())) {
        track = other;
        std::swap(solution_, rival);
        search.start = solution_.at;
      }
      const double odds = std::exp(-(rival.cost() - solution_.cost()) / 2);  // of the rival, for normal residuals
      add_doubt(rival.at, std::sqrt(odds / (1 + odds)));
      if (odds > 0.01) {
        doubts_.push_back(
            fmt::format("{}: the samples do not tell whether {}; the intervals allow for both", track.recording->name,
                        is_loop(track.drive) ? "the loop is sampled or continuous"
                                             : "the torque is held or runs in straight lines between them"));
      }
    }
  }

  /// As much noise on the torque again, where the axis is driven by it: what moves then was already led astray.
  void try_noisier_torque(LeastSquares& search) {
    std::mt19937_64 bits(1);
    std::normal_distribution<double> normal;
    std::vector<Recording> noisy;
    noisy.reserve(prepared_.size());
    std::vector<const Recording*> original;
    bool matters = false;
    for (Prepared& prepared : prepared_) {
      Track& track = prepared.track;
      original.push_back(track.recording);
      if (is_loop(track.drive)) {
        continue;
      }
      Recording& log = noisy.emplace_back(*track.recording);
      for (double& torque : log.torque) {
        torque += track.torque_noise * normal(bits);
      }
      track.recording = &log;
    }
    const LeastSquares problem = problem_.least_squares();
    std::vector<double> residuals(problem.residuals);
    problem.evaluate(solution_.at, -1, residuals);
    for (const Problem::Part& part : problem_.parts()) {
      double change = 0;
      for (std::size_t k = 0; k < part.count; ++k) {
        change += square(residuals[part.begin + k] - solution_.residuals[static_cast<Eigen::Index>(part.begin + k)]);
      }
      matters = matters || change > square(0.1) * static_cast<double>(part.count);
    }
    if (matters) {
      search.most_iterations = 15;
      noisier_ = minimise(search).at;
      add_doubt(noisier_, 1);
    }
    for (std::size_t i = 0; i < prepared_.size(); ++i) {
      prepared_[i].track.recording = original[i];
    }
  }

  void add_doubt(const std::vector<double>& at, double weight) {
    shifts_.emplace_back(weight * (Eigen::Map<const Eigen::VectorXd>(at.data(), std::ssize(at)) -
                                   Eigen::Map<const Eigen::VectorXd>(solution_.at.data(), std::ssize(at))));
  }

  /// Samples more than 8 deviations off, if they are few: spikes. Gives their number.
  std::size_t drop_outliers() {
    std::size_t dropped = 0;
    for (const Problem::Part& part : problem_.parts()) {
      if (part.track < 0) {
        continue;
      }
      std::vector<double> sizes(part.count);
      for (std::size_t k = 0; k < part.count; ++k) {
        sizes[k] = std::abs(solution_.residuals[static_cast<Eigen::Index>(part.begin + k)]);
      }
      auto sorted = sizes;
      const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
      std::nth_element(sorted.begin(), middle, sorted.end());
      const double limit = 8 * std::max(*middle / 0.6745, 1.0);
      const auto far = static_cast<std::size_t>(
          std::count_if(sizes.begin(), sizes.end(), [limit](double size) { return size > limit; }));
      if (far * 50 < part.count) {
        for (std::size_t k = 0; k < part.count; ++k) {
          if (sizes[k] > limit) {
            prepared_[static_cast<std::size_t>(part.track)].track.use[k] = 0;
          }
        }
        dropped += far;
      }
    }
    outliers_ += dropped;
    return dropped;
  }

  Fit describe() const {
    const auto parts = problem_.parts();
    Eigen::MatrixXd root = covariance_root(solution_, parts);
    for (const Eigen::VectorXd& shift : shifts_) {
      root.conservativeResize(Eigen::NoChange, root.cols() + 1);
      root.rightCols(1) = shift;
    }
    const auto values = problem_.decode(solution_.at);
    const auto& numbers = problem_.numbers();
    Fit fit{name_, engine_.make({values.data(), problem_.slots()}, options_.stribeck_exponent)};
    fit.outliers = outliers_;
    fit.mass = problem_.has_body() ? values[problem_.mass()] : 0;

    // Rows of estimates in terms of the search's numbers; static_force is F_C plus its excess.
    std::vector<Eigen::RowVectorXd> rows;  // times the root
    const auto count = static_cast<Eigen::Index>(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const Number& number = numbers[i];
      Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(count);
      row[static_cast<Eigen::Index>(i)] = number.slope(solution_.at[i]);
      double value = values[i];
      if (number.name.starts_with("static_force")) {
        row[static_cast<Eigen::Index>(i - 1)] = numbers[i - 1].slope(solution_.at[i - 1]);
        value += values[i - 1];
      }
      const double deviation = (row * root).norm();
      Estimate estimate{number.name, number.unit, value, deviation};
      if (number.scale == 0) {  // the interval of a positive number is that of its logarithm
        const double factor = std::exp(std::min(50.0, two_sided_95 * deviation / value));
        estimate.low = value / factor;
        estimate.high = value * factor;
      } else {
        const double floor = number.name.starts_with("static_force") ? values[i - 1] : number.least;
        estimate.low = std::max(floor, value - two_sided_95 * deviation);
        estimate.high = std::min(number.most, value + two_sided_95 * deviation);
      }
      const double measure = number.scale == 0 ? value : std::max(value, number.scale);
      estimate.determined = deviation < undetermined * measure;
      const bool fixed_mass = problem_.has_body() && i == problem_.mass() && options_.mass.has_value();
      if (i < problem_.slots() || (problem_.has_body() && i == problem_.mass())) {
        if (fixed_mass) {
          estimate.deviation = 0;
          estimate.low = estimate.high = value;
          estimate.determined = true;
        }
        fit.estimates.push_back(estimate);
        rows.emplace_back(row * root);
      } else {
        fit.nuisance.push_back(estimate);
      }
    }
    for (const auto& a : rows) {
      fit.correlation.emplace_back();
      for (const auto& b : rows) {
        const double size = a.norm() * b.norm();
        fit.correlation.back().push_back(size > 0 ? a.dot(b) / size : 0);
      }
    }

    double sum = 0;
    std::size_t all = 0;
    fit.explained = 1;
    for (const Problem::Part& part : parts) {
      if (part.track < 0) {
        for (const SteadyPoint& point : steady_) {
          fit.steady.push_back(point);
          fit.steady.back().predicted = problem_.steady_force(values, point.velocity);
          sum += point.used ? square((point.torque - fit.steady.back().predicted) / point.deviation) : 0;
          all += point.used ? 1 : 0;
        }
        continue;
      }
      const auto track = static_cast<std::size_t>(part.track);
      const Track& t = prepared_[track].track;
      Channel channel;
      channel.recording = t.recording->name;
      channel.quantity = part.position ? "position" : "torque";
      constexpr std::array drives{"torque, held between samples", "torque, straight lines between samples",
                                  "control loop, continuous", "control loop, sampled"};
      channel.drive = drives[static_cast<std::size_t>(t.drive)];
      channel.time = t.recording->time;
      channel.measured = part.position ? t.recording->position : t.recording->torque;
      channel.noise = part.position ? t.position_noise : t.torque_noise;
      channel.residual = channel.noise * rms(solution_.residuals, part, &t.use);
      const auto r =
          solution_.residuals.segment(static_cast<Eigen::Index>(part.begin), static_cast<Eigen::Index>(part.count));
      channel.autocorrelation = r.head(r.size() - 1).dot(r.tail(r.size() - 1)) / std::max(1e-300, r.squaredNorm());
      channel.predicted.resize(part.count);
      double mean = 0;
      for (std::size_t k = 0; k < part.count; ++k) {
        channel.predicted[k] = channel.measured[k] - channel.noise * r[static_cast<Eigen::Index>(k)];
        mean += channel.measured[k] / static_cast<double>(part.count);
      }
      double spread = 0;
      for (const double value : channel.measured) {
        spread += square(value - mean);
      }
      const double unexplained = square(channel.residual) * static_cast<double>(part.count);
      fit.explained = std::min(fit.explained, 1 - unexplained / std::max(spread, 1e-300));
      sum += r.squaredNorm();
      all += part.count;
      fit.channels.push_back(std::move(channel));
    }
    fit.samples = all;
    fit.excess = std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, all)));
    return fit;
  }

  /// Fits again without the last part of each recording, and gives the error there over the noise.
  double held_out() {
    LeastSquares training = problem_.least_squares(training_share);
    training.start = solution_.at;
    training.most_iterations = 8;
    training.tolerance = 1e-5;
    const Solution learnt = minimise(training);
    const LeastSquares whole = problem_.least_squares();
    std::vector<double> residuals(whole.residuals);
    whole.evaluate(learnt.at, -1, residuals);
    double sum = 0;
    std::size_t count = 0;
    for (const Problem::Part& part : problem_.parts()) {
      for (std::size_t k = 0; k < part.count; ++k) {
        const bool seen =
            part.track < 0 ? Problem::steady_counts(k, training_share) : Problem::counts(k, part.count, training_share);
        if (!seen) {
          sum += square(residuals[part.begin + k]);
          ++count;
        }
      }
    }
    return count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0;
  }

  /// Warnings and, where the model must not be trusted, the refusal.
  void judge(Fit& fit) const {
    const auto refuse = [&](std::string why) { fit.refusal += (fit.refusal.empty() ? "" : "; ") + std::move(why); };
    std::string loose;
    const auto estimate = [&](const std::string& name) {
      return std::find_if(fit.estimates.begin(), fit.estimates.end(),
                          [&](const Estimate& e) { return e.name == name; });
    };
    for (Estimate& e : fit.estimates) {
      if (e.name.starts_with("static_force")) {
        // It is a level at one end of the curve: with the other end unknown it may be the level of any place between.
        e.determined = e.determined && estimate("coulomb_force" + e.name.substr(12))->determined;
      }
      if (e.determined) {
        continue;
      }
      if (e.name.starts_with("stribeck_velocity")) {
        // Without a drop its place does not matter.
        const std::string side = e.name.substr(std::string("stribeck_velocity").size());
        const auto peak = estimate("static_force" + side);
        const auto level = estimate("coulomb_force" + side);
        if (peak->high < 1.02 * level->value) {
          fit.warnings.push_back("no Stribeck drop is seen, so stribeck_velocity" + side +
                                 " is not determined and does not matter");
          continue;
        }
      }
      loose += (loose.empty() ? "" : ", ") + e.name;
    }
    if (!loose.empty()) {
      refuse("the data do not determine " + loose);
    }
    std::string astray;
    for (std::size_t i = 0; i < fit.estimates.size() && !noisier_.empty(); ++i) {
      // What the torque's noise has done is about what as much again does. Beyond a few per cent it cannot be mended.
      const Number& number = problem_.numbers()[i];
      const double shift = number.decode(noisier_[i]) - number.decode(solution_.at[i]);
      if (std::abs(shift) > 0.1 * std::abs(fit.estimates[i].value)) {
        astray += (astray.empty() ? "" : ", ") + fit.estimates[i].name;
      }
    }
    if (!astray.empty()) {
      refuse("the torque's noise leads astray " + astray +
             ": log the torque as it was commanded, or the reference of the control loop");
    }
    fit.warnings.insert(fit.warnings.end(), doubts_.begin(), doubts_.end());
    for (const Channel& channel : fit.channels) {
      double spread = 0;
      double mean = 0;
      for (const double value : channel.measured) {
        mean += value / static_cast<double>(channel.measured.size());
      }
      for (const double value : channel.measured) {
        spread += square(value - mean) / static_cast<double>(channel.measured.size());
      }
      const double share = channel.residual / std::sqrt(std::max(spread, 1e-300));
      const double excess = channel.residual / channel.noise;
      if (!(excess < 4) && !(share < 0.003)) {
        refuse(fmt::format(
            "{} does not explain the {} of {}: the residual is {:.3g} times the noise and {:.3g} % of the signal",
            name_, channel.quantity, channel.recording, excess, 100 * share));
      } else if (!(excess < 1.5)) {
        fit.warnings.push_back(
            fmt::format("{}: the residual of the {} is {:.3g} times the sensor's noise; the intervals allow for it",
                        channel.recording, channel.quantity, excess));
      }
    }
    judge_steady(fit, refuse);
    if (!solution_.converged) {
      refuse("the search did not converge");
    }
    for (std::size_t i = 0; i < fit.estimates.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        const auto loose_one = [](const Estimate& e) { return e.deviation > 0.02 * std::abs(e.value); };
        if (std::abs(fit.correlation[i][k]) > 0.95 && (loose_one(fit.estimates[i]) || loose_one(fit.estimates[k]))) {
          fit.warnings.push_back(fmt::format("these data can hardly tell {} from {} (correlation {:.3f})",
                                             fit.estimates[k].name, fit.estimates[i].name, fit.correlation[i][k]));
        }
      }
    }
    if (problem_.has_body()) {
      for (const Estimate& e : fit.nuisance) {
        const double friction = estimate("coulomb_force") != fit.estimates.end() ? estimate("coulomb_force")->value : 0;
        if (e.name == "offset" && std::abs(e.value) > 5 * e.deviation && std::abs(e.value) > 0.01 * friction) {
          fit.warnings.push_back(fmt::format(
              "an unseen torque of {:.4g} acts (gravity, a biased sensor), or friction differs between the directions",
              e.value));
        }
      }
    }
    if (fit.outliers > 0) {
      fit.warnings.push_back(fmt::format("{} samples lie far off and were left out", fit.outliers));
    }
  }

  template <class Refuse>
  void judge_steady(Fit& fit, const Refuse& refuse) const {
    double sum = 0;
    double level = 0;
    std::size_t used = 0;
    std::size_t left = 0;
    for (const SteadyPoint& point : fit.steady) {
      (point.used ? used : left) += 1;
      sum += point.used ? square(point.torque - point.predicted) : 0;
      level += point.used ? std::abs(point.torque) : 0;
    }
    if (left > 0) {
      fit.warnings.push_back(fmt::format("{} of {} steady points were left out: too slow to have settled, or far off",
                                         left, fit.steady.size()));
    }
    if (used > 0) {
      const double share = std::sqrt(sum * static_cast<double>(used)) / level;
      if (!(share < 0.02)) {
        refuse(fmt::format("{} does not explain the steady friction: off by {:.3g} % on average", name_, 100 * share));
      }
    }
  }

  std::string name_;
  std::vector<bool> firm_;  // recordings that need not be drawn back in the end
  std::vector<std::pair<double, Guess>> starts_;
  Engine engine_;
  std::vector<Prepared> prepared_;
  std::vector<SteadyPoint> steady_;
  const Options& options_;
  Problem problem_;
  Solution solution_;
  std::size_t outliers_ = 0;
  std::vector<Eigen::VectorXd> shifts_;  // of the numbers, by choices that the data leave open
  std::vector<double> noisier_;          // the numbers found with more noise on the torque
  std::vector<std::string> doubts_;
};

void check(const Options& options) {
  if (options.mass && !(*options.mass > 0 && std::isfinite(*options.mass))) {
    throw BadData(fmt::format("mass = {:g}: must be > 0 and finite", *options.mass));
  }
  if (!scalar::stribeck_exponents.holds(options.stribeck_exponent)) {
    throw BadData(fmt::format("stribeck_exponent = {:g}: must be {}", options.stribeck_exponent,
                              scalar::stribeck_exponents.text));
  }
  if (options.model != "auto") {
    find_engine(options.model);
  }
}

void check(const Data& data) {
  if (data.recordings.empty() && data.sweeps.empty()) {
    throw BadData("there is nothing to identify from");
  }
  for (const Recording& log : data.recordings) {
    const auto constant = [](const std::vector<double>& values) {
      const auto [low, high] = std::minmax_element(values.begin(), values.end());
      return !(*high > *low);
    };
    if (log.time.size() < 100) {
      throw BadData(fmt::format("{}: has {} samples; at least 100 are wanted", log.name, log.time.size()));
    }
    if (constant(log.torque)) {
      throw BadData(
          fmt::format("{}: the torque is constant ({:g}); nothing can be learnt from it", log.name, log.torque[0]));
    }
    if (constant(log.position)) {
      throw BadData(
          fmt::format("{}: the position is constant ({:g}); nothing can be learnt from it", log.name, log.position[0]));
    }
  }
  for (const Sweep& sweep : data.sweeps) {
    if (sweep.velocity.size() < 6) {
      throw BadData(fmt::format("{}: has {} steady points; at least 6 are wanted", sweep.name, sweep.velocity.size()));
    }
  }
}

/// Steady points that had not settled or lie far off are not used.
void drop_unsettled(std::vector<SteadyPoint>& points) {
  std::vector<double> speeds;
  for (const SteadyPoint& point : points) {
    speeds.push_back(std::abs(point.velocity));
  }
  std::sort(speeds.begin(), speeds.end());
  const double slow = speeds[speeds.size() / 3];
  double slowest_settled = 0;
  for (SteadyPoint& point : points) {
    const double off = (point.torque - point.predicted) / point.deviation;
    if (std::abs(off) > 6 && std::abs(point.velocity) < slow && off * point.velocity < 0) {
      slowest_settled =
          std::max(slowest_settled, std::abs(point.velocity) * 1.02);  // its twin in the other direction too
    }
  }
  for (SteadyPoint& point : points) {
    point.used = std::abs(point.velocity) > slowest_settled;
  }
}

/// Recordings with more samples in all are cut to their four most telling parts, a quarter of that together: those with
/// most reversals and the widest range of torque.
Data cut_to(const Data& data, std::size_t most) {
  std::size_t all = 0;
  for (const Recording& log : data.recordings) {
    all += log.time.size();
  }
  if (all <= most) {
    return data;
  }
  Data result;
  result.sweeps = data.sweeps;
  for (const Recording& log : data.recordings) {
    const auto share = static_cast<std::size_t>(static_cast<double>(most) * static_cast<double>(log.time.size()) /
                                                static_cast<double>(all));
    const std::size_t length = std::max<std::size_t>(share / 16, 500);
    struct Part {
      double telling;
      std::size_t begin;
    };
    std::vector<Part> parts;
    for (std::size_t begin = 0; begin + length <= log.time.size(); begin += length) {
      const std::size_t stride = std::max<std::size_t>(1, length / 200);
      std::size_t reversals = 0;
      double least = infinity;
      double largest = -infinity;
      for (std::size_t k = begin + 2 * stride; k < begin + length; k += stride) {
        reversals += (log.position[k] - log.position[k - stride] > 0) !=
                             (log.position[k - stride] - log.position[k - 2 * stride] > 0)
                         ? 1
                         : 0;
        least = std::min(least, log.torque[k]);
        largest = std::max(largest, log.torque[k]);
      }
      parts.push_back({(largest - least) * std::sqrt(1.0 + static_cast<double>(reversals)), begin});
    }
    std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.telling > b.telling; });
    parts.resize(std::min<std::size_t>(parts.size(), 4));
    for (const Part& part : parts) {
      const auto cut = [&](const std::vector<double>& values) {
        const auto from = values.begin() + static_cast<std::ptrdiff_t>(values.empty() ? 0 : part.begin);
        return values.empty() ? values : std::vector<double>(from, from + static_cast<std::ptrdiff_t>(length));
      };
      Recording piece{fmt::format("{} from {:g} s", log.name, log.time[part.begin]), cut(log.time), cut(log.torque),
                      cut(log.position), log.reference};
      piece.commanded = cut(log.commanded);
      result.recordings.push_back(std::move(piece));
    }
  }
  return result;
}

}  // namespace

std::vector<Fit> identify(const Data& data, const Options& options) {
  check(options);
  check(data);
  const Data telling = cut_to(data, options.most_samples);
  std::vector<Prepared> prepared;
  for (const Recording& log : telling.recordings) {
    prepared.push_back(prepare(log));
  }
  std::vector<SteadyPoint> steady = steady_points(data);
  Guess guess = steady.size() >= 4 ? stribeck_guess(steady, options.stribeck_exponent) : rough_guess(telling);
  guess.stiffness = telling.recordings.empty() ? 1 : stiffness_guess(telling, guess.coulomb_force);
  // Recordings that are simulated as a whole need no steady points; of those that were cut, settled ones count.
  const bool cut = telling.recordings.size() != data.recordings.size();
  std::erase_if(steady, [&](const SteadyPoint& point) {
    const bool from_table = std::isinf(point.slid);
    return !from_table && !(cut && point.slid > 8 * std::abs(point.torque) / guess.stiffness);
  });
  if (!steady.empty()) {
    guess = [&] {
      Guess better = stribeck_guess(steady, options.stribeck_exponent);
      better.stiffness = guess.stiffness;
      return better;
    }();
    drop_unsettled(steady);
  }
  if (options.model != "auto") {
    return {Fitting(options.model, prepared, steady, guess, options).run()};
  }
  std::vector<Fit> fits;
  for (const std::string& model : identifiable()) {
    fits.push_back(Fitting(model, prepared, steady, guess, options).run());
  }
  // Of the models that predict about as well as the best one, the one with the fewest parameters.
  double best = infinity;
  for (const Fit& fit : fits) {
    best = fit.refusal.empty() ? std::min(best, fit.held_out_excess) : best;
  }
  const auto rank = [best](const Fit& fit) {
    const bool near = fit.held_out_excess < 1.05 * std::max(best, 1.0);
    return std::tuple(!fit.refusal.empty(), !near, near ? fit.estimates.size() : 0, fit.held_out_excess);
  };
  std::stable_sort(fits.begin(), fits.end(), [&](const Fit& a, const Fit& b) { return rank(a) < rank(b); });
  return fits;
}

}  // namespace stiction::identify
