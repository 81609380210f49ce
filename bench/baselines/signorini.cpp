// Contact with unknown normal forces: Kaufman's staggered projections and Duriez's Gauss–Seidel.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "haptic_baselines.h"
#include "stiction/problem.h"

namespace stiction::baselines {
namespace {

using haptics::ContactPoint;
using haptics::FrictionMotion;
using haptics::Phase;
using haptics::Situation;
using haptics::SpringWrench;
using spatial::Contact;
using spatial::ContactResult;
using spatial::ContactState;

Vector3 linear(const Vector6& a) noexcept { return {a[0], a[1], a[2]}; }
Vector3 angular(const Vector6& a) noexcept { return {a[3], a[4], a[5]}; }

/// The displacement of the point of a contact: v = Δx + Δω × r.
Vector3 motion_at(const Contact& c, const Vector6& motion) noexcept {
  return sum(linear(motion), cross(angular(motion), c.arm));
}

void add_force(Vector6& wrench, const Contact& c, const Vector3& force) noexcept {
  const Vector3 torque = cross(c.arm, force);
  for (std::size_t i = 0; i < 3; ++i) {
    wrench[i] += force[i];
    wrench[3 + i] += torque[i];
  }
}

void check(const SignoriniParams& params) {
  constexpr Range rounds{1, 100000, true, true, "1 to 100000"};
  const auto require = [](const char* field, double value, const Range& range) {
    if (!range.holds(value)) {
      throw InvalidParameter({field, value, range.text});
    }
  };
  require("rigidity", params.rigidity, positive);
  require("tolerance", params.tolerance, positive);
  require("max_rounds", params.max_rounds, rounds);
}

/// −(K + Kᵀ)/2 of the coupling: A.
Matrix6 stiffness_of(const SpringWrench& coupling) noexcept {
  Matrix6 a{};
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      a[i][j] = -0.5 * (coupling.gradient[i][j] + coupling.gradient[j][i]);
    }
  }
  return a;
}

/// The common base: warm start from the forces of the last cycle.
class Signorini : public FrictionStep {
 public:
  Signorini(std::size_t max_contacts, const SignoriniParams& params) : params_(params) {
    normal_.reserve(max_contacts);
    friction_.reserve(max_contacts);
    last_.reserve(max_contacts);
  }
  [[nodiscard]] std::span<const double> normal_forces() const noexcept override { return normal_; }
  void reset() noexcept override { last_.clear(); }

 protected:
  void start_from_last(std::span<const Contact> contacts) noexcept {
    normal_.clear();
    friction_.clear();
    for (const Contact& c : contacts) {
      const auto last = std::ranges::lower_bound(last_, c.key, {}, &Known::key);
      const bool known = c.key && last != last_.end() && last->key == c.key;
      normal_.push_back(known ? last->normal : c.normal_force);
      Vector3 force = known ? last->friction : Vector3{};
      force = difference(force, scaled(dot(force, c.normal), c.normal));
      friction_.push_back(cut(force, c.friction * normal_.back()));
    }
  }
  void keep(std::span<const Contact> contacts) noexcept {
    last_.clear();
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      last_.push_back({contacts[i].key, normal_[i], friction_[i]});
    }
    if (!std::ranges::is_sorted(last_, {}, &Known::key)) {  // those of a shell are sorted already
      std::ranges::sort(last_, {}, &Known::key);
    }
  }
  static Vector3 cut(const Vector3& force, double limit) noexcept {
    const double size = norm(force);
    return size > limit ? scaled(limit / size, force) : force;
  }
  /// A contact sticks where its friction is within its cone. Where many contacts share a load, forces can balance each
  /// other at their limits: those stick as well, if their slip is within the error of the forces.
  void report(const Situation& situation, std::span<ContactResult> forces, FrictionMotion& result) noexcept {
    const auto contacts = situation.contacts;
    const Matrix6& coupling = situation.without_contacts->gradient;
    const double stiffness = -(coupling[0][0] + coupling[1][1] + coupling[2][2]) / 3;
    double total = 0;
    for (const double normal : normal_) {
      total += normal;
    }
    bool held = true;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const Contact& c = contacts[i];
      const Vector3 v = motion_at(c, result.motion);
      const double slip = norm(difference(v, scaled(dot(v, c.normal), c.normal)));
      const bool inside = norm(friction_[i]) < c.friction * normal_[i] * (1 - 1e-6);
      const bool sticks = inside || (c.friction * normal_[i] > 0 && slip * stiffness <= 2 * params_.tolerance * total);
      forces[i].friction = friction_[i];
      forces[i].state = sticks ? ContactState::sticks : ContactState::slides;
      held = held && (sticks || normal_[i] == 0);
    }
    result.phase = !(total > 0) ? Phase::free : held ? Phase::held : Phase::slides;
    keep(contacts);
  }

  SignoriniParams params_;
  std::vector<double> normal_;     // λ [N]
  std::vector<Vector3> friction_;  // β [N]

 private:
  struct Known {
    std::optional<std::int64_t> key;
    double normal;
    Vector3 friction;
  };
  std::vector<Known> last_;  // by their keys
};

