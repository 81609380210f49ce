#include "contact_problem.h"

#include <numbers>

namespace stiction::spatial {
namespace {

constexpr double unit_tolerance = 1e-6;  // on |N|²

bool usable(const Contact& c) noexcept {
  // A NaN propagates through the sum
  const double all = absolute_sum(c.arm) + absolute_sum(c.u) + c.normal_force + c.friction + c.torsion +
                     c.dynamic_friction.value_or(0) + c.friction_v.value_or(0);
  return all < largest_number && std::abs(dot(c.normal, c.normal) - 1) < unit_tolerance && c.normal_force >= 0 &&
         c.friction >= 0 && c.torsion >= 0 && c.dynamic_friction.value_or(0) >= 0 && c.friction_v.value_or(0) >= 0;
}

std::optional<Problem> problem_with(const Contact& c) noexcept {
  const auto first_outside = [](const char* field, std::span<const double> values,
                                const Range& range) -> std::optional<Problem> {
    for (const double value : values) {
      if (!range.holds(value)) {
        return Problem{field, value, range.text};
      }
    }
    return std::nullopt;
  };
  const auto amount = [&](const char* field, double value) {
    return first_outside(field, std::span(&value, 1), contact_amounts);
  };
  for (const auto& found :
       {first_outside("arm", c.arm, contact_numbers), first_outside("normal", c.normal, contact_numbers),
        first_outside("u", c.u, contact_numbers), amount("normal_force", c.normal_force),
        amount("friction", c.friction), amount("dynamic_friction", c.dynamic_friction.value_or(0)),
        amount("friction_v", c.friction_v.value_or(0)), amount("torsion", c.torsion)}) {
    if (found) {
      return found;
    }
  }
  if (!(std::abs(dot(c.normal, c.normal) - 1) < unit_tolerance)) {
    return Problem{"normal", std::sqrt(dot(c.normal, c.normal)), "of length 1 within 5e-7"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Problem> StaticFriction::check(std::span<const Contact> contacts, const Load& load) noexcept {
  for (const Contact& c : contacts) {
    if (const auto problem = problem_with(c)) {
      return problem;
    }
  }
  const std::array sums{std::pair{"wrench", absolute_sum(load.wrench)},
                        std::pair{"gradient", absolute_sum(load.gradient)}, std::pair{"mass", absolute_sum(load.mass)}};
  for (const auto& [field, sum] : sums) {
    if (!contact_amounts.holds(sum)) {
      return Problem{field, sum, "finite, with a sum of magnitudes below 1e150"};
    }
  }
  if (!Load::lengths.holds(load.length)) {
    return Problem{"length", load.length, Load::lengths.text};
  }
  return std::nullopt;
}

StaticFriction::Memory::Memory(std::size_t max_contacts, int side_count)
    : capacity(max_contacts),
      sides(side_count),
      plain(max_contacts),
      next_plain(max_contacts),
      friction(max_contacts, side_count) {
  contacts.reserve(max_contacts);
  keys.reserve(max_contacts);
  at_rest.reserve(max_contacts);
  tangents.reserve(max_contacts);
  for (int j = 0; j < sides / 2; ++j) {
    const double angle = (2 * j + 1) * std::numbers::pi / sides;
    side_directions.push_back({-std::sin(angle), std::cos(angle)});
  }
  results.reserve(max_contacts);
  verdict_results.reserve(max_contacts);
  std::size_t slot_count = 16;
  while (slot_count < 2 * max_contacts) {
    slot_count *= 2;
  }
  remembered.reserve(max_contacts);
  slots.resize(slot_count);
}

bool StaticFriction::Memory::set(std::span<const Contact> all, const Load& given) noexcept {
  if (all.size() > capacity ||
      !(absolute_sum(given.wrench) + absolute_sum(given.gradient) + absolute_sum(given.mass) < largest_number) ||
      !Load::lengths.holds(given.length)) {
    return false;
  }
  const bool now_plain = sides == 0 && next_plain.read(all);
  if (!(now_plain ? next_plain.usable() : std::all_of(all.begin(), all.end(), usable))) {
    return false;
  }
  all_plain = now_plain;
  keys.resize(all.size());
  std::ranges::transform(all, keys.begin(), [](const Contact& c) { return c.key.value_or(no_key); });
  tangents.clear();
  bool other_coefficients = false;
  declared = false;
  if (all_plain) {
    std::swap(plain, next_plain);
    plain_total = plain.prepare();
  } else {
    contacts.assign(all.begin(), all.end());
    for (Contact& c : contacts) {
      if (const double square = dot(c.normal, c.normal); std::abs(square - 1) > 1e-15) {
        c.normal = scaled(1 / std::sqrt(square), c.normal);  // single-precision rounding must not count as a tilt
      }
      tangents.push_back(contact_tangents(c));
      other_coefficients = other_coefficients || c.dynamic_friction.has_value();
      declared = declared || c.declared != Declared::nothing;
    }
  }
  at_rest.clear();
  if (other_coefficients) {
    at_rest = contacts;
  }
  length = given.length;
  const bool loaded = absolute_sum(given.wrench) >= Load::smallest;
  for (std::size_t i = 0; i < 6; ++i) {
    const double row = i < 3 ? 1 : 1 / length;
    wrench[i] = loaded ? given.wrench[i] * row : 0;
    for (std::size_t j = 0; j < 6; ++j) {
      const double scale = row * (j < 3 ? 1 : 1 / length);
      gradient[i][j] = given.gradient[i][j] * scale;
      mass[i][j] = given.mass[i][j] * scale;
    }
  }
  filled = Filled::nothing;
  has_certificate = false;
  return true;
}

/// The friction columns of contact i, torques divided by the length; the third column is torsion.
template <std::size_t d>
STICTION_ALWAYS_INLINE std::array<Vector6, d> StaticFriction::Memory::columns(std::size_t i) const noexcept {
  const double per_length = 1 / length;
  const auto scaled_torque = [per_length](Vector6 column) {
    return Vector6{
        column[0], column[1], column[2], column[3] * per_length, column[4] * per_length, column[5] * per_length};
  };
  std::array<Vector6, d> result{};
  const Contact at{.arm = all_plain ? plain.arm(i) : contacts[i].arm};
  const auto [u, v] = tangents_of(i);
  result[0] = scaled_torque(friction_column(at, u));
  result[1] = scaled_torque(friction_column(at, v));
  if constexpr (d == 3) {
    const Vector3 n = all_plain ? cross(u, v) : contacts[i].normal;
    result[2] = scaled_torque({0, 0, 0, n[0], n[1], n[2]});
  }
  return result;
}

Vector3 StaticFriction::Memory::limits_of(std::size_t i) const noexcept {
  if (all_plain) {
    return {plain.radius(i), plain.radius(i), 0};
  }
  const Contact& c = contacts[i];
  return scaled(c.normal_force, Vector3{c.friction, along_v(c), c.torsion});
}

Vector6 StaticFriction::Memory::friction_along(const Matrix6& axes) const noexcept {
  Vector6 result{};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (filled == Filled::all_but_declared && contacts[i].declared == Declared::slides) {
      continue;
    }
    const Vector3 limits = limits_of(i);
    const auto columns_in_space = columns<3>(i);
    for (std::size_t c = 0; c < 3; ++c) {
      const Vector6 w = times(axes, columns_in_space[c]);
      for (std::size_t a = 0; a < 6; ++a) {
        result[a] += limits[c] * std::abs(w[a]);
      }
    }
  }
  return result;
}

Matrix6 StaticFriction::Memory::gram(const Matrix6& axes, Counted counted) const noexcept {
  Matrix6 result{};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (filled == Filled::all_but_declared && contacts[i].declared == Declared::slides) {
      continue;
    }
    // With Counted::all the two tangential columns count even without friction
    Vector3 limits = limits_of(i);
    if (counted == Counted::all) {
      limits = {1, 1, all_plain ? 0 : contacts[i].torsion};
    }
    const auto columns_in_space = columns<3>(i);
    for (std::size_t c = 0; c < 3; ++c) {
      if (!(limits[c] > 0)) {
        continue;
      }
      const Vector6 w = times(axes, columns_in_space[c]);
      for (std::size_t a = 0; a < 6; ++a) {
        for (std::size_t b = 0; b < 6; ++b) {
          result[a][b] += w[a] * w[b];
        }
      }
    }
  }
  return result;
}

void StaticFriction::Memory::scale_forces(double total) noexcept {
  const double all = absolute_sum(wrench);
  constexpr double negligible = 1e-30;
  frictionless = !(total > std::max(negligible * all, 1e-290));  // 1/total must be finite
  if (frictionless && total > 1e-290) {
    // Weak friction on a long arm may still give a significant torque
    double reach = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      reach = std::max(reach, absolute_sum(all_plain ? plain.arm(i) : contacts[i].arm) / length);
    }
    frictionless = !(total * reach > negligible * all);
  }
  force = frictionless ? all : total;
  force = force > 0 && force < largest_number ? force : 1;
  for (std::size_t i = 0; i < 6; ++i) {
    load[i] = wrench[i] / force;
  }
}

void StaticFriction::Memory::fill(bool with_declared) noexcept {
  friction.each([](auto& group) { group.clear(); });
  if (all_plain) {
    scale_forces(plain_total);
    plain.fill(friction.discs, 1 / length, per_force());
    return;
  }
  const auto counted = [with_declared](const Contact& c) {
    return with_declared || c.declared != Declared::slides ? c.normal_force : 0;
  };
  double total = 0;
  for (const Contact& c : contacts) {
    total += counted(c) * std::max({c.friction, along_v(c), c.torsion / length});
  }
  scale_forces(total);
  const double per_force = this->per_force();
  const double half = sides > 0 ? std::tan(std::numbers::pi / sides) : 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& c = contacts[i];
    const double normal = counted(c);
    const double largest = std::max(c.friction, along_v(c));
    const auto scale = [](Vector6& column, double by) {
      for (double& component : column) {
        component *= by;
      }
    };
    // Contacts without friction get zero columns, so that their unknowns cannot grow
    if (sides > 0) {
      auto w = columns<3>(i);
      const double weight = normal * largest * half * per_force;
      const double per_largest = per(largest, weight);
      for (const auto& [along_u, across] : side_directions) {
        friction.segments.add(
            combined(along_u * c.friction * per_largest, w[0], across * along_v(c) * per_largest, w[1]), weight);
      }
      if (c.torsion > 0) {
        const double of_torsion = c.torsion * normal * per_force;
        scale(w[2], per(1, of_torsion));
        friction.segments.add(w[2], of_torsion);
      }
      continue;
    }
    const double coefficient = std::max(largest, c.torsion / length);
    const double weight = normal * coefficient * per_force;
    const double per_coefficient = per(coefficient, weight);
    const auto add = [&](auto& group, auto w) {
      scale(w[0], c.friction * per_coefficient);
      scale(w[1], along_v(c) * per_coefficient);
      if constexpr (w.size() == 3) {
        scale(w[2], c.torsion * per_coefficient);
      }
      group.add(w, weight);
    };
    if (c.torsion > 0) {
      add(friction.balls, columns<3>(i));
    } else {
      add(friction.discs, columns<2>(i));
    }
  }
}

void StaticFriction::Memory::use_dynamic_friction(Contact& c) noexcept {
  const double dynamic = c.dynamic_friction.value_or(c.friction);
  const double share = dynamic / c.friction;
  c.friction = dynamic;
  if (c.friction_v && *c.friction_v > 0) {
    *c.friction_v *= share;
  }
  c.torsion *= share;
}

void StaticFriction::Memory::use_static_friction() noexcept {
  if (filled == Filled::at_rest) {
    return;
  }
  if (!at_rest.empty()) {
    contacts = at_rest;
    for (Contact& c : contacts) {
      if (c.declared == Declared::slides && c.dynamic_friction && c.friction > 0) {
        use_dynamic_friction(c);
      }
    }
  }
  fill(true);
  filled = Filled::at_rest;
}

void StaticFriction::Memory::exclude_sliding() noexcept {
  if (!declared) {
    use_static_friction();
    return;
  }
  if (!at_rest.empty()) {
    contacts = at_rest;
  }
  fill(false);
  filled = Filled::all_but_declared;
}

void StaticFriction::Memory::refill(Filled previous) noexcept {
  if (filled != previous) {
    fill(previous != Filled::all_but_declared);
    filled = previous;
  }
}

bool StaticFriction::Memory::update_sliding() noexcept {
  bool changed = false;
  for (std::size_t i = 0; i < at_rest.size(); ++i) {
    Contact& c = contacts[i];
    const bool slides = results[i].state == ContactState::slides && c.declared == Declared::nothing;
    if (slides && c.dynamic_friction.value_or(c.friction) < c.friction) {
      use_dynamic_friction(c);
      changed = true;
    }
  }
  if (changed) {
    fill(true);
    filled = Filled::sliding;
  }
  return changed;
}
EnergyMetric StaticFriction::Memory::metric_of(Metric metric) const noexcept {
  EnergyMetric m;
  if (metric == Metric::stiffness) {
    // D = −sym K: G = −sym K and Δ = y
    m.is_motion = true;
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
    const Matrix6 product = times(gradient, m.to_motion);
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        m.g[i][j] = -0.5 * (product[i][j] + product[j][i]);
      }
    }
  }
  double trace = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    trace += m.g[i][i] / 6;
  }
  m.scale = trace;
  if (!(trace > 0 && trace < largest_number)) {
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

Vector6 StaticFriction::Memory::motion_of(const EnergyMetric& metric, const Vector6& y) const noexcept {
  Vector6 result = times(metric.to_motion, y);
  for (std::size_t i = 0; i < 6; ++i) {
    result[i] *= force / metric.scale / (i < 3 ? 1 : length);
  }
  return result;
}

Vector6 StaticFriction::Memory::multiplier_of(const EnergyMetric& metric, const Vector6& y) const noexcept {
  Vector6 result = y;
  for (std::size_t i = 0; i < 6; ++i) {
    result[i] *= force / metric.scale / (i < 3 ? 1 : length);
  }
  return result;
}

Vector6 StaticFriction::Memory::virtual_motion(const Vector6& y) const noexcept {
  const double size = std::sqrt(dot(y, y));
  const double per = size > 0 ? 1 / size : 0;
  return {y[0] * per, y[1] * per, y[2] * per, y[3] * per / length, y[4] * per / length, y[5] * per / length};
}

}  // namespace stiction::spatial
