#include "stiction/planar/limit_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>

#include "commands.h"
#include "complain.h"
#include "lab.h"
#include "stiction/io/csv.h"
#include "stiction/io/file.h"
#include "stiction/io/patch_file.h"
#include "stiction/planar/ellipsoid.h"

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

/// The surface from outside, torques divided by r. With a load: its direction, and where it meets the surface.
std::string figure_script(const Surface& s, const Directions& directions, double r,
                          const std::optional<Wrench>& at_slip) {
  std::string script =
      "set title 'Limit surface for mu f_N = 1' noenhanced\nset xlabel 'force along x'\nset ylabel 'force along y'\n"
      "set zlabel 'torque over r' rotate\nset view 62,30,1.25\nset view equal xyz\nset xyplane 0.1\nunset "
      "colorbox\nset "
      "grid\n"
      "set xrange [-1.2:1.2]\nset yrange [-1.2:1.2]\nset zrange [-1.2:1.2]\nset ticslevel 0\n"
      "set palette defined (-1 '#2166ac', 0 '#f7f7f7', 1 '#b2182b')\nset cbrange [-1:1]\n"
      "set pm3d depthorder border lc rgb '#555555' lw 0.3\nset style fill transparent solid 0.8\n"
      "$surface << EOD\n";
  for (const double sign : {1.0, -1.0}) {
    for (std::size_t i = 0; i < directions.around(); ++i) {
      for (std::size_t j = 0; j < directions.up(); ++j) {
        const std::size_t k = i * directions.up() + j;
        script += fmt::format("{:.5g} {:.5g} {:.5g}\n", sign * s.fx[k], sign * s.fy[k], sign * s.torque[k] / r);
      }
      script += '\n';
    }
    script += '\n';
  }
  script += "EOD\n";
  if (at_slip) {
    const auto arrow = [&](double from, double to, const char* style) {
      return fmt::format("set arrow from {},{},{} to {},{},{} front {}\n", from * at_slip->x, from * at_slip->y,
                         from * at_slip->torque / r, to * at_slip->x, to * at_slip->y, to * at_slip->torque / r, style);
    };
    script += arrow(0, 1, "nohead lw 2 dt 2") + arrow(1, 1.4, "lw 2");
  }
  return script + "splot $surface using 1:2:3:3 with pm3d notitle\n";
}

std::string ellipsoid_line(const char* name, const planar::EllipsoidError& error) {
  return fmt::format("{:<30}{:.3g} % (rms), {:.3g} % (max); slipping load {:.3g} % (rms), {:.3g} % (max)\n", name,
                     100 * error.wrench_rms, 100 * error.wrench_largest, 100 * error.load_rms,
                     100 * error.load_largest);
}

nlohmann::json to_json(const planar::EllipsoidError& error) {
  return {{"rms", error.wrench_rms},
          {"largest", error.wrench_largest},
          {"load_rms", error.load_rms},
          {"load_largest", error.load_largest}};
}

nlohmann::json to_json(const planar::LimitEllipsoid& e, const planar::EllipsoidError& error) {
  return {
      {"matrix",
       {{e.diagonal[0], e.xy, e.x_torque}, {e.xy, e.diagonal[1], e.y_torque}, {e.x_torque, e.y_torque, e.diagonal[2]}}},
      {"error", to_json(error)}};
}

/// The response of a patch to a load.
struct Loaded {
  Wrench load;  // at the centre of pressure
  planar::Slip slip;
  std::optional<planar::Point> centre;  // of rotation, in the frame of the patch; none for a translation
};
Loaded loaded(const Patch& patch, const LimitSurfaceArguments& arguments) {
  const auto finite = [](double x) { return std::isfinite(x); };
  const std::vector<double>& load = arguments.load;
  if (load.size() != 3 || !std::ranges::all_of(load, finite) || std::ranges::count(load, 0.0) == 3) {
    throw io::InputError(fmt::format("--load = {}: must be FX,FY,TORQUE, finite and not all 0", fmt::join(load, ",")));
  }
  if (!(arguments.friction > 0 && std::isfinite(arguments.friction))) {
    throw io::InputError(fmt::format("--friction = {}: must be > 0 and finite", arguments.friction));
  }
  const planar::Point cop = patch.centre_of_pressure();
  planar::Point at = cop;
  if (!arguments.load_at.empty()) {
    if (arguments.load_at.size() != 2 || !std::ranges::all_of(arguments.load_at, finite)) {
      throw io::InputError(fmt::format("--at = {}: must be X,Y and finite", fmt::join(arguments.load_at, ",")));
    }
    at = {arguments.load_at[0], arguments.load_at[1]};
  }
  Loaded result{planar::at_point(Wrench{load[0], load[1], load[2]}, at, cop), {}, {}};
  result.slip = planar::slip(patch, result.load, arguments.friction);
  const Twist& v = result.slip.twist;
  if (std::abs(v.spin) * patch.torque_radius() > 1e-9) {
    result.centre = planar::Point{cop.x - v.y / v.spin, cop.y + v.x / v.spin};
  }
  return result;
}

nlohmann::json to_json(const Loaded& loaded) {
  const auto& [load, slip, centre] = loaded;
  return {{"load", {load.x, load.y, load.torque}},
          {"factor", slip.factor},
          {"holds", !slip.slips()},
          {"gap", slip.gap},
          {"proven", slip.proven},
          {"rounds", slip.rounds},
          {"twist", {slip.twist.x, slip.twist.y, slip.twist.spin}},
          {"centre_of_rotation", centre ? nlohmann::json{centre->x, centre->y} : nlohmann::json{}}};
}

