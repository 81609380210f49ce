#include "covariance.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace stiction::identify {

double rms(const Eigen::VectorXd& residuals, const Problem::Part& part, const std::vector<char>* use) {
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

Eigen::MatrixXd covariance_root(const Solution& solution, const std::vector<Problem::Part>& parts,
                                std::optional<std::size_t> given) {
  Eigen::MatrixXd j = solution.jacobian;
  if (given) {
    j.col(static_cast<Eigen::Index>(*given)).setZero();
  }
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
    const double min_deviation = std::sqrt(std::max(0.0, independent(i, i)));
    if (const double deviation = root.row(i).norm(); deviation < min_deviation) {
      root.row(i) *= min_deviation / std::max(deviation, 1e-300);
    }
    if (eigen.eigenvalues()[i] < 1e-11) {
      root.col(blocks + i) = directions.col(i) * std::sqrt(inverse[i]);
    }
  }
  return root;
}

}  // namespace stiction::identify
