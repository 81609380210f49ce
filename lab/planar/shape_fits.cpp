// Parameters of contact shapes by least squares (Levenberg and Marquardt), with their covariance.
#include <algorithm>
#include <cmath>
#include <functional>

#include "contact_shapes.h"
#include "stiction/small_matrix.h"

namespace stiction::lab::planar_recognition {
namespace {

using planar::Point;
using planar::Twist;
using Normal = SmallMatrix<double, 6>;

/// Values over their standard deviations.
using Predict = std::function<std::vector<double>(const ShapeParameters& p)>;

/// Steps of the central differences: force relative, places [m], logarithms, angle.
constexpr ShapeParameters steps{1e-3, 1e-4, 1e-4, 2e-2, 3e-2, 1e-2};

double chi_square_of(const std::vector<double>& predicted, const std::vector<double>& measured) {
  double sum = 0;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    sum += square(measured[i] - predicted[i]);
  }
  return sum;
}

/// JᵀJ and Jᵀ(measured − predicted).
struct Equations {
  Normal matrix;
  Normal::Vector right{};
};
Equations equations_at(const Predict& predict, const std::vector<double>& measured, const ShapeParameters& p,
                       std::size_t count) {
  const auto here = predict(p);
  std::vector<std::vector<double>> slopes;
  for (std::size_t i = 0; i < count; ++i) {
    const double step = i == 0 ? steps[0] * p[0] : steps[i];
    ShapeParameters up = p;
    ShapeParameters down = p;
    up[i] += step;
    down[i] -= step;
    slopes.push_back(predict(up));
    const auto low = predict(down);
    for (std::size_t k = 0; k < low.size(); ++k) {
      slopes.back()[k] = (slopes.back()[k] - low[k]) / (2 * step);
    }
  }
  Equations equations;
  equations.matrix.size = count;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < measured.size(); ++k) {
      equations.right[i] += slopes[i][k] * (measured[k] - here[k]);
      for (std::size_t j = 0; j < count; ++j) {
        equations.matrix.at[i][j] += slopes[i][k] * slopes[j][k];
      }
    }
  }
  return equations;
}

std::array<ShapeParameters, 6> inverse(const Normal& matrix) {
  std::array<ShapeParameters, 6> columns{};
  for (std::size_t i = 0; i < matrix.size; ++i) {
    Normal::Vector unit{};
    unit[i] = 1;
    columns[i] = matrix.solved(unit);
  }
  return columns;
}

ShapeFit least_squares(Shape shape, const Predict& predict, const std::vector<double>& measured,
                       const ShapeParameters& start) {
  const std::size_t count = count_of(shape);
  ShapeFit fit{shape, start, chi_square_of(predict(start), measured), {}};
  double damping = 1e-3;
  constexpr int max_rounds = 40;
  Equations equations = equations_at(predict, measured, fit.at, count);
  for (int round = 0; round < max_rounds && damping < 1e8; ++round) {
    Normal damped = equations.matrix;
    for (std::size_t i = 0; i < count; ++i) {
      damped.at[i][i] *= 1 + damping;
    }
    const auto change = damped.solved(equations.right);
    ShapeParameters next = fit.at;
    for (std::size_t i = 0; i < count; ++i) {
      // Lengths and exponents by at most a factor of two a round
      next[i] += i < 3 ? change[i] : std::clamp(change[i], -0.7, 0.7);
    }
    next = within_range(shape, next);
    const double chi_square = next[0] > 0 ? chi_square_of(predict(next), measured) : infinity;
    if (!(chi_square < fit.chi_square)) {
      damping *= 10;
      continue;
    }
    const double gain = fit.chi_square - chi_square;
    fit.at = next;
    fit.chi_square = chi_square;
    damping *= 0.1;
    equations = equations_at(predict, measured, fit.at, count);
    if (gain < 1e-4) {  // a parameter is then within 1 % of its standard error
      break;
    }
  }
  fit.covariance = inverse(equations.matrix);
  return fit;
}

