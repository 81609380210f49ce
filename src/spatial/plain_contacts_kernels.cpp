#include <algorithm>
#include <cmath>

#include "plain_contacts.h"

namespace stiction::spatial {
namespace {

STICTION_ALWAYS_INLINE Lanes inner(const Lanes3& a, const Lanes3& b) noexcept {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
STICTION_ALWAYS_INLINE Lanes3 outer(const Lanes3& a, const Lanes3& b) noexcept {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
STICTION_ALWAYS_INLINE Lanes magnitude(const Lanes& x) noexcept { return x < 0 ? -x : x; }
/// Displacement of the contact points at `arm`: translation + rotation × arm.
STICTION_ALWAYS_INLINE Lanes3 point_displacement(const Vector6& y, double per_length, const Lanes3& arm) noexcept {
  const Lanes3 rotation{Lanes{} + y[3] * per_length, Lanes{} + y[4] * per_length, Lanes{} + y[5] * per_length};
  Lanes3 displacement = outer(rotation, arm);
  for (std::size_t a = 0; a < 3; ++a) {
    displacement[a] += y[a];
  }
  return displacement;
}

STICTION_KERNEL bool usable(std::span<const PlainBlock> blocks) noexcept {
  auto good = Lanes{} == Lanes{};
  for (const PlainBlock& b : blocks) {
    // A NaN propagates through the sum
    const Lanes all = magnitude(b.arm[0]) + magnitude(b.arm[1]) + magnitude(b.arm[2]) + b.force + b.radius;
    good &= (all < largest_number) & (magnitude(inner(b.u, b.u) - 1.0) < 1e-6) & (b.force >= 0.0) & (b.radius >= 0.0);
  }
  bool all_good = true;
  for (std::size_t i = 0; i < lane_count; ++i) {
    all_good &= good[i] != 0;
  }
  return all_good;
}

STICTION_KERNEL double prepare(std::span<PlainBlock> blocks) noexcept {
  Lanes total{};
  for (PlainBlock& b : blocks) {
    Lanes3 normal = b.u;
    const Lanes square = inner(normal, normal);
    const auto tilted = magnitude(square - 1.0) > 1e-15;  // single-precision rounding must not count as a tilt
    const Lanes factor = tilted ? 1.0 / root(square) : Lanes{} + 1.0;
    for (Lanes& component : normal) {
      component *= factor;
    }
    // An arbitrary pair of tangents, without a square root (Duff et al. 2017)
    const auto& [x, y, z] = normal;
    const Lanes sign = z < 0 ? Lanes{} - 1.0 : Lanes{} + 1.0;
    const Lanes p = -1.0 / (sign + z);
    const Lanes q = x * y * p;
    b.u = {1.0 + sign * x * x * p, sign * q, -sign * x};
    b.v = {q, sign + y * y * p, -y};
    b.radius *= b.force;
    total += b.radius;
  }
  return sum(total);
}

STICTION_KERNEL void fill(std::span<const PlainBlock> blocks, Balls<2>& discs, double per_length,
                          double per_force) noexcept {
  std::size_t i = 0;
  for (const PlainBlock& b : blocks) {
    // Contacts without friction get zero columns, so that their unknowns cannot grow
    const Lanes counted = b.radius > 0 ? Lanes{} + 1.0 : Lanes{};
    const Lanes torque = counted * per_length;
    const Lanes3 about_u = outer(b.arm, b.u);
    const Lanes3 about_v = outer(b.arm, b.v);
    std::array<std::array<Lanes, 2>, 6> rows;
    for (std::size_t a = 0; a < 3; ++a) {
      rows[a] = {counted * b.u[a], counted * b.v[a]};
      rows[3 + a] = {torque * about_u[a], torque * about_v[a]};
    }
    discs.set_block(i++, rows, b.radius * per_force);
  }
}

STICTION_KERNEL void recall(std::span<const PlainBlock> blocks, Balls<2>& discs) noexcept {
  std::size_t i = 0;
  for (const PlainBlock& b : blocks) {
    discs.betas(i++) = {inner(b.share, b.u), inner(b.share, b.v)};
  }
}

STICTION_KERNEL void find_shares(std::span<PlainBlock> blocks, const Balls<2>& discs) noexcept {
  std::size_t i = 0;
  for (PlainBlock& b : blocks) {
    const auto& [along_u, along_v] = discs.betas(i++);
    for (std::size_t a = 0; a < 3; ++a) {
      b.share[a] = along_u * b.u[a] + along_v * b.v[a];
    }
  }
}

STICTION_KERNEL void report(std::span<const PlainBlock> blocks, const Balls<2>& discs, double per_length,
                            const PlainContacts::Moving& moving, std::span<ContactResult> results) noexcept {
  const Lanes moves = Lanes{} + (moving.scale > 0 ? 1.0 : 0.0);
  const Lanes opposes = Lanes{} + (moving.oppose ? 1.0 : 0.0);
  std::size_t block = 0;
  for (const PlainBlock& b : blocks) {
    const auto& [beta_u, beta_v] = discs.betas(block);
    const Lanes inside = 1.0 - beta_u * beta_u - beta_v * beta_v;
    const Lanes3 displacement = point_displacement(moving.y, per_length, b.arm);
    const Lanes slip_u = inner(b.u, displacement);
    const Lanes slip_v = inner(b.v, displacement);
    const Lanes slip = root(slip_u * slip_u + slip_v * slip_v);
    const auto slides = (moves > 0.0) & (b.radius > 0.0) & (inside < 1e-2) & (slip > inside * (Lanes{} + moving.scale));
    // Align friction exactly against its slip: the solver's residual error moves into the force balance
    const Lanes change = magnitude(slip * beta_u + slip_u) + magnitude(slip * beta_v + slip_v);
    const auto aligned = slides & (opposes > 0.0) & (change < 1e-3 * slip);
    const Lanes per_slip = 1.0 / (slip > 0 ? slip : Lanes{} + 1.0);
    const Lanes along_u = b.radius * (aligned ? -slip_u * per_slip : beta_u);
    const Lanes along_v = b.radius * (aligned ? -slip_v * per_slip : beta_v);
    // A frictionless contact slides if its slip exceeds min_slip
    const Lanes3 freely = point_displacement(moving.motion, 1, b.arm);
    const Lanes free_u = inner(b.u, freely);
    const Lanes free_v = inner(b.v, freely);
    const auto slips_freely = (moves > 0.0) & (b.radius <= 0.0) &
                              (free_u * free_u + free_v * free_v > Lanes{} + moving.min_slip * moving.min_slip);
    const Lanes3 force{along_u * b.u[0] + along_v * b.v[0], along_u * b.u[1] + along_v * b.v[1],
                       along_u * b.u[2] + along_v * b.v[2]};
    const auto state = slides | slips_freely;
    const std::size_t first = block * lane_count;
    for (std::size_t lane = 0; lane < std::min(lane_count, results.size() - first); ++lane) {
      results[first + lane] = {{force[0][lane], force[1][lane], force[2][lane]},
                               0,
                               state[lane] != 0 ? ContactState::slides : ContactState::sticks};
    }
    ++block;
  }
}

}  // namespace

constinit const PlainKernels STICTION_THIS_TABLE(plain_kernels){usable, prepare, fill, recall, find_shares, report};

}  // namespace stiction::spatial
