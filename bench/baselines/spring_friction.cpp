#include <cmath>
#include <cstdint>
#include <vector>

#include "haptic_baselines.h"
#include "stiction/problem.h"

namespace stiction::baselines {
namespace {

using haptics::add_block;
using haptics::cross_matrix;
using haptics::FrictionMotion;
using haptics::Phase;
using haptics::Pose;
using haptics::Situation;
using haptics::to_body;
using haptics::to_world;

/// The anchor of a contact: a point of the body, and its position when anchored.
struct Anchor {
  std::optional<std::int64_t> key;
  std::uint64_t cycle = 0;
  Vector3 in_body{}, in_world{};
};

/// Anchors by the contact's key, in a table of fixed size: open addressing; entries not seen in the last cycle may be
/// overwritten.
class AnchorTable {
 public:
  explicit AnchorTable(std::size_t max_contacts) {
    std::size_t size = 16;
    while (size < 4 * max_contacts) {
      size *= 2;
    }
    slots_.resize(size);
  }

  void begin() noexcept { ++cycle_; }
  void clear() noexcept { cycle_ += 2; }

  /// The contact's anchor, set anew if it did not touch in the last cycle.
  Anchor& of(std::optional<std::int64_t> key, const Pose& body, const Vector3& position) noexcept {
    const std::size_t mask = slots_.size() - 1;
    auto at =
        static_cast<std::size_t>((static_cast<std::uint64_t>(key.value_or(0)) * 0x9e3779b97f4a7c15ULL) >> 20U) & mask;
    while (slots_[at].cycle + 1 >= cycle_ && slots_[at].cycle > 0) {  // at most half of the slots are of these cycles
      if (slots_[at].key == key) {
        slots_[at].cycle = cycle_;
        return slots_[at];
      }
      at = (at + 1) & mask;
    }
    slots_[at] = {key, cycle_, to_body(body, position), position};
    return slots_[at];
  }

 private:
  std::vector<Anchor> slots_;
  std::uint64_t cycle_ = 1;
};

class SpringFriction final : public FrictionStep {
 public:
  SpringFriction(std::size_t max_contacts, const SpringFrictionParams& params)
      : params_(params), anchors_(max_contacts) {}

  FrictionMotion step(const Situation& situation, std::span<spatial::ContactResult> forces) noexcept override {
    Vector6 wrench = situation.load->wrench;
    Matrix6 gradient = situation.load->gradient;
    anchors_.begin();
    bool held = true;
    for (std::size_t i = 0; i < situation.contacts.size(); ++i) {
      const spatial::Contact& c = situation.contacts[i];
      Anchor& anchor = anchors_.of(c.key, situation.body, situation.points[i].position);
      const double k = params_.stiffness * situation.points[i].stiffness;
      // Displacement of the anchored point of the body along the surface
      const Vector3 offset = difference(to_world(situation.body, anchor.in_body), anchor.in_world);
      Vector3 along = difference(offset, scaled(dot(offset, c.normal), c.normal));
      const double pull = k * norm(along);
      const double limit = c.friction * c.normal_force;
      const bool slips = pull > limit;
      if (slips) {
        anchor.in_world = sum(anchor.in_world, scaled(1 - limit / pull, along));
        along = scaled(limit / pull, along);
        held = false;
      }
      const Vector3 force = scaled(-k, along);
      const Vector3 torque = cross(c.arm, force);
      for (std::size_t r = 0; r < 3; ++r) {
        wrench[r] += force[r];
        wrench[3 + r] += torque[r];
      }
      forces[i].friction = force;
      forces[i].state = slips ? spatial::ContactState::slides : spatial::ContactState::sticks;
      if (!slips && params_.implicit) {
        add_stiffness(gradient, c, k);
      }
    }
    FrictionMotion result{{}, held ? Phase::held : Phase::slides};
    if (!solve(gradient, negative(wrench), result.motion)) {
      result.phase = Phase::fault;
    }
    return result;
  }
  void reset() noexcept override { anchors_.clear(); }

 private:
  /// −k Pᵀ P with P = (1 − N Nᵀ) (1, −[r]×): the motion of the point along the surface.
  static void add_stiffness(Matrix6& gradient, const spatial::Contact& c, double k) noexcept {
    const Matrix3 arm = cross_matrix(c.arm);
    std::array<Vector6, 3> p{};
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t j = 0; j < 3; ++j) {
        p[r][j] = (r == j ? 1 : 0) - c.normal[r] * c.normal[j];
      }
      // row of −(1 − N Nᵀ) [r]×
      for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t m = 0; m < 3; ++m) {
          p[r][3 + j] -= p[r][m] * arm[m][j];
        }
      }
    }
    for (const Vector6& row : p) {
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < 6; ++j) {
          gradient[i][j] -= k * row[i] * row[j];
        }
      }
    }
  }

  SpringFrictionParams params_;
  AnchorTable anchors_;
};

}  // namespace

std::unique_ptr<FrictionStep> make_spring_friction(std::size_t max_contacts, const SpringFrictionParams& params) {
  if (!positive.holds(params.stiffness)) {
    throw InvalidParameter({"stiffness", params.stiffness, positive.text});
  }
  return std::make_unique<SpringFriction>(max_contacts, params);
}

}  // namespace stiction::baselines