ShapeFit better(const ShapeFit& a, const ShapeFit& b) { return b.chi_square < a.chi_square ? b : a; }

/// Moments of the cells that are clearly loaded.
struct ImageMoments {
  double force = 0;  // of all cells, whose errors cancel
  Point centre;
  double larger = 0, smaller = 0;  // principal mean squares [m²]
  double angle = 0;                // of the larger one
};
ImageMoments moments_of(const std::vector<double>& image, double noise) {
  ImageMoments m;
  double sum = 0;
  double xx = 0;
  double yy = 0;
  double xy = 0;
  const auto over_cells = [&](const auto& add) {
    for (std::size_t i = 0; i < image.size(); ++i) {
      if (image[i] > 3 * noise) {
        constexpr double half = static_cast<double>(taxels) / 2;
        const std::size_t row = i / taxels;
        add(image[i], taxel_pitch * (static_cast<double>(i % taxels) + 0.5 - half),
            taxel_pitch * (half - 0.5 - static_cast<double>(row)));
      }
    }
  };
  for (const double force : image) {
    m.force += force;
  }
  over_cells([&](double force, double x, double y) {
    sum += force;
    m.centre = {m.centre.x + force * x, m.centre.y + force * y};
  });
  m.centre = {m.centre.x / sum, m.centre.y / sum};
  over_cells([&](double force, double x, double y) {
    xx += force / sum * square(x - m.centre.x);
    yy += force / sum * square(y - m.centre.y);
    xy += force / sum * (x - m.centre.x) * (y - m.centre.y);
  });
  const double difference = std::hypot((xx - yy) / 2, xy);
  m.larger = (xx + yy) / 2 + difference;
  m.smaller = std::max((xx + yy) / 2 - difference, square(taxel_pitch) / 12);
  m.angle = 0.5 * std::atan2(2 * xy, xx - yy);
  return m;
}

/// A wedge whose pressure falls in this direction, with its centre of pressure at a point.
ShapeParameters wedge_about(Point cop, double force, double length, double width, double angle) {
  return {force,
          cop.x + length / 6 * std::cos(angle),
          cop.y + length / 6 * std::sin(angle),
          std::log(length),
          std::log(width),
          angle};
}

}  // namespace

std::vector<double> ShapeFit::errors() const {
  // Var g = ∇gᵀ C ∇g
  const std::size_t count = count_of(shape);
  std::vector<std::vector<double>> slopes;
  for (std::size_t i = 0; i < count; ++i) {
    const double step = i == 0 ? steps[0] * at[0] : steps.at(i);
    ShapeParameters up = at;
    ShapeParameters down = at;
    up.at(i) += step;
    down.at(i) -= step;
    slopes.push_back(values_of(shape, up));
    const auto low = values_of(shape, down);
    for (std::size_t q = 0; q < low.size(); ++q) {
      slopes.back()[q] = (slopes.back()[q] - low[q]) / (2 * step);
    }
  }
  std::vector<double> errors(slopes[0].size());
  for (std::size_t q = 0; q < errors.size(); ++q) {
    double variance = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < count; ++j) {
        variance += slopes[i][q] * covariance.at(i).at(j) * slopes[j][q];
      }
    }
    errors[q] = std::sqrt(variance);
  }
  return errors;
}

