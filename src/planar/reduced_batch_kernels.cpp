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

/// What the loops over a chunk of patches pass on to each other. Several short loops instead of one long one let the
/// processor work on many patches at once, while each waits for its previous result. Results are copied to the caller
/// at the end: if the caller's arrays are a multiple of 4096 bytes apart, a load looks as if it depended on an earlier
/// store and stalls.
template <class Real>
struct Scratch {
  using List = BatchColumn<Real>;
  BatchColumn<BatchIndex<Real>> cell;
  List w00, w10, w01, w11;
  List dx, dy, dt;  // direction in which the bristle is deflected: −h of the limit surface
  List speed, settled, per_settled, max_length, per_length, per_width, share, beta;
  List zx, zy, zt, length, along;  // of the bristle: z, |z|, ẑ·d
  List fx, fy, torque;
};

/// Four numbers as one vector.
template <class Real>
struct Vectors {
  using Four [[gnu::vector_size(4 * sizeof(Real))]] = Real;
};

/// −h interpolated between four nodes, four patches at a time: each product holds four terms of one patch, and two
/// rounds of sums reduce them to one number per patch.
template <class Real>
STICTION_ALWAYS_INLINE void blend(const BatchWork<Real>& w, std::size_t count, Scratch<Real>& scratch) noexcept {
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
  const std::array lists{scratch.dx.data(), scratch.dy.data(), scratch.dt.data()};
  for (std::size_t i = 0; i < count; i += 4) {  // the lists are padded to a multiple of four
    const Four w00 = at(&scratch.w00[i]);
    const Four w10 = at(&scratch.w10[i]);
    const Four w01 = at(&scratch.w01[i]);
    const Four w11 = at(&scratch.w11[i]);
    const Four a = low(w00, w10);
    const Four b = low(w01, w11);
    const Four c = high(w00, w10);
    const Four d = high(w01, w11);
    const std::array weights{first(a, b), last(a, b), first(c, d), last(c, d)};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto term = [&](std::size_t patch) STICTION_INLINE_LAMBDA {
        return weights[patch] * at(w.cells[scratch.cell[i + patch]].h[k].data());
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
STICTION_ALWAYS_INLINE void blend(const BatchWork<float>& w, std::size_t count, Scratch<float>& scratch) noexcept {
  const auto low = [](__m512 a, __m512 b) STICTION_INLINE_LAMBDA { return _mm512_unpacklo_ps(a, b); };
  const auto high = [](__m512 a, __m512 b) STICTION_INLINE_LAMBDA { return _mm512_unpackhi_ps(a, b); };
  const auto first = [](__m512 a, __m512 b) STICTION_INLINE_LAMBDA { return _mm512_shuffle_ps(a, b, 0x44); };
  const auto last = [](__m512 a, __m512 b) STICTION_INLINE_LAMBDA { return _mm512_shuffle_ps(a, b, 0xee); };
  for (std::size_t i = 0; i < count; i += 16) {
    const __m512 w00 = _mm512_load_ps(&scratch.w00[i]);
    const __m512 w10 = _mm512_load_ps(&scratch.w10[i]);
    const __m512 w01 = _mm512_load_ps(&scratch.w01[i]);
    const __m512 w11 = _mm512_load_ps(&scratch.w11[i]);
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
                             _mm512_load_ps(w.cells[scratch.cell[i + k + patch]].h[0].data()));
      };
      const __m512 t0 = term(0);
      const __m512 t1 = term(1);
      const __m512 t2 = term(2);
      const __m512 t3 = term(3);
      const __m512 two = _mm512_add_ps(low(t0, t1), high(t0, t1));
      const __m512 others = _mm512_add_ps(low(t2, t3), high(t2, t3));
      const __m512 sums = _mm512_add_ps(first(two, others), last(two, others));
      _mm_store_ps(&scratch.dx[i + k], _mm512_castps512_ps128(sums));
      _mm_store_ps(&scratch.dy[i + k], _mm512_extractf32x4_ps(sums, 1));
      _mm_store_ps(&scratch.dt[i + k], _mm512_extractf32x4_ps(sums, 2));
    }
  }
}
#endif

