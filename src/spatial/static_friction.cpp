#include "stiction/spatial/static_friction.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "segments.h"

namespace stiction::spatial {
namespace {

Vector3 cross(const Vector3& a, const Vector3& b) noexcept {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Vector3& a, const Vector3& b) noexcept { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

bool finite(double x) noexcept { return std::abs(x) < 1e150; }
template <std::size_t N>
bool finite(const std::array<double, N>& x) noexcept {
  return std::all_of(x.begin(), x.end(), [](double value) { return finite(value); });
}

bool usable(const Contact& c) noexcept {
  return finite(c.arm) && finite(c.normal) && std::abs(dot(c.normal, c.normal) - 1) < 1e-6 && finite(c.normal_force) &&
         c.normal_force >= 0 && finite(c.friction) && c.friction >= 0 && finite(c.dynamic_friction) && finite(c.u) &&
         finite(c.friction_v) && finite(c.torsion) && c.torsion >= 0;
}

/// Two tangents: u as given, made perpendicular, or any.
struct Tangents {
  Vector3 u, v;
};
Tangents tangents_of(const Contact& c) noexcept {
  const Vector3& n = c.normal;
  const auto perpendicular = [&](const Vector3& a) {
    const double along = dot(a, n);
    return Vector3{a[0] - along * n[0], a[1] - along * n[1], a[2] - along * n[2]};
  };
  Vector3 u = perpendicular(c.u);
  if (!(dot(u, u) > 1e-12)) {
    u = perpendicular(std::abs(n[0]) < 0.6 ? Vector3{1, 0, 0} : Vector3{0, 1, 0});
  }
  const double scale = 1 / std::sqrt(dot(u, u));
  for (double& component : u) {
    component *= scale;
  }
  return {u, cross(n, u)};
}

/// Of full rank without doubt, which is found sooner than eigenvalues are.
bool clearly_regular(const Matrix6& a) noexcept {
  Cholesky factors;
  return factors.factor(a) && factors.least_pivot() > 1e-8 * factors.largest_pivot();
}
Eigen6 identity_spectrum() noexcept { return {{1, 1, 1, 1, 1, 1}, {}}; }

/// The symmetric matrix of which a triangle is given.
Matrix6 symmetric(const std::array<double, triangle>& upper) noexcept {
  Matrix6 result{};
  std::size_t k = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = i; j < 6; ++j, ++k) {
      result[i][j] = upper[k];
      result[j][i] = upper[k];
    }
  }
  return result;
}

Vector6 combined(double a, const Vector6& x, double b, const Vector6& y) noexcept {
  Vector6 result{};
  for (std::size_t i = 0; i < 6; ++i) {
    result[i] = a * x[i] + b * y[i];
  }
  return result;
}

/// Wrenches of friction, one set of balls for each dimension.
struct Friction {
  Segments segments;
  Balls<2> discs;
  Balls<3> balls;

  Friction(std::size_t capacity, int sides)
      : segments(sides > 0 ? capacity * static_cast<std::size_t>(sides / 2 + 1) : 0),
        discs(sides > 0 ? 0 : capacity),
        balls(sides > 0 ? 0 : capacity) {}