class StaggeredProjections final : public Signorini {
 public:
  StaggeredProjections(std::size_t max_contacts, const SignoriniParams& params, bool by_gaps)
      : Signorini(max_contacts, params), by_gaps_(by_gaps), solver_(max_contacts) {
    contacts_.reserve(max_contacts);
    springs_.reserve(max_contacts);
  }
  [[nodiscard]] bool by_gaps() const noexcept override { return by_gaps_; }

  FrictionMotion step(const Situation& situation, std::span<ContactResult> forces) noexcept override {
    const auto contacts = situation.contacts;
    start_from_last(contacts);
    contacts_.assign(contacts.begin(), contacts.end());
    stiffness_ = stiffness_of(*situation.without_contacts);
    springs_.clear();
    for (const ContactPoint& point : situation.points) {
      springs_.push_back({params_.rigidity * point.stiffness, 0, 0});
    }
    Vector6 friction{};  // the total wrench: the normal forces depend only on this
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      add_force(friction, contacts[i], friction_[i]);
    }
    // Torques as forces at the size of the body
    const double scale = 1 / (situation.load->length * situation.load->length);
    const auto product = [&](const Vector6& a, const Vector6& b) {
      return dot(linear(a), linear(b)) + scale * dot(angular(a), angular(b));
    };
    FrictionMotion result;
    double share = 1;  // of the step to the friction that was found
    Vector6 last_step{};
    for (int round = 0; round < params_.max_rounds; ++round) {
      double largest = 0;
      Vector6 step = negative(friction);
      Vector6 held_back{};
      if (!push_out(situation, friction, result.motion) || !rub(situation, step, largest, held_back)) {
        return {{}, Phase::fault};
      }
      // Until both agree, one of them is inaccurate: contacts penetrate, or they slip
      result.motion = by_gaps_ ? result.motion : held_back;
      if (std::sqrt(product(step, step)) <= params_.tolerance * largest) {
        break;
      }
      // Aitken: a shorter step if the two projections oscillate, a longer one if they converge slowly
      const Vector6 change = difference(step, last_step);
      const double reduction = -product(last_step, change);
      if (round > 0) {
        const bool crawls = product(change, change) < 0.01 * product(step, step);
        share = reduction > 0 ? share * reduction / product(change, change) : crawls ? 2 * share : min_share;
        share = std::clamp(share, min_share, max_share);
      }
      last_step = step;
      friction = sum(friction, scaled(share, step));
    }
    report(situation, forces, result);
    return result;
  }

 private:
  static constexpr double min_share = 0.02;
  static constexpr double max_share = 10;

  /// Friction for the present normal forces, in the metric of the coupling. Adds it to the wrench.
  bool rub(const Situation& situation, Vector6& wrench, double& largest, Vector6& motion) noexcept {
    spatial::Load load = *situation.load;
    load.wrench = situation.without_contacts->wrench;
    for (std::size_t i = 0; i < 6; ++i) {
      load.gradient[i] = negative(stiffness_[i]);
    }
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      contacts_[i].normal_force = normal_[i];
      contacts_[i].dynamic_friction.reset();
      add_force(load.wrench, contacts_[i], scaled(normal_[i], contacts_[i].normal));
      largest = std::max(largest, normal_[i]);
    }
    if (!solver_.set(contacts_, load)) {
      return false;
    }
    motion = solver_.solve({.gap = 1e-11}).motion;  // noise in it would look like an oscillation
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      friction_[i] = solver_.contacts()[i].friction;
      add_force(wrench, contacts_[i], friction_[i]);
    }
    return true;
  }

  /// Normal forces for this friction:
  ///   min φ(Δ) = ½ Δᵀ A Δ − wᵀ Δ + Σ ½ k_i max(0, depth_i − N_i · v_i)²
  /// by Newton's method, which ends when the set of compressed springs does not change. Steps that would increase φ are
  /// shortened.
  bool push_out(const Situation& situation, const Vector6& friction, Vector6& motion) noexcept {
    constexpr int max_iterations = 100;
    const auto contacts = situation.contacts;
    const Vector6 wrench = sum(situation.without_contacts->wrench, friction);
    for (int round = 0; round < max_iterations; ++round) {
      Matrix6 k = stiffness_;
      Vector6 right = wrench;
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        if (normal_[i] > 0) {
          Vector6 g{};
          add_force(g, contacts[i], contacts[i].normal);
          for (std::size_t r = 0; r < 6; ++r) {
            right[r] += springs_[i].stiffness * situation.points[i].depth * g[r];
            for (std::size_t s = 0; s < 6; ++s) {
              k[r][s] += springs_[i].stiffness * g[r] * g[s];
            }
          }
        }
      }
      Vector6 next{};
      if (!solve(k, right, next)) {
        return false;
      }
      const Vector6 step = difference(next, motion);
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        Spring& spring = springs_[i];
        spring.depth = situation.points[i].depth - dot(contacts[i].normal, motion_at(contacts[i], motion));
        spring.reduction = dot(contacts[i].normal, motion_at(contacts[i], step));
      }
      const double share = round > 0 ? downhill(wrench, motion, step) : 1;
      motion = share < 1 ? sum(motion, scaled(share, step)) : next;
      bool same = share == 1;
      double change = 0;
      double largest = 0;
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        const double remaining = situation.points[i].depth - dot(contacts[i].normal, motion_at(contacts[i], motion));
        const double force = std::max(0.0, springs_[i].stiffness * remaining);
        same = same && (force > 0) == (normal_[i] > 0);
        change = std::max(change, std::abs(force - normal_[i]));
        largest = std::max(largest, force);
        normal_[i] = force;
      }
      if (same || (share == 1 && change <= 1e-12 * largest)) {
        break;
      }
    }
    return true;
  }

  /// The fraction of the step, at most 1, at which φ' is almost 0: φ' increases along the step, piecewise linearly.
  [[nodiscard]] double downhill(const Vector6& wrench, const Vector6& from, const Vector6& step) const noexcept {
    double at_start = -dot(wrench, step);  // of A and w
    double growth = 0;
    for (std::size_t r = 0; r < 6; ++r) {
      at_start += step[r] * dot(stiffness_[r], from);
      growth += step[r] * dot(stiffness_[r], step);
    }
    // φ' and φ''
    const auto slope = [&](double share) {
      std::array<double, 2> result{at_start + share * growth, growth};
      for (const Spring& spring : springs_) {
        const double remaining = spring.depth - share * spring.reduction;
        if (remaining > 0) {
          result[0] -= spring.stiffness * remaining * spring.reduction;
          result[1] += spring.stiffness * spring.reduction * spring.reduction;
        }
      }
      return result;
    };
    const double tolerance = 0.1 * std::abs(slope(0)[0]);
    double low = 0;
    double high = 1;
    double share = 1;
    for (int round = 0; round < 60; ++round) {
      const auto [value, curvature] = slope(share);
      if (std::abs(value) <= tolerance || (share == 1 && value <= 0)) {
        return share;
      }
      (value > 0 ? high : low) = share;
      share -= value / curvature;
      if (!(share > low && share < high)) {
        share = 0.5 * (low + high);
      }
    }
    return low;
  }

  struct Spring {
    double stiffness;         // k [N/m]
    double depth, reduction;  // depth at the start, and its reduction over the whole step [m]
  };
  std::vector<Spring> springs_;
  bool by_gaps_;
  Matrix6 stiffness_{};  // A
  spatial::StaticFriction solver_;
  std::vector<Contact> contacts_;
};

