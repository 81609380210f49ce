#include "mesh_input.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "complain.h"
#include "stiction/geometry/mesh_file.h"

namespace stiction::cli {

MeshInput read_mesh_input(const MeshArguments& arguments) {
  if (!positive.holds(arguments.scale)) {
    throw io::InputError(fmt::format("--scale = {}: must be {}", arguments.scale, positive.text));
  }
  const std::filesystem::path figure = arguments.figure;
  if (!figure.empty() && figure.extension() != ".svg" && figure.extension() != ".png") {
    throw io::InputError(fmt::format("--figure = {}: must end with .svg or .png", arguments.figure));
  }
  if (arguments.no_cache && !arguments.cache.empty()) {
    throw io::InputError("--cache and --no-cache exclude each other");
  }
  MeshInput input;
  const geometry::Mesh mesh = geometry::read_mesh(arguments.file, arguments.scale);
  try {
    input.mesh = geometry::checked_mesh(mesh, arguments.file, &input.report);
  } catch (const geometry::MeshError& error) {
    if (std::string_view(error.what()).find(" edge") == std::string_view::npos) {
      throw;
    }
    throw io::InputError(fmt::format("{} (try: stiction mesh repair {})", error.what(), arguments.file));
  }
  return input;
}

geometry::Cache cache_of(const MeshArguments& arguments) {
  const auto folder = arguments.no_cache         ? std::filesystem::path{}
                      : !arguments.cache.empty() ? std::filesystem::path(arguments.cache)
                                                 : geometry::default_cache_folder();
  return {folder, complain};
}

nlohmann::json to_json(const MeshInput& input) {
  const geometry::Box box = bounds(input.mesh);
  const geometry::MeshReport& r = input.report;
  return {{"triangles", input.mesh.triangles.size()},
          {"vertices", input.mesh.vertices.size()},
          {"parts", r.parts},
          {"low", box.low},
          {"high", box.high},
          {"area", area(input.mesh)},
          {"volume", volume(input.mesh)},
          {"welded", r.welded},
          {"unused", r.unused},
          {"degenerate", r.degenerate},
          {"duplicate", r.duplicate},
          {"flipped", r.flipped},
          {"slivers", r.slivers}};
}

std::string to_text(const MeshInput& input) {
  const Vector3 size = bounds(input.mesh).size();
  const std::string repairs = describe(input.report);
  return fmt::format(
      "mesh                {} triangles, {} vertices, {} part{}\nrepaired            {}\n"
      "size                {:.6g} x {:.6g} x {:.6g} m\narea, volume        {:.6g} m^2, {:.6g} m^3\n",
      input.mesh.triangles.size(), input.mesh.vertices.size(), input.report.parts, input.report.parts == 1 ? "" : "s",
      repairs.empty() ? "nothing" : repairs, size[0], size[1], size[2], area(input.mesh), volume(input.mesh));
}

}  // namespace stiction::cli