  template <class Each>
  void each(const Each& call) noexcept {
    call(segments);
    call(discs);
    call(balls);
  }
};

#define STICTION_SWEEP [[gnu::flatten]] STICTION_SIMD_CLONES
STICTION_SWEEP void evaluate(Friction& f, double alpha, const Vector6& y, Sums& sums) noexcept {
  f.segments.evaluate(alpha, y, sums);
  f.discs.evaluate(alpha, y, sums);
  f.balls.evaluate(alpha, y, sums);
}
STICTION_SWEEP void predict(Friction& f, const Vector6& y_there, Way& way) noexcept {
  f.segments.predict(y_there, way);
  f.discs.predict(y_there, way);
  f.balls.predict(y_there, way);
}
STICTION_SWEEP void prepare_correction(Friction& f, double c, double share, Vector6& right) noexcept {
  f.segments.prepare_correction(c, share, right);
  f.discs.prepare_correction(c, share, right);
  f.balls.prepare_correction(c, share, right);
}
STICTION_SWEEP void correct(Friction& f, const Vector6& dy, Way& way) noexcept {
  f.segments.correct(dy, way);
  f.discs.correct(dy, way);
  f.balls.correct(dy, way);
}
STICTION_SWEEP void move_alone(Friction& f, double c, const Vector6& y) noexcept {
  f.segments.move_alone(c, y);
  f.discs.move_alone(c, y);
  f.balls.move_alone(c, y);
}
#undef STICTION_SWEEP

/// How far a step goes of the way to the boundary.
constexpr double nearly = 0.995;
/// Less than this of a step, and contacts go their own ways.
constexpr double short_step = 0.05;

/// Mehrotra's choice of the next c, from what the direction to c = 0 would bring; and how much of its second order to
/// take into account: little, where it soon meets a boundary.
struct Target {
  double centre, share;
};
Target next_target(const Way& way, double centre) noexcept {
  const double alpha = std::min(1.0, nearly * way.most);
  const double there = way.centre[0] + alpha * (way.centre[1] + alpha * (way.centre[2] + alpha * way.centre[3]));
  const double left = std::clamp(there / centre, 0.0, 1.0);
  return {centre * std::clamp(left * left * left, 1e-6, 0.9), alpha > 0.1 ? 1.0 : 0.0};
}

}  // namespace

struct StaticFriction::Memory {
  Memory(std::size_t most, int side_count) : capacity(most), sides(side_count), friction(most, side_count) {
    contacts.reserve(most);
    given.reserve(most);
    tangents.reserve(most);
    results.reserve(most);
    std::size_t slots = 16;
    while (slots < 2 * most) {
      slots *= 2;
    }
    remembered.resize(slots);
  }

  std::size_t capacity;
  int sides;
  std::vector<Contact> given;     // as the user has them
  std::vector<Contact> contacts;  // with the coefficients that apply: at rest, or sliding
  std::vector<Tangents> tangents;
  std::vector<ContactResult> results;
  Friction friction;

  // Scaled: torques over a length, forces over the sum of all μ N
  double length = 1, force = 1;
  bool frictionless = false;
  bool filled = false;  // `friction` has the coefficients at rest
  Vector6 load{};
  Matrix6 gradient{}, mass{};

  // The last solution, for the next frame
  struct Remembered {
    std::int64_t key = -1;
    Vector3 share{};  // friction over its largest value
    double turn = 0;
  };
  std::vector<Remembered> remembered;  // open addressing
  bool has_last = false;
  Vector6 last_motion{};  // y as a motion, in SI units
  Metric last_metric = Metric::stiffness;

  Remembered* find(std::int64_t key, bool to_write) noexcept {
    const std::size_t mask = remembered.size() - 1;
    std::size_t slot = (static_cast<std::uint64_t>(key) * 0x9e3779b97f4a7c15U >> 20U) & mask;
    for (std::size_t tries = 0; tries < remembered.size(); ++tries, slot = (slot + 1) & mask) {
      if (remembered[slot].key == key) {
        return &remembered[slot];
      }
      if (remembered[slot].key == -1) {
        return to_write ? &remembered[slot] : nullptr;
      }
    }
    return nullptr;
  }

  [[nodiscard]] static double radius(const Contact& c) noexcept {
    const double along_v = c.friction_v < 0 ? c.friction : c.friction_v;
    return c.normal_force * std::max(c.friction, along_v);
  }

