#include "stiction/planar/reduced_batch.h"

#include <algorithm>
#include <cstring>
#include <limits>
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "../simd.h"
#include "require.h"

namespace stiction::planar {
namespace {

// What a patch is, one column each. Quotients are stored: they are what a step costs.
enum Column : std::size_t {
  stiffness,
  damping,
  viscous,
  bent_at_rest,  // μ_S/σ₀
  bent_drop,     // (μ_S − μ_C)/σ₀
  per_stribeck_velocity,
  exponent,
  middle,             // ½ (1 + s_ba)/(1 − s_ba)
  per_plastic_share,  // 1/(1 − s_ba)
  min_creep,          // 0: elasto-plastic, 1: LuGre, whose β is 1
  torque_radius,
  per_torque_radius,
  mean_square_radius,
  cells,
  column_count
};
static_assert(column_count == batch_columns);

template <class Real>
using Body = Bristle<3, ManyAtOnce<Real>>;

bool usable_square(double u) noexcept { return u >= 0 && u <= square(torque_radii.high); }
constexpr const char* batch_squares = "in [0, 1e14]";

template <class Real>
struct Work {
  const BatchBlock<Real>* blocks;
  const BatchCell<Real>* cells;
  std::size_t n;
  Real* z;            // 3 n
  const Real* twist;  // 3 n
  const Real* normal_force;
  Real dt;
  Real* wrench;  // 3 n
};

/// What the loops over some patches hand on. Several short loops instead of a long one: a processor then has many
/// patches at work at once, where each has to wait for its own last result most of the time. Results go to the caller
/// at the end: where his arrays lie a multiple of 4096 bytes apart, a processor takes a load for one that has to wait
/// for a store.
template <class Real>
struct Some {
  using List = BatchColumn<Real>;
  BatchColumn<BatchIndex<Real>> cell;
  List w00, w10, w01, w11;
  List dx, dy, dt;  // where the bristle is bent: −h of the limit surface
  List speed, settled, per_settled, most, per_length, per_width, share, beta;
  List zx, zy, zt, length, along;  // of the bristle: z, |z|, ẑ·d
  List fx, fy, torque;
};

/// Four numbers as one vector.
template <class Real>
struct Vectors {
  using Four [[gnu::vector_size(4 * sizeof(Real))]] = Real;
};

/// −h between four nodes, four patches at a time: each product holds four terms of one patch, and two rounds of sums
/// leave one number of each patch.
template <class Real>
STICTION_ALWAYS_INLINE void blend(const Work<Real>& w, std::size_t count, Some<Real>& some) noexcept {
  using Four = typename Vectors<Real>::Four;
  const auto at = [](const Real* numbers) STICTION_INLINE_LAMBDA {
    Four four;
    std::memcpy(&four, numbers, sizeof four);
    return four;
  };
  const auto low = [](Four a, Four b) STICTION_INLINE_LAMBDA { return __builtin_shufflevector(a, b, 0, 4, 1, 5); };
  const auto high = [](Four a, Four b) STICTION_INLINE_LAMBDA { return __builtin_shufflevector(a, b, 2, 6, 3, 7); };
  const auto first = [](Four a, Four b) STICTION_INLINE_LAMBDA { return __builtin_shufflevector(a, b, 0, 1, 4, 5); };
  const auto last = [](Four a, Four b) STICTION_INLINE_LAMBDA { return __builtin_shufflevector(a, b, 2, 3, 6, 7); };
  const std::array lists{some.dx.data(), some.dy.data(), some.dt.data()};
  for (std::size_t i = 0; i < count; i += 4) {  // the lists have room for four times whatever
    const Four w00 = at(&some.w00[i]);
    const Four w10 = at(&some.w10[i]);
    const Four w01 = at(&some.w01[i]);
    const Four w11 = at(&some.w11[i]);
    const Four a = low(w00, w10);
    const Four b = low(w01, w11);
    const Four c = high(w00, w10);
    const Four d = high(w01, w11);
    const std::array weights{first(a, b), last(a, b), first(c, d), last(c, d)};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto term = [&](std::size_t patch) STICTION_INLINE_LAMBDA {
        return weights[patch] * at(w.cells[some.cell[i + patch]].h[k].data());
      };
      const Four t0 = term(0);
      const Four t1 = term(1);
      const Four t2 = term(2);
      const Four t3 = term(3);
      const Four two = low(t0, t1) + high(t0, t1);
      const Four others = low(t2, t3) + high(t2, t3);
      const Four sums = first(two, others) + last(two, others);
      std::memcpy(lists[k] + i, &sums, sizeof sums);
    }
  }
}

#if defined(__AVX512F__)
/// The same, all components at once.
STICTION_ALWAYS_INLINE void blend(const Work<float>& w, std::size_t count, Some<float>& some) noexcept {
  const auto low = [](__m512 a, __m512 b) STICTION_INLINE_LAMBDA { return _mm512_unpacklo_ps(a, b); };
  const auto high = [](__m512 a, __m512 b) STICTION_INLINE_LAMBDA { return _mm512_unpackhi_ps(a, b); };
  const auto first = [](__m512 a, __m512 b) STICTION_INLINE_LAMBDA { return _mm512_shuffle_ps(a, b, 0x44); };
  const auto last = [](__m512 a, __m512 b) STICTION_INLINE_LAMBDA { return _mm512_shuffle_ps(a, b, 0xee); };
  for (std::size_t i = 0; i < count; i += 16) {
    const __m512 w00 = _mm512_load_ps(&some.w00[i]);
    const __m512 w10 = _mm512_load_ps(&some.w10[i]);
    const __m512 w01 = _mm512_load_ps(&some.w01[i]);
    const __m512 w11 = _mm512_load_ps(&some.w11[i]);
    const __m512 a = low(w00, w10);
    const __m512 b = low(w01, w11);
    const __m512 c = high(w00, w10);
    const __m512 d = high(w01, w11);
    alignas(64) std::array<float, 64> weights;  // of patches 0, 4, 8, 12, 1, 5, …
    _mm512_store_ps(&weights[0], first(a, b));
    _mm512_store_ps(&weights[16], last(a, b));
    _mm512_store_ps(&weights[32], first(c, d));
    _mm512_store_ps(&weights[48], last(c, d));
    for (std::size_t k = 0; k < 16; k += 4) {
      const auto term = [&](std::size_t patch) STICTION_INLINE_LAMBDA {
        return _mm512_mul_ps(_mm512_broadcast_f32x4(_mm_load_ps(&weights[16 * patch + k])),
                             _mm512_load_ps(w.cells[some.cell[i + k + patch]].h[0].data()));
      };
      const __m512 t0 = term(0);
      const __m512 t1 = term(1);
      const __m512 t2 = term(2);
      const __m512 t3 = term(3);
      const __m512 two = _mm512_add_ps(low(t0, t1), high(t0, t1));
      const __m512 others = _mm512_add_ps(low(t2, t3), high(t2, t3));
      const __m512 sums = _mm512_add_ps(first(two, others), last(two, others));
      _mm_store_ps(&some.dx[i + k], _mm512_castps512_ps128(sums));
      _mm_store_ps(&some.dy[i + k], _mm512_extractf32x4_ps(sums, 1));
      _mm_store_ps(&some.dt[i + k], _mm512_extractf32x4_ps(sums, 2));
    }
  }
}
#endif

/// β of the elasto-plastic bristle, or 1: what a Bristle's `creep` gives, with fewer operations.
///   β = ¼ (ẑ·d̂ + 1) (1 + sin π clip(|z|/(z_max − z_ba) − ½ (1 + s_ba)/(1 − s_ba), −½, ½))
template <class Real>
STICTION_ALWAYS_INLINE Real creep(Real cosine, Real length, Real per_width, Real middle, Real least) noexcept {
  const Real place = clip(multiply_add(length, per_width, -middle), Real(-0.5), Real(0.5));
  const Real beta = multiply_add(cosine, Real(0.25), Real(0.25)) * (1 + ManyAtOnce<Real>::sine(place));
  return least > beta ? least : beta;
}

template <bool plain, class Real>
STICTION_ALWAYS_INLINE void some_patches(const Work<Real>& w, std::size_t begin, std::size_t count,
                                         const BatchBlock<Real>& at, Some<Real>& some) noexcept {
  using Body = Body<Real>;
  using Vector = typename Body::Vector;
  using Size = typename Body::Size;
  const Real* const vx = w.twist + begin;
  const Real* const vy = w.twist + w.n + begin;
  const Real* const spin = w.twist + 2 * w.n + begin;
  Real* const zx = w.z + begin;
  Real* const zy = w.z + w.n + begin;
  Real* const turn = w.z + 2 * w.n + begin;
  const Real dt = w.dt;
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const auto spot = SurfaceTable::spot(Vector{vx[i], vy[i], at[torque_radius][i] * spin[i]}, at[cells][i]);
    some.cell[i] = at.first_cell[i] + spot.node;
    some.w00[i] = spot.w00;
    some.w10[i] = spot.w10;
    some.w01[i] = spot.w01;
    some.w11[i] = spot.w11;
  }
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const Vector v{vx[i], vy[i], at[torque_radius][i] * spin[i]};
    const Real square = Body::dot(v, v);
    some.speed[i] = ManyAtOnce<Real>::size(square).length;
    const Real ratio_square = square * at[per_stribeck_velocity][i] * at[per_stribeck_velocity][i];
    const Real power = plain ? ratio_square : std::pow(ratio_square, Real(0.5) * at[exponent][i]);
    // g/σ₀
    some.settled[i] = multiply_add(-at[bent_drop][i], decay(power), at[bent_at_rest][i]);
    some.per_settled[i] = 1 / some.settled[i];
  }
  blend(w, count, some);
  const auto path_at = [&](std::size_t i) STICTION_INLINE_LAMBDA { return Vector{some.dx[i], some.dy[i], some.dt[i]}; };
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const Size d = Body::size(path_at(i));
    some.most[i] = d.length * some.settled[i];
    some.per_length[i] = d.inverse;
    some.per_width[i] = some.per_settled[i] * d.inverse * at[per_plastic_share][i];
    some.zx[i] = zx[i];
    some.zy[i] = zy[i];
    some.zt[i] = turn[i] * at[per_torque_radius][i];
    const Size z = Body::size({some.zx[i], some.zy[i], some.zt[i]});
    some.length[i] = z.length;
    some.along[i] = Body::dot({some.zx[i], some.zy[i], some.zt[i]}, path_at(i)) * z.inverse;
  }
  const auto creep_at = [&](std::size_t i, Real along, Real length) STICTION_INLINE_LAMBDA {
    return creep(along * some.per_length[i], length, some.per_width[i], at[middle][i], at[min_creep][i]);
  };
  constexpr Real tiny = Real(1e-20);  // (1 − e^−x)/x is 1 there
  // β half way, which is reached by an implicit step: (z + ½ s d)/(1 + ½ s β/z̄)
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const Real half = Real(0.5) * dt * some.speed[i];
    const Real first = creep_at(i, some.along[i], some.length[i]);
    some.share[i] = 1 / multiply_add(half * some.per_settled[i], first, Real(1));
  }
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const Vector d = path_at(i);
    const Vector z{some.zx[i], some.zy[i], some.zt[i]};
    const Real half = Real(0.5) * dt * some.speed[i];
    const Vector way{multiply_add(d[0], half, z[0]), multiply_add(d[1], half, z[1]), multiply_add(d[2], half, z[2])};
    const Size size = Body::size(way);
    some.beta[i] = creep_at(i, Body::dot(way, d) * size.inverse, size.length * some.share[i]);
  }
  // z + (d − β z/z̄) (1 − e^−x)/x s with x = β s/z̄
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const Real s = some.speed[i] * dt;
    const Real pull = some.beta[i] * some.per_settled[i];
    const Real x = pull * s > tiny ? pull * s : tiny;
    const Real way = s * (decay(x) / x);
    const auto moved = [&](Real z, Real d)
                           STICTION_INLINE_LAMBDA { return multiply_add(multiply_add(-pull, z, d), way, z); };
    some.zx[i] = moved(some.zx[i], some.dx[i]);
    some.zy[i] = moved(some.zy[i], some.dy[i]);
    some.zt[i] = moved(some.zt[i], some.dt[i]);
  }
  // … no longer than z_max or than it was
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const Vector d = path_at(i);
    const Vector end{some.zx[i], some.zy[i], some.zt[i]};
    const Size size = Body::size(end);
    const Real limit = some.length[i] > some.most[i] ? some.length[i] : some.most[i];
    const Real reached = limit * size.inverse;
    const Real factor = reached < 1 ? reached : Real(1);
    some.zx[i] = end[0] * factor;
    some.zy[i] = end[1] * factor;
    some.zt[i] = end[2] * factor;
    some.length[i] = size.length * factor;
    some.along[i] = Body::dot(end, d) * size.inverse;
  }
  const Real* const normal = w.normal_force + begin;
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const Vector d = path_at(i);
    const Vector z{some.zx[i], some.zy[i], some.zt[i]};
    const Real pull = creep_at(i, some.along[i], some.length[i]) * some.per_settled[i];
    const Real s1 = at[damping][i] * some.speed[i];
    const Real s2 = at[viscous][i];
    const Real r = at[torque_radius][i];
    const auto pushed = [&](std::size_t k, Real viscous_part) STICTION_INLINE_LAMBDA {
      return multiply_add(at[stiffness][i], z[k], multiply_add(s1, multiply_add(-pull, z[k], d[k]), viscous_part));
    };
    const Real force = in_contact(normal[i]);
    some.fx[i] = -pushed(0, s2 * vx[i]) * force;
    some.fy[i] = -pushed(1, s2 * vy[i]) * force;
    some.torque[i] = -multiply_add(r, pushed(2, Real(0)), s2 * at[mean_square_radius][i] * spin[i]) * force;
    some.zt[i] = z[2] * r;
  }
  const auto hand_over = [count](const auto& list, Real* to) { std::copy_n(list.begin(), count, to); };
  hand_over(some.zx, zx);
  hand_over(some.zy, zy);
  hand_over(some.zt, turn);
  hand_over(some.fx, w.wrench + begin);
  hand_over(some.fy, w.wrench + w.n + begin);
  hand_over(some.torque, w.wrench + 2 * w.n + begin);
}

