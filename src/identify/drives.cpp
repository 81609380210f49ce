#include "drives.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace stiction::identify {
namespace {

constexpr std::array torque_drives{Drive::held_torque, Drive::linear_torque, Drive::smooth_torque};
constexpr std::array loop_drives{Drive::continuous_loop, Drive::sampled_loop};

/// The drive that many places after this one among those of its kind.
Drive rotated(Drive drive, std::size_t offset) {
  const auto next = [&](const auto& list) {
    const auto at = static_cast<std::size_t>(std::find(list.begin(), list.end(), drive) - list.begin());
    return list[(at + offset) % list.size()];
  };
  return is_loop(drive) ? next(loop_drives) : next(torque_drives);
}

/// One choice of drive for the recordings, with the solution found for it.
struct Candidate {
  std::vector<Drive> drives;
  Solution solution;
};

/// Fits every choice of drive for the recordings of one kind; the first is the current one.
std::vector<Candidate> fit_all(Search& search, bool loops) {
  std::vector<Drive> present;
  for (const Prepared& prepared : search.prepared) {
    present.push_back(prepared.track.drive);
  }
  std::vector<Candidate> all{{present, search.solution}};
  for (std::size_t offset = 1; offset < (loops ? loop_drives.size() : torque_drives.size()); ++offset) {
    std::vector<Drive> drives = present;
    for (std::size_t i = 0; i < drives.size(); ++i) {
      drives[i] = is_loop(present[i]) == loops ? rotated(present[i], offset) : present[i];
      search.prepared[i].track.drive = drives[i];
    }
    search.task.start = all.front().solution.at;
    const auto close = [&] { return search.solution.cost() < 1.2 * all.front().solution.cost(); };
    // A cost that still decreases fast may come close.
    double before = search.cost_of(search.task.start);
    for (int round = 0; round < 4; ++round) {
      search.solve(5);
      if (close() || search.exhausted || search.solution.converged || !(search.solution.cost() < before / 2)) {
        break;
      }
      before = search.solution.cost();
    }
    if (close()) {
      search.solve(15);
    }
    all.push_back({drives, search.solution});
  }
  return all;
}

}  // namespace

void Doubts::add_shift(const std::vector<double>& other, const std::vector<double>& found, double weight) {
  const auto vector = [](const std::vector<double>& at) {
    return Eigen::Map<const Eigen::VectorXd>(at.data(), std::ssize(at));
  };
  shifts.emplace_back(weight * (vector(other) - vector(found)));
}

void let_go(Search& search) {
  const auto values = search.problem.decode(search.solution.at);
  const double stiffness = search.value_of("stiffness", values).value_or(infinity);
  const double friction = search.value_of("coulomb_force", values).value_or(0);
  for (Prepared& prepared : search.prepared) {
    const auto& [x, u] = std::tie(prepared.track.recording->position, prepared.track.recording->torque);
    const auto [low, high] = std::minmax_element(x.begin(), x.end());
    const auto [min_torque, max_torque] = std::minmax_element(u.begin(), u.end());
    // The axis also moves slowly in presliding, but without the torque of sliding.
    const bool slides =
        *high - *low > 5 * friction / stiffness && std::max(-*min_torque, *max_torque) > 0.95 * friction;
    prepared.track.correction = slides ? prepared.track.correction : 0;
  }
}

bool choose_drives(Search& search) {
  bool changed = false;
  for (Prepared& prepared : search.prepared) {
    Track& track = prepared.track;
    const Drive drive_before = track.drive;
    const double correction_before = track.correction;
    Drive best_drive = track.drive;
    double best_correction = track.correction;
    double min_cost = search.cost_of(search.solution.at);
    const auto try_it = [&](Drive drive, double correction) {
      track.drive = drive;
      track.correction = correction;
      if (const double cost = search.cost_of(search.solution.at); cost < min_cost) {
        min_cost = cost;
        best_drive = drive;
        best_correction = correction;
      }
    };
    if (is_loop(drive_before)) {
      for (const Drive drive : loop_drives) {
        try_it(drive, 0);
      }
    } else {
      const std::vector<double> sliding{0, 3, 10, 30, 100, 300, 1000};
      for (const double correction : correction_before > 0 ? sliding : std::vector<double>{0}) {
        for (const Drive drive : torque_drives) {
          try_it(drive, correction);
        }
      }
    }
    track.drive = best_drive;
    track.correction = best_correction;
    changed = changed || best_drive != drive_before || best_correction != correction_before;
  }
  return changed;
}

void try_other_drives(Search& search, Doubts& doubts) {
  for (const bool loops : {false, true}) {
    std::string names;
    for (const Prepared& prepared : search.prepared) {
      if (is_loop(prepared.track.drive) == loops) {
        names += (names.empty() ? "" : ", ") + prepared.track.recording->name;
      }
    }
    if (names.empty()) {
      continue;
    }
    const auto all = fit_all(search, loops);
    const Candidate& best = *std::min_element(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
      return a.solution.cost() < b.solution.cost();
    });
    for (std::size_t i = 0; i < best.drives.size(); ++i) {
      search.prepared[i].track.drive = best.drives[i];
    }
    search.solution = best.solution;
    search.task.start = best.solution.at;
    // The likelihood ratio of each to the best, for normal residuals of the observed size.
    const double variance = std::max(1.0, best.solution.cost() / static_cast<double>(search.task.residuals));
    std::vector<double> odds;
    double sum = 0;
    for (const Candidate& one : all) {
      odds.push_back(std::exp(-(one.solution.cost() - best.solution.cost()) / (2 * variance)));
      sum += odds.back();
    }
    double open = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (&all[i] == &best || !all[i].solution.finite) {
        continue;
      }
      doubts.add_shift(all[i].solution.at, best.solution.at, std::sqrt(odds[i] / sum));
      open = std::max(open, odds[i]);
    }
    if (open > 0.01) {
      doubts.notes.push_back(fmt::format(
          "{}: the samples do not show whether {}; the intervals account for it", names,
          loops ? "the loop is sampled or continuous" : "the torque is constant, linear or smooth between them"));
    }
  }
}

}  // namespace stiction::identify
