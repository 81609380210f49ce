#include "stiction/geometry/distance_field.h"

#include <algorithm>
#include <cmath>

#include "stiction/problem.h"

namespace stiction::geometry {
namespace {

constexpr std::size_t side = FieldData::side;
constexpr double corner_reach = 0.86605;  // > √3/2 ≥ √v: root mean square distance of the corners of a cell, in cells
constexpr double steepest = 1.75;         // > √3 ≥ |∇T|; both cover the rounding of the nodes to 32 bits

/// The trilinear interpolation T in a cell, its gradient by the cell's coordinates, and Σ t(1 − t) over the axes, which
/// is v of the header in cells².
struct Interpolated {
  double value;
  Vector3 gradient;
  double spread;
};
/// `corner` is the lowest of the cell, z is the fastest axis, t lies in [0, 1].
inline Interpolated interpolate(const float* corner, std::size_t x_stride, std::size_t y_stride,
                                const Vector3& t) noexcept {
  const auto pair = [&](std::size_t at) { return std::array{double{corner[at]}, double{corner[at + 1]}}; };
  const auto c00 = pair(0);
  const auto c01 = pair(y_stride);
  const auto c10 = pair(x_stride);
  const auto c11 = pair(x_stride + y_stride);
  const auto lerp = [](double a, double b, double s) { return a + s * (b - a); };
  // along z, then y, then x
  const double z00 = lerp(c00[0], c00[1], t[2]);
  const double z01 = lerp(c01[0], c01[1], t[2]);
  const double z10 = lerp(c10[0], c10[1], t[2]);
  const double z11 = lerp(c11[0], c11[1], t[2]);
  const double y0 = lerp(z00, z01, t[1]);
  const double y1 = lerp(z10, z11, t[1]);
  const double slope_y = lerp(z01 - z00, z11 - z10, t[0]);
  const double slope_z =
      lerp(lerp(c00[1] - c00[0], c01[1] - c01[0], t[1]), lerp(c10[1] - c10[0], c11[1] - c11[0], t[1]), t[0]);
  return {lerp(y0, y1, t[0]), {y1 - y0, slope_y, slope_z}, t[0] * (1 - t[0]) + t[1] * (1 - t[1]) + t[2] * (1 - t[2])};
}

/// A position in the grid: its cell, and the fractions along its sides.
struct GridPosition {
  std::array<std::int32_t, 3> cell;
  Vector3 t;
};

/// T of the block that holds the cell.
inline Interpolated near_value(const FieldData& data, std::uint32_t block, const GridPosition& position) noexcept {
  constexpr std::size_t row = side + 1;
  const auto in_block = [](std::int32_t i) { return static_cast<std::size_t>(i) % side; };
  const std::size_t at =
      (in_block(position.cell[0]) * row + in_block(position.cell[1])) * row + in_block(position.cell[2]);
  return interpolate(&data.near[block * FieldData::nodes + at], row * row, row, position.t);
}

inline std::uint32_t block_of(const FieldData& data, const std::array<std::int32_t, 3>& cell) noexcept {
  const auto block = [](std::int32_t i) { return static_cast<std::size_t>(i) / side; };
  return data.index[(block(cell[0]) * data.blocks[1] + block(cell[1])) * data.blocks[2] + block(cell[2])];
}

/// T, if the point is in the band.
inline bool find_near(const FieldData& data, double per_spacing, const Vector3& p, Interpolated& T) noexcept {
  const Vector3 u = scaled(per_spacing, difference(p, data.origin));
  const bool in_grid = u[0] >= 0 && u[1] >= 0 && u[2] >= 0 && u[0] < static_cast<double>(side * data.blocks[0]) &&
                       u[1] < static_cast<double>(side * data.blocks[1]) &&
                       u[2] < static_cast<double>(side * data.blocks[2]);  // false for NaN
  if (!in_grid) {
    return false;
  }
  GridPosition position{};
  for (std::size_t i = 0; i < 3; ++i) {
    position.cell[i] = static_cast<std::int32_t>(u[i]);
    position.t[i] = u[i] - position.cell[i];
  }
  const std::uint32_t block = block_of(data, position.cell);
  if (block == FieldData::no_block) {
    return false;
  }
  T = near_value(data, block, position);
  return std::abs(T.value) < data.band;
}

/// Outside the band or the grid: the lower bound, with the sign of the distance.
[[gnu::noinline]] DistanceField::Sample find_far(const FieldData& data, double per_spacing, const Vector3& p) noexcept {
  const auto& n = data.blocks;
  const double h = data.spacing;
  double outside_square = 0;  // square of the distance to the grid, in cells²
  GridPosition position{};
  GridPosition far{};  // among the nodes 8 h apart
  for (std::size_t i = 0; i < 3; ++i) {
    const double coordinate = (p[i] - data.origin[i]) * per_spacing;
    const auto cells = static_cast<std::int32_t>(side * n[i]);
    const double u = coordinate > 0 ? (coordinate < cells ? coordinate : cells) : 0;  // NaN: 0
    outside_square += (coordinate - u) * (coordinate - u);
    position.cell[i] = std::min(static_cast<std::int32_t>(u), cells - 1);
    position.t[i] = u - position.cell[i];
    far.cell[i] = position.cell[i] / static_cast<std::int32_t>(side);
    far.t[i] = u / side - far.cell[i];
  }
  const std::size_t y_stride = n[2] + 1;
  const std::size_t x_stride = (n[1] + 1) * y_stride;
  const std::size_t at = static_cast<std::size_t>(far.cell[0]) * x_stride +
                         static_cast<std::size_t>(far.cell[1]) * y_stride + static_cast<std::size_t>(far.cell[2]);
  const Interpolated T = interpolate(&data.far[at], x_stride, y_stride, far.t);
  // |d| ≥ band in a block that is not kept, and |d| ≥ √(band² − ¾ h²) in one that is.
  const double min_square = std::max(data.band * data.band - 0.75 * h * h, T.value * T.value - 64 * h * h * T.spread);
  const double lower = std::sqrt(std::max(min_square, 0.0) + outside_square * h * h);
  if (std::isnan(lower)) {
    return {lower, {lower, lower, lower}, false};
  }
  // Nodes 8 h apart may lie on both sides of the surface if a block is kept; the near ones do not then.
  const std::uint32_t block = block_of(data, position.cell);
  const double sign = block == FieldData::no_block ? T.value : near_value(data, block, position).value;
  return {std::copysign(lower, sign), scaled(per_spacing / side, T.gradient), false};
}

}  // namespace

DistanceField::DistanceField(FieldData data) : data_(std::move(data)), per_spacing_(1 / data_.spacing) {
  const auto& n = data_.blocks;
  const std::size_t blocks = std::size_t{n[0]} * n[1] * n[2];
  const std::size_t kept = data_.near.size() / FieldData::nodes;
  constexpr std::uint32_t max_blocks = 1024;  // along an axis, so that the product above is the number of blocks
  const bool sizes = std::ranges::all_of(n, [](std::uint32_t i) { return i > 0 && i <= max_blocks; }) &&
                     data_.index.size() == blocks && data_.near.size() == kept * FieldData::nodes &&
                     data_.far.size() == (std::size_t{n[0]} + 1) * (n[1] + 1) * (n[2] + 1);
  const bool indices =
      std::ranges::all_of(data_.index, [&](std::uint32_t i) { return i == FieldData::no_block || i < kept; });
  const auto finite = [](float x) { return std::isfinite(x); };
  // Far beyond what meshes may have, and such that squares and inverses stay finite
  constexpr Range sizes_of_cells{1e-30, 1e30, true, true, ""};
  const bool placed = std::ranges::all_of(data_.origin, [](double x) { return std::abs(x) <= sizes_of_cells.high; });
  const bool numbers = sizes_of_cells.holds(data_.spacing) && sizes_of_cells.holds(data_.band) && placed &&
                       is_box(data_.solid) && std::ranges::all_of(data_.near, finite) &&
                       std::ranges::all_of(data_.far, finite);
  if (!sizes || !indices || !numbers) {
    throw MeshError("the data of the distance field are inconsistent");
  }
}

DistanceField::Sample DistanceField::at(const Vector3& p) const noexcept {
  Interpolated T{};
  return find_near(data_, per_spacing_, p, T) ? Sample{T.value, scaled(per_spacing_, T.gradient), true}
                                              : find_far(data_, per_spacing_, p);
}

double DistanceField::value(const Vector3& p) const noexcept {
  Interpolated T{};
  return find_near(data_, per_spacing_, p, T) ? T.value : find_far(data_, per_spacing_, p).value;
}

double DistanceField::clearance(const Vector3& p) const noexcept {
  Interpolated T{};
  const bool near = find_near(data_, per_spacing_, p, T);
  const double value = near ? T.value : find_far(data_, per_spacing_, p).value;
  if (!(value > 0)) {
    return 0;
  }
  const double h = data_.spacing;
  if (!near) {
    return std::max(value - corner_reach * h, 0.0);
  }
  // d ≥ √(T² − v)
  const double by_distance = std::sqrt(std::max(value * value - h * h * T.spread, 0.0)) - corner_reach * h;
  const double by_slope = std::min(value / steepest, data_.band - corner_reach * h);
  return std::max({by_distance, by_slope, 0.0});
}

double DistanceField::clearance_of(const Sample& sample) const noexcept {
  const double band_limit = data_.band - corner_reach * data_.spacing;
  const double clear =
      sample.exact ? std::min(sample.value / steepest, band_limit) : sample.value - corner_reach * data_.spacing;
  return clear > 0 ? clear : 0;  // NaN: 0
}

std::size_t DistanceField::bytes() const noexcept {
  return data_.index.size() * sizeof(std::uint32_t) + (data_.near.size() + data_.far.size()) * sizeof(float);
}

}  // namespace stiction::geometry
