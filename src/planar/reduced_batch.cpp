#include "stiction/planar/reduced_batch.h"

#include <algorithm>
#include <cstring>

#include "../scalar/simd.h"
#include "require.h"

namespace stiction::planar {
namespace {

template <class Real>
constexpr std::size_t chunk = 512 / sizeof(Real);  // patches between two loops
template <class Real>
using Body = Bristle<3, ManyAtOnce<Real>>;

// What a patch is, one column each. Quotients are stored: they are what a step costs.
enum Column : std::size_t {
  stiffness,
  per_stiffness,
  damping,
  viscous,
  drop,  // μ_S − μ_C
  static_level,
  per_stribeck_velocity,
  exponent,
  elastic_share,
  per_plastic_share,  // 1/(1 − s_ba)
  plastic,            // 1: elasto-plastic, 0: LuGre, whose β is 1
  torque_radius,
  per_torque_radius,
  mean_square_radius,
  cells,
  column_count
};

template <class Real>
struct Work {
  using Index = typename SurfaceTable::BasicSpot<Real>::Index;
  std::array<const Real*, column_count> at;
  const Index* first_node;
  const SurfaceTable::BasicNode<Real>* nodes;
  std::size_t n;
  Real* z;            // 3 n
  const Real* twist;  // 3 n
  const Real* normal_force;
  Real dt;
  Real* wrench;  // 3 n
};

template <class Number, std::size_t size>
struct alignas(64) Numbers : std::array<Number, size> {};  // a vector must not lie across two lines of the cache

/// What the loops over some patches hand on. Several short loops instead of a long one: a processor then has many
/// patches at work at once, where each has to wait for its own last result most of the time.
template <class Real>
struct Some {
  using List = Numbers<Real, chunk<Real>>;
  Numbers<typename Work<Real>::Index, chunk<Real>> node, row;
  List w00, w10, w01, w11;
  List hx, hy, ht;  // of the limit surface
  List speed, settled, per_settled, length, per_length, beta;
  List zx, zy, zt, start, per_start;
};

/// h between four nodes, as one vector and a number that is not used. Two nodes of a row are neighbours, and in single
/// precision one vector.
using Nodes = float __attribute__((vector_size(32), aligned(4)));
using One = float __attribute__((vector_size(16), aligned(4)));
STICTION_ALWAYS_INLINE void blend(const SurfaceTable::BasicNode<float>* low, const SurfaceTable::BasicNode<float>* high,
                                  float w00, float w10, float w01, float w11, float* h) noexcept {
  Nodes a;
  Nodes b;
  std::memcpy(&a, low, sizeof a);
  std::memcpy(&b, high, sizeof b);
  const Nodes both =
      Nodes{w00, w00, w00, w00, w10, w10, w10, w10} * a + Nodes{w01, w01, w01, w01, w11, w11, w11, w11} * b;
  const One sum = __builtin_shufflevector(both, both, 0, 1, 2, 3) + __builtin_shufflevector(both, both, 4, 5, 6, 7);
  std::memcpy(h, &sum, sizeof sum);
}
/// For some patches at once: they are stored one by one and read back component by component.
STICTION_ALWAYS_INLINE void blend(const Work<float>& w, std::size_t count, Some<float>& some) noexcept {
  alignas(64) std::array<float, 4 * chunk<float>> h;
  for (std::size_t i = 0; i < count; ++i) {
    const auto* const low = w.nodes + some.node[i];
    blend(low, low + some.row[i], some.w00[i], some.w10[i], some.w01[i], some.w11[i], &h[4 * i]);
  }
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    some.hx[i] = h[4 * i];
    some.hy[i] = h[4 * i + 1];
    some.ht[i] = h[4 * i + 2];
  }
}
STICTION_ALWAYS_INLINE void blend(const Work<double>& w, std::size_t count, Some<double>& some) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const auto* const low = w.nodes + some.node[i];
    const auto* const high = low + some.row[i];
    std::array<double, 4> h{};
    for (std::size_t k = 0; k < 4; ++k) {
      h[k] = some.w00[i] * low[0].h[k] + some.w10[i] * low[1].h[k] + some.w01[i] * high[0].h[k] +
             some.w11[i] * high[1].h[k];
    }
    some.hx[i] = h[0];
    some.hy[i] = h[1];
    some.ht[i] = h[2];
  }
}