  /// The columns of friction of contact i, torques over the length.
  [[nodiscard]] std::array<Vector6, 3> columns(std::size_t i) const noexcept {
    std::array<Vector6, 3> result{};
    const auto put = [&](std::size_t column, const Vector3& t) {
      const Vector3 torque = cross(contacts[i].arm, t);
      result[column] = {t[0], t[1], t[2], torque[0] / length, torque[1] / length, torque[2] / length};
    };
    put(0, tangents[i].u);
    put(1, tangents[i].v);
    const Vector3& n = contacts[i].normal;
    result[2] = {0, 0, 0, n[0] / length, n[1] / length, n[2] / length};
    return result;
  }

  void fill() noexcept {
    friction.each([](auto& group) { group.clear(); });
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const Contact& c = contacts[i];
      const double r = radius(c);
      const double along_v = c.friction_v < 0 ? c.friction : c.friction_v;
      // What has no friction gets no columns, so that nothing there can grow
      const double exists = r > 0 || c.torsion * c.normal_force > 0 ? 1 : 0;
      const double largest = std::max(c.friction, along_v);
      auto w = columns(i);
      const auto scale = [&](Vector6& column, double by) {
        for (double& component : column) {
          component *= by * exists;
        }
      };
      if (sides > 0) {
        const double half = std::tan(std::numbers::pi / sides);
        for (int j = 0; j < sides / 2; ++j) {
          const double angle = (2 * j + 1) * std::numbers::pi / sides;
          Vector6 edge = combined(-std::sin(angle) * (largest > 0 ? c.friction / largest : 0), w[0],
                                  std::cos(angle) * (largest > 0 ? along_v / largest : 0), w[1]);
          scale(edge, r > 0 ? 1 : 0);
          friction.segments.add(edge, r * half / force);
        }
        scale(w[2], c.torsion > 0 ? 1 : 0);
        friction.segments.add(w[2], c.torsion * c.normal_force / force);
        continue;
      }
      const double whole = std::max(r, c.torsion * c.normal_force / length);
      if (whole > 0) {
        scale(w[0], c.friction * c.normal_force / whole);
        scale(w[1], along_v * c.normal_force / whole);
        scale(w[2], c.torsion * c.normal_force / whole);
      } else {
        w = {};
      }
      if (c.torsion > 0) {
        friction.balls.add(w, whole / force);
      } else {
        friction.discs.add({w[0], w[1]}, whole / force);
      }
    }
  }

  /// All coefficients at rest.
  void rest() noexcept {
    if (!filled) {
      contacts = given;
      fill();
      filled = true;
    }
  }
  /// Contacts that slide get the coefficients of sliding. False where none changes.
  bool let_slide() noexcept {
    bool changed = false;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      Contact& c = contacts[i];
      if (results[i].state == ContactState::slides && c.dynamic_friction >= 0 && c.dynamic_friction < c.friction) {
        const double share = c.dynamic_friction / c.friction;
        c.friction *= share;
        c.friction_v *= c.friction_v > 0 ? share : 1;
        c.torsion *= share;
        changed = true;
      }
    }
    if (changed) {
      fill();
      filled = false;
    }
    return changed;
  }

  /// Calls for_disc(i, k) or for_ball(i, k) for every contact i, which is the k-th of its kind.
  template <class ForDisc, class ForBall>
  void each_contact(const ForDisc& for_disc, const ForBall& for_ball) const noexcept {
    std::size_t disc = 0;
    std::size_t ball = 0;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (contacts[i].torsion > 0) {
        for_ball(i, ball++);
      } else {
        for_disc(i, disc++);
      }
    }
  }

  void recall() noexcept {
    if (sides > 0) {
      return;
    }
    const auto share_of = [&](std::size_t i) -> const Remembered* {
      return contacts[i].key >= 0 ? find(contacts[i].key, false) : nullptr;
    };
    each_contact(
        [&](std::size_t i, std::size_t k) {
          const Remembered* const r = share_of(i);
          friction.discs.set_beta(k, 0, r != nullptr ? dot(r->share, tangents[i].u) : 0);
          friction.discs.set_beta(k, 1, r != nullptr ? dot(r->share, tangents[i].v) : 0);
        },
        [&](std::size_t i, std::size_t k) {
          const Remembered* const r = share_of(i);
          friction.balls.set_beta(k, 0, r != nullptr ? dot(r->share, tangents[i].u) : 0);
          friction.balls.set_beta(k, 1, r != nullptr ? dot(r->share, tangents[i].v) : 0);
          friction.balls.set_beta(k, 2, r != nullptr ? r->turn : 0);
        });
  }
  void remember() noexcept {
    if (sides > 0) {
      return;
    }
    std::fill(remembered.begin(), remembered.end(), Remembered{});
    const auto keep = [&](std::size_t i, double bu, double bv, double bt) {
      if (contacts[i].key < 0) {
        return;
      }
      if (Remembered* const r = find(contacts[i].key, true)) {
        const auto& [u, v] = tangents[i];
        *r = {contacts[i].key, {bu * u[0] + bv * v[0], bu * u[1] + bv * v[1], bu * u[2] + bv * v[2]}, bt};
      }
    };
    each_contact(
        [&](std::size_t i, std::size_t k) { keep(i, friction.discs.beta(k, 0), friction.discs.beta(k, 1), 0); },
        [&](std::size_t i, std::size_t k) {
          keep(i, friction.balls.beta(k, 0), friction.balls.beta(k, 1), friction.balls.beta(k, 2));
        });
  }

  /// How the energy of a motion is measured: g = −K Δ and y = G⁻¹ g, with G = K D⁻¹ Kᵀ.
  struct Metrics {
    Matrix6 g{};
    double scale = 1;     // G was divided by this
    Matrix6 to_motion{};  // Δ = to_motion y, scaled
    Cholesky factors;
    bool ok = false;
  };
  [[nodiscard]] Metrics metrics(Metric metric) const noexcept {
    Metrics m;
    if (metric == Metric::stiffness) {
      // D = −sym K: G = −sym K and Δ = y
      for (std::size_t i = 0; i < 6; ++i) {
        m.to_motion[i][i] = 1;
        for (std::size_t j = 0; j < 6; ++j) {
          m.g[i][j] = -0.5 * (gradient[i][j] + gradient[j][i]);
        }
      }
    } else {
      Cholesky d;
      if (!d.factor(mass)) {
        return m;
      }
      // Δ = −D⁻¹ Kᵀ y
      for (std::size_t j = 0; j < 6; ++j) {
        const Vector6 column = d.solve(gradient[j]);  // D⁻¹ times row j of K
        for (std::size_t i = 0; i < 6; ++i) {
          m.to_motion[i][j] = -column[i];
        }
      }
      m.g = times(gradient, m.to_motion);
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < 6; ++j) {
          m.g[i][j] = -m.g[i][j];
        }
      }
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          const double mean = 0.5 * (m.g[i][j] + m.g[j][i]);
          m.g[i][j] = mean;
          m.g[j][i] = mean;
        }
      }
    }
    double trace = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      trace += m.g[i][i] / 6;
    }
    m.scale = trace;
    if (!(trace > 0) || !finite(trace)) {
      return m;
    }
    for (Vector6& row : m.g) {
      for (double& value : row) {
        value /= trace;
      }
    }
    m.ok = m.factors.factor(m.g);
    return m;
  }

  /// Δ of a scaled y, in SI units.
  [[nodiscard]] Vector6 motion_of(const Metrics& m, const Vector6& y) const noexcept {
    Vector6 result = times(m.to_motion, y);
    for (std::size_t i = 0; i < 6; ++i) {
      result[i] *= force / m.scale / (i < 3 ? 1 : length);
    }
    return result;
  }

  /// Forces of the last β; a contact slides where it gives all it can and the motion along it is not nothing.
  void report(const Metrics& m, const Vector6& y) noexcept {
    results.assign(contacts.size(), {});
    const double size = std::sqrt(spatial::dot(y, times(m.g, y)));
    std::size_t segment = 0;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const Contact& c = contacts[i];
      const auto& [u, v] = tangents[i];
      const double along_v = c.friction_v < 0 ? c.friction : c.friction_v;
      double fu = 0;
      double fv = 0;
      double torque = 0;
      double used = 0;  // of what it can give
      if (sides > 0) {
        const double half = std::tan(std::numbers::pi / sides) * c.normal_force;
        double all = 1;
        for (int j = 0; j < sides / 2; ++j) {
          const double angle = (2 * j + 1) * std::numbers::pi / sides;
          const double b = friction.segments.beta(segment++);
          fu -= std::sin(angle) * half * c.friction * b;
          fv += std::cos(angle) * half * along_v * b;
          all = std::min(all, std::abs(b));
        }
        // On the edge of the polygon all segments but one are at an end
        const double pu = c.friction > 0 ? fu / (c.friction * c.normal_force) : 0;
        const double pv = along_v > 0 ? fv / (along_v * c.normal_force) : 0;
        for (int j = 0; j < sides; ++j) {
          const double angle = (2 * j + 1) * std::numbers::pi / sides;
          used = std::max(used, pu * std::cos(angle) + pv * std::sin(angle));
        }
        torque = c.torsion * c.normal_force * friction.segments.beta(segment++);
      }
      results[i].friction = {fu * u[0] + fv * v[0], fu * u[1] + fv * v[1], fu * u[2] + fv * v[2]};
      results[i].torque = torque;
      results[i].state = used > 1 - 1e-6 && size > 0 ? ContactState::slides : ContactState::sticks;
    }
    if (sides > 0) {
      return;
    }
    const auto put = [&](std::size_t i, double bu, double bv, double bt) {
      const Contact& c = contacts[i];
      const auto& [u, v] = tangents[i];
      const double along_v = c.friction_v < 0 ? c.friction : c.friction_v;
      const double fu = c.friction * c.normal_force * bu;
      const double fv = along_v * c.normal_force * bv;
      results[i].friction = {fu * u[0] + fv * v[0], fu * u[1] + fv * v[1], fu * u[2] + fv * v[2]};
      results[i].torque = c.torsion * c.normal_force * bt;
      results[i].state = bu * bu + bv * bv + bt * bt > 1 - 1e-6 ? ContactState::slides : ContactState::sticks;
    };
    each_contact([&](std::size_t i, std::size_t k) { put(i, friction.discs.beta(k, 0), friction.discs.beta(k, 1), 0); },
                 [&](std::size_t i, std::size_t k) {
                   put(i, friction.balls.beta(k, 0), friction.balls.beta(k, 1), friction.balls.beta(k, 2));
                 });
  }
};

