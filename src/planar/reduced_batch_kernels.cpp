#include "reduced_batch_kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace stiction::planar {
namespace {

template <class Real>
using Body = Bristle<3, ManyAtOnce<Real, OfThisLevel>>;

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
STICTION_ALWAYS_INLINE void blend(const BatchWork<Real>& w, std::size_t count, Some<Real>& some) noexcept {
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
STICTION_ALWAYS_INLINE void blend(const BatchWork<float>& w, std::size_t count, Some<float>& some) noexcept {
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
  const Real place = clip(OfThisLevel::multiply_add(length, per_width, -middle), Real(-0.5), Real(0.5));
  const Real beta =
      OfThisLevel::multiply_add(cosine, Real(0.25), Real(0.25)) * (1 + ManyAtOnce<Real, OfThisLevel>::sine(place));
  return least > beta ? least : beta;
}

template <bool plain, class Real>
STICTION_ALWAYS_INLINE void some_patches(const BatchWork<Real>& w, std::size_t begin, std::size_t count,
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
    const auto spot =
        SurfaceTable::spot<OfThisLevel>(Vector{vx[i], vy[i], at[torque_radius][i] * spin[i]}, at[cells][i]);
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
    some.speed[i] = ManyAtOnce<Real, OfThisLevel>::size(square).length;
    const Real ratio_square = square * at[per_stribeck_velocity][i] * at[per_stribeck_velocity][i];
    const Real power = plain ? ratio_square : std::pow(ratio_square, Real(0.5) * at[exponent][i]);
    // g/σ₀
    some.settled[i] = OfThisLevel::multiply_add(-at[bent_drop][i], decay_by<OfThisLevel>(power), at[bent_at_rest][i]);
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
    some.share[i] = 1 / OfThisLevel::multiply_add(half * some.per_settled[i], first, Real(1));
  }
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const Vector d = path_at(i);
    const Vector z{some.zx[i], some.zy[i], some.zt[i]};
    const Real half = Real(0.5) * dt * some.speed[i];
    const Vector way{OfThisLevel::multiply_add(d[0], half, z[0]), OfThisLevel::multiply_add(d[1], half, z[1]),
                     OfThisLevel::multiply_add(d[2], half, z[2])};
    const Size size = Body::size(way);
    some.beta[i] = creep_at(i, Body::dot(way, d) * size.inverse, size.length * some.share[i]);
  }
  // z + (d − β z/z̄) (1 − e^−x)/x s with x = β s/z̄
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const Real s = some.speed[i] * dt;
    const Real pull = some.beta[i] * some.per_settled[i];
    const Real x = pull * s > tiny ? pull * s : tiny;
    const Real way = s * (decay_by<OfThisLevel>(x) / x);
    const auto moved = [&](Real z, Real d) STICTION_INLINE_LAMBDA {
      return OfThisLevel::multiply_add(OfThisLevel::multiply_add(-pull, z, d), way, z);
    };
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
      return OfThisLevel::multiply_add(
          at[stiffness][i], z[k],
          OfThisLevel::multiply_add(s1, OfThisLevel::multiply_add(-pull, z[k], d[k]), viscous_part));
    };
    const Real force = in_contact(normal[i]);
    some.fx[i] = -pushed(0, s2 * vx[i]) * force;
    some.fy[i] = -pushed(1, s2 * vy[i]) * force;
    some.torque[i] =
        -OfThisLevel::multiply_add(r, pushed(2, Real(0)), s2 * at[mean_square_radius][i] * spin[i]) * force;
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
STICTION_ALWAYS_INLINE void all_patches(const BatchWork<Real>& w, bool plain) noexcept {
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
STICTION_KERNEL void step_double(const BatchWork<double>& w, bool plain) noexcept { all_patches(w, plain); }
STICTION_KERNEL void step_float(const BatchWork<float>& w, bool plain) noexcept { all_patches(w, plain); }

}  // namespace

constinit const ReducedBatchKernels STICTION_THIS_TABLE(reduced_batch_kernels){step_double, step_float};

}  // namespace stiction::planar
