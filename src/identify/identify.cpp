#include "stiction/identify/identify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "check.h"
#include "engine.h"
#include "fitting.h"
#include "prepare.h"
#include "signals.h"
#include "simulated.h"
#include "steady.h"

namespace stiction::identify {
namespace {

// Steps of the simulation; a million take about a second.
constexpr Effort with_loop{6'000'000, 16'000'000};
constexpr Effort without_loop{4'000'000, 12'000'000};  // for a log without a loop, more rarely helps
constexpr std::size_t max_steps = 16'000'000;          // for all models together
constexpr std::size_t sample_work = 400;               // for each sample

/// Recordings with more samples in total are cut to their four most informative parts, together a quarter of the limit:
/// those with the most reversals and the widest range of torque. `origin` gets the recording of each part.
Data cut_to(const Data& data, std::size_t max_samples, std::vector<std::size_t>* origin = nullptr) {
  std::size_t all = 0;
  for (const Recording& log : data.recordings) {
    all += log.time.size();
  }
  if (all <= max_samples) {
    return data;
  }
  Data result;
  result.sweeps = data.sweeps;
  for (std::size_t i = 0; i < data.recordings.size(); ++i) {
    const Recording& log = data.recordings[i];
    const auto share = static_cast<std::size_t>(static_cast<double>(max_samples) *
                                                static_cast<double>(log.time.size()) / static_cast<double>(all));
    const std::size_t length = std::max<std::size_t>(share / 16, 500);
    if (log.time.size() <= length) {
      result.recordings.push_back(log);
      if (origin != nullptr) {
        origin->push_back(i);
      }
      continue;
    }
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
      bool moves = false;
      for (std::size_t k = begin + 2 * stride; k < begin + length; k += stride) {
        reversals += (log.position[k] - log.position[k - stride] > 0) !=
                             (log.position[k - stride] - log.position[k - 2 * stride] > 0)
                         ? 1
                         : 0;
        least = std::min(least, log.torque[k]);
        largest = std::max(largest, log.torque[k]);
        moves = moves || log.position[k] != log.position[k - stride];
      }
      if (moves && largest > least) {  // the others carry no information
        parts.push_back({(largest - least) * std::sqrt(1.0 + static_cast<double>(reversals)), begin});
      }
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
      if (origin != nullptr) {
        origin->push_back(i);
      }
    }
  }
  return result;
}

bool any_loop(const std::vector<Prepared>& prepared) {
  return std::any_of(prepared.begin(), prepared.end(), [](const Prepared& full) { return is_loop(full.track.drive); });
}

/// A small part of the data, on which a model that does not explain them fails quickly.
class Sample {
 public:
  Sample(const Data& data, const std::vector<Prepared>& prepared) {
    std::size_t all = 0;
    for (const Recording& log : data.recordings) {
      all += log.time.size();
    }
    // Short parts carry little information if a noisy torque drives the axis
    if (all <= 6'000 || !any_loop(prepared)) {
      return;
    }
    std::vector<std::size_t> origin;
    data_ = cut_to(data, std::min<std::size_t>(all - 1, 16'000), &origin);
    for (std::size_t i = 0; i < data_.recordings.size(); ++i) {
      const Recording& log = data_.recordings[i];
      const Track& full = prepared[origin[i]].track;
      Prepared part = prepare(log, std::vector<char>(log.time.size(), 1));
      part.track.position_noise = full.position_noise;
      part.track.torque_noise = full.torque_noise;
      if (is_loop(part.track.drive) == is_loop(full.drive)) {  // too short a part may not show its loop
        prepared_.push_back(std::move(part));
        samples_ += log.time.size();
      }
    }
  }

  /// A fit to it; none if there are few data anyway.
  [[nodiscard]] std::optional<Fit> fit(const std::string& model, const std::vector<SteadyPoint>& steady,
                                       const Guess& guess, Options options, const Effort& effort) const {
    if (prepared_.empty()) {
      return std::nullopt;
    }
    options.held_out = false;
    const std::size_t work = sample_work * samples_;
    Fit fit = fit_model(model, prepared_, 0, steady, guess, options,
                        {std::min(work, effort.usual), std::min(2 * work, effort.close)});
    fit.held_out_excess = fit.excess;
    return fit;
  }

 private:
  Data data_;
  std::vector<Prepared> prepared_;
  std::size_t samples_ = 0;
};

/// Whether another model could not explain more: the residual is white and about the size of the sensors' noise.
bool explains_all(const Fit& fit) {
  return fit.held_out_excess < 1.5 && std::all_of(fit.channels.begin(), fit.channels.end(), [](const Channel& channel) {
           return std::abs(channel.autocorrelation) < 0.2;
         });
}

/// Whether a LuGre model reduces to Dahl's: no significant Stribeck drop, damping or viscous friction.
bool looks_like_dahl(const Fit& lugre) {
  const auto find = [&](const char* name) -> const Estimate& {
    static const Estimate none{};
    const auto found = std::find_if(lugre.estimates.begin(), lugre.estimates.end(),
                                    [name](const Estimate& e) { return e.name == name; });
    return found == lugre.estimates.end() ? none : *found;
  };
  const double level = find("coulomb_force").value;
  return level > 0 && find("static_force").low < 1.02 * level &&
         find("viscous").low * find("stribeck_velocity").value < 0.02 * level &&
         find("damping").value < 0.05 * std::sqrt(find("stiffness").value * lugre.mass);
}

/// Sorts fits: first, of those that predict about as well as the best one, the one with the fewest parameters.
void sort_by_prediction(std::vector<Fit>& fits) {
  constexpr double tolerance = 1.05;
  double best = infinity;
  for (const Fit& fit : fits) {
    best = fit.refusal.empty() ? std::min(best, fit.held_out_excess) : best;
  }
  const auto rank = [best](const Fit& fit) {
    const bool near = fit.held_out_excess < tolerance * std::max(best, 1.0);
    if (!fit.refusal.empty()) {
      return std::tuple(true, true, std::size_t{0}, fit.held_out_excess);
    }
    return std::tuple(false, !near, near ? fit.estimates.size() : 0, fit.held_out_excess);
  };
  std::stable_sort(fits.begin(), fits.end(), [&](const Fit& a, const Fit& b) { return rank(a) < rank(b); });
}

}  // namespace

std::vector<Fit> identify_simulated(const Data& data, const Options& options) {
  check(options);
  check(data);
  Data telling = cut_to(data, options.max_samples);
  if (telling.recordings.empty() && !data.recordings.empty()) {
    throw BadData(
        fmt::format("no part of {} samples has both torque and position that change", options.max_samples / 16));
  }
  std::vector<Prepared> prepared;
  std::size_t spikes = 0;
  for (Recording& log : telling.recordings) {
    std::vector<char> use(log.time.size(), 1);
    spikes += take_out_spikes(log, use);
    prepared.push_back(prepare(log, std::move(use)));
  }
  std::vector<SteadyPoint> steady = steady_points(data);
  Guess guess = steady.size() >= 4 ? stribeck_guess(steady, options.stribeck_exponent) : rough_guess(telling);
  const auto complete = [&, stiffness = telling.recordings.empty() ? 1 : stiffness_guess(telling, guess.coulomb_force),
                         heaviest = max_mass(telling)] {
    guess.stiffness = stiffness;
    guess.max_mass = heaviest;
  };
  complete();
  // Recordings that are simulated as a whole need no steady points; those that were cut contribute settled ones.
  const bool cut = telling.recordings.size() != data.recordings.size();
  std::erase_if(steady, [&](const SteadyPoint& point) {
    const bool from_table = std::isinf(point.slid);
    return !from_table && !(cut && point.slid > 8 * std::abs(point.torque) / guess.stiffness);
  });
  if (!steady.empty()) {
    guess = stribeck_guess(steady, options.stribeck_exponent);
    complete();
    drop_unsettled(steady, options.stribeck_exponent);
  }
  const bool loops = any_loop(prepared);
  const Sample sample(telling, prepared);
  std::vector<Fit> fits;
  std::size_t remaining = max_steps;
  // A single model may use the whole budget. Of several, the first may use three quarters; the others share the rest,
  // so that each is tried, and one that comes close may use half.
  const auto effort_for_one = [&]() -> Effort {
    const auto [usual, close] = loops ? with_loop : without_loop;
    if (options.model != "auto") {
      return {std::min(usual, remaining), std::min(close, remaining)};
    }
    if (fits.empty()) {
      return {std::min(usual, 3 * remaining / 4), std::min(close, 3 * remaining / 4)};
    }
    const std::size_t share = remaining / (identifiable().size() - fits.size());
    // If even LuGre leaves a large residual in a log without a loop, others are tried more briefly.
    return {std::min(loops ? usual : usual / 4, share),
            std::min(loops ? close : close / 4, std::max(share, remaining / 2))};
  };
  const auto charge = [&](const Fit& fit) { remaining -= std::min(remaining, fit.steps); };
  const auto fit_one = [&](const std::string& model) {
    std::optional<Fit> first = sample.fit(model, steady, guess, options, effort_for_one());
    bool leads = false;
    if (first) {
      charge(*first);
      const auto says = [&](const char* what) { return first->refusal.find(what) != std::string::npos; };
      // Models with springs have local minima, where a search on few data may end.
      const double far = model == scalar::Gms::info.name ? 20 : 2.5;
      if (first->excess > far && says("does not explain")) {
        return std::move(*first);
      }
      leads = first->excess < 1.5 && !says("did not converge");
    }
    Fit fit = fit_model(model, prepared, spikes, steady, guess, options, effort_for_one(), leads ? &*first : nullptr);
    charge(fit);
    fit.steps += first ? first->steps : 0;
    return fit;
  };
  if (options.model != "auto") {
    return {fit_one(options.model)};
  }
  const auto try_model = [&](const std::string& model) {
    fits.push_back(fit_one(model));
    return explains_all(fits.back());
  };
  if (!prepared.empty() && options.held_out && try_model("lugre")) {
    // No other model will fit better, but Dahl's needs fewer parameters if it suffices.
    const auto& found = fits.front().estimates;
    const bool rigid = std::any_of(found.begin(), found.end(),
                                   [](const Estimate& e) { return e.name == "stiffness" && !e.determined; });
    if (looks_like_dahl(fits.front())) {
      try_model("dahl");
    }
    if (rigid) {
      try_model("stribeck");
    }
  } else {
    for (const std::string& model : identifiable()) {
      const bool tried = !fits.empty() && fits.front().model_name == model;
      if (!tried) {
        try_model(model);
      }
    }
  }
  sort_by_prediction(fits);
  return fits;
}

}  // namespace stiction::identify