class GaussSeidel final : public Signorini {
 public:
  GaussSeidel(std::size_t max_contacts, const SignoriniParams& params) : Signorini(max_contacts, params) {
    columns_.reserve(max_contacts);
  }

  FrictionMotion step(const Situation& situation, std::span<ContactResult> forces) noexcept override {
    const auto contacts = situation.contacts;
    start_from_last(contacts);
    const Matrix6 stiffness = stiffness_of(*situation.without_contacts);
    Matrix6 compliance{};  // A⁻¹
    for (std::size_t j = 0; j < 6; ++j) {
      Vector6 unit{};
      unit[j] = 1;
      if (!solve(stiffness, unit, compliance[j])) {
        return {{}, Phase::fault};
      }
    }
    // The response of the body to a force at each contact: A⁻¹ (1; [r]×), and its part at the contact itself
    columns_.clear();
    Vector6 wrench = situation.without_contacts->wrench;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      Column column{};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        Vector3 force{};
        force[axis] = 1;
        Vector6 unit{};
        add_force(unit, contacts[i], force);
        for (std::size_t r = 0; r < 6; ++r) {
          for (std::size_t s = 0; s < 6; ++s) {
            column.response[axis][r] += compliance[r][s] * unit[s];
          }
        }
      }
      const Vector3& n = contacts[i].normal;
      const auto itself = [&](const Vector3& along) {
        return dot(along, motion_at(contacts[i], answer_to(column, along)));
      };
      column.normal = itself(n) + 1 / (params_.rigidity * situation.points[i].stiffness);
      // The larger of the two tangential ones is at most their sum: a step that never overshoots
      const Vector3 u = std::abs(n[0]) < 0.6 ? Vector3{0, -n[2], n[1]} : Vector3{n[2], 0, -n[0]};
      const Vector3 unit = scaled(1 / norm(u), u);
      column.tangential = itself(unit) + itself(cross(n, unit));
      columns_.push_back(column);
      add_force(wrench, contacts[i], sum(scaled(normal_[i], n), friction_[i]));
    }
    FrictionMotion result;
    for (std::size_t r = 0; r < 6; ++r) {
      for (std::size_t s = 0; s < 6; ++s) {
        result.motion[r] += compliance[r][s] * wrench[s];
      }
    }
    for (int round = 0; round < params_.max_rounds; ++round) {
      double change = 0;
      double largest = 0;
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        change = std::max(change, relax(situation, i, result.motion));
        largest = std::max(largest, normal_[i]);
      }
      if (change <= params_.tolerance * largest) {
        break;
      }
    }
    report(situation, forces, result);
    return result;
  }

 private:
  struct Column {
    std::array<Vector6, 3> response;  // Δ for a unit force along x, y, z
    double normal,
        tangential;  // of the contact's own displacement along the normal (with its spring), and tangentially
  };
  static Vector6 answer_to(const Column& column, const Vector3& force) noexcept {
    Vector6 result{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (std::size_t r = 0; r < 6; ++r) {
        result[r] += force[axis] * column.response[axis][r];
      }
    }
    return result;
  }
  /// Solves one contact's law for given other forces. Returns the change of its force.
  double relax(const Situation& situation, std::size_t i, Vector6& motion) noexcept {
    const Contact& c = situation.contacts[i];
    const Column& column = columns_[i];
    const double spring = params_.rigidity * situation.points[i].stiffness;
    const Vector3 v = motion_at(c, motion);
    const double along = dot(c.normal, v);
    const double missing = situation.points[i].depth - normal_[i] / spring - along;
    const double normal = std::max(0.0, normal_[i] + missing / column.normal);
    const Vector3 slip = difference(v, scaled(along, c.normal));
    const Vector3 friction = cut(difference(friction_[i], scaled(1 / column.tangential, slip)), c.friction * normal);
    const Vector3 change = sum(scaled(normal - normal_[i], c.normal), difference(friction, friction_[i]));
    const Vector6 response = answer_to(column, change);
    for (std::size_t r = 0; r < 6; ++r) {
      motion[r] += response[r];
    }
    normal_[i] = normal;
    friction_[i] = friction;
    return norm(change);
  }

  std::vector<Column> columns_;
};

}  // namespace

std::unique_ptr<FrictionStep> make_staggered_projections(std::size_t max_contacts, const SignoriniParams& params) {
  check(params);
  return std::make_unique<StaggeredProjections>(max_contacts, params, false);
}
std::unique_ptr<FrictionStep> make_constraint_contact(std::size_t max_contacts, const SignoriniParams& params) {
  check(params);
  return std::make_unique<StaggeredProjections>(max_contacts, params, true);
}
std::unique_ptr<FrictionStep> make_gauss_seidel(std::size_t max_contacts, const SignoriniParams& params) {
  check(params);
  return std::make_unique<GaussSeidel>(max_contacts, params);
}

}  // namespace stiction::baselines