template <bool plain, class Real>
STICTION_ALWAYS_INLINE void some_patches(const Work<Real>& w, std::size_t begin, std::size_t count,
                                         Some<Real>& some) noexcept {
  using Body = Body<Real>;
  using Vector = typename Body::Vector;
  using Size = typename Body::Size;
  std::array<const Real*, column_count> at{};
  for (std::size_t i = 0; i < column_count; ++i) {
    at[i] = w.at[i] + begin;
  }
  const Real* const vx = w.twist + begin;
  const Real* const vy = w.twist + w.n + begin;
  const Real* const spin = w.twist + 2 * w.n + begin;
  Real* const zx = w.z + begin;
  Real* const zy = w.z + w.n + begin;
  Real* const turn = w.z + 2 * w.n + begin;
  const typename Work<Real>::Index* const first_node = w.first_node + begin;
  const Real dt = w.dt;
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const Vector v{vx[i], vy[i], at[torque_radius][i] * spin[i]};
    const auto spot = SurfaceTable::spot(v, at[cells][i]);
    some.node[i] = first_node[i] + spot.node;
    some.row[i] = spot.row;
    some.w00[i] = spot.w00;
    some.w10[i] = spot.w10;
    some.w01[i] = spot.w01;
    some.w11[i] = spot.w11;
    const Real speed = Body::size(v).length;
    const Real ratio = speed * at[per_stribeck_velocity][i];
    const Real power = plain ? ratio * ratio : std::pow(ratio, at[exponent][i]);
    some.speed[i] = speed;
    some.settled[i] = (at[static_level][i] - at[drop][i] * decay(power)) * at[per_stiffness][i];
  }
  blend(w, count, some);
  const auto path_at = [&](std::size_t i) STICTION_INLINE_LAMBDA {
    return Body::path({-some.hx[i], -some.hy[i], -some.ht[i]}, {some.length[i], some.per_length[i]}, some.settled[i],
                      some.per_settled[i], at[elastic_share][i], at[per_plastic_share][i]);
  };
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const Size size = Body::size({some.hx[i], some.hy[i], some.ht[i]});
    some.length[i] = size.length;
    some.per_length[i] = size.inverse;
    some.per_settled[i] = 1 / some.settled[i];
    some.zx[i] = zx[i];
    some.zy[i] = zy[i];
    some.zt[i] = turn[i] * at[per_torque_radius][i];
    const Size start = Body::size({some.zx[i], some.zy[i], some.zt[i]});
    some.start[i] = start.length;
    some.per_start[i] = start.inverse;
  }
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const Vector z{some.zx[i], some.zy[i], some.zt[i]};
    const Real beta = Body::creep_half_way(path_at(i), z, {some.start[i], some.per_start[i]}, some.speed[i] * dt);
    some.beta[i] = multiply_add(at[plastic][i], beta, 1 - at[plastic][i]);
  }
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const auto path = path_at(i);
    const Vector z{some.zx[i], some.zy[i], some.zt[i]};
    // A LuGre bristle stays within by itself.
    const auto bent =
        Body::within(path, {some.start[i], some.per_start[i]}, Body::along(path, z, some.beta[i], some.speed[i] * dt));
    some.zx[i] = bent.z[0];
    some.zy[i] = bent.z[1];
    some.zt[i] = bent.z[2];
    some.start[i] = bent.size.length;
    some.per_start[i] = bent.size.inverse;
  }
  Real* const fx = w.wrench + begin;
  Real* const fy = w.wrench + w.n + begin;
  Real* const torque = w.wrench + 2 * w.n + begin;
  const Real* const normal = w.normal_force + begin;
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const auto path = path_at(i);
    const Vector z{some.zx[i], some.zy[i], some.zt[i]};
    const Real creep = Body::creep(path, Body::cosine(path, z, some.per_start[i]), some.start[i]);
    const Real pull = multiply_add(at[plastic][i], creep, 1 - at[plastic][i]) * path.per_settled;
    const Real s0 = at[stiffness][i];
    const Real s1 = at[damping][i] * some.speed[i];
    const Real s2 = at[viscous][i];
    const Real r = at[torque_radius][i];
    zx[i] = z[0];
    zy[i] = z[1];
    turn[i] = z[2] * r;
    const auto pushed = [&](std::size_t k, Real viscous_part) STICTION_INLINE_LAMBDA {
      return multiply_add(s0, z[k], multiply_add(s1, multiply_add(-pull, z[k], path.d[k]), viscous_part));
    };
    fx[i] = -pushed(0, s2 * vx[i]) * normal[i];
    fy[i] = -pushed(1, s2 * vy[i]) * normal[i];
    torque[i] = -multiply_add(r, pushed(2, Real(0)), s2 * at[mean_square_radius][i] * spin[i]) * normal[i];
  }
}