ShapeFit fit_to_image(Shape shape, const std::vector<double>& image, double noise) {
  std::vector<double> measured;
  for (const double force : image) {
    measured.push_back(force / noise);
  }
  const Predict predict = [&](const ShapeParameters& p) {
    auto values = tactile_image(shape, p);
    for (double& value : values) {
      value /= noise;
    }
    return values;
  };
  const ImageMoments m = moments_of(image, noise);
  const double width = std::sqrt(12 * m.smaller);
  switch (shape) {
    case Shape::finger:  // ∫ ρ² p = 2/5 a² for k = 2
      return least_squares(
          shape, predict, measured,
          {m.force, m.centre.x, m.centre.y, 0.5 * std::log(2.5 * (m.larger + m.smaller)), std::log(2.0)});
    case Shape::pad:
      return least_squares(shape, predict, measured,
                           {m.force, m.centre.x, m.centre.y, 0.5 * std::log(12 * m.larger), std::log(width), m.angle});
    case Shape::wedge:
      break;
  }
  const double length = std::sqrt(18 * m.larger);
  return better(least_squares(shape, predict, measured, wedge_about(m.centre, m.force, length, width, m.angle)),
                least_squares(shape, predict, measured, wedge_about(m.centre, m.force, length, width, m.angle + pi)));
}

namespace {

struct WrenchNoise {
  double force = 1, torque = 1;
  [[nodiscard]] std::vector<double> over(std::vector<double> values) const {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] /= i % 3 == 2 ? torque : force;
    }
    return values;
  }
};
Predict wrenches_of(Shape shape, const std::vector<Twist>& twists, const WrenchNoise& noise) {
  return [shape, &twists, noise](const ShapeParameters& p) { return noise.over(sliding_wrenches(shape, p, twists)); };
}

}  // namespace

ShapeFit ideal_fit_to_wrenches(Shape shape, const ShapeParameters& p, const std::vector<Twist>& twists,
                               double force_noise, double torque_noise) {
  const Predict predict = wrenches_of(shape, twists, {force_noise, torque_noise});
  return {shape, p, 0, inverse(equations_at(predict, predict(p), p, count_of(shape)).matrix)};
}

ShapeFit fit_to_wrenches(Shape shape, const std::vector<Twist>& twists, const std::vector<double>& wrenches,
                         double force_noise, double torque_noise) {
  const WrenchNoise noise{force_noise, torque_noise};
  const auto measured = noise.over(wrenches);
  double largest = 0;
  for (std::size_t i = 0; i < wrenches.size(); i += 3) {
    largest = std::max(largest, std::hypot(wrenches[i], wrenches[i + 1]));
  }
  const ShapeFit round = least_squares(Shape::finger, wrenches_of(Shape::finger, twists, noise), measured,
                                       {largest, 0, 0, std::log(6e-3), std::log(2.0)});
  if (shape == Shape::finger) {
    return round;
  }
  // Rectangles with the finger's r and centre of pressure, in the best of many directions
  const double r = values_of(Shape::finger, round.at)[2];
  const Predict predict = wrenches_of(shape, twists, noise);
  std::vector<std::pair<double, ShapeParameters>> starts;
  constexpr int directions = 12;
  for (const double aspect : {0.35, 0.65}) {
    const double length = r / values_of(shape, {1, 0, 0, 0, std::log(aspect)})[2];
    for (int i = 0; i < directions; ++i) {
      const double angle = (shape == Shape::pad ? pi : 2 * pi) * i / directions;
      const Point cop{round.at[1], round.at[2]};
      ShapeParameters p = wedge_about(cop, round.at[0], length, aspect * length, angle);
      if (shape == Shape::pad) {
        p[1] = cop.x;
        p[2] = cop.y;
      }
      starts.emplace_back(chi_square_of(predict(p), measured), p);
    }
  }
  std::ranges::sort(starts);
  // The first fit that the noise explains, within three deviations, is taken
  constexpr std::size_t tries = 4;
  const auto freedom = static_cast<double>(measured.size() - count_of(shape));
  const double explained = freedom + 3 * std::sqrt(2 * freedom);
  ShapeFit best = least_squares(shape, predict, measured, starts[0].second);
  for (std::size_t i = 1; i < tries && best.chi_square > explained; ++i) {
    best = better(best, least_squares(shape, predict, measured, starts[i].second));
  }
  return best;
}

}  // namespace stiction::lab::planar_recognition
