// Grey PNG images.
#include "io/grey_image.h"

#include "fuzz/support.h"
#include "stiction/io/file.h"

FUZZ_TARGET(grey_image)(std::span<const std::uint8_t> input) {
  const auto file = stiction::fuzz::file_in_memory(stiction::fuzz::Bytes(input).rest());
  stiction::fuzz::accepted<stiction::io::InputError>([&] {
    const auto rows = stiction::io::read_grey_png(file);
    FUZZ_REQUIRE(!rows.empty() && !rows.front().empty());
    for (const auto& row : rows) {
      FUZZ_REQUIRE(row.size() == rows.front().size());
      FUZZ_REQUIRE(std::ranges::all_of(row, [](double grey) { return grey >= 0 && grey <= 65535; }));
    }
  });
}
