#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "complain.h"
#include "json_text.h"
#include "lab.h"
#include "mesh_input.h"
#include "stiction/geometry/triangle_tree.h"

namespace stiction::cli {
namespace {

using geometry::DistanceField;
using geometry::Mesh;

/// A plane across an axis.
struct Slice {
  std::size_t axis;
  double at;  // [m]
};
Slice slice_of(const std::string& text, const geometry::Box& box) {
  if (text.empty()) {
    const Vector3 size = box.size();
    const auto axis = static_cast<std::size_t>(std::ranges::min_element(size) - size.begin());
    return {axis, box.middle()[axis]};
  }
  const std::size_t axis = std::string("xyz").find(text[0]);
  double at = 0;
  std::size_t read = 0;
  try {
    at = text.size() > 2 ? std::stod(text.substr(2), &read) : 0;
  } catch (const std::exception&) {
    read = 0;
  }
  if (axis == std::string::npos || text.size() < 3 || text[1] != '=' || read != text.size() - 2 || !std::isfinite(at)) {
    throw io::InputError(fmt::format("--slice = {}: must be x=, y= or z= and a finite number", text));
  }
  return {axis, at};
}

/// The error of the field at random points near the surface, in cells.
struct Accuracy {
  int points = 0;
  double largest = 0, mean = 0;
};
Accuracy accuracy_of(const DistanceField& field, const Mesh& mesh, int count) {
  const geometry::TriangleTree tree(mesh);
  std::mt19937_64 random(1);  // the same points each time
  const auto unit = [&] { return static_cast<double>(random() >> 11U) * 0x1p-53; };
  Accuracy result;
  for (long tries = 0; result.points < count && tries < 100L * count; ++tries) {
    const auto triangle = static_cast<std::size_t>(unit() * static_cast<double>(mesh.triangles.size()));
    Vector3 p = mesh.corners(triangle)[random() % 3];
    for (double& x : p) {
      x += (2 * unit() - 1) * field.band();
    }
    const DistanceField::Sample sample = field.at(p);
    if (sample.exact) {
      const double error = std::abs(std::abs(sample.value) - tree.closest(p).distance) / field.spacing();
      result.largest = std::max(result.largest, error);
      result.mean += error;
      ++result.points;
    }
  }
  result.mean /= std::max(result.points, 1);
  return result;
}

/// The field in a plane, and where the plane cuts the mesh.
std::string figure_script(const DistanceField& field, const Mesh& mesh, const Slice& slice) {
  const std::size_t u = (slice.axis + 1) % 3;
  const std::size_t v = (slice.axis + 2) % 3;
  const geometry::Box& box = field.solid();
  const double margin = 0.1 * box.longest_side();
  const auto range = [&](std::size_t axis) { return std::array{box.low[axis] - margin, box.high[axis] + margin}; };
  std::string script = fmt::format(
      "set title 'Signed distance [m] at {} = {:.4g} m, and the mesh' noenhanced\nset xlabel '{} [m]'\nset ylabel '{} "
      "[m]'\n"
      "set size ratio -1\nset xrange [{}:{}]\nset yrange [{}:{}]\nset cbrange [{}:{}]\nset tics out nomirror\n"
      "set palette defined (-1 '#b2182b', -0.05 '#fddbc7', 0 '#f7f7f7', 0.05 '#d1e5f0', 1 '#2166ac')\n$field << EOD\n",
      "xyz"[slice.axis], slice.at, "xyz"[u], "xyz"[v], range(u)[0], range(u)[1], range(v)[0], range(v)[1], -margin,
      margin);
  constexpr int nodes = 200;
  const auto coordinate = [&](std::size_t axis, int i) {
    return range(axis)[0] + (range(axis)[1] - range(axis)[0]) * i / (nodes - 1);
  };
  for (int j = 0; j < nodes; ++j) {
    for (int i = 0; i < nodes; ++i) {
      Vector3 p{};
      p[slice.axis] = slice.at;
      p[u] = coordinate(u, i);
      p[v] = coordinate(v, j);
      script += fmt::format("{:.6g} {:.6g} {:.5g}\n", p[u], p[v], field.value(p));
    }
    script += '\n';
  }
  script += "EOD\n$cut << EOD\n";
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto c = mesh.corners(t);
    std::string ends;
    for (std::size_t k = 0; k < 3; ++k) {
      const double a = c[k][slice.axis] - slice.at;
      const double b = c[(k + 1) % 3][slice.axis] - slice.at;
      if ((a < 0) != (b < 0)) {
        const double share = a / (a - b);
        ends += fmt::format("{:.6g} {:.6g}\n", c[k][u] + share * (c[(k + 1) % 3][u] - c[k][u]),
                            c[k][v] + share * (c[(k + 1) % 3][v] - c[k][v]));
      }
    }
    script += ends.empty() ? "" : ends + "\n";
  }
  return script + "0 0\n\nEOD\nplot $field with image notitle, $cut with lines lc rgb 'black' lw 1.5 notitle\n";
}

}  // namespace