std::string to_text(const Loaded& loaded) {
  const auto& [load, slip, centre] = loaded;
  std::string text = fmt::format("load at the centre of pressure ({:.6g}, {:.6g}) N, {:.6g} N m: {}\n", load.x, load.y,
                                 load.torque, slip.slips() ? "slips" : "holds");
  text += fmt::format("slips at                      {:.9g} times the load{}\n", slip.factor,
                      slip.proven ? "" : fmt::format(", within {:.2g} of it", slip.gap));
  text += fmt::format("and moves along               ({:.6g}, {:.6g}, {:.6g} rad/m), ", slip.twist.x, slip.twist.y,
                      slip.twist.spin);
  return text + (centre ? fmt::format("about ({:.6g}, {:.6g}) m\n", centre->x, centre->y) : "without rotation\n");
}

}  // namespace

int limit_surface(const LimitSurfaceArguments& arguments) {
  if (arguments.quarter < 1 || arguments.quarter > 500) {
    throw io::InputError(fmt::format("--cells = {}: must be from 1 to 500", arguments.quarter));
  }
  if (arguments.load.empty() && (!arguments.load_at.empty() || arguments.friction != 1)) {
    throw io::InputError("--at and --friction belong to --load");
  }
  const std::filesystem::path figure = arguments.figure;
  if (!figure.empty() && figure.extension() != ".svg" && figure.extension() != ".png") {
    throw io::InputError(fmt::format("--figure = {}: must end with .svg or .png", arguments.figure));
  }
  const Patch patch = io::read_patch_file(arguments.file);
  const auto load = arguments.load.empty() ? std::nullopt : std::optional(loaded(patch, arguments));
  const Directions directions{static_cast<std::size_t>(arguments.quarter)};
  const Surface surface = sampled(patch, directions);
  const double r = patch.torque_radius();
  const planar::EllipsoidError simple = error_of(planar::LimitEllipsoid::of_radius(r), patch);
  const planar::LimitEllipsoid level = fitted_ellipsoid(patch, planar::Axes::of_the_plane);
  const planar::EllipsoidError level_error = error_of(level, patch);
  const planar::LimitEllipsoid free = fitted_ellipsoid(patch);
  const planar::EllipsoidError free_error = error_of(free, patch);
  const planar::Point cop = patch.centre_of_pressure();
  const planar::Point force_free_centre = planar::forceless_centre_of_rotation(patch) + cop;

  io::make_folder(arguments.out);
  const std::filesystem::path folder = arguments.out;
  io::write_text(folder / "limit_surface.csv",
                 io::to_csv({"theta_rad", "phi_rad", "vx_m_s", "vy_m_s", "omega_rad_s", "fx", "fy", "tau_m"},
                            {surface.theta, surface.phi, surface.vx, surface.vy, surface.spin, surface.fx, surface.fy,
                             surface.torque}));
  io::write_text(folder / "limit_surface.ply", to_ply(surface, directions, r));
  if (!figure.empty()) {
    const auto at_slip = load ? std::optional((load->slip.factor / arguments.friction) * load->load) : std::nullopt;
    lab::draw(figure, {720, 640, 13}, figure_script(surface, directions, r, at_slip));
  }
  if (arguments.json) {
    nlohmann::json result{{"centre_of_pressure", {cop.x, cop.y}},
                          {"r", r},
                          {"u", patch.mean_square_radius()},
                          {"forceless_centre_of_rotation", {force_free_centre.x, force_free_centre.y}},
                          {"points", patch.size()},
                          {"ellipsoid_error", to_json(simple)},
                          {"fitted_ellipsoid", to_json(level, level_error)},
                          {"fitted_free_ellipsoid", to_json(free, free_error)}};
    if (load) {
      result["slip"] = to_json(*load);
    }
    fmt::print("{}\n", result.dump(2));
  } else {
    fmt::print("points                        {}\n", patch.size());
    fmt::print("centre of pressure            ({:.6g}, {:.6g}) m\n", cop.x, cop.y);
    fmt::print("r, torque of a pure rotation  {:.6g} m, for mu f_N = 1 N\n", r);
    fmt::print("u, mean square radius         {:.6g} m^2\n", patch.mean_square_radius());
    fmt::print("rotation without force about  ({:.6g}, {:.6g}) m\n", force_free_centre.x, force_free_centre.y);
    fmt::print("{}", ellipsoid_line("an ellipsoid would be off by", simple));
    fmt::print("{}", ellipsoid_line("a fitted one", level_error));
    fmt::print("  its semi-axes               {:.4g}, {:.4g}, {:.4g} m\n", std::sqrt(level.diagonal[0]),
               std::sqrt(level.diagonal[1]), std::sqrt(level.diagonal[2]));
    fmt::print("{}", ellipsoid_line("one with free axes", free_error));
    fmt::print("{}", load ? to_text(*load) : "");
    fmt::print("written: {}\n", one_line(fmt::format("{}, {}{}", (folder / "limit_surface.csv").string(),
                                                     (folder / "limit_surface.ply").string(),
                                                     figure.empty() ? "" : ", " + figure.string())));
  }
  return exit_good;
}

}  // namespace stiction::cli
