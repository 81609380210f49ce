// What must hold for every cone, whatever its shape.
#pragma once

#include "stiction/spatial/cone_algebra.h"
#include "support/property.h"

namespace stiction::spatial::test {

using stiction::test::between;
using stiction::test::holds_for;
using stiction::test::log_between;
using stiction::test::signed_between;

/// Components over six decades and of either sign, some of them 0.
template <std::size_t N>
Vector<double, N> any_force() {
  Vector<double, N> f{};
  for (double& x : f) {
    x = *signed_between(1e-3, 1e3);
  }
  return f;
}

/// A coefficient over six decades, sometimes 0.
inline double any_mu() {
  const double mu = *log_between(1e-4, 1e3);
  return mu < 3e-4 ? 0 : mu > 500 ? 1e6 : mu;
}

template <class Force>
double distance(const Force& a, const Force& b) {
  return norm(difference(a, b));
}

/// f = p + q with p in K, q in K° and p·q = 0. By Moreau's theorem p is then the projection: nothing else is.
template <class Cone>
void is_moreaus_decomposition(const Cone& cone, const typename Cone::Force& f, double tolerance = 1e-12) {
  const auto p = cone.project(f);
  const auto q = cone.project_polar(f);
  const double size = norm(f);
  RC_ASSERT(distance(sum(p, q), f) <= tolerance * size);
  RC_ASSERT(std::abs(dot(p, q)) <= tolerance * size * size);
  RC_ASSERT(cone.contains(p, 1e-14 * size));
  RC_ASSERT(cone.polar().contains(q, 1e-14 * size));
  // The polar of the polar is the cone.
  RC_ASSERT(distance(cone.polar().project_polar(f), p) <= 1e-12 * size);
  RC_ASSERT(distance(cone.dual().dual().project(f), p) <= 1e-12 * size);
}

template <class Cone>
void is_idempotent_and_shortens(const Cone& cone, const typename Cone::Force& f, const typename Cone::Force& g) {
  const auto p = cone.project(f);
  RC_ASSERT(distance(cone.project(p), p) <= 1e-14 * norm(f));
  RC_ASSERT(distance(p, cone.project(g)) <= distance(f, g) + 1e-14 * (norm(f) + norm(g)));
}

/// Sign, slope ≤ 1, and outside the distance to the projection; inside, a ball of that radius is inside too.
template <class Cone>
void has_a_true_margin(const Cone& cone, const typename Cone::Force& f, const typename Cone::Force& g) {
  const double size = norm(f) + norm(g);
  const double margin = cone.margin(f);
  RC_ASSERT(std::abs(margin - cone.margin(g)) <= distance(f, g) + 1e-13 * size);
  if (margin < -1e-14 * size) {
    RC_ASSERT(!cone.contains(f));
    RC_ASSERT(std::abs(margin + distance(f, cone.project(f))) <= 1e-13 * size);
  } else {
    RC_ASSERT(cone.contains(f, 1e-14 * size));
    RC_ASSERT(margin >= -1e-14 * size);
    if (norm(g) > 0) {
      RC_ASSERT(cone.contains(sum(f, scaled(margin / norm(g), g)), 1e-13 * size));
    }
  }
  RC_ASSERT(cone.contains(f, 1.001 * std::abs(margin) + 1e-13 * size));
  RC_ASSERT(margin >= -1e-10 * size || !cone.contains(f, 0.999 * std::abs(margin)));
}

/// d·x ≤ support for x in the section; 0 or infinity for the whole cone.
template <class Cone>
void has_a_true_support(const Cone& cone, const typename Cone::Force& d, const typename Cone::Force& f,
                        std::size_t normal) {
  auto x = cone.project(f);
  const double size = norm(d) * norm(f);
  const double normal_force = x[normal] + 1e-14 * norm(f);  // x itself is that near to the cone
  RC_ASSERT(dot(d, x) <= cone.section_support(d, normal_force) + 1e-13 * size);
  auto friction = x;
  friction[normal] = 0;
  RC_ASSERT(dot(d, friction) <= cone.friction_support(d, normal_force) + 1e-13 * size);
  const double margin = cone.polar().margin(d);
  if (std::abs(margin) > 1e-12 * norm(d)) {
    RC_ASSERT(cone.support(d) == (margin > 0 ? 0 : infinity));
  }
  // A force of the dual pulls along every force of the cone.
  const auto y = cone.dual().project(d);
  RC_ASSERT(dot(y, x) >= -1e-13 * size);
}

/// P(2^k f) = 2^k P(f) to rounding, also for numbers whose squares overflow or vanish.
template <class Cone>
void scales(const Cone& cone, const typename Cone::Force& f) {
  for (const int power : {-900, -40, 40, 900}) {
    const double factor = std::ldexp(1.0, power);
    const auto there = scaled(1 / factor, cone.project(scaled(factor, f)));
    RC_ASSERT(distance(there, cone.project(f)) <= 1e-14 * norm(f));
    RC_ASSERT(std::abs(cone.margin(scaled(factor, f)) / factor - cone.margin(f)) <= 1e-14 * norm(f));
  }
}

template <class Cone>
void obeys_the_laws_of_cones(const Cone& cone, std::size_t normal) {
  constexpr std::size_t n = std::tuple_size_v<typename Cone::Force>;
  const auto f = any_force<n>();
  // Half of the partners are near: that is where slopes above 1 would show.
  auto g = any_force<n>();
  if (*between(0, 1) < 0.5) {
    g = sum(f, scaled(1e-3 * norm(f) / (norm(g) + 1e-300), g));
  }
  is_moreaus_decomposition(cone, f);
  is_idempotent_and_shortens(cone, f, g);
  has_a_true_margin(cone, f, g);
  has_a_true_margin(cone, cone.project(f), g);
  auto within = cone.project(f);
  within[normal] += norm(f);
  has_a_true_margin(cone, within, g);
  has_a_true_support(cone, g, f, normal);
  scales(cone, f);
}

/// NaN in any component must show in the projection and the margin, and is in no cone.
template <class Cone>
void shows_nan(const Cone& cone) {
  constexpr std::size_t n = std::tuple_size_v<typename Cone::Force>;
  for (const double fill : {-1.0, 0.0, 0.1, 1.0}) {
    for (std::size_t i = 0; i < n; ++i) {
      typename Cone::Force f{};
      f.fill(fill);
      f[i] = std::numeric_limits<double>::quiet_NaN();
      EXPECT_TRUE(std::isnan(norm(cone.project(f)))) << fill << ' ' << i;
      EXPECT_TRUE(std::isnan(norm(cone.project_polar(f)))) << fill << ' ' << i;
      EXPECT_TRUE(std::isnan(cone.margin(f))) << fill << ' ' << i;
      EXPECT_FALSE(cone.contains(f, 1e9)) << fill << ' ' << i;
    }
  }
}

/// Σ w_i d_i²
template <class Force>
double weighted_square(const Force& d, const Force& weights) {
  double square = 0;
  for (std::size_t i = 0; i < d.size(); ++i) {
    square += weights[i] * d[i] * d[i];
  }
  return square;
}

/// The weighted projection p is in K and W(f − p) in K°, orthogonal to p: the conditions of the optimum.
template <class Cone>
void projects_with_weights(const Cone& cone) {
  constexpr std::size_t n = std::tuple_size_v<typename Cone::Force>;
  const auto f = any_force<n>();
  typename Cone::Force weights{};
  for (double& w : weights) {
    w = *log_between(0.1, 10);
  }
  if (*between(0, 1) < 0.3) {
    weights[1] = weights[0];
  }
  const auto p = cone.project(f, weights);
  typename Cone::Force pull = difference(f, p);
  for (std::size_t i = 0; i < n; ++i) {
    pull[i] *= weights[i];
  }
  const double size = norm(f);
  RC_ASSERT(cone.contains(p, 1e-13 * size));
  RC_ASSERT(cone.polar().contains(pull, 1e-12 * size));
  RC_ASSERT(std::abs(dot(p, pull)) <= 1e-11 * size * size);
  weights.fill(3);
  RC_ASSERT(distance(cone.project(f, weights), cone.project(f)) <= 1e-13 * size);
}

}  // namespace stiction::spatial::test
