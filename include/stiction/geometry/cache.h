// Distance fields and point shells on disk, so that they are made once. A file's name is a hash of the mesh and the
// parameters; its content has a checksum. A file that is stale, cut short or damaged is made again, with one line of
// notice. Files get their name when they are complete, so a writer that was killed leaves nothing that is used.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/mesh.h"
#include "stiction/geometry/point_shell.h"

namespace stiction::geometry {

struct Cache {
  std::filesystem::path folder;                              // empty: no cache. Made where it does not exist
  std::function<void(const std::string& line)> notice = {};  // told of what was wrong; work goes on
};

/// $XDG_CACHE_HOME/stiction, else ~/.cache/stiction; empty where neither variable is set to an absolute path.
std::filesystem::path default_cache_folder();

/// A thing that came from the cache or was made now.
template <class Thing>
struct Cached {
  Thing thing;
  std::filesystem::path file;  // where it is kept; empty: nowhere
  bool from_cache = false;
};

Cached<DistanceField> cached_distance_field(const Mesh& mesh, const FieldParams& params, const Cache& cache,
                                            const Progress& progress = {});
Cached<PointShell> cached_point_shell(const Mesh& mesh, const ShellParams& params, const Cache& cache,
                                      const Progress& progress = {});

}  // namespace stiction::geometry
