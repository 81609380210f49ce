#include "published_lp.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "spatial/matrix6.h"
#include "stiction/problem.h"
#include "stiction/spatial/contact_tangents.h"

namespace stiction::baselines {
namespace {

using spatial::Cholesky;
using spatial::eigen;
using spatial::Eigen6;

constexpr double unbounded = std::numeric_limits<double>::infinity();

void check(std::span<const Contact> contacts, int sides) {
  if (sides < 3) {
    throw InvalidParameter(Problem{"sides", static_cast<double>(sides), ">= 3"});
  }
  for (const Contact& c : contacts) {
    if (c.torsion > 0) {
      throw InvalidParameter(Problem{"torsion", c.torsion, "0 in the published program"});
    }
    if (c.friction_v) {
      throw InvalidParameter(Problem{"friction_v", *c.friction_v, "not given in the published program"});
    }
  }
}

/// Builds a program column by column.
struct Builder {
  LinearProgram program;
  std::vector<std::pair<std::size_t, double>> entries;  // of the current column

  void rows(std::size_t count, double lower, double upper) {
    program.row_lower.insert(program.row_lower.end(), count, lower);
    program.row_upper.insert(program.row_upper.end(), count, upper);
  }
  void equation(double right) { rows(1, right, right); }
  void entry(std::size_t row, double value) { entries.emplace_back(row, value); }
  /// Ends a column whose entries have been added. Entries up to 1e-14 of the largest are rounding errors and are
  /// dropped: LP solvers scale rows and columns by all entries, and a cosine of 6e-17 spoils that.
  void column(double lower, double upper, double cost = 0) {
    double largest = 0;
    for (const auto& [row, value] : entries) {
      largest = std::max(largest, std::abs(value));
    }
    for (const auto& [row, value] : entries) {
      if (std::abs(value) > 1e-14 * largest) {
        program.row.push_back(static_cast<int>(row));
        program.value.push_back(value);
      }
    }
    entries.clear();
    program.lower.push_back(lower);
    program.upper.push_back(upper);
    program.cost.push_back(cost);
    program.start.push_back(static_cast<int>(program.row.size()));
  }
};

/// θ_j = (2j + 1) π/ℓ
double side_angle(int j, int sides) { return (2 * j + 1) * std::numbers::pi / sides; }

double radius(const Contact& c) { return c.friction * c.normal_force; }

/// W Wᵀ with torques divided by the length.
Matrix6 gram(std::span<const Contact> contacts, double length) {
  Matrix6 sum{};
  for (const Contact& c : contacts) {
    const auto [u, v] = contact_tangents(c);
    for (const Vector3& tangent : {u, v}) {
      Vector6 w = friction_column(c, tangent);
      for (std::size_t i = 3; i < 6; ++i) {
        w[i] /= length;
      }
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < 6; ++j) {
          sum[i][j] += w[i] * w[j];
        }
      }
    }
  }
  return sum;
}

/// Orthonormal bases of the range of W and of its orthogonal complement, with torques divided by the length.
struct Spaces {
  std::vector<Vector6> range, complement;
};
Spaces spaces_of(std::span<const Contact> contacts, double length) {
  const Eigen6 spectrum = eigen(gram(contacts, length));
  const double largest = *std::max_element(spectrum.values.begin(), spectrum.values.end());
  Spaces result;
  for (std::size_t k = 0; k < 6; ++k) {
    Vector6 direction{};
    for (std::size_t i = 0; i < 6; ++i) {
      direction[i] = spectrum.vectors[i][k];
    }
    // singular values of W below 1e-7 of the largest are rounding
    (spectrum.values[k] > 1e-14 * largest ? result.range : result.complement).push_back(direction);
  }
  if (result.complement.empty()) {  // full rank: the rows are the components of force and torque
    for (std::size_t k = 0; k < 6; ++k) {
      result.range[k] = {};
      result.range[k][k] = 1;
    }
  }
  return result;
}