template <class Real>
STICTION_ALWAYS_INLINE void all_patches(const Work<Real>& w, bool plain) noexcept {
  constexpr std::size_t chunk = BatchBlock<Real>::chunk;
  Some<Real> some;
  some.cell = {};  // some more patches than there are may be blended
  some.w00 = some.w10 = some.w01 = some.w11 = {};
  for (std::size_t begin = 0; begin < w.n; begin += chunk) {
    const std::size_t count = std::min(chunk, w.n - begin);
    const BatchBlock<Real>& block = w.blocks[begin / chunk];
    if (plain) {
      some_patches<true>(w, begin, count, block, some);
    } else {
      some_patches<false>(w, begin, count, block, some);
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
BasicReducedBatch<Real>::BasicReducedBatch(std::span<const SurfaceTable> surfaces, std::span<const Item> patches)
    : size_(patches.size()), blocks_((patches.size() + BatchBlock<Real>::chunk - 1) / BatchBlock<Real>::chunk) {
  std::vector<BatchIndex<Real>> first;
  for (const SurfaceTable& table : surfaces) {
    first.push_back(static_cast<BatchIndex<Real>>(cells_.size()));
    const auto& nodes = table.nodes();
    const std::size_t row = table.cells() + 1;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      BatchCell<Real> cell{};
      const std::array corners{i, i + 1, i + row, i + row + 1};
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t corner = 0; corner < 4; ++corner) {  // the last row and column have no cells of their own
          cell.h[k][corner] = static_cast<Real>(-nodes[std::min(corners[corner], nodes.size() - 1)].h[k]);
        }
      }
      cells_.push_back(cell);
    }
  }
  require(cells_.size() <= static_cast<std::size_t>(std::numeric_limits<BatchIndex<Real>>::max()),
          "surfaces (their cells)", static_cast<double>(cells_.size()), "no more than an index can count");
  for (std::size_t patch = 0; patch < patches.size(); ++patch) {
    const Item& item = patches[patch];
    const Friction& p = item.friction;
    if (const auto problem = check(p)) {
      throw InvalidParameter(*problem);
    }
    require(item.surface < surfaces.size(), "surface", static_cast<double>(item.surface),
            "one of the surfaces, from 0");
    require(usable_torque_radius(item.torque_radius), "torque_radius", item.torque_radius, torque_radii.text);
    require(usable_square(item.mean_square_radius), "mean_square_radius", item.mean_square_radius, batch_squares);
    const std::array<double, batch_columns> values{p.stiffness,
                                                   p.damping,
                                                   p.viscous,
                                                   p.static_level / p.stiffness,
                                                   (p.static_level - p.coulomb) / p.stiffness,
                                                   1 / p.stribeck_velocity,
                                                   p.stribeck_exponent,
                                                   0.5 * (1 + p.elastic_share) / (1 - p.elastic_share),
                                                   1 / (1 - p.elastic_share),
                                                   p.elasto_plastic ? 0.0 : 1.0,
                                                   item.torque_radius,
                                                   item.torque_radius > 0 ? 1 / item.torque_radius : 0,
                                                   item.mean_square_radius,
                                                   static_cast<double>(surfaces[item.surface].cells())};
    for (std::size_t i = 0; i < values.size(); ++i) {
      number(patch, i) = static_cast<Real>(values[i]);
    }
    blocks_[patch / BatchBlock<Real>::chunk].first_cell[patch % BatchBlock<Real>::chunk] = first[item.surface];
    plain_ = plain_ && p.stribeck_exponent == 2;
  }
}

template <class Real>
bool BasicReducedBatch<Real>::resize(std::size_t patch, double r, double u) noexcept {
  if (patch >= size_ || !usable_torque_radius(r) || !usable_square(u)) {
    return false;
  }
  number(patch, torque_radius) = static_cast<Real>(r);
  number(patch, per_torque_radius) = static_cast<Real>(r > 0 ? 1 / r : 0);
  number(patch, mean_square_radius) = static_cast<Real>(u);
  return true;
}

template <class Real>
void BasicReducedBatch<Real>::step(std::span<Real> states, std::span<const Real> twists,
                                   std::span<const Real> normal_forces, Real dt,
                                   std::span<Real> wrenches) const noexcept {
  step_all(Work<Real>{blocks_.data(), cells_.data(), size_, states.data(), twists.data(), normal_forces.data(), dt,
                      wrenches.data()},
           plain_);
}

template class BasicReducedBatch<double>;
template class BasicReducedBatch<float>;

}  // namespace stiction::planar
