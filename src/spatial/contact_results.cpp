// Warm starts from the last frame, and the results of a solution: from the solver's β to contacts and back.
#include <numbers>

#include "contact_problem.h"

namespace stiction::spatial {
namespace {

constexpr double full_friction = 1 - 1e-6;  // share of a pyramid's friction limit above which the contact slides

double radius(const Contact& c) noexcept { return c.normal_force * std::max(c.friction, along_v(c)); }

}  // namespace

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

std::size_t StaticFriction::Memory::first_slot(std::int64_t key) const noexcept {
  return (static_cast<std::uint64_t>(key) * 0x9e3779b97f4a7c15U >> 20U) & (slots.size() - 1);
}

/// Fills the hash table. At most half of its slots are ever occupied.
void StaticFriction::Memory::build_hash_table() noexcept {
  std::fill(slots.begin(), slots.end(), -1);
  for (std::size_t i = 0; i < remembered.size(); ++i) {
    if (remembered[i].key != no_key) {
      std::size_t slot = first_slot(remembered[i].key);
      while (slots[slot] >= 0) {
        slot = (slot + 1) & (slots.size() - 1);
      }
      slots[slot] = static_cast<std::int32_t>(i);
    }
  }
}

const StaticFriction::Memory::Remembered* StaticFriction::Memory::find(std::int64_t key) const noexcept {
  for (std::size_t slot = first_slot(key); slots[slot] >= 0; slot = (slot + 1) & (slots.size() - 1)) {
    const Remembered& candidate = remembered[static_cast<std::size_t>(slots[slot])];
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
  // Frames sorted by key are merged with the previous one; others use the hash table
  bool has_table = false;
  std::size_t next = 0;
  std::int64_t before = no_key;
  const auto last_solution = [&](std::size_t i) {
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
    if (!has_table) {
      build_hash_table();
      has_table = true;
    }
    const Remembered* const found = find(key);
    return found != nullptr ? *found : Remembered{};
  };
  if (all_plain) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      plain.set_share(i, last_solution(i).share);
    }
    plain.recall(friction.discs);
    return;
  }
  each_contact(
      [&](std::size_t i, std::size_t k) {
        const Remembered r = last_solution(i);
        friction.discs.set_beta(k, 0, dot(r.share, tangents[i].u));
        friction.discs.set_beta(k, 1, dot(r.share, tangents[i].v));
      },
      [&](std::size_t i, std::size_t k) {
        const Remembered r = last_solution(i);
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
  const auto store = [&](std::size_t i, double bu, double bv, double bt) {
    const auto& [u, v] = tangents[i];
    remembered[i] = {keys[i], {bu * u[0] + bv * v[0], bu * u[1] + bv * v[1], bu * u[2] + bv * v[2]}, bt};
  };
  each_contact([&](std::size_t i, std::size_t k) { store(i, friction.discs.beta(k, 0), friction.discs.beta(k, 1), 0); },
               [&](std::size_t i, std::size_t k) {
                 store(i, friction.balls.beta(k, 0), friction.balls.beta(k, 1), friction.balls.beta(k, 2));
               });
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
  const Vector3 rotation{y[3] * per_length, y[4] * per_length, y[5] * per_length};
  const Vector3 displacement = sum(Vector3{y[0], y[1], y[2]}, cross(rotation, c.arm));
  std::array<double, d> u{};
  u[0] = c.friction * per_largest * dot(tangents[i].u, displacement);
  u[1] = along_v(c) * per_largest * dot(tangents[i].v, displacement);
  if constexpr (d == 3) {
    u[2] = c.torsion * per_largest * dot(c.normal, rotation);
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
  const double inside = 1 - dot(beta, beta);
  bool slides = false;
  if (moving.scale > 0 && inside < 1e-2) {
    u = scaled_slip<Group::dimensions>(i, moving.y);
    const double slip = std::sqrt(dot(u, u));
    slides = slip > inside * moving.scale;
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
    const bool slides = moving.scale > 0 && (used > full_friction || slips_freely(i, moving));
    to[i].state = slides ? ContactState::slides : ContactState::sticks;
  }
}
}  // namespace stiction::spatial