StaticFriction::StaticFriction(std::size_t capacity, int sides) : memory_(std::make_unique<Memory>(capacity, sides)) {}
StaticFriction::~StaticFriction() = default;
StaticFriction::StaticFriction(StaticFriction&&) noexcept = default;
StaticFriction& StaticFriction::operator=(StaticFriction&&) noexcept = default;
std::span<const ContactResult> StaticFriction::contacts() const noexcept { return memory_->results; }

bool StaticFriction::set(std::span<const Contact> contacts, const Load& load) noexcept {
  Memory& m = *memory_;
  const auto finite_matrix = [](const Matrix6& a) {
    return std::all_of(a.begin(), a.end(), [](const Vector6& row) { return finite(row); });
  };
  if (contacts.size() > m.capacity || !std::all_of(contacts.begin(), contacts.end(), usable) || !finite(load.wrench) ||
      !finite_matrix(load.gradient) || !finite_matrix(load.mass) || !(load.length > 0) || !finite(load.length)) {
    return false;
  }
  m.given.assign(contacts.begin(), contacts.end());
  m.contacts = m.given;
  m.tangents.clear();
  double total = 0;
  for (const Contact& c : contacts) {
    m.tangents.push_back(tangents_of(c));
    total += std::max(Memory::radius(c), c.torsion * c.normal_force / load.length);
  }
  m.length = load.length;
  m.frictionless = !(total > 0);
  m.force = m.frictionless ? 1 : total;
  for (std::size_t i = 0; i < 6; ++i) {
    const double row = i < 3 ? 1 : 1 / m.length;
    m.load[i] = load.wrench[i] * row / m.force;
    for (std::size_t j = 0; j < 6; ++j) {
      const double scale = row * (j < 3 ? 1 : 1 / m.length);
      m.gradient[i][j] = load.gradient[i][j] * scale;
      m.mass[i][j] = load.mass[i][j] * scale;
    }
  }
  m.filled = false;
  return true;
}