/// β of the elasto-plastic bristle, or 1: the same as `Bristle::creep`, with fewer operations.
///   β = ¼ (ẑ·d̂ + 1) (1 + sin π clip(|z|/(z_max − z_ba) − ½ (1 + s_ba)/(1 − s_ba), −½, ½))
template <class Real>
STICTION_ALWAYS_INLINE Real creep(Real cosine, Real length, Real per_width, Real middle, Real min_beta) noexcept {
  const Real phase = clip(OfThisLevel::multiply_add(length, per_width, -middle), Real(-0.5), Real(0.5));
  const Real beta =
      OfThisLevel::multiply_add(cosine, Real(0.25), Real(0.25)) * (1 + ManyAtOnce<Real, OfThisLevel>::sine(phase));
  return min_beta > beta ? min_beta : beta;
}

template <bool plain, class Real>
STICTION_ALWAYS_INLINE void step_chunk(const BatchWork<Real>& w, std::size_t begin, std::size_t count,
                                       const BatchBlock<Real>& at, Scratch<Real>& scratch) noexcept {
  using Body = Body<Real>;
  using Vector = typename Body::Vector;
  using Size = typename Body::Size;
  const Real* const vx = w.twist + begin;
  const Real* const vy = w.twist + w.n + begin;
  const Real* const spin = w.twist + 2 * w.n + begin;
  Real* const zx = w.z + begin;
  Real* const zy = w.z + w.n + begin;
  Real* const angle = w.z + 2 * w.n + begin;
  const Real dt = w.dt;
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const auto spot =
        SurfaceTable::spot<OfThisLevel>(Vector{vx[i], vy[i], at[torque_radius][i] * spin[i]}, at[cells][i]);
    scratch.cell[i] = at.first_cell[i] + spot.node;
    scratch.w00[i] = spot.w00;
    scratch.w10[i] = spot.w10;
    scratch.w01[i] = spot.w01;
    scratch.w11[i] = spot.w11;
  }
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const Vector v{vx[i], vy[i], at[torque_radius][i] * spin[i]};
    const Real square = Body::dot(v, v);
    scratch.speed[i] = ManyAtOnce<Real, OfThisLevel>::size(square).length;
    const Real ratio_square = square * at[per_stribeck_velocity][i] * at[per_stribeck_velocity][i];
    const Real power = plain ? ratio_square : std::pow(ratio_square, Real(0.5) * at[exponent][i]);
    // g/σ₀
    scratch.settled[i] =
        OfThisLevel::multiply_add(-at[bent_drop][i], decay_by<OfThisLevel>(power), at[bent_at_rest][i]);
    scratch.per_settled[i] = 1 / scratch.settled[i];
  }
  blend(w, count, scratch);
  const auto path_at = [&](std::size_t i) STICTION_INLINE_LAMBDA {
    return Vector{scratch.dx[i], scratch.dy[i], scratch.dt[i]};
  };
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const Size d = Body::size(path_at(i));
    scratch.max_length[i] = d.length * scratch.settled[i];
    scratch.per_length[i] = d.inverse;
    scratch.per_width[i] = scratch.per_settled[i] * d.inverse * at[per_plastic_share][i];
    scratch.zx[i] = zx[i];
    scratch.zy[i] = zy[i];
    scratch.zt[i] = angle[i] * at[per_torque_radius][i];
    const Size z = Body::size({scratch.zx[i], scratch.zy[i], scratch.zt[i]});
    scratch.length[i] = z.length;
    scratch.along[i] = Body::dot({scratch.zx[i], scratch.zy[i], scratch.zt[i]}, path_at(i)) * z.inverse;
  }
  const auto creep_at = [&](std::size_t i, Real along, Real length) STICTION_INLINE_LAMBDA {
    return creep(along * scratch.per_length[i], length, scratch.per_width[i], at[middle][i], at[min_creep][i]);
  };
  constexpr Real tiny = Real(1e-20);  // (1 − e^−x)/x is 1 there
  // β at the midpoint, which an implicit step reaches: (z + ½ s d)/(1 + ½ s β/z̄)
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const Real half = Real(0.5) * dt * scratch.speed[i];
    const Real first = creep_at(i, scratch.along[i], scratch.length[i]);
    scratch.share[i] = 1 / OfThisLevel::multiply_add(half * scratch.per_settled[i], first, Real(1));
  }
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const Vector d = path_at(i);
    const Vector z{scratch.zx[i], scratch.zy[i], scratch.zt[i]};
    const Real half = Real(0.5) * dt * scratch.speed[i];
    const Vector midpoint{OfThisLevel::multiply_add(d[0], half, z[0]), OfThisLevel::multiply_add(d[1], half, z[1]),
                          OfThisLevel::multiply_add(d[2], half, z[2])};
    const Size size = Body::size(midpoint);
    scratch.beta[i] = creep_at(i, Body::dot(midpoint, d) * size.inverse, size.length * scratch.share[i]);
  }
  // z + (d − β z/z̄) (1 − e^−x)/x s with x = β s/z̄
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const Real s = scratch.speed[i] * dt;
    const Real pull = scratch.beta[i] * scratch.per_settled[i];
    const Real x = pull * s > tiny ? pull * s : tiny;
    const Real step = s * (decay_by<OfThisLevel>(x) / x);
    const auto moved = [&](Real z, Real d) STICTION_INLINE_LAMBDA {
      return OfThisLevel::multiply_add(OfThisLevel::multiply_add(-pull, z, d), step, z);
    };
    scratch.zx[i] = moved(scratch.zx[i], scratch.dx[i]);
    scratch.zy[i] = moved(scratch.zy[i], scratch.dy[i]);
    scratch.zt[i] = moved(scratch.zt[i], scratch.dt[i]);
  }
  // … no longer than z_max or than before
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const Vector d = path_at(i);
    const Vector end{scratch.zx[i], scratch.zy[i], scratch.zt[i]};
    const Size size = Body::size(end);
    const Real limit = scratch.length[i] > scratch.max_length[i] ? scratch.length[i] : scratch.max_length[i];
    const Real reached = limit * size.inverse;
    const Real factor = reached < 1 ? reached : Real(1);
    scratch.zx[i] = end[0] * factor;
    scratch.zy[i] = end[1] * factor;
    scratch.zt[i] = end[2] * factor;
    scratch.length[i] = size.length * factor;
    scratch.along[i] = Body::dot(end, d) * size.inverse;
  }
  const Real* const normal = w.normal_force + begin;
  STICTION_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    const Vector d = path_at(i);
    const Vector z{scratch.zx[i], scratch.zy[i], scratch.zt[i]};
    const Real pull = creep_at(i, scratch.along[i], scratch.length[i]) * scratch.per_settled[i];
    const Real s1 = at[damping][i] * scratch.speed[i];
    const Real s2 = at[viscous][i];
    const Real r = at[torque_radius][i];
    const auto pushed = [&](std::size_t k, Real viscous_part) STICTION_INLINE_LAMBDA {
      return OfThisLevel::multiply_add(
          at[stiffness][i], z[k],
          OfThisLevel::multiply_add(s1, OfThisLevel::multiply_add(-pull, z[k], d[k]), viscous_part));
    };
    const Real force = in_contact(normal[i]);
    scratch.fx[i] = -pushed(0, s2 * vx[i]) * force;
    scratch.fy[i] = -pushed(1, s2 * vy[i]) * force;
    scratch.torque[i] =
        -OfThisLevel::multiply_add(r, pushed(2, Real(0)), s2 * at[mean_square_radius][i] * spin[i]) * force;
    scratch.zt[i] = z[2] * r;
  }
  const auto copy_out = [count](const auto& list, Real* to) { std::copy_n(list.begin(), count, to); };
  copy_out(scratch.zx, zx);
  copy_out(scratch.zy, zy);
  copy_out(scratch.zt, angle);
  copy_out(scratch.fx, w.wrench + begin);
  copy_out(scratch.fy, w.wrench + w.n + begin);
  copy_out(scratch.torque, w.wrench + 2 * w.n + begin);
}

template <class Real>
STICTION_ALWAYS_INLINE void all_patches(const BatchWork<Real>& w, bool plain) noexcept {
  constexpr std::size_t chunk = BatchBlock<Real>::chunk;
  Scratch<Real> scratch;
  scratch.cell = {};  // up to three patches beyond the last are interpolated too
  scratch.w00 = scratch.w10 = scratch.w01 = scratch.w11 = {};
  for (std::size_t begin = 0; begin < w.n; begin += chunk) {
    const std::size_t count = std::min(chunk, w.n - begin);
    const BatchBlock<Real>& block = w.blocks[begin / chunk];
    if (plain) {
      step_chunk<true>(w, begin, count, block, scratch);
    } else {
      step_chunk<false>(w, begin, count, block, scratch);
    }
  }
}
STICTION_KERNEL void step_double(const BatchWork<double>& w, bool plain) noexcept { all_patches(w, plain); }
STICTION_KERNEL void step_float(const BatchWork<float>& w, bool plain) noexcept { all_patches(w, plain); }

}  // namespace

constinit const ReducedBatchKernels STICTION_THIS_TABLE(reduced_batch_kernels){step_double, step_float};

}  // namespace stiction::planar
