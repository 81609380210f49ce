#include "contact_shapes.h"

#include <algorithm>
#include <cmath>

#include "stiction/planar/limit_surface.h"
#include "stiction/planar/shapes.h"
#include "stiction/planar/surfaces.h"

namespace stiction::lab::planar_recognition {
namespace {

using planar::Patch;
using planar::Point;
using planar::PressureGrid;
using planar::Twist;
using planar::Wrench;

/// Exponents k that are told apart: at 0.8 it has a peak, at 20 the pressure is nearly uniform.
constexpr double min_exponent = 0.8;
constexpr double max_exponent = 20;
double exponent_of(const ShapeParameters& p) { return std::clamp(std::exp(p[4]), min_exponent, max_exponent); }
planar::SoftFinger finger_of(const ShapeParameters& p) { return {.reach = std::exp(p[3]), .exponent = exponent_of(p)}; }

Point rotated(Point p, double angle) {
  return {p.x * std::cos(angle) - p.y * std::sin(angle), p.x * std::sin(angle) + p.y * std::cos(angle)};
}

/// A pad or a wedge along x, its area's centre at the origin.
Patch rectangle(Shape shape, const ShapeParameters& p, std::size_t cells) {
  const std::size_t columns = shape == Shape::pad ? 1 : cells;
  const double length = std::exp(p[3]);
  const double width = std::exp(p[4]);
  PressureGrid grid{columns, 1, {-length / 2, -width / 2}, length / static_cast<double>(columns), width, {}};
  for (std::size_t i = 0; i < columns; ++i) {
    grid.pressure.push_back(static_cast<double>(columns - i) - 0.5);
  }
  return Patch(grid);
}
constexpr std::size_t wedge_cells = 24;

/// p(ρ/a) of a finger as a table: it is asked for thousands of times.
class Profile {
 public:
  explicit Profile(double k) {
    for (std::size_t i = 0; i <= nodes; ++i) {
      values_.at(i) = std::pow(1 - std::pow(static_cast<double>(i) / nodes, k), 1 / k);
    }
  }
  double operator()(double ratio) const {
    const double at = nodes * ratio;
    if (at >= nodes) {
      return 0;
    }
    const auto below = static_cast<std::size_t>(at);
    return values_[below] + (at - static_cast<double>(below)) * (values_[below + 1] - values_[below]);
  }

 private:
  static constexpr std::size_t nodes = 400;
  std::array<double, nodes + 1> values_{};
};

/// A finger's pressure on cells.
Patch fine_finger(const ShapeParameters& p) {
  const double a = std::exp(p[3]);
  const Profile profile(exponent_of(p));
  constexpr std::size_t cells = 51;
  return Patch(planar::pressure_grid([&](double x, double y) { return profile(std::sqrt(x * x + y * y) / a); },
                                     {-a, -a}, {a, a}, cells, cells));
}

// Tactile images -----------------------------------------------------------------------------------------------------

/// The lower left corner of a cell, counted from the top left.
Point corner_of(std::size_t column, std::size_t row) {
  constexpr double half = taxels * taxel_pitch / 2;
  return {static_cast<double>(column) * taxel_pitch - half, half - static_cast<double>(row + 1) * taxel_pitch};
}

std::vector<double> image_of_finger(const ShapeParameters& p, std::size_t samples) {
  const double a = std::exp(p[3]);
  const double k = exponent_of(p);
  const Profile profile(k);
  // ∫ p dA = 2π a² B(2/k, 1 + 1/k)/k
  const double all =
      2 * pi * a * a / k * std::exp(std::lgamma(2 / k) + std::lgamma(1 + 1 / k) - std::lgamma(1 + 3 / k));
  std::vector<double> image(taxels * taxels);
  for (std::size_t row = 0; row < taxels; ++row) {
    for (std::size_t column = 0; column < taxels; ++column) {
      const Point corner = corner_of(column, row);
      const double from_edge = std::hypot(corner.x + taxel_pitch / 2 - p[1], corner.y + taxel_pitch / 2 - p[2]) - a;
      if (from_edge > taxel_pitch) {
        continue;
      }
      const std::size_t n = from_edge > -taxel_pitch ? 2 * samples : samples;  // at the edge the pressure falls steeply
      const double spacing = taxel_pitch / static_cast<double>(n);
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double x = corner.x + (static_cast<double>(i) + 0.5) * spacing - p[1];
        for (std::size_t j = 0; j < n; ++j) {
          const double y = corner.y + (static_cast<double>(j) + 0.5) * spacing - p[2];
          sum += profile(std::sqrt(x * x + y * y) / a);
        }
      }
      image[row * taxels + column] = p[0] * sum * spacing * spacing / all;
    }
  }
  return image;
}

/// A convex polygon, with room for a rectangle cut by another.
struct Polygon {
  std::array<Point, 10> corners{};
  std::size_t size = 0;
  void add(Point p) { corners.at(size++) = p; }
};
/// The part with n·p ≤ limit.
Polygon cut(const Polygon& polygon, Point n, double limit) {
  Polygon part;
  for (std::size_t i = 0; i < polygon.size; ++i) {
    const Point a = polygon.corners.at(i);
    const Point b = polygon.corners.at((i + 1) % polygon.size);
    const double from = limit - n.x * a.x - n.y * a.y;
    const double to = limit - n.x * b.x - n.y * b.y;
    if (from >= 0) {
      part.add(a);
    }
    if ((from < 0) != (to < 0)) {
      const double share = from / (from - to);
      part.add({a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)});
    }
  }
  return part;
}
/// ∫ (c + g x) dA over a polygon.
double integral(const Polygon& polygon, double c, double g) {
  double sum = 0;
  for (std::size_t i = 1; i + 1 < polygon.size; ++i) {
    const Point a = polygon.corners[0];
    const Point b = polygon.corners.at(i);
    const Point d = polygon.corners.at(i + 1);
    const double area = 0.5 * ((b.x - a.x) * (d.y - a.y) - (b.y - a.y) * (d.x - a.x));
    sum += area * (c + g * (a.x + b.x + d.x) / 3);
  }
  return sum;
}

