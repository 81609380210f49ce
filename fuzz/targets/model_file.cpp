// [model] of a TOML file. What is read and written again is the same model.
#include "stiction/io/model_file.h"

#include "fuzz/support.h"
#include "stiction/io/file.h"

using stiction::fuzz::accepted;

FUZZ_TARGET(model_file)(std::span<const std::uint8_t> input) {
  const std::string_view text = stiction::fuzz::Bytes(input).rest();
  accepted<stiction::io::InputError>([&] {
    const auto file = stiction::io::parse_model_file(text, "input");
    FUZZ_REQUIRE(!file.mass || (std::isfinite(*file.mass) && *file.mass > 0));
    const std::string written = stiction::io::to_toml(file.model);
    const auto again = stiction::io::parse_model_file(written, "written");
    FUZZ_REQUIRE(stiction::io::to_toml(again.model) == written);
  });
}
