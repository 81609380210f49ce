// A point shell from the cache, behind its checksum. What is accepted is a tree: every node can be reached, once.
#include <vector>

#include "fuzz/support.h"
#include "geometry/cache_content.h"

using stiction::geometry::PointShell;

FUZZ_TARGET(cache_shell)(std::span<const std::uint8_t> input) {
  stiction::fuzz::accepted<stiction::geometry::MeshError>([&] {
    const PointShell shell(stiction::geometry::parse_shell_content(stiction::fuzz::Bytes(input).rest()));
    for (const auto& point : shell.points()) {
      FUZZ_REQUIRE(stiction::fuzz::all_finite(point.position) && stiction::fuzz::all_finite(point.normal));
    }
    // A walk down the tree ends after as many nodes as there are.
    std::vector<std::size_t> open{0};
    std::size_t visited = 0;
    while (!open.empty()) {
      const auto& node = shell.nodes()[open.back()];
      open.pop_back();
      FUZZ_REQUIRE(++visited <= shell.nodes().size());
      FUZZ_REQUIRE(stiction::fuzz::all_finite(node.centre) && std::isfinite(node.radius) && node.radius >= 0);
      FUZZ_REQUIRE(std::size_t{node.first_point} + node.point_count <= shell.points().size());
      for (std::size_t i = 0; i < node.child_count; ++i) {
        open.push_back(node.first_child + i);
      }
    }
    FUZZ_REQUIRE(shell.points_in_level(shell.levels() - 1) == shell.points().size());
  });
}
