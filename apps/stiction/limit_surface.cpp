#include "stiction/planar/limit_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "commands.h"
#include "stiction/io/csv.h"
#include "stiction/io/file.h"
#include "stiction/io/patch_file.h"
#include "stiction/planar/surfaces.h"

namespace stiction::cli {
namespace {

using planar::Patch;
using planar::Twist;
using planar::Wrench;

/// The half sphere of directions with ω ≥ 0, `quarter` cells for a quarter turn (eq. 33).
struct Directions {
  std::size_t quarter;
  [[nodiscard]] std::size_t around() const { return 4 * quarter + 1; }
  [[nodiscard]] std::size_t up() const { return quarter + 1; }
};

struct Surface {
  std::vector<double> theta, phi, vx, vy, spin, fx, fy, torque;
};
Surface sampled(const Patch& patch, const Directions& directions) {
  Surface s;
  const double step = std::numbers::pi / 2 / static_cast<double>(directions.quarter);
  const double r = patch.torque_radius();
  for (std::size_t i = 0; i < directions.around(); ++i) {
    for (std::size_t j = 0; j < directions.up(); ++j) {
      const double theta = static_cast<double>(i) * step;
      const double phi = static_cast<double>(j) * step;
      const Twist twist{r * std::cos(theta) * std::sin(phi), r * std::sin(theta) * std::sin(phi),
                        j == directions.quarter ? 0 : std::cos(phi)};
      const Wrench w = planar::coulomb_wrench(patch, twist);
      s.theta.push_back(theta);
      s.phi.push_back(phi);
      s.vx.push_back(twist.x);
      s.vy.push_back(twist.y);
      s.spin.push_back(twist.spin);
      s.fx.push_back(w.x);
      s.fy.push_back(w.y);
      s.torque.push_back(w.torque);
    }
  }
  return s;
}

/// How far the ellipsoid is from the surface, in shares of the largest force or torque.
struct EllipsoidError {
  double rms = 0, largest = 0;
};
EllipsoidError ellipsoid_error(const Surface& s, double r) {
  EllipsoidError e;
  double weights = 0;
  for (std::size_t k = 0; k < s.fx.size(); ++k) {
    const planar::Scaled h = planar::Ellipsoid{}({s.vx[k], s.vy[k], r * s.spin[k]});
    const double square_error = square(h[0] - s.fx[k]) + square(h[1] - s.fy[k]) + square(h[2] - s.torque[k] / r);
    const double weight = std::sin(s.phi[k]);  // equal areas of the sphere
    e.rms += weight * square_error;
    weights += weight;
    e.largest = std::max(e.largest, std::sqrt(square_error));
  }
  e.rms = std::sqrt(e.rms / weights);
  return e;
}

/// A mesh of both halves, torques divided by r, for any viewer of PLY files.
std::string to_ply(const Surface& s, const Directions& directions, double r) {
  const std::size_t nodes = s.fx.size();
  const std::size_t faces = 2 * (directions.around() - 1) * (directions.up() - 1);
  std::string text = fmt::format(
      "ply\nformat ascii 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
      "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
      2 * nodes, faces);
  for (const double sign : {1.0, -1.0}) {
    for (std::size_t k = 0; k < nodes; ++k) {
      text += fmt::format("{:.7g} {:.7g} {:.7g}\n", sign * s.fx[k], sign * s.fy[k], sign * s.torque[k] / r);
    }
  }
  for (const std::size_t from : {std::size_t{0}, nodes}) {
    for (std::size_t i = 0; i + 1 < directions.around(); ++i) {
      for (std::size_t j = 0; j + 1 < directions.up(); ++j) {
        const std::size_t a = from + i * directions.up() + j;
        text += fmt::format("4 {} {} {} {}\n", a, a + 1, a + directions.up() + 1, a + directions.up());
      }
    }
  }
  return text;
}

}  // namespace

int limit_surface(const LimitSurfaceArguments& arguments) {
  if (arguments.quarter < 1 || arguments.quarter > 500) {
    throw io::InputError(fmt::format("--cells = {}: must be from 1 to 500", arguments.quarter));
  }
  const Patch patch = io::read_patch_file(arguments.file);
  const Directions directions{static_cast<std::size_t>(arguments.quarter)};
  const Surface surface = sampled(patch, directions);
  const double r = patch.torque_radius();
  const EllipsoidError ellipsoid = ellipsoid_error(surface, r);
  const planar::Point cop = patch.centre_of_pressure();
  const planar::Point still = planar::forceless_centre_of_rotation(patch) + cop;

  io::make_folder(arguments.out);
  const std::filesystem::path folder = arguments.out;
  io::write_text(folder / "limit_surface.csv",
                 io::to_csv({"theta_rad", "phi_rad", "vx_m_s", "vy_m_s", "omega_rad_s", "fx", "fy", "tau_m"},
                            {surface.theta, surface.phi, surface.vx, surface.vy, surface.spin, surface.fx, surface.fy,
                             surface.torque}));
  io::write_text(folder / "limit_surface.ply", to_ply(surface, directions, r));
  if (arguments.json) {
    const nlohmann::json result{{"centre_of_pressure", {cop.x, cop.y}},
                                {"r", r},
                                {"u", patch.mean_square_radius()},
                                {"forceless_centre_of_rotation", {still.x, still.y}},
                                {"points", patch.size()},
                                {"ellipsoid_error", {{"rms", ellipsoid.rms}, {"largest", ellipsoid.largest}}}};
    fmt::print("{}\n", result.dump(2));
  } else {
    fmt::print("points                        {}\n", patch.size());
    fmt::print("centre of pressure            ({:.6g}, {:.6g}) m\n", cop.x, cop.y);
    fmt::print("r, torque of a pure rotation  {:.6g} m, for mu f_N = 1 N\n", r);
    fmt::print("u, mean square radius         {:.6g} m^2\n", patch.mean_square_radius());
    fmt::print("rotation without force about  ({:.6g}, {:.6g}) m\n", still.x, still.y);
    fmt::print("an ellipsoid would be off by  {:.3g} % (rms), {:.3g} % (most)\n", 100 * ellipsoid.rms,
               100 * ellipsoid.largest);
    fmt::print("written: {}, {}\n", (folder / "limit_surface.csv").string(), (folder / "limit_surface.ply").string());
  }
  return exit_good;
}

}  // namespace stiction::cli