std::vector<double> image_of_rectangle(Shape shape, const ShapeParameters& p) {
  const double length = std::exp(p[3]);
  const double width = std::exp(p[4]);
  // Pressure in the frame of the rectangle: c + g x
  const double mean = p[0] / (length * width);
  const double g = shape == Shape::pad ? 0 : -2 * mean / length;
  const double c = std::cos(p[5]);
  const double s = std::sin(p[5]);
  const auto in_frame = [=](Point at) { return Point{at.x * c + at.y * s, at.y * c - at.x * s}; };
  std::vector<double> image(taxels * taxels);
  for (std::size_t row = 0; row < taxels; ++row) {
    for (std::size_t column = 0; column < taxels; ++column) {
      const Point corner = corner_of(column, row);
      const Point middle = in_frame({corner.x + taxel_pitch / 2 - p[1], corner.y + taxel_pitch / 2 - p[2]});
      // Distance of the edges from the middle of the cell, whose own reach is less than its pitch
      const double beyond_x = std::abs(middle.x) - length / 2;
      const double beyond_y = std::abs(middle.y) - width / 2;
      double& force = image[row * taxels + column];
      if (std::max(beyond_x, beyond_y) > taxel_pitch) {
        continue;
      }
      if (std::max(beyond_x, beyond_y) < -taxel_pitch) {
        force = taxel_pitch * taxel_pitch * (mean + g * middle.x);
        continue;
      }
      Polygon cell;
      // One by one: with a loop over the corners, GCC 12.2 at -O2 gave wrong images. -O1, -O3, ASan and UBSan did not;
      // the cause is not known.
      const Point low{corner.x - p[1], corner.y - p[2]};
      const Point high{low.x + taxel_pitch, low.y + taxel_pitch};
      cell.add(in_frame(low));
      cell.add(in_frame({high.x, low.y}));
      cell.add(in_frame(high));
      cell.add(in_frame({low.x, high.y}));
      cell = cut(cut(cell, {1, 0}, length / 2), {-1, 0}, length / 2);
      cell = cut(cut(cell, {0, 1}, width / 2), {0, -1}, width / 2);
      force = integral(cell, mean, g);
    }
  }
  return image;
}

// Wrenches -----------------------------------------------------------------------------------------------------------

/// Limit surfaces of fingers, by 1/k.
planar::SurfaceFamily<planar::AxisymmetricCurve> finger_surfaces() {
  constexpr int members = 24;
  std::vector<double> inverse;
  std::vector<planar::AxisymmetricCurve> curves;
  for (int i = 0; i < members; ++i) {
    inverse.push_back(1 / max_exponent + (1 / min_exponent - 1 / max_exponent) * i / (members - 1));
    curves.emplace_back(fine_finger({1, 0, 0, 0, -std::log(inverse.back()), 0}), 96);
  }
  return {std::move(inverse), std::move(curves)};
}

}  // namespace

