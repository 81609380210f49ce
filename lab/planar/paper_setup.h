// Shared by the experiments of the paper: its velocity profile, its contact surfaces, and the models as in its authors'
// code.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "stiction/planar/distributed.h"
#include "stiction/planar/reduced.h"
#include "stiction/planar/shapes.h"

namespace stiction::lab {

inline constexpr const char* planar_data = "data made with the authors' code";

/// Fig. 5, at the centre of pressure; t in s.
inline planar::Twist paper_profile(double t) {
  constexpr double c = 0.015;
  const auto ramp = [t](double from, double to) { return t < from ? 0.0 : t < to ? (t - from) / (to - from) : 1.0; };
  return {c * (ramp(0.8, 1.4) - ramp(1.6, 2.2)), 0.4 * c * (ramp(2.4, 2.7) - ramp(4.3, 4.6)),
          ramp(0, 0.6) - ramp(3.4, 4.0)};
}
inline constexpr double paper_profile_duration = 5;

struct PaperShape {
  const char* name;
  planar::PressureGrid (*grid)(std::size_t n, double side);
};
inline constexpr std::array<PaperShape, 6> paper_shapes{{{"square", planar::paper::square},
                                                         {"circle", planar::paper::circle},
                                                         {"line", planar::paper::line},
                                                         {"gradient line", planar::paper::gradient_line},
                                                         {"non-convex 1", planar::paper::non_convex_1},
                                                         {"non-convex 2", planar::paper::non_convex_2}}};

/// u as a sum over the points, not over whole cells.
inline double mean_square_of_points(const planar::Patch& patch) {
  double u = 0;
  for (std::size_t i = 0; i < patch.size(); ++i) {
    u += patch.points().share[i] * (square(patch.points().x[i]) + square(patch.points().y[i]));
  }
  return u;
}

/// The limit-surface model of the authors' code: a table over angles made with their bilinear rule, r by the same rule.
inline planar::Reduced<planar::AngleTable> authors_reduced(const planar::Friction& friction, const planar::Patch& patch,
                                                           std::size_t quarter = 20) {
  planar::AngleTable table(patch, quarter, planar::authors_bilinear_wrench);
  const double r = table.torque_radius();
  return planar::Reduced<planar::AngleTable>::make(
      {friction, {r, mean_square_of_points(patch), patch.centre_of_pressure()}, std::move(table)});
}

/// The ellipsoid model of the authors' code: the same r; u about the centre of the grid, not of pressure.
inline planar::Reduced<planar::Ellipsoid> authors_ellipsoid(const planar::Friction& friction,
                                                            const planar::Patch& patch) {
  const planar::Point cop = patch.centre_of_pressure();
  const double r = std::abs(planar::authors_bilinear_wrench(patch, {0, 0, 1}).torque);
  return planar::Reduced<planar::Ellipsoid>::make(
      {friction, {r, mean_square_of_points(patch) + square(cop.x) + square(cop.y), {}}, {}});
}

/// The time at which a step takes its velocity: its middle, or its end if it is so long that bristles forget the past.
constexpr double representative(double from, double to) { return to - from > 1e-3 ? to : (from + to) / 2; }

/// The wrench at each time, or every n-th, of a patch that is moved along a profile from one to the next, with 1 N.
/// `check` is called as often.
template <class Surface, class Profile>
std::vector<planar::Wrench> follow(const planar::Reduced<Surface>& model, const Profile& profile,
                                   const std::vector<double>& time, std::size_t every = 1,
                                   const std::function<void()>& check = {}) {
  std::vector<planar::Wrench> wrenches;
  typename planar::Reduced<Surface>::State z;
  for (std::size_t k = 0; k < time.size(); ++k) {
    if (k > 0) {
      z = model.advance(z, profile(representative(time[k - 1], time[k])), time[k] - time[k - 1]);
    }
    if (k % every == 0) {
      if (check) {
        check();
      }
      wrenches.push_back(model.wrench(z, profile(time[k]), 1));
    }
  }
  return wrenches;
}
template <class Profile>
std::vector<planar::Wrench> follow(const planar::Distributed& model, const Profile& profile,
                                   const std::vector<double>& time, std::size_t every = 1,
                                   const std::function<void()>& check = {}) {
  std::vector<planar::Wrench> wrenches;
  std::vector<double> z(model.state_size());
  for (std::size_t k = 0; k < time.size(); ++k) {
    if (k > 0) {
      model.advance(z, profile(representative(time[k - 1], time[k])), time[k] - time[k - 1]);
    }
    if (k % every == 0) {
      if (check) {
        check();
      }
      wrenches.push_back(model.wrench(z, profile(time[k]), 1));
    }
  }
  return wrenches;
}

/// Root mean square of the error over the largest value.
struct WrenchError {
  double force = 0, torque = 0;
};
inline WrenchError error_of(const std::vector<planar::Wrench>& model, const std::vector<planar::Wrench>& truth,
                            const std::vector<double>& weight) {
  WrenchError sum;
  WrenchError largest;
  for (std::size_t i = 0; i < weight.size(); ++i) {
    sum.force += weight[i] * (square(model[i].x - truth[i].x) + square(model[i].y - truth[i].y));
    sum.torque += weight[i] * square(model[i].torque - truth[i].torque);
    largest.force = std::max(largest.force, std::hypot(truth[i].x, truth[i].y));
    largest.torque = std::max(largest.torque, std::abs(truth[i].torque));
  }
  return {std::sqrt(sum.force) / largest.force, std::sqrt(sum.torque) / largest.torque};
}

inline std::vector<double> equal_weights(std::size_t n) {
  std::vector<double> weights(n, 1.0 / static_cast<double>(n));
  return weights;
}

}  // namespace stiction::lab