Solution StaticFriction::solve(const Options& options) noexcept {
  memory_->rest();
  Solution result = solve_with_these(options);
  // Less friction at those that slide may set others off.
  constexpr int most_rounds = 8;
  for (int k = 0; k < most_rounds && memory_->let_slide(); ++k) {
    const int before = result.iterations;
    result = solve_with_these(options);
    result.iterations += before;
  }
  return result;
}

Solution StaticFriction::solve_with_these(const Options& options) noexcept {
  Memory& m = *memory_;
  Solution result;
  const auto metric = m.metrics(options.metric);
  if (!metric.ok) {
    return result;
  }
  const Vector6& f = m.load;
  // In scaled units: an energy of 1 is force²/scale
  const double joule = m.force * m.force / metric.scale;
  const double without = 0.5 * spatial::dot(f, metric.factors.solve(f));
  const double enough = options.gap * without;
  double best_bound = 0;
  double objective = without;
  Vector6 y{};
  Vector6 y_primal{};

  const auto look = [&](double alpha, Sums& sums, Vector6& g) {
    sums = {};
    evaluate(m.friction, alpha, y, sums);
    g = combined(1, f, 1, sums.wrench);
    y_primal = metric.factors.solve(g);
    objective = 0.5 * spatial::dot(g, y_primal);
    const double bound = spatial::dot(y, f) - 0.5 * spatial::dot(y, times(metric.g, y)) - sums.reach;
    best_bound = std::max(best_bound, bound);
  };
  const auto run = [&](int most, bool cautious) {
    double alpha = 0;
    Sums sums;
    Vector6 g{};
    bool reached = false;
    for (int k = 0, last = most;; ++k) {
      look(alpha, sums, g);
      if (!reached && objective - best_bound <= enough) {
        reached = true;
        last = k + options.polish;
      }
      if (k >= last) {
        return reached;
      }
      ++result.iterations;
      Matrix6 a = symmetric(sums.matrix);
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < 6; ++j) {
          a[i][j] += metric.g[i][j];
        }
      }
      Cholesky factors;
      if (!factors.factor(a, !reached)) {
        return reached;
      }
      Way way;
      predict(m.friction, factors.solve(g), way);
      Target aim = next_target(way, sums.centre);
      if (cautious) {
        aim = {0.3 * sums.centre, 0};
      }
      // (G + Σ ω W M⁻¹ Wᵀ) dy = g − G y + Σ ω W M⁻¹ q
      Vector6 right = combined(1, g, -1, times(metric.g, y));
      prepare_correction(m.friction, aim.centre, aim.share, right);
      const Vector6 dy = factors.solve(right);
      way = {};
      correct(m.friction, dy, way);
      alpha = std::min(1.0, (cautious ? 0.9 : nearly) * way.most);
      if (reached && alpha < 0.5) {
        return true;  // there are no more digits to win
      }
      if (alpha < short_step && !cautious) {
        y = combined(1, y, 1, dy);
        move_alone(m.friction, std::max(aim.centre, 0.05 * sums.centre), y);
        alpha = 0;
      } else {
        y = combined(1, y, alpha, dy);
      }
    }
  };

  // Nothing to balance, or nothing to balance it with
  bool done = !(without > 0) || m.frictionless;
  if (done) {
    m.friction.each([](auto& group) {
      group.start_in_the_middle(1);
      group.stay();
    });
    y_primal = metric.factors.solve(f);
    y = y_primal;
    best_bound = objective;
  }
  if (!done && options.warm && m.has_last && m.last_metric == options.metric) {
    // Last frame's motion, and 0.98 of its friction
    m.recall();
    const double scale = metric.scale / m.force;
    // y from a motion: only in the stiffness metric are they the same
    if (options.metric == Metric::stiffness) {
      for (std::size_t i = 0; i < 6; ++i) {
        y[i] = m.last_motion[i] * scale * (i < 3 ? 1 : m.length);
      }
    } else {
      y = combined(scale, m.last_motion, 0, y);
    }
    m.friction.each([](auto& group) {
      group.start_inside(0.98, 1);
      group.stay();
    });
    Sums sums;
    Vector6 g{};
    look(0, sums, g);
    const double c = std::max(objective - best_bound, 1e-3 * enough);
    m.friction.each([&](auto& group) { group.start_inside(1, c); });
    done = run(std::min(options.most_iterations, 25), false);
  }
  for (const bool cautious : {false, true}) {
    if (!done) {
      y = {};
      m.friction.each([&](auto& group) {
        group.start_in_the_middle(without);
        group.stay();
      });
      done = run(options.most_iterations, cautious);
    }
  }
  result.converged = done;
  result.objective = objective * joule;
  result.gap = std::max(0.0, objective - best_bound) * joule;
  result.motion = m.motion_of(metric, y_primal);
  m.report(metric, y_primal);
  m.remember();
  m.has_last = true;
  m.last_metric = options.metric;
  for (std::size_t i = 0; i < 6; ++i) {
    m.last_motion[i] = y[i] * m.force / metric.scale / (options.metric == Metric::stiffness && i >= 3 ? m.length : 1);
  }
  return result;
}

