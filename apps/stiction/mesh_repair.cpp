#include "stiction/geometry/mesh_repair.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "complain.h"
#include "json_text.h"
#include "stiction/geometry/mesh_file.h"
#include "stiction/problem.h"

namespace stiction::cli {

int mesh_repair(const RepairArguments& arguments) {
  if (!positive.holds(arguments.scale)) {
    throw io::InputError(fmt::format("--scale = {}: must be {}", arguments.scale, positive.text));
  }
  const std::filesystem::path file = arguments.file;
  const std::filesystem::path target =
      arguments.out.empty() ? "out/" + file.stem().string() + "-repaired.stl" : arguments.out;
  if (target.extension() != ".stl" && target.extension() != ".ply") {
    throw io::InputError(fmt::format("--out = {}: must end with .stl or .ply", target.string()));
  }
  const geometry::Mesh before = geometry::read_mesh(file, arguments.scale);
  const geometry::RepairOptions options{.weld = arguments.weld, .max_hole_edges = arguments.max_edges};
  geometry::RepairReport report;
  geometry::Mesh mesh;
  try {
    mesh = geometry::repaired_mesh(before, arguments.file, options, &report);
  } catch (const InvalidParameter& error) {
    throw io::InputError("--" + std::string(error.what()));
  }
  if (target.has_parent_path()) {
    io::make_folder(target.parent_path());
  }
  geometry::write_mesh(target, mesh);
  const std::string changes = describe(report);
  if (arguments.json) {
    fmt::print("{}\n", json_text(nlohmann::ordered_json{{"written", target.string()},
                                                        {"changed", report.changed()},
                                                        {"changes", changes},
                                                        {"weld", report.weld},
                                                        {"merged", report.near},
                                                        {"removed", report.removed},
                                                        {"holes", report.holes},
                                                        {"added", report.added},
                                                        {"largest_hole_edges", report.largest_edges},
                                                        {"largest_hole_size", report.largest_size},
                                                        {"welded", report.check.welded},
                                                        {"flipped", report.check.flipped},
                                                        {"parts", report.check.parts},
                                                        {"triangles", mesh.triangles.size()},
                                                        {"vertices", mesh.vertices.size()},
                                                        {"area", area(mesh)},
                                                        {"volume", volume(mesh)}}));
    return exit_good;
  }
  const Vector3 size = bounds(mesh).size();
  fmt::print("before              {} triangles, {} vertices\n", before.triangles.size(), before.vertices.size());
  fmt::print("changed             {}\n", changes.empty() ? "nothing: it was the surface of a solid" : changes);
  fmt::print("after               {} triangles, {} vertices, {} part{}\n", mesh.triangles.size(), mesh.vertices.size(),
             report.check.parts, report.check.parts == 1 ? "" : "s");
  fmt::print("size                {:.6g} x {:.6g} x {:.6g} m\n", size[0], size[1], size[2]);
  fmt::print("area, volume        {:.6g} m^2, {:.6g} m^3\n", area(mesh), volume(mesh));
  fmt::print("written: {}\n", one_line(target.string()));
  return exit_good;
}

}  // namespace stiction::cli
