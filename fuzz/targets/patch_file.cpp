// [patch] of a TOML file. What is accepted is a patch whose shares sum to 1.
#include "stiction/io/patch_file.h"

#include <numeric>

#include "fuzz/support.h"
#include "fuzz/toml_inputs.h"
#include "stiction/io/file.h"

using stiction::fuzz::accepted;

FUZZ_TARGET(patch_file)(std::span<const std::uint8_t> input) {
  const std::string_view text = stiction::fuzz::Bytes(input).rest();
  if (stiction::fuzz::large_count(text, "cells")) {
    return;
  }
  accepted<stiction::io::InputError>([&] {
    const auto patch = stiction::io::parse_patch_file(text, "input");
    const auto& points = patch.points();
    FUZZ_REQUIRE(patch.size() > 0);
    FUZZ_REQUIRE(std::abs(std::accumulate(points.share.begin(), points.share.end(), 0.0) - 1) < 1e-9);
    FUZZ_REQUIRE(std::isfinite(patch.radius()) && std::isfinite(patch.torque_radius()));
    FUZZ_REQUIRE(patch.torque_radius() <= patch.radius() * (1 + 1e-9));
    FUZZ_REQUIRE(stiction::fuzz::all_finite(points.x) && stiction::fuzz::all_finite(points.y));
  });
}
