// Polygons of any loops, also self-intersecting ones: a grid that makes a patch, or a refusal.
#include "fuzz/support.h"
#include "stiction/planar/shapes.h"

namespace planar = stiction::planar;

FUZZ_TARGET(polygon)(std::span<const std::uint8_t> input) {
  stiction::fuzz::Bytes bytes(input);
  const std::size_t columns = bytes.below(12);
  const std::size_t rows = bytes.below(12);
  std::vector<std::vector<planar::Point>> loops(bytes.below(4));
  for (auto& loop : loops) {
    loop.resize(bytes.below(9));
    for (auto& point : loop) {
      // Few different numbers, so that corners and edges meet
      point = bytes.flag() ? planar::Point{static_cast<double>(bytes.below(8)), static_cast<double>(bytes.below(8))}
                           : planar::Point{bytes.any_number(), bytes.any_number()};
    }
  }
  stiction::fuzz::accepted<stiction::InvalidParameter>([&] {
    const auto grid = planar::polygon_grid(loops, columns, rows);
    FUZZ_REQUIRE(grid.pressure.size() == columns * rows);
    FUZZ_REQUIRE(std::ranges::all_of(grid.pressure, [](double p) { return p >= 0; }));
    const planar::Patch patch(grid);
    const auto centre = patch.centre_of_pressure();
    FUZZ_REQUIRE(std::isfinite(centre.x) && std::isfinite(centre.y));
    for (const auto& loop : loops) {
      for (const auto& point : loop) {
        FUZZ_REQUIRE(std::isfinite(point.x) && std::isfinite(point.y));
      }
    }
  });
}