template <class Real>
STICTION_ALWAYS_INLINE void all_patches(const Work<Real>& w, bool plain) noexcept {
  for (std::size_t begin = 0; begin < w.n; begin += chunk<Real>) {
    Some<Real> some;
    const std::size_t count = std::min(chunk<Real>, w.n - begin);
    if (plain) {
      some_patches<true>(w, begin, count, some);
    } else {
      some_patches<false>(w, begin, count, some);
    }
  }
}
[[gnu::flatten]] STICTION_SIMD_CLONES void step_all(const Work<double>& w, bool plain) noexcept {
  all_patches(w, plain);
}
[[gnu::flatten]] STICTION_SIMD_CLONES void step_all(const Work<float>& w, bool plain) noexcept {
  all_patches(w, plain);
}

}  // namespace

template <class Real>
BasicReducedBatch<Real>::BasicReducedBatch(std::span<const SurfaceTable> surfaces, std::span<const Item> patches) {
  static_assert(std::tuple_size_v<decltype(columns_)> == column_count);
  std::vector<Index> first;
  for (const SurfaceTable& table : surfaces) {
    first.push_back(static_cast<Index>(nodes_.size()));
    for (const auto& [h] : table.nodes()) {
      nodes_.push_back({{Real(h[0]), Real(h[1]), Real(h[2]), Real(h[3])}});
    }
  }
  for (const Item& item : patches) {
    const Friction& p = item.friction;
    if (const auto problem = check(p)) {
      throw InvalidParameter(*problem);
    }
    require(item.surface < surfaces.size(), "surface", static_cast<double>(item.surface),
            "one of the surfaces, from 0");
    require(positive.holds(item.torque_radius), "torque_radius", item.torque_radius, positive.text);
    const std::array<double, column_count> values{p.stiffness,
                                                  1 / p.stiffness,
                                                  p.damping,
                                                  p.viscous,
                                                  p.static_level - p.coulomb,
                                                  p.static_level,
                                                  1 / p.stribeck_velocity,
                                                  p.stribeck_exponent,
                                                  p.elastic_share,
                                                  1 / (1 - p.elastic_share),
                                                  p.elasto_plastic ? 1.0 : 0.0,
                                                  item.torque_radius,
                                                  1 / item.torque_radius,
                                                  item.mean_square_radius,
                                                  static_cast<double>(surfaces[item.surface].cells())};
    for (std::size_t i = 0; i < values.size(); ++i) {
      columns_[i].push_back(static_cast<Real>(values[i]));
    }
    first_node_.push_back(first[item.surface]);
    plain_ = plain_ && p.stribeck_exponent == 2;
  }
}

template <class Real>
void BasicReducedBatch<Real>::resize(std::size_t patch, double r, double u) noexcept {
  columns_[torque_radius][patch] = static_cast<Real>(r);
  columns_[per_torque_radius][patch] = static_cast<Real>(1 / r);
  columns_[mean_square_radius][patch] = static_cast<Real>(u);
}

template <class Real>
void BasicReducedBatch<Real>::step(std::span<Real> states, std::span<const Real> twists,
                                   std::span<const Real> normal_forces, Real dt,
                                   std::span<Real> wrenches) const noexcept {
  Work<Real> work{{}, first_node_.data(), nodes_.data(), size(), states.data(), twists.data(), normal_forces.data(),
                  dt, wrenches.data()};
  std::transform(columns_.begin(), columns_.end(), work.at.begin(), [](const auto& column) { return column.data(); });
  step_all(work, plain_);
}

template class BasicReducedBatch<double>;
template class BasicReducedBatch<float>;

}  // namespace stiction::planar
