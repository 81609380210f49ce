// A disk cache of distance fields and point shells, so that they are built once. The name of a file is a hash of the
// mesh and the parameters; its content has a checksum. A file that is stale, truncated or corrupt is rebuilt, with a
// one-line notice. Files are renamed when complete, so a writer that was killed leaves nothing that is used.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "stiction/export.h"
#include "stiction/geometry/distance_field.h"
#include "stiction/geometry/mesh.h"
#include "stiction/geometry/point_shell.h"

namespace stiction::geometry {

struct Cache {
  std::filesystem::path folder;                              // empty: no cache. Created if it does not exist
  std::function<void(const std::string& line)> notice = {};  // called with each problem; work continues
};

/// $XDG_CACHE_HOME/stiction, else ~/.cache/stiction; empty if neither variable is set to an absolute path.
STICTION_EXPORT std::filesystem::path default_cache_folder();

/// An object that was loaded from the cache or newly built.
template <class Thing>
struct Cached {
  Thing thing;
  std::filesystem::path file;  // of the cache; empty: not stored
  bool from_cache = false;
};

STICTION_EXPORT Cached<DistanceField> cached_distance_field(const Mesh& mesh, const FieldParams& params,
                                                            const Cache& cache, const Progress& progress = {});
STICTION_EXPORT Cached<PointShell> cached_point_shell(const Mesh& mesh, const ShellParams& params, const Cache& cache,
                                                      const Progress& progress = {});

}  // namespace stiction::geometry
