// A servo's JSON file of Rhoban/bam. What is read and written again is the same servo.
#include "stiction/io/bam_file.h"

#include "fuzz/support.h"
#include "stiction/io/file.h"

using stiction::fuzz::accepted;

FUZZ_TARGET(bam_file)(std::span<const std::uint8_t> input) {
  const std::string_view text = stiction::fuzz::Bytes(input).rest();
  accepted<stiction::io::InputError>([&] {
    const auto servo = stiction::io::parse_bam_file(text, "input");
    FUZZ_REQUIRE(!stiction::scalar::Gear::check(servo.friction.params()));
    FUZZ_REQUIRE(servo.structure->contains(servo.friction.params()));
    const std::string written = stiction::io::to_bam_json(servo);
    FUZZ_REQUIRE(stiction::io::to_bam_json(stiction::io::parse_bam_file(written, "written")) == written);
  });
}
