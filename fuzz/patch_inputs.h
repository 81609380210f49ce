// Patches and their friction from bytes.
#pragma once

#include <optional>

#include "fuzz/support.h"
#include "stiction/planar/friction.h"
#include "stiction/planar/patch.h"

namespace stiction::fuzz {

/// Up to 16 points or 5 × 5 cells with any numbers; none where they are refused.
inline std::optional<planar::Patch> patch_from(Bytes& bytes) {
  std::optional<planar::Patch> patch;
  accepted<InvalidParameter>([&] {
    if (bytes.flag()) {
      planar::Points points;
      for (std::size_t n = bytes.below(16) + 1; n > 0; --n) {
        const planar::Point at{bytes.any_number(), bytes.any_number()};
        points.add(at, bytes.number_for(non_negative));
      }
      patch.emplace(points);
    } else {
      planar::PressureGrid grid{bytes.below(6), bytes.below(6), {bytes.any_number(), bytes.any_number()}, 0, 0, {}};
      grid.width = bytes.number_for(positive);
      grid.height = bytes.number_for(positive);
      grid.pressure.resize(grid.columns * grid.rows);
      std::ranges::generate(grid.pressure, [&] { return bytes.number_for(non_negative); });
      patch.emplace(grid);
    }
  });
  return patch;
}

inline planar::Friction patch_friction_from(Bytes& bytes) {
  planar::Friction friction = planar::preset::waltersson_p1();
  for (const auto& field : planar::friction_fields) {
    friction.*field.member = bytes.flag() ? bytes.number_for(field.range) : friction.*field.member;
  }
  friction.elasto_plastic = bytes.flag();
  return friction;
}

inline planar::Twist twist_from(Bytes& bytes, double limit) {
  return {bytes.finite_number(limit), bytes.finite_number(limit), bytes.finite_number(limit)};
}

inline bool is_finite(const planar::Wrench& w) {
  return std::isfinite(w.x) && std::isfinite(w.y) && std::isfinite(w.torque);
}

}  // namespace stiction::fuzz