/// −(F + K Δ₀): the wrench that friction has to balance after the body has moved freely in the directions that friction
/// cannot resist. Torques are divided by the length.
Vector6 wrench_to_balance(const std::vector<Vector6>& complement, const Load& load) {
  const auto scale = [&](std::size_t i) { return i < 3 ? 1 : 1 / load.length; };
  Vector6 f{};
  Matrix6 k{};
  Matrix6 d{};
  for (std::size_t i = 0; i < 6; ++i) {
    f[i] = load.wrench[i] * scale(i);
    for (std::size_t j = 0; j < 6; ++j) {
      k[i][j] = load.gradient[i][j] * scale(i) * scale(j);
      d[i][j] = load.mass[i][j] * scale(i) * scale(j);
    }
  }
  Cholesky of_d;
  if (!of_d.factor(d)) {
    throw InvalidParameter(Problem{"mass", load.mass[0][0], "symmetric and positive"});
  }
  // G q = K D⁻¹ Kᵀ q
  const Matrix6 kt = transposed(k);
  std::vector<Vector6> g_q;
  g_q.reserve(complement.size());
  for (const Vector6& q : complement) {
    g_q.push_back(times(k, of_d.solve(times(kt, q))));
  }
  // (Qᵀ G Q) a = Qᵀ f
  Matrix6 reduced{};
  Vector6 right{};
  for (std::size_t i = 0; i < 6; ++i) {
    reduced[i][i] = 1;
  }
  for (std::size_t i = 0; i < complement.size(); ++i) {
    right[i] = dot(complement[i], f);
    for (std::size_t j = 0; j < complement.size(); ++j) {
      reduced[i][j] = dot(complement[i], g_q[j]);
    }
  }
  Cholesky of_reduced;
  if (!of_reduced.factor(reduced)) {
    throw InvalidParameter(Problem{"gradient", load.gradient[0][0], "regular"});
  }
  const Vector6 a = of_reduced.solve(right);
  // −(f + K Δ₀) = −f + G Q a
  Vector6 result{};
  for (std::size_t i = 0; i < 6; ++i) {
    result[i] = -f[i];
    for (std::size_t j = 0; j < complement.size(); ++j) {
      result[i] += a[j] * g_q[j][i];
    }
  }
  return result;
}

}  // namespace

LinearProgram published_lp(std::span<const Contact> contacts, const Load& load, int sides, Ask ask) {
  check(contacts, sides);
  const std::size_t k = contacts.size();
  const auto n_sides = static_cast<std::size_t>(sides);
  const bool scaled_friction = ask == Ask::critical_ratio;
  const std::size_t slips = 6;                // eq. 34
  const std::size_t balance = slips + 2 * k;  // eqs. 35, 36
  const std::size_t cones = balance + 6;      // eq. 37
  Builder b;
  b.rows(6 + 2 * k, 0, 0);
  for (const double component : load.wrench) {
    b.equation(-component);
  }
  for (const Contact& c : contacts) {
    b.rows(n_sides, -unbounded, scaled_friction ? 0 : radius(c));
  }
  // Δ: D in eqs. 32, 33, K in eqs. 35, 36
  for (std::size_t j = 0; j < 6; ++j) {
    for (std::size_t i = 0; i < 6; ++i) {
      b.entry(i, load.mass[i][j]);
    }
    for (std::size_t i = 0; i < 6; ++i) {
      b.entry(balance + i, load.gradient[i][j]);
    }
    b.column(-unbounded, unbounded);
  }
  std::vector<Vector6> w;
  w.reserve(2 * k);
  for (const Contact& c : contacts) {
    const auto [u, v] = contact_tangents(c);
    w.push_back(friction_column(c, u));
    w.push_back(friction_column(c, v));
  }
  // λ: Kᵀ in eqs. 32, 33, Wᵀ in eq. 34
  for (std::size_t j = 0; j < 6; ++j) {
    for (std::size_t i = 0; i < 6; ++i) {
      b.entry(i, load.gradient[j][i]);
    }
    for (std::size_t i = 0; i < 2 * k; ++i) {
      b.entry(slips + i, w[i][j]);
    }
    b.column(-unbounded, unbounded);
  }
  // β: W in eqs. 35, 36; β_u cos θ_j + β_v sin θ_j ≤ μ N
  for (std::size_t i = 0; i < 2 * k; ++i) {
    for (std::size_t row = 0; row < 6; ++row) {
      b.entry(balance + row, w[i][row]);
    }
    for (int j = 0; j < sides; ++j) {
      const double angle = side_angle(j, sides);
      b.entry(cones + i / 2 * n_sides + static_cast<std::size_t>(j), i % 2 == 0 ? std::cos(angle) : std::sin(angle));
    }
    b.column(-unbounded, unbounded);
  }
  if (scaled_friction) {
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t j = 0; j < n_sides; ++j) {
        b.entry(cones + i * n_sides + j, -radius(contacts[i]));
      }
    }
    b.column(0, unbounded, 1);
  }
  return b.program;
}

