#include "contact_problem.h"

#include <numbers>

namespace stiction::spatial {
namespace {

constexpr double unit_tolerance = 1e-6;  // on |N|²

bool usable(const Contact& c) noexcept {
  // NaN propagates through the sum
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

/// 1/coefficient; 0 if the coefficient is so small that the quotient could overflow, or if its weight is negligible.
double per(double coefficient, double weight = 1) noexcept {
  constexpr double nothing = 1e-300;
  return coefficient > nothing && weight > nothing ? 1 / coefficient : 0;
}

constexpr double all_of_it = 1 - 1e-6;  // share of a pyramid's friction limit above which the contact slides

double along_v(const Contact& c) noexcept { return c.friction_v.value_or(c.friction); }
double radius(const Contact& c) noexcept { return c.normal_force * std::max(c.friction, along_v(c)); }

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

StaticFriction::Memory::Memory(std::size_t most, int side_count)
    : capacity(most), sides(side_count), plain(most), next_plain(most), friction(most, side_count) {
  contacts.reserve(most);
  keys.reserve(most);
  at_rest.reserve(most);
  tangents.reserve(most);
  for (int j = 0; j < sides / 2; ++j) {
    const double angle = (2 * j + 1) * std::numbers::pi / sides;
    side_directions.push_back({-std::sin(angle), std::cos(angle)});
  }
  results.reserve(most);
  verdict_results.reserve(most);
  std::size_t slots = 16;
  while (slots < 2 * most) {
    slots *= 2;
  }
  remembered.reserve(most);
  places.resize(slots);
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
  const Contact place{.arm = all_plain ? plain.arm(i) : contacts[i].arm};
  const auto [u, v] = tangents_of(i);
  result[0] = scaled_torque(friction_column(place, u));
  result[1] = scaled_torque(friction_column(place, v));
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

void StaticFriction::Memory::slow_down(Contact& c) noexcept {
  const double dynamic = c.dynamic_friction.value_or(c.friction);
  const double share = dynamic / c.friction;
  c.friction = dynamic;
  if (c.friction_v && *c.friction_v > 0) {
    *c.friction_v *= share;
  }
  c.torsion *= share;
}

void StaticFriction::Memory::rest() noexcept {
  if (filled == Filled::at_rest) {
    return;
  }
  if (!at_rest.empty()) {
    contacts = at_rest;
    for (Contact& c : contacts) {
      if (c.declared == Declared::slides && c.dynamic_friction && c.friction > 0) {
        slow_down(c);
      }
    }
  }
  fill(true);
  filled = Filled::at_rest;
}

void StaticFriction::Memory::leave_out_sliding() noexcept {
  if (!declared) {
    rest();
    return;
  }
  if (!at_rest.empty()) {
    contacts = at_rest;
  }
  fill(false);
  filled = Filled::all_but_declared;
}

void StaticFriction::Memory::refill(Filled before) noexcept {
  if (filled != before) {
    fill(before != Filled::all_but_declared);
    filled = before;
  }
}

bool StaticFriction::Memory::let_slide() noexcept {
  bool changed = false;
  for (std::size_t i = 0; i < at_rest.size(); ++i) {
    Contact& c = contacts[i];
    const bool slides = results[i].state == ContactState::slides && c.declared == Declared::nothing;
    if (slides && c.dynamic_friction.value_or(c.friction) < c.friction) {
      slow_down(c);
      changed = true;
    }
  }
  if (changed) {
    fill(true);
    filled = Filled::sliding;
  }
  return changed;
}

/// Calls for_disc(i, k) or for_ball(i, k) for every contact i, which is the k-th of its kind.
template <class ForDisc, class ForBall>
void StaticFriction::Memory::each_contact(const ForDisc& for_disc, const ForBall& for_ball) const noexcept {
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

std::size_t StaticFriction::Memory::first_place(std::int64_t key) const noexcept {
  return (static_cast<std::uint64_t>(key) * 0x9e3779b97f4a7c15U >> 20U) & (places.size() - 1);
}

/// Fills the hash table. At most half of its slots are ever occupied.
void StaticFriction::Memory::find_places() noexcept {
  std::fill(places.begin(), places.end(), -1);
  for (std::size_t i = 0; i < remembered.size(); ++i) {
    if (remembered[i].key != no_key) {
      std::size_t place = first_place(remembered[i].key);
      while (places[place] >= 0) {
        place = (place + 1) & (places.size() - 1);
      }
      places[place] = static_cast<std::int32_t>(i);
    }
  }
}

const StaticFriction::Memory::Remembered* StaticFriction::Memory::find(std::int64_t key) const noexcept {
  for (std::size_t place = first_place(key); places[place] >= 0; place = (place + 1) & (places.size() - 1)) {
    const Remembered& candidate = remembered[static_cast<std::size_t>(places[place])];
    if (candidate.key == key) {
      return &candidate;
    }
  }
  return nullptr;
}

void StaticFriction::Memory::recall() noexcept {
  if (sides > 0) {
    friction.segments.start_centred(1);  // pyramids warm-start from the motion only
    return;
  }
  // Frames sorted by key are merged with the last one; others use the hash table
  bool listed = false;
  std::size_t next = 0;
  std::int64_t before = no_key;
  const auto last = [&](std::size_t i) {
    const std::int64_t key = keys[i];
    if (key == no_key) {
      return Remembered{};
    }
    if (ascending && key > before) {
      before = key;
      while (next < remembered.size() && remembered[next].key < key) {
        ++next;
      }
      return next < remembered.size() && remembered[next].key == key ? remembered[next] : Remembered{};
    }
    if (!listed) {
      find_places();
      listed = true;
    }
    const Remembered* const found = find(key);
    return found != nullptr ? *found : Remembered{};
  };
  if (all_plain) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      plain.set_share(i, last(i).share);
    }
    plain.recall(friction.discs);
    return;
  }
  each_contact(
      [&](std::size_t i, std::size_t k) {
        const Remembered r = last(i);
        friction.discs.set_beta(k, 0, dot(r.share, tangents[i].u));
        friction.discs.set_beta(k, 1, dot(r.share, tangents[i].v));
      },
      [&](std::size_t i, std::size_t k) {
        const Remembered r = last(i);
        friction.balls.set_beta(k, 0, dot(r.share, tangents[i].u));
        friction.balls.set_beta(k, 1, dot(r.share, tangents[i].v));
        friction.balls.set_beta(k, 2, r.rotation);
      });
}

void StaticFriction::Memory::remember() noexcept {
  if (sides > 0) {
    return;
  }
  remembered.resize(keys.size());
  ascending = true;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    ascending = ascending && keys[i] > keys[i - 1];
  }
  if (all_plain) {
    plain.find_shares(friction.discs);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      remembered[i] = {keys[i], plain.share(i), 0};
    }
    return;
  }
  const auto keep = [&](std::size_t i, double bu, double bv, double bt) {
    const auto& [u, v] = tangents[i];
    remembered[i] = {keys[i], {bu * u[0] + bv * v[0], bu * u[1] + bv * v[1], bu * u[2] + bv * v[2]}, bt};
  };
  each_contact([&](std::size_t i, std::size_t k) { keep(i, friction.discs.beta(k, 0), friction.discs.beta(k, 1), 0); },
               [&](std::size_t i, std::size_t k) {
                 keep(i, friction.balls.beta(k, 0), friction.balls.beta(k, 1), friction.balls.beta(k, 2));
               });
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

double StaticFriction::Memory::slip(std::size_t i, const Vector6& motion) const noexcept {
  const auto [u, v] = tangents_of(i);
  const double along_u = dot(friction_column(contacts[i], u), motion);
  const double across = dot(friction_column(contacts[i], v), motion);
  return std::sqrt(along_u * along_u + across * across);
}

/// Forces from β: shares of the friction limits along u and v and about the normal.
void StaticFriction::Memory::put_result(std::size_t i, double bu, double bv, double bt,
                                        ContactResult& result) const noexcept {
  const Contact& c = contacts[i];
  const auto& [u, v] = tangents[i];
  const double fu = c.friction * c.normal_force * bu;
  const double fv = along_v(c) * c.normal_force * bv;
  result.friction = {fu * u[0] + fv * v[0], fu * u[1] + fv * v[1], fu * u[2] + fv * v[2]};
  result.torque = c.torsion * c.normal_force * bt;
}

/// Wᵀ y with the scaled columns of `fill`: the slip at contact i for y = (translation, rotation × length).
template <std::size_t d>
STICTION_ALWAYS_INLINE std::array<double, d> StaticFriction::Memory::scaled_slip(std::size_t i,
                                                                                 const Vector6& y) const noexcept {
  const Contact& c = contacts[i];
  const double per_length = 1 / length;
  const double largest = std::max({c.friction, along_v(c), c.torsion * per_length});
  const double per_largest = per(largest);
  const Vector3 turn{y[3] * per_length, y[4] * per_length, y[5] * per_length};
  const Vector3 move = sum(Vector3{y[0], y[1], y[2]}, cross(turn, c.arm));
  std::array<double, d> u{};
  u[0] = c.friction * per_largest * dot(tangents[i].u, move);
  u[1] = along_v(c) * per_largest * dot(tangents[i].v, move);
  if constexpr (d == 3) {
    u[2] = c.torsion * per_largest * dot(c.normal, turn);
  }
  return u;
}

template <class Group>
void StaticFriction::Memory::put_result_of(std::size_t i, const Group& group, std::size_t k, const Moving& moving,
                                           ContactResult& result) const noexcept {
  std::array<double, Group::dimensions> beta{};
  std::array<double, Group::dimensions> u{};
  for (std::size_t c = 0; c < beta.size(); ++c) {
    beta[c] = group.beta(k, c);
  }
  const double left = 1 - dot(beta, beta);
  bool slides = false;
  if (moving.scale > 0 && left < 1e-2) {
    u = scaled_slip<Group::dimensions>(i, moving.y);
    const double slip = std::sqrt(dot(u, u));
    slides = slip > left * moving.scale;
    double change = 0;
    for (std::size_t c = 0; c < beta.size(); ++c) {
      change += std::abs(slip * beta[c] + u[c]);
    }
    // Align friction exactly against its slip: the solver's residual error moves into the force balance
    if (slides && moving.oppose && change < 1e-3 * slip) {
      beta = scaled(-1 / slip, u);
    }
  }
  result.state = slides || slips_freely(i, moving) ? ContactState::slides : ContactState::sticks;
  put_result(i, beta[0], beta[1], Group::dimensions == 3 ? beta[Group::dimensions - 1] : 0, result);
}

/// A frictionless contact slides if its slip exceeds min_slip.
bool StaticFriction::Memory::slips_freely(std::size_t i, const Moving& moving) const noexcept {
  const Contact& c = contacts[i];
  return moving.scale > 0 && !(radius(c) > 0) && !(c.torsion * c.normal_force > 0) &&
         slip(i, moving.motion) > moving.min_slip;
}

void StaticFriction::Memory::report(const EnergyMetric& metric, const Vector6& y, bool moves, bool oppose) noexcept {
  const Vector6 without = metric.factors.solve(load);
  const Vector6 motion = motion_of(metric, y);
  const Moving moving{y, moves ? std::sqrt(dot(without, without)) : 0, oppose && metric.is_motion, motion,
                      1e-9 * std::sqrt(dot(motion, motion)) * std::min(1.0, length)};
  report(moving, results);
}

void StaticFriction::Memory::report(const Moving& moving, std::vector<ContactResult>& to) const noexcept {
  to.resize(keys.size());
  if (all_plain) {
    plain.report(friction.discs, 1 / length, moving, to);
    return;
  }
  if (sides == 0) {
    each_contact([&](std::size_t i, std::size_t k) { put_result_of(i, friction.discs, k, moving, to[i]); },
                 [&](std::size_t i, std::size_t k) { put_result_of(i, friction.balls, k, moving, to[i]); });
    return;
  }
  const double half = std::tan(std::numbers::pi / sides);
  std::size_t segment = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    double bu = 0;
    double bv = 0;
    for (int j = 0; j < sides / 2; ++j) {
      const double angle = (2 * j + 1) * std::numbers::pi / sides;
      const double b = friction.segments.beta(segment++);
      bu -= std::sin(angle) * half * b;
      bv += std::cos(angle) * half * b;
    }
    const double bt = contacts[i].torsion > 0 ? friction.segments.beta(segment++) : 0;
    put_result(i, bu, bv, bt, to[i]);
    double used = contacts[i].torsion * contacts[i].normal_force > 0 ? std::abs(bt) : 0;  // share of the limit
    for (int j = 0; j < sides && radius(contacts[i]) > 0; ++j) {
      const double angle = (2 * j + 1) * std::numbers::pi / sides;
      used = std::max(used, bu * std::cos(angle) + bv * std::sin(angle));
    }
    const bool slides = moving.scale > 0 && (used > all_of_it || slips_freely(i, moving));
    to[i].state = slides ? ContactState::slides : ContactState::sticks;
  }
}

}  // namespace stiction::spatial