const char* name_of(Shape shape) noexcept {
  return shape == Shape::finger ? "finger" : shape == Shape::pad ? "pad" : "wedge";
}

std::size_t count_of(Shape shape) noexcept { return shape == Shape::finger ? 5 : 6; }

ShapeParameters within_range(Shape shape, ShapeParameters p) noexcept {
  p[4] = shape == Shape::finger ? std::clamp(p[4], std::log(min_exponent), std::log(max_exponent)) : p[4];
  return p;
}

std::vector<std::string> quantities_of(Shape shape) {
  switch (shape) {
    case Shape::finger:
      return {"a", "k", "r"};
    case Shape::pad:
      return {"length", "width", "r"};
    case Shape::wedge:
      break;
  }
  return {"length", "width", "r", "p_s"};
}

std::vector<double> values_of(Shape shape, const ShapeParameters& p) {
  if (shape == Shape::finger) {
    return {std::exp(p[3]), exponent_of(p), finger_of(p).torque_radius(1)};
  }
  const Patch patch = rectangle(shape, p, wedge_cells);
  std::vector<double> values{std::exp(p[3]), std::exp(p[4]), patch.torque_radius()};
  if (shape == Shape::wedge) {
    values.push_back(-planar::forceless_centre_of_rotation(patch).x);  // towards the high pressure
  }
  return values;
}

Point centre_of_pressure(Shape shape, const ShapeParameters& p) {
  const double beside = shape == Shape::wedge ? -std::exp(p[3]) / 6 : 0;
  return Point{p[1], p[2]} + rotated({beside, 0}, p[5]);
}

std::vector<Point> outline_of(Shape shape, const ShapeParameters& p) {
  std::vector<Point> outline;
  const double length = std::exp(p[3]);
  const double width = std::exp(p[4]);
  for (int i = 0; i < 400; ++i) {
    const double turn = 2 * pi * i / 400;
    const Point circle{std::cos(turn), std::sin(turn)};
    const double larger = std::max(std::abs(circle.x), std::abs(circle.y));
    const Point at = shape == Shape::finger
                         ? Point{length * circle.x, length * circle.y}
                         : rotated({length / 2 * circle.x / larger, width / 2 * circle.y / larger}, p[5]);
    outline.push_back(Point{p[1], p[2]} + at);
  }
  return outline;
}

std::vector<double> tactile_image(Shape shape, const ShapeParameters& p, std::size_t samples) {
  return shape == Shape::finger ? image_of_finger(p, samples) : image_of_rectangle(shape, p);
}

std::vector<double> sliding_wrenches(Shape shape, const ShapeParameters& p, const std::vector<Twist>& twists,
                                     bool fine) {
  static const auto surfaces = finger_surfaces();
  const bool by_curve = shape == Shape::finger && !fine;
  auto surface = surfaces;
  surface.select(1 / exponent_of(p));
  const double r = finger_of(p).torque_radius(1);
  const Patch patch = shape == Shape::finger ? (fine ? fine_finger(p) : Patch(PressureGrid{1, 1, {}, 1, 1, {1}}))
                                             : rectangle(shape, p, fine ? 3 * wedge_cells : wedge_cells);
  const double angle = shape == Shape::finger ? 0 : p[5];
  const Point cop = by_curve ? Point{p[1], p[2]} : Point{p[1], p[2]} + rotated(patch.centre_of_pressure(), angle);
  std::vector<double> wrenches;
  wrenches.reserve(3 * twists.size());
  for (const Twist& twist : twists) {
    const Twist v = at_point(twist, {}, cop);
    Wrench w;
    if (by_curve) {
      const Vector3 h = surface({v.x, v.y, r * v.spin});
      w = {h[0], h[1], r * h[2]};
    } else {
      const Point along = rotated({v.x, v.y}, -angle);
      w = planar::coulomb_wrench(patch, {along.x, along.y, v.spin});
      const Point force = rotated({w.x, w.y}, angle);
      w = {force.x, force.y, w.torque};
    }
    const Wrench at_sensor = at_point(p[0] * w, cop, {});
    wrenches.insert(wrenches.end(), {at_sensor.x, at_sensor.y, at_sensor.torque});
  }
  return wrenches;
}

}  // namespace stiction::lab::planar_recognition
