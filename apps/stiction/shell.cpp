#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <filesystem>

#include "complain.h"
#include "json_text.h"
#include "lab.h"
#include "mesh_input.h"

namespace stiction::cli {
namespace {

using geometry::PointShell;

/// Points with normals and levels, for any viewer of PLY files.
std::string to_ply(const PointShell& shell) {
  std::string text = fmt::format(
      "ply\nformat ascii 1.0\ncomment points of a shell in the order of its tree\nelement vertex {}\nproperty float x\n"
      "property float y\nproperty float z\nproperty float nx\nproperty float ny\nproperty float nz\n"
      "property uchar level\nend_header\n",
      shell.points().size());
  for (std::size_t i = 0; i < shell.points().size(); ++i) {
    const auto& [p, n] = shell.points()[i];
    text += fmt::format("{:.9g} {:.9g} {:.9g} {:.6g} {:.6g} {:.6g} {}\n", p[0], p[1], p[2], n[0], n[1], n[2],
                        shell.level_of(i));
  }
  return text;
}

/// Seen from the front, right and above; points that face away are left out. Coarse levels have large dots.
std::string figure_script(const PointShell& shell) {
  const double rotation = 0.6;
  const double tilt = 0.45;
  const Vector3 right{std::cos(rotation), std::sin(rotation), 0};
  const Vector3 up{-std::sin(tilt) * std::sin(rotation), std::sin(tilt) * std::cos(rotation), std::cos(tilt)};
  const Vector3 to_eye = cross(right, up);
  std::string script = fmt::format(
      "set title '{} points in {} levels' noenhanced\nset size ratio -1\nunset border\nunset tics\nset key outside "
      "right\n"
      "set palette defined (0 '#b2182b', 0.5 '#f4a582', 1 '#2166ac')\nunset colorbox\nset cbrange [0:{}]\n",
      shell.points().size(), shell.levels(), std::max<std::size_t>(shell.levels() - 1, 1));
  std::string plot = "plot ";
  for (std::size_t level = shell.levels(); level-- > 0;) {  // the coarse ones on top
    std::string dots;
    for (std::size_t i = 0; i < shell.points().size(); ++i) {
      const auto& [position, normal] = shell.points()[i];
      if (shell.level_of(i) == level && dot(normal, to_eye) > 0) {
        dots += fmt::format("{:.6g} {:.6g} {}\n", dot(position, right), dot(position, up), level);
      }
    }
    if (!dots.empty()) {
      script += fmt::format("$level{} << EOD\n{}EOD\n", level, dots);
      const double size =
          0.25 + 1.2 * static_cast<double>(shell.levels() - 1 - level) / static_cast<double>(shell.levels());
      plot += fmt::format("{}$level{} using 1:2:3 with points pt 7 ps {:.2f} lc palette title 'level {}'",
                          plot.size() > 5 ? ", " : "", level, size, level);
    }
  }
  return script + plot + "\n";
}

}  // namespace

int shell(const ShellArguments& arguments) {
  if (!arguments.out.empty() && std::filesystem::path(arguments.out).extension() != ".ply") {
    throw io::InputError(fmt::format("--out = {}: must end with .ply", arguments.out));
  }
  const MeshInput input = read_mesh_input(arguments);
  const Stopwatch watch;
  const auto made = made_with_progress("point shell", [&](const geometry::Progress& progress) {
    return cached_point_shell(input.mesh, {arguments.points, arguments.levels, arguments.seed}, cache_of(arguments),
                              progress);
  });
  const double seconds = watch.seconds();
  const PointShell& shell = made.thing;
  if (!arguments.out.empty()) {
    io::write_text(arguments.out, to_ply(shell));
  }
  if (!arguments.figure.empty()) {
    lab::draw(arguments.figure, {760, 640, 13}, figure_script(shell));
  }
  if (arguments.json) {
    nlohmann::json levels = nlohmann::json::array();
    for (std::size_t l = 0; l < shell.levels(); ++l) {
      levels.push_back({{"points", shell.points_in_level(l)}, {"spacing", shell.spacing(l)}});
    }
    fmt::print("{}\n", json_text(nlohmann::json{{"mesh", to_json(input)},
                                                {"points", shell.points().size()},
                                                {"levels", levels},
                                                {"nodes", shell.nodes().size()},
                                                {"radius", shell.nodes()[0].radius},
                                                {"bytes", shell.bytes()},
                                                {"seconds", seconds},
                                                {"from_cache", made.from_cache},
                                                {"cache_file", made.file.string()}}));
    return exit_good;
  }
  fmt::print("{}", to_text(input));
  for (std::size_t l = 0; l < shell.levels(); ++l) {
    fmt::print("level {:<13} {} points, {:.4g} m apart\n", l, shell.points_in_level(l), shell.spacing(l));
  }
  fmt::print("tree                {} nodes in a sphere of {:.6g} m\n", shell.nodes().size(), shell.nodes()[0].radius);
  fmt::print("memory              {:.2f} MB\n", static_cast<double>(shell.bytes()) / 1e6);
  fmt::print("{}{:.3f} s\n", made.from_cache ? "read in             " : "made in             ", seconds);
  fmt::print("kept in             {}\n", made.file.empty() ? "nothing" : one_line(made.file.string()));
  for (const std::string& file : {arguments.out, arguments.figure}) {
    if (!file.empty()) {
      fmt::print("written             {}\n", one_line(file));
    }
  }
  return exit_good;
}

}  // namespace stiction::cli