int sdf(const SdfArguments& arguments) {
  if (arguments.check_points < 0 || arguments.check_points > 10000000) {
    throw io::InputError(fmt::format("--check = {}: must be from 0 to 10000000", arguments.check_points));
  }
  const MeshInput input = read_mesh_input(arguments);
  const Slice slice = slice_of(arguments.slice, bounds(input.mesh));
  const Stopwatch watch;
  const auto made = made_with_progress("distance field", [&](const geometry::Progress& progress) {
    return cached_distance_field(input.mesh, {arguments.resolution, arguments.band}, cache_of(arguments), progress);
  });
  const double seconds = watch.seconds();
  const DistanceField& field = made.thing;
  const geometry::FieldData& data = field.data();
  const std::size_t kept = data.near.size() / geometry::FieldData::nodes;
  const Accuracy accuracy = accuracy_of(field, input.mesh, arguments.check_points);
  if (!arguments.figure.empty()) {
    lab::draw(arguments.figure, {760, 640, 13}, figure_script(field, input.mesh, slice));
  }
  if (arguments.json) {
    fmt::print(
        "{}\n",
        json_text(nlohmann::json{
            {"mesh", to_json(input)},
            {"spacing", field.spacing()},
            {"band", field.band()},
            {"cells", {8 * data.blocks[0], 8 * data.blocks[1], 8 * data.blocks[2]}},
            {"blocks", kept},
            {"blocks_of", data.index.size()},
            {"bytes", field.bytes()},
            {"seconds", seconds},
            {"from_cache", made.from_cache},
            {"cache_file", made.file.string()},
            {"error",
             {{"points", accuracy.points}, {"largest_cells", accuracy.largest}, {"mean_cells", accuracy.mean}}}}));
    return exit_good;
  }
  fmt::print("{}", to_text(input));
  fmt::print("cells               {} x {} x {} of {:.6g} m\n", 8 * data.blocks[0], 8 * data.blocks[1],
             8 * data.blocks[2], field.spacing());
  fmt::print("band                {:.6g} m on each side, {} blocks of {}\n", field.band(), kept, data.index.size());
  fmt::print("memory              {:.1f} MB\n", static_cast<double>(field.bytes()) / 1e6);
  fmt::print("{}{:.3f} s\n", made.from_cache ? "read in             " : "made in             ", seconds);
  fmt::print("kept in             {}\n", made.file.empty() ? "nothing" : one_line(made.file.string()));
  if (accuracy.points > 0) {
    fmt::print(
        "off by              {:.3f} cells at most, {:.4f} on average ({} points near the surface, against the exact "
        "distance)\n",
        accuracy.largest, accuracy.mean, accuracy.points);
  }
  if (!arguments.figure.empty()) {
    fmt::print("written             {}\n", one_line(arguments.figure));
  }
  return exit_good;
}

}  // namespace stiction::cli
