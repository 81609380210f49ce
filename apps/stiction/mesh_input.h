// Shared by `stiction sdf` and `stiction shell`: a mesh from a file, the cache, and a clock.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "commands.h"
#include "progress.h"
#include "stiction/geometry/cache.h"
#include "stiction/geometry/mesh_check.h"
#include "stiction/io/file.h"
#include "stiction/problem.h"

namespace stiction::cli {

struct MeshInput {
  geometry::Mesh mesh;  // checked
  geometry::MeshReport report;
};
/// Checks the arguments that both commands have, reads and repairs the mesh.
MeshInput read_mesh_input(const MeshArguments& arguments);

/// The cache for results; notices go to stderr, one line each.
geometry::Cache cache_of(const MeshArguments& arguments);

nlohmann::json to_json(const MeshInput& input);
std::string to_text(const MeshInput& input);

/// Calls `make(progress)` with a progress bar. An invalid parameter is reported as the option it came from.
template <class Make>
auto made_with_progress(const char* label, const Make& make) {
  ProgressBar bar;
  try {
    return make([&](double fraction) { bar.show(label, fraction); });
  } catch (const InvalidParameter& error) {
    throw io::InputError("--" + std::string(error.what()));
  }
}

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace stiction::cli
