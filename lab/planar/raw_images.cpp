// Tactile images without a model of the shape: r and p_s of the image itself, its cells as a patch.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "../control/statistics.h"
#include "contact_shapes.h"
#include "paper_setup.h"

namespace stiction::lab::planar_recognition {
namespace {

using planar::Patch;
using planar::Point;
using planar::PressureGrid;

constexpr double half = taxels * taxel_pitch / 2;
constexpr double side = 0.015;  // of the shapes, which thus fit into the image in every direction [m]

/// The force on each cell of an image under a patch of 1 N that is moved and rotated.
PressureGrid image_of(const PressureGrid& shape, Point centre, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const auto pressure = [&](double x, double y) {
    const Point at{(x - centre.x) * c + (y - centre.y) * s, (y - centre.y) * c - (x - centre.x) * s};
    const double column = std::floor((at.x - shape.corner.x) / shape.width);
    const double row = static_cast<double>(shape.rows) - 1 - std::floor((at.y - shape.corner.y) / shape.height);
    const bool inside =
        column >= 0 && column < static_cast<double>(shape.columns) && row >= 0 && row < static_cast<double>(shape.rows);
    return inside ? shape.pressure[shape.index(static_cast<std::size_t>(column), static_cast<std::size_t>(row))] : 0.0;
  };
  PressureGrid image = planar::pressure_grid(pressure, {-half, -half}, {half, half}, taxels, taxels, 12);
  double all = 0;
  for (const double p : image.pressure) {
    all += p;
  }
  for (double& p : image.pressure) {
    p /= all;
  }
  return image;
}

/// r, and p_s in the plane.
struct Found {
  double r = 0;
  Point p_s;
};
Found found_in(const Patch& patch) {
  return {patch.torque_radius(), patch.centre_of_pressure() + planar::forceless_centre_of_rotation(patch)};
}

}  // namespace

void try_raw_images(const Context& context, Result& result) {
  const int trials = context.quick ? 4 : 40;
  constexpr std::array levels{0.0, 0.01, 0.05, 0.1};
  Table table{"raw_images", {{"shape", std::vector<std::string>{}}, {"noise [-]", std::vector<double>{}}}, true};
  for (const char* column :
       {"error of r, rms [-]", "distance of p_s, rms [m]", "of it from the centre of pressure [m]"}) {
    table.columns.push_back({column, std::vector<double>{}});
  }
  // The largest with 1 % of noise
  double r_error = 0;
  double p_s_error = 0;  // of all but two pads
  double of_pads = 0;
  for (const auto& [name, grid] : paper_shapes) {
    const PressureGrid shape = grid(21, side);
    const Found truth = found_in(Patch(shape));
    for (const double level : levels) {
      context.check();
      double r_square = 0;
      double p_s_square = 0;
      for (int k = 0; k < trials; ++k) {
        Random random(static_cast<std::uint64_t>(k) + 1);
        const Point centre{2e-3 * random.uniform() - 1e-3, 2e-3 * random.uniform() - 1e-3};
        const double angle = 2 * pi * random.uniform();
        PressureGrid image = image_of(shape, centre, angle);
        const double noise = level * std::ranges::max(image.pressure);
        for (double& force : image.pressure) {
          force += noise * random.gaussian();
          force = force > 3 * noise ? force : 0;  // the rest is taken for noise
        }
        const Found found = found_in(Patch(image));
        const Point p_s{centre.x + truth.p_s.x * std::cos(angle) - truth.p_s.y * std::sin(angle),
                        centre.y + truth.p_s.x * std::sin(angle) + truth.p_s.y * std::cos(angle)};
        r_square += square(found.r / truth.r - 1) / trials;
        p_s_square += (square(found.p_s.x - p_s.x) + square(found.p_s.y - p_s.y)) / trials;
      }
      const Point beside = planar::forceless_centre_of_rotation(Patch(shape));
      const std::array row{level, std::sqrt(r_square), std::sqrt(p_s_square), std::hypot(beside.x, beside.y)};
      std::get<std::vector<std::string>>(table.columns[0].values).emplace_back(name);
      for (std::size_t i = 0; i < row.size(); ++i) {
        std::get<std::vector<double>>(table.columns[1 + i].values).push_back(row[i]);
      }
      if (level == 0.01) {
        r_error = std::max(r_error, row[1]);
        double& largest = std::string_view(name) == "non-convex 1" ? of_pads : p_s_error;
        largest = std::max(largest, row[2]);
      }
    }
  }
  result.tables.push_back(table);
  result.claims.push_back(at_most("raw images, 1 % of noise: error of r, rms of the worst shape",
                                  requirement("one twentieth"), 0.05, r_error, "-"));
  result.claims.push_back(at_most("raw images, 1 % of noise: distance of p_s, rms of the worst shape but two pads",
                                  requirement("half a cell of the image"), taxel_pitch / 2, p_s_error, "m"));
  result.claims.push_back(at_least("raw images of two pads, 1 % of noise: distance of p_s, rms",
                                   from_theory("not identified: a turn about any point between equal pads gives hardly "
                                               "any force; over half a cell"),
                                   taxel_pitch / 2, of_pads, "m"));
}

}  // namespace stiction::lab::planar_recognition