Verdict StaticFriction::verdict(const Options& options, bool exactly) noexcept {
  Memory& m = *memory_;
  m.rest();
  Verdict result;
  // The directions in which no friction acts: Q
  Matrix6 gram{};
  for (std::size_t i = 0; i < m.contacts.size(); ++i) {
    const auto w = m.columns(i);
    for (std::size_t c = 0; c < (m.contacts[i].torsion > 0 ? 3U : 2U); ++c) {
      for (std::size_t a = 0; a < 6; ++a) {
        for (std::size_t b = 0; b < 6; ++b) {
          gram[a][b] += w[c][a] * w[c][b];
        }
      }
    }
  }
  const Eigen6 spectrum = clearly_regular(gram) ? identity_spectrum() : eigen(gram);
  const double largest = *std::max_element(spectrum.values.begin(), spectrum.values.end());
  std::array<Vector6, 6> none{};
  std::size_t missing = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    if (!(spectrum.values[k] > 1e-14 * largest)) {
      for (std::size_t a = 0; a < 6; ++a) {
        none[missing][a] = spectrum.vectors[a][k];
      }
      ++missing;
    }
  }
  result.rank = static_cast<int>(6 - missing);
  // f* = −(f − G Q a) with (Qᵀ G Q) a = Qᵀ f: what friction has to balance once the body has moved freely along Q
  const auto metric = m.metrics(options.metric);
  if (!metric.ok) {
    return result;
  }
  Vector6 qa{};
  if (missing > 0) {
    Matrix6 reduced{};
    Vector6 right{};
    for (std::size_t i = 0; i < 6; ++i) {
      reduced[i][i] = 1;
    }
    for (std::size_t i = 0; i < missing; ++i) {
      const Vector6 g_q = times(metric.g, none[i]);
      for (std::size_t j = 0; j < missing; ++j) {
        reduced[i][j] = spatial::dot(none[j], g_q);
      }
      right[i] = spatial::dot(none[i], m.load);
    }
    Cholesky factors;
    if (!factors.factor(reduced)) {
      return result;
    }
    const Vector6 a = factors.solve(right);
    for (std::size_t i = 0; i < missing; ++i) {
      qa = combined(1, qa, a[i], none[i]);
    }
  }
  Vector6 target = combined(-1, m.load, 1, times(metric.g, qa));
  for (std::size_t i = 0; i < missing; ++i) {
    target = combined(1, target, -spatial::dot(none[i], target), none[i]);
  }
  result.motion = m.motion_of(metric, qa);
  const double size = std::sqrt(spatial::dot(target, target));
  if (!(size > 1e-14 * (1 + std::sqrt(spatial::dot(m.load, m.load))))) {
    result.holds = true;
    result.proven = true;
    result.factor = 1e308;
    result.factor_limit = 1e308;
    return result;
  }
  for (double& component : target) {
    component /= size;
  }
  // Largest s with s target = Σ ω W β. Its dual: least Σ ω |Wᵀ y| with targetᵀ y = −1.
  Vector6 y = combined(-1, target, 0, target);
  double s = 0;
  double best_y = 1e300;  // bound on s
  Sums sums;
  m.friction.each([](auto& group) {
    group.start_in_the_middle(1);
    group.stay();
  });
  evaluate(m.friction, 0, y, sums);
  const double first = std::max(sums.reach, 1e-300);
  m.friction.each([&](auto& group) { group.start_in_the_middle(first); });
  double alpha = 0;
  for (int k = 0;; ++k) {
    sums = {};
    evaluate(m.friction, alpha, y, sums);
    const double along = -spatial::dot(target, y);
    if (along > 0) {
      best_y = std::min(best_y, sums.reach / along);
    }
    result.factor = std::max(result.factor, s / size);
    result.factor_limit = best_y / size;
    const bool close = best_y - s <= 1e-9 * best_y;
    const bool decided = result.factor >= 1 || result.factor_limit < 1;
    if (close || (decided && !exactly)) {
      result.proven = decided;
      break;
    }
    if (k >= options.most_iterations || !(best_y > 0)) {
      result.proven = decided;
      break;
    }
    ++result.iterations;
    Matrix6 a = symmetric(sums.matrix);
    double trace = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      trace += a[i][i];
    }
    for (std::size_t q = 0; q < missing; ++q) {
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < 6; ++j) {
          a[i][j] += trace * none[q][i] * none[q][j];
        }
      }
    }
    Cholesky factors;
    if (!factors.factor(a, true)) {
      break;
    }
    const Vector6 by_target = factors.solve(target);
    const double per = 1 / spatial::dot(target, by_target);
    // Direction to c = 0: y_there = A⁻¹ (h − s' target) with targetᵀ y_there = −1
    const Vector6 by_wrench = factors.solve(sums.wrench);
    const double s_there = (spatial::dot(target, by_wrench) + 1) * per;
    Way way;
    predict(m.friction, combined(1, by_wrench, -s_there, by_target), way);
    const Target aim = next_target(way, sums.centre);
    // A dy + target ds = r + Σ ω W M⁻¹ q,   targetᵀ (y + dy) = −1
    Vector6 right = combined(1, sums.wrench, -s, target);
    prepare_correction(m.friction, aim.centre, aim.share, right);
    const Vector6 by_right = factors.solve(right);
    const double ds = (spatial::dot(target, by_right) + 1 + spatial::dot(target, y)) * per;
    const Vector6 dy = combined(1, by_right, -ds, by_target);
    way = {};
    correct(m.friction, dy, way);
    alpha = std::min(1.0, nearly * way.most);
    if (!(alpha > 1e-9)) {
      break;
    }
    y = combined(1, y, alpha, dy);
    s += alpha * ds;
  }
  result.holds = result.factor >= 1;
  return result;
}

}  // namespace stiction::spatial
