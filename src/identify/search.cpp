#include "search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "covariance.h"
#include "report.h"

namespace stiction::identify {

void Search::allow_more_if_close() const {
  if (solution.finite && solution.cost() < square(2.0) * static_cast<double>(solution.residuals.size())) {
    budget.allow(effort.close);
  }
}

void Search::solve(int max_iterations) {
  allow_more_if_close();
  exhausted = exhausted || budget.exhausted();
  const auto affordable = exhausted ? 0 : budget.remaining() / problem.work_of_an_iteration() + 1;
  task.max_iterations = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(max_iterations), affordable));
  solution = minimise(task);
  task.start = solution.at;
}

double Search::cost_of(const std::vector<double>& at) const {
  if (budget.exhausted()) {
    return infinity;  // no further start is tried
  }
  std::vector<double> residuals(task.residuals);
  task.evaluate(at, residuals, nullptr);
  return !usable(residuals) ? infinity : std::inner_product(residuals.begin(), residuals.end(), residuals.begin(), 0.0);
}

std::optional<double> Search::value_of(const std::string& parameter, const std::vector<double>& values) const {
  for (std::size_t i = 0; i < problem.slots(); ++i) {
    if (problem.numbers()[i].name == parameter) {
      return values[i];
    }
  }
  return std::nullopt;
}

bool Search::small_beside_signals() const {
  const auto parts = problem.parts();
  return std::all_of(parts.begin(), parts.end(), [&](const Problem::Part& part) {
    if (part.track < 0) {
      return true;
    }
    const Track& track = prepared[static_cast<std::size_t>(part.track)].track;
    const double noise = part.position ? track.position_noise : track.torque_noise;
    const double spread = deviation_of(part.position ? track.recording->position : track.recording->torque);
    return rms(solution.residuals, part, &track.use) * noise < explained_share * spread;
  });
}

std::vector<double> sizes_of(const Solution& solution, const Problem::Part& part) {
  std::vector<double> sizes(part.count);
  for (std::size_t k = 0; k < part.count; ++k) {
    sizes[k] = std::abs(solution.residuals[static_cast<Eigen::Index>(part.begin + k)]);
  }
  return sizes;
}

}  // namespace stiction::identify