LinearProgram six_row_lp(std::span<const Contact> contacts, const Load& load, int sides, Ask ask) {
  check(contacts, sides);
  if (sides % 2 != 0) {
    throw InvalidParameter(Problem{"sides", static_cast<double>(sides), "even: else no sum of segments"});
  }
  const Spaces spaces = spaces_of(contacts, load.length);
  const Vector6 target = wrench_to_balance(spaces.complement, load);
  const bool with_share = ask == Ask::critical_ratio;
  Builder b;
  for (const Vector6& direction : spaces.range) {
    b.equation(with_share ? 0 : dot(direction, target));
  }
  const auto add = [&](const Vector6& wrench) {
    for (std::size_t row = 0; row < spaces.range.size(); ++row) {
      b.entry(row, dot(spaces.range[row], wrench));
    }
  };
  const double half = std::tan(std::numbers::pi / sides);  // half the length of a side over the inradius
  for (const Contact& c : contacts) {
    const auto [tu, tv] = contact_tangents(c);
    const Vector6 u = friction_column(c, tu);
    const Vector6 v = friction_column(c, tv);
    for (int j = 0; j < sides / 2; ++j) {
      // side j of the polygon and its opposite are parallel to (−sin θ_j, cos θ_j)
      const double angle = side_angle(j, sides);
      Vector6 w{};
      for (std::size_t i = 0; i < 6; ++i) {
        w[i] = (std::cos(angle) * v[i] - std::sin(angle) * u[i]) / (i < 3 ? 1 : load.length);
      }
      add(w);
      b.column(-half * radius(c), half * radius(c));
    }
  }
  if (with_share) {
    Vector6 minus{};
    for (std::size_t i = 0; i < 6; ++i) {
      minus[i] = -target[i];
    }
    add(minus);
    b.column(0, unbounded, -1);
  }
  return b.program;
}

Violation violation(const LinearProgram& program, std::span<const double> x) {
  Violation worst;
  const auto check = [&](double value, double lower, double upper, double size) {
    const double bound = value < lower ? lower : upper;
    const double violation = std::max(lower - value, value - upper);
    if (std::isnan(violation)) {
      worst = {unbounded, unbounded};
    } else if (violation > 0) {
      worst.absolute = std::max(worst.absolute, violation);
      worst.relative = std::max(worst.relative, violation / (size + std::abs(bound)));
    }
  };
  std::vector<double> sum(program.rows());
  std::vector<double> size(program.rows());
  for (std::size_t j = 0; j < program.columns(); ++j) {
    check(x[j], program.lower[j], program.upper[j], std::abs(x[j]));
    for (auto e = static_cast<std::size_t>(program.start[j]); e < static_cast<std::size_t>(program.start[j + 1]); ++e) {
      const auto row = static_cast<std::size_t>(program.row[e]);
      sum[row] += program.value[e] * x[j];
      size[row] += std::abs(program.value[e] * x[j]);
    }
  }
  for (std::size_t i = 0; i < program.rows(); ++i) {
    check(sum[i], program.row_lower[i], program.row_upper[i], size[i]);
  }
  return worst;
}

Vector6 OwnUnits::in_si(Vector6 delta) const {
  for (std::size_t i = 0; i < 6; ++i) {
    delta[i] *= i < 3 ? motion : motion / length;
  }
  return delta;
}

OwnUnits in_own_units(std::span<const Contact> contacts, const Load& load) {
  OwnUnits result{{contacts.begin(), contacts.end()}, load};
  result.length = load.length;
  double total = 0;
  for (const Contact& c : contacts) {
    total += radius(c);
  }
  result.force = total > 0 ? total : 1;
  for (Contact& c : result.contacts) {
    c.arm = scaled(1 / result.length, c.arm);
    c.normal_force /= result.force;
  }
  Load& scaled_load = result.load;
  scaled_load.length = 1;
  double stiffest = 0;
  double heaviest = 0;
  const auto scale = [&](std::size_t i) { return i < 3 ? 1 : 1 / result.length; };
  for (std::size_t i = 0; i < 6; ++i) {
    scaled_load.wrench[i] *= scale(i) / result.force;
    for (std::size_t j = 0; j < 6; ++j) {
      scaled_load.gradient[i][j] *= scale(i) * scale(j);
      scaled_load.mass[i][j] *= scale(i) * scale(j);
      stiffest = std::max(stiffest, std::abs(scaled_load.gradient[i][j]));
      heaviest = std::max(heaviest, std::abs(scaled_load.mass[i][j]));
    }
  }
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      scaled_load.gradient[i][j] /= stiffest;
      scaled_load.mass[i][j] /= heaviest;
    }
  }
  result.motion = result.force / stiffest;
  return result;
}

}  // namespace stiction::baselines
