// One triangle and many points at once.
#pragma once

#include <array>
#include <cstddef>

#include "../simd.h"
#include "stiction/geometry/mesh.h"

namespace stiction::geometry {

struct PointBatch {
  static constexpr std::size_t capacity = 128;
  alignas(64) std::array<double, capacity> x{}, y{}, z{};
  alignas(64) std::array<double, capacity> square{};  // square of the smallest distance so far
  std::size_t size = 0;
};
struct TriangleKernels {
  /// Reduces the squares for points closer to this triangle.
  void (*lower_squares)(const std::array<Vector3, 3>& corners, PointBatch& points) noexcept;
};
STICTION_TABLE(TriangleKernels, triangle_kernels)

}  // namespace stiction::geometry
