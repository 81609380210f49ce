// A distance field from the cache, behind its checksum. What is accepted can be looked up anywhere.
#include "fuzz/support.h"
#include "geometry/cache_content.h"

using stiction::geometry::DistanceField;

FUZZ_TARGET(cache_field)(std::span<const std::uint8_t> input) {
  stiction::fuzz::accepted<stiction::geometry::MeshError>([&] {
    const DistanceField field(stiction::geometry::parse_field_content(stiction::fuzz::Bytes(input).rest()));
    const auto& data = field.data();
    const double extent = data.spacing * stiction::geometry::FieldData::side;
    for (int i = -1; i < 20; ++i) {
      for (const double aside : {0.0, 0.49, 1.0}) {
        const double along = i / 4.0 * extent;
        const auto sample =
            field.at({data.origin[0] + along, data.origin[1] + aside * extent, data.origin[2] + along * aside});
        FUZZ_REQUIRE(std::isfinite(sample.value) && stiction::fuzz::all_finite(sample.gradient));
        FUZZ_REQUIRE(field.clearance_of(sample) >= 0);
      }
    }
    (void)field.at({NAN, 0, 0});
    (void)field.at({1e300, -1e300, stiction::infinity});
    FUZZ_REQUIRE(field.bytes() > 0);
  });
}
