// Each baseline solves its own problem: frictional springs, and the laws of Signorini and Coulomb.
#include "haptic_baselines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "haptics/random_pose.h"
#include "stiction/problem.h"

namespace stiction::haptics {
namespace {

using baselines::make_constraint_contact;
using baselines::make_gauss_seidel;
using baselines::make_spring_friction;
using baselines::make_staggered_projections;
using baselines::SignoriniParams;
using spatial::Contact;
using spatial::ContactResult;
using spatial::ContactState;
using test::Random;

template <std::size_t N>
using LongVector = std::array<long double, N>;
template <std::size_t N>
using LongMatrix = std::array<LongVector<N>, N>;

/// a x = b by elimination with pivots.
template <std::size_t N>
LongVector<N> solved(LongMatrix<N> a, LongVector<N> b) {
  for (std::size_t j = 0; j < N; ++j) {
    std::size_t pivot = j;
    for (std::size_t i = j + 1; i < N; ++i) {
      pivot = std::abs(a[i][j]) > std::abs(a[pivot][j]) ? i : pivot;
    }
    std::swap(a[j], a[pivot]);
    std::swap(b[j], b[pivot]);
    for (std::size_t i = 0; i < N; ++i) {
      if (i != j) {
        const long double factor = a[i][j] / a[j][j];
        for (std::size_t k = j; k < N; ++k) {
          a[i][k] -= factor * a[j][k];
        }
        b[i] -= factor * b[j];
      }
    }
  }
  for (std::size_t j = 0; j < N; ++j) {
    b[j] /= a[j][j];
  }
  return b;
}

Vector3 motion_at(const Contact& c, const Vector6& motion) {
  return sum({motion[0], motion[1], motion[2]}, cross({motion[3], motion[4], motion[5]}, c.arm));
}
Vector6 wrench_of(const Contact& c, const Vector3& force) {
  const Vector3 torque = cross(c.arm, force);
  return {force[0], force[1], force[2], torque[0], torque[1], torque[2]};
}
void add(Vector6& sum, const Vector6& part, double factor = 1) {
  for (std::size_t i = 0; i < 6; ++i) {
    sum[i] += factor * part[i];
  }
}
Vector3 across(const Vector3& a, const Vector3& normal) { return difference(a, scaled(dot(a, normal), normal)); }

/// What a step is given, and keeps pointers to.
struct World {
  std::vector<Contact> contacts;
  std::vector<ContactPoint> places;
  SpringWrench coupling;
  spatial::Load load;
  Pose body;

  [[nodiscard]] Situation situation() const {
    return {.contacts = contacts,
            .points = places,
            .load = &load,
            .without_contacts = &coupling,
            .frictionless = {},
            .body = body,
            .centre = body.position};
  }
  /// The load of coupling and contact springs.
  void press() {
    load.wrench = coupling.wrench;
    load.gradient = coupling.gradient;
    load.mass = {};
    load.length = 0.03;
    for (std::size_t i = 0; i < 6; ++i) {
      load.mass[i][i] = i < 3 ? 1 : 1e-4;
    }
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const Vector6 along = wrench_of(contacts[i], contacts[i].normal);
      contacts[i].normal_force = places[i].stiffness * std::max(0.0, places[i].depth);
      add(load.wrench, along, contacts[i].normal_force);
      for (std::size_t r = 0; r < 6 && places[i].depth > 0; ++r) {
        for (std::size_t s = 0; s < 6; ++s) {
          load.gradient[r][s] -= places[i].stiffness * along[r] * along[s];
        }
      }
    }
  }
  void add_contact(const Vector3& arm, const Vector3& normal, double depth, double stiffness, double friction) {
    Contact c;
    c.arm = arm;
    c.normal = normal;
    c.friction = friction;
    c.key = static_cast<std::int64_t>(contacts.size());
    contacts.push_back(c);
    places.push_back({sum(body.position, arm), depth, stiffness});
  }
};

constexpr double coupling_stiffness = 500;  // [N/m]

/// `aside`: contacts from all sides, otherwise from below. Some have a gap, and some are there twice.
World random_world(Random& random, std::size_t count, double friction, bool aside, double rotation_offset = 0) {
  World world;
  for (std::size_t i = 0; i < count; ++i) {
    Vector3 normal = test::random_direction(random);
    if (!aside) {
      normal = sum(normal, {0, 0, 1.5});
      normal = scaled(1 / norm(normal), normal);
    }
    world.add_contact(test::random_vector(random, 0.04), normal, random.between(-0.0005, 0.002),
                      random.log_between(200, 5000), friction);
    if (i > 0 && i % 5 == 0) {  // the one before once more
      world.contacts[i].arm = world.contacts[i - 1].arm;
      world.contacts[i].normal = world.contacts[i - 1].normal;
      world.places[i] = world.places[i - 1];
    }
  }
  const Vector3 force = sum(test::random_vector(random, 3), {0, 0, aside ? 0.0 : -2.0});
  const Vector3 torque = test::random_vector(random, 0.05);
  world.coupling.wrench = {force[0], force[1], force[2], torque[0], torque[1], torque[2]};
  // J_r⁻¹ of a hand that is turned is not symmetric: 1 + ½ [φ]×, nearly
  const Matrix3 turned = cross_matrix(test::random_vector(random, rotation_offset));
  for (std::size_t i = 0; i < 3; ++i) {
    world.coupling.gradient[i][i] = -coupling_stiffness;
    world.coupling.gradient[3 + i][3 + i] = -2;
    for (std::size_t j = 0; j < 3; ++j) {
      world.coupling.gradient[3 + i][3 + j] -= turned[i][j];
    }
  }
  world.press();
  return world;
}

// ---------------------------------------------------------------------------------------------------------- springs

/// One contact below the centre of a body that is drawn along x by a spring.
struct Dragged {
  World world;
  std::unique_ptr<FrictionStep> step;
  std::array<ContactResult, 1> forces{};
  double hand = 0;

  Dragged(double stiffness, double ratio, bool implicit, double friction)
      : step(make_spring_friction(4, {ratio, implicit})) {
    world.add_contact({}, {0, 0, 1}, 0.002, stiffness, friction);
    for (std::size_t i = 0; i < 6; ++i) {
      world.coupling.gradient[i][i] = i < 3 ? -coupling_stiffness : -2;
    }
  }
  Phase cycle() {
    world.coupling.wrench = {coupling_stiffness * (hand - world.body.position[0]), 0, 0, 0, 0, 0};
    world.places[0].position = world.body.position;
    world.press();
    world.load.wrench[2] = 0;  // it is pressed by as much from above
    forces = {};
    const FrictionMotion result = step->step(world.situation(), forces);
    world.body.position[0] += result.motion[0];
    return result.phase;
  }
};

/// An elastic slider in long double: sticks up to μN, and its spring is dragged along beyond.
TEST(SpringFriction, OneContactIsAnElasticSlider) {
  const double k = 3000;
  const double normal = 3000 * 0.002;
  for (const double ratio : {1.0, 0.2}) {
    Dragged dragged(k, ratio, true, 0.5);
    dragged.cycle();
    const long double spring = ratio * k;
    const long double most = 0.5L * normal;
    long double x = 0;
    long double anchor = 0;
    int slid = 0;
    int stuck = 0;
    for (int i = 0; i < 400; ++i) {  // forth, back and forth again
      dragged.hand = 0.02 * std::sin(0.02 * i);
      for (int settle = 0; settle < 3; ++settle) {
        dragged.cycle();
      }
      // Balance: k_vc (h − x) = k (x − anchor), where that is within the cone
      x = (coupling_stiffness * static_cast<long double>(dragged.hand) + spring * anchor) /
          (coupling_stiffness + spring);
      const long double pull = spring * (x - anchor);
      if (std::abs(pull) > most) {
        const long double sign = pull > 0 ? 1 : -1;
        x = dragged.hand - sign * most / coupling_stiffness;
        anchor = x - sign * most / spring;
        ++slid;
      } else {
        ++stuck;
      }
      ASSERT_NEAR(dragged.world.body.position[0], static_cast<double>(x), 1e-12) << i;
    }
    EXPECT_GT(slid, 100);
    EXPECT_GT(stuck, 100);
  }
}

/// At rest the spring is stretched by F/k: frictional springs creep by that.
TEST(SpringFriction, StickingContactIsOffByForceOverStiffness) {
  Dragged dragged(3000, 2, true, 100);
  dragged.cycle();
  dragged.hand = 0.01;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(dragged.cycle(), Phase::held);
  }
  const double force = coupling_stiffness * (dragged.hand - dragged.world.body.position[0]);
  EXPECT_NEAR(dragged.world.body.position[0], force / 6000, 1e-14);
  EXPECT_NEAR(dragged.forces[0].friction[0], -force, 1e-10);
  EXPECT_EQ(dragged.forces[0].state, ContactState::sticks);
}

/// Anchors are lost with their contacts, and by a reset.
TEST(SpringFriction, ContactThatWasAwayIsTiedAnew) {
  for (const bool by_reset : {false, true}) {
    Dragged dragged(3000, 1, true, 100);
    dragged.cycle();
    dragged.hand = 0.01;
    dragged.cycle();
    const double x = dragged.world.body.position[0];
    ASSERT_GT(x, 1e-3);
    if (by_reset) {
      dragged.step->reset();
    } else {
      World other = dragged.world;
      other.contacts[0].key = 77;
      dragged.step->step(other.situation(), dragged.forces);
    }
    dragged.cycle();
    EXPECT_EQ(dragged.forces[0].friction, Vector3{}) << "it starts without force where it is";
    EXPECT_GT(dragged.world.body.position[0], x + 1e-4);
  }
}

/// 1 to 40 contacts, tied in one cycle and stretched in the next: forces and motion by an independent solution.
TEST(SpringFriction, ManyContactsAgreeWithADenseSolution) {
  Random random(71);
  int slid = 0;
  int stuck = 0;
  for (int i = 0; i < 300; ++i) {
    const bool implicit = i % 3 != 0;
    const auto count = static_cast<std::size_t>(1 + i % 40);
    const double ratio = random.log_between(0.1, 3);
    const auto step = make_spring_friction(40, {ratio, implicit});
    World world = random_world(random, count, random.log_between(0.1, 5), true);
    std::vector<ContactResult> forces(count);
    step->step(world.situation(), forces);
    const Pose tied = world.body;
    // The body moves; its points go along, and contacts come in another order
    world.body = moved(tied, {}, test::random_vector(random, 5e-4), test::random_vector(random, 0.02));
    std::vector<Vector3> offsets;
    for (std::size_t c = 0; c < count; ++c) {
      const Vector3 now = to_world(world.body, to_body(tied, world.places[c].position));
      offsets.push_back(difference(now, world.places[c].position));
      world.places[c].position = now;
      world.contacts[c].arm = difference(now, world.body.position);
    }
    std::ranges::reverse(world.contacts);
    std::ranges::reverse(world.places);
    std::ranges::reverse(offsets);
    world.press();
    forces.assign(count, {});
    const FrictionMotion found = step->step(world.situation(), forces);

    LongVector<6> right{};
    LongMatrix<6> left{};
    bool held = true;
    for (std::size_t r = 0; r < 6; ++r) {
      right[r] = world.load.wrench[r];
      for (std::size_t s = 0; s < 6; ++s) {
        left[r][s] = -static_cast<long double>(world.load.gradient[r][s]);
      }
    }
    for (std::size_t c = 0; c < count; ++c) {
      const Contact& contact = world.contacts[c];
      const double k = ratio * world.places[c].stiffness;
      const Vector3 u =
          std::abs(contact.normal[2]) < 0.9 ? cross(contact.normal, {0, 0, 1}) : cross(contact.normal, {0, 1, 0});
      const Vector3 first = scaled(1 / norm(u), u);
      const Vector3 second = cross(contact.normal, first);
      const double stretch = std::hypot(dot(offsets[c], first), dot(offsets[c], second));
      const double most = contact.friction * contact.normal_force;
      const bool slips = k * stretch > most;
      const double cut = slips ? most / (k * stretch) : 1;
      Vector3 force{};
      for (const Vector3& t : {first, second}) {
        force = sum(force, scaled(-k * cut * dot(offsets[c], t), t));
        const Vector6 row = wrench_of(contact, t);
        for (std::size_t r = 0; r < 6 && !slips && implicit; ++r) {
          for (std::size_t s = 0; s < 6; ++s) {
            left[r][s] += static_cast<long double>(k) * row[r] * row[s];
          }
        }
      }
      const Vector6 wrench = wrench_of(contact, force);
      for (std::size_t r = 0; r < 6; ++r) {
        right[r] += wrench[r];
      }
      EXPECT_LT(norm(difference(force, forces[c].friction)), 1e-9 * (1 + most));
      EXPECT_EQ(forces[c].state == ContactState::slides, slips);
      held = held && !slips;
      ++(slips ? slid : stuck);
    }
    EXPECT_EQ(found.phase == Phase::held, held);
    const LongVector<6> motion = solved(left, right);
    for (std::size_t r = 0; r < 6; ++r) {
      EXPECT_NEAR(found.motion[r], static_cast<double>(motion[r]), 1e-10);
    }
  }
  EXPECT_GT(slid, 500);
  EXPECT_GT(stuck, 500);
}

/// One contact: x ← h − (k/k_vc) x, stable up to k = k_vc. Several: as long as no eigenvalue of A⁻¹ Σ k Pᵀ P is
/// above 1.
TEST(ExplicitSprings, AreStableUpToTheLimitAndNotBeyond) {
  for (const double over : {0.97, 1.03}) {
    Dragged dragged(coupling_stiffness, over, false, 1e6);
    dragged.cycle();
    dragged.hand = 1e-3;
    const double rest = dragged.hand / (1 + over);
    double x = 0;
    for (int i = 0; i < 300; ++i) {
      dragged.cycle();
      x = dragged.hand - over * x;
      ASSERT_NEAR(dragged.world.body.position[0], x, 1e-9 * std::max(1.0, std::abs(x)));
    }
    EXPECT_EQ(std::abs(x - rest) < 0.01 * rest, over < 1);
    EXPECT_EQ(std::abs(x - rest) > 10 * rest, over > 1);
  }
  Random random(72);
  for (std::size_t count = 1; count < 40; count += 4) {
    World world = random_world(random, count, 1e9, true);
    for (ContactPoint& place : world.places) {  // pressed, but without normal springs in the balance
      place.depth = 0.001;
    }
    world.press();
    world.load.gradient = world.coupling.gradient;
    // The largest eigenvalue of A⁻¹ Σ P̂ᵀ k P̂, by powers
    Vector6 v{1, 0.5, -0.3, 20, 10, -30};
    double largest = 0;
    for (int round = 0; round < 3000; ++round) {
      Vector6 next{};
      for (std::size_t c = 0; c < world.contacts.size(); ++c) {
        const Vector3 along = across(motion_at(world.contacts[c], v), world.contacts[c].normal);
        add(next, wrench_of(world.contacts[c], along), world.places[c].stiffness);
      }
      for (std::size_t r = 0; r < 6; ++r) {
        next[r] /= r < 3 ? coupling_stiffness : 2;
      }
      largest = norm(next) / norm(v);
      v = scaled(1 / norm(next), next);
    }
    for (const double over : {0.95, 1.05}) {
      const auto step = make_spring_friction(40, {over / largest, false});
      std::vector<ContactResult> forces(world.contacts.size());
      World at = world;
      at.load.wrench = {};
      step->step(at.situation(), forces);  // tied at rest, without a load
      const auto motion_from_rest = [&] {
        return norm(difference(at.body.position, world.body.position)) +
               0.03 * norm(rotation_vector(product(at.body.rotation, transposed(world.body.rotation))));
      };
      // Pushed a little along the mode that grows first; small, so that arms and normals stay as they are
      const double push = 1e-9 / norm(v);
      at.body = moved(world.body, {}, scaled(push, Vector3{v[0], v[1], v[2]}), scaled(push, Vector3{v[3], v[4], v[5]}));
      const double before = motion_from_rest();
      for (int cycle = 0; cycle < 100; ++cycle) {
        const Vector3 turn = rotation_vector(product(at.body.rotation, transposed(world.body.rotation)));
        for (std::size_t r = 0; r < 3; ++r) {
          at.load.wrench[r] = -coupling_stiffness * (at.body.position[r] - world.body.position[r]);
          at.load.wrench[3 + r] = -2 * turn[r];
        }
        const FrictionMotion found = step->step(at.situation(), forces);
        at.body = moved(at.body, {}, {found.motion[0], found.motion[1], found.motion[2]},
                        {found.motion[3], found.motion[4], found.motion[5]});
      }
      EXPECT_EQ(motion_from_rest() < 0.1 * before, over < 1) << count;
      EXPECT_EQ(motion_from_rest() > 10 * before, over > 1) << count;
    }
  }
}

// --------------------------------------------------------------------------------------- the laws of Signorini and
// Coulomb

enum class Kind { staggered, gauss_seidel };
std::unique_ptr<FrictionStep> make(Kind kind, const SignoriniParams& params) {
  return kind == Kind::staggered ? make_staggered_projections(40, params) : make_gauss_seidel(40, params);
}

/// What is left of the laws, each over the largest force.
struct Residuals {
  double balance = 0;   // |w − A Δ + Σ …|, torques over 3 cm
  double pressing = 0;  // min(λ, λ + k (N · v − depth))
  double cone = 0;      // |β| − μλ, and β along the normal
  double slip = 0;      // β − cut(β − v_t ρ): 0 where it sticks or is against the slip at its limit
  [[nodiscard]] double worst() const { return std::max({balance, pressing, cone, slip}); }
};
Residuals residuals(const World& world, const Vector6& motion, std::span<const double> normal,
                    std::span<const ContactResult> forces, double rigidity = 1) {
  Residuals left;
  double largest = 1e-300;
  Vector6 balance = world.coupling.wrench;
  for (std::size_t r = 0; r < 6; ++r) {
    for (std::size_t s = 0; s < 6; ++s) {
      balance[r] += 0.5 * (world.coupling.gradient[r][s] + world.coupling.gradient[s][r]) * motion[s];
    }
  }
  for (std::size_t i = 0; i < world.contacts.size(); ++i) {
    const Contact& c = world.contacts[i];
    largest = std::max({largest, normal[i], norm(forces[i].friction)});
    add(balance, wrench_of(c, sum(scaled(normal[i], c.normal), forces[i].friction)));
    const Vector3 v = motion_at(c, motion);
    const double k = rigidity * world.places[i].stiffness;
    // λ/k + N·v − depth, as a force of the coupling: k may be huge
    const double gap = (normal[i] / k + dot(c.normal, v) - world.places[i].depth) * coupling_stiffness;
    left.pressing = std::max(left.pressing, std::abs(std::min(normal[i], gap)));
    const double most = c.friction * normal[i];
    left.cone = std::max({left.cone, norm(forces[i].friction) - most, std::abs(dot(forces[i].friction, c.normal))});
    Vector3 pulled = difference(forces[i].friction, scaled(coupling_stiffness, across(v, c.normal)));
    if (norm(pulled) > most) {
      pulled = scaled(most / norm(pulled), pulled);
    }
    left.slip = std::max(left.slip, norm(difference(pulled, forces[i].friction)));
  }
  for (std::size_t r = 0; r < 6; ++r) {
    left.balance = std::max(left.balance, std::abs(balance[r]) / (r < 3 ? 1 : 0.03));
  }
  for (double* each : {&left.balance, &left.pressing, &left.cone, &left.slip}) {
    *each /= std::max(largest, norm(world.coupling.wrench));
  }
  return left;
}

struct Solved {
  Vector6 motion;
  Phase phase;
  Residuals left;
  std::vector<double> normal;
};
Solved solve_with(FrictionStep& step, const World& world, double rigidity = 1) {
  std::vector<ContactResult> forces(world.contacts.size(), {.state = ContactState::slides});
  const FrictionMotion found = step.step(world.situation(), forces);
  const auto normal = step.normal_forces();
  return {found.motion,
          found.phase,
          residuals(world, found.motion, normal, forces, rigidity),
          {normal.begin(), normal.end()}};
}
double apart(const Vector6& a, const Vector6& b) {
  double most = 0;
  for (std::size_t r = 0; r < 6; ++r) {
    most = std::max(most, std::abs(a[r] - b[r]) * (r < 3 ? 1 : 0.03));
  }
  return most;
}

/// 400 situations of 1 to 40 contacts, some twice, some with a gap, on hands that are turned.
TEST(Signorini, LawsHoldAndBothWaysAgree) {
  Random random(73);
  int exact = 0;
  int alike = 0;
  for (const double friction : {0.0, 0.2, 0.6, 1.5, 10.0}) {
    for (const bool aside : {false, true}) {
      for (std::size_t count = 1; count <= 40; ++count) {
        const World world = random_world(random, count, friction, aside, 1);
        // Staggered projections ask the cone program, to a gap of 1e-9: forces to some 1e-6
        const auto staggered = make(Kind::staggered, {.max_rounds = 1000});
        const auto gauss_seidel = make(Kind::gauss_seidel, {.tolerance = 1e-10, .max_rounds = 50000});
        const Solved a = solve_with(*staggered, world);
        const Solved b = solve_with(*gauss_seidel, world);
        EXPECT_LT(a.left.worst(), 1e-5) << count << " contacts, μ = " << friction;
        EXPECT_LT(a.left.cone, 1e-12);
        EXPECT_LT(std::max(b.left.balance, b.left.cone), 1e-8);
        if (friction < 1) {  // with more, the answer need not be the only one, and Gauss–Seidel may not arrive
          EXPECT_LT(b.left.worst(), 1e-8) << count << " contacts, μ = " << friction;
          EXPECT_LT(apart(a.motion, b.motion), 1e-7) << count << " contacts, μ = " << friction;
        }
        exact += b.left.worst() < 1e-8 ? 1 : 0;
        alike += apart(a.motion, b.motion) < 1e-7 ? 1 : 0;
      }
    }
  }
  EXPECT_GE(exact, 395);
  EXPECT_GE(alike, 395);
}

/// Contacts 100 000 times as stiff, as `make_constraint_contact` has them. Pressed from below: bodies that are squeezed
/// by their own penetration have no answer that a hand could feel.
TEST(Signorini, LawsHoldForRigidContacts) {
  Random random(74);
  constexpr double rigidity = 1e5;
  int close = 0;
  for (const double friction : {0.0, 0.2, 0.5}) {
    for (std::size_t count = 1; count <= 40; ++count) {
      World world = random_world(random, count, friction, false);
      for (ContactPoint& place : world.places) {  // points that do not touch yet
        place.depth = std::min(place.depth, 0.0);
      }
      world.press();
      // The two projections come close soon and crawl then: 4e-5 at worst after 10 000 rounds, less after more
      const auto patient = make_constraint_contact(40, {.rigidity = rigidity, .max_rounds = 10000});
      const Solved a = solve_with(*patient, world, rigidity);
      EXPECT_LT(a.left.worst(), friction > 0 ? 1e-4 : 1e-7) << count << " contacts, μ = " << friction;
      EXPECT_LT(std::max(a.left.pressing, a.left.cone), 1e-12);
      close += a.left.worst() < 1e-5 ? 1 : 0;
      // In a loop each cycle starts from the last one
      const auto loop = make_constraint_contact(40);
      for (int cycle = 0; cycle < 20; ++cycle) {
        solve_with(*loop, world, rigidity);
      }
      EXPECT_LT(solve_with(*loop, world, rigidity).left.worst(), 1e-3) << count << " contacts, μ = " << friction;
      for (std::size_t i = 0; i < count; ++i) {
        const Contact& c = world.contacts[i];
        EXPECT_GT(dot(c.normal, motion_at(c, a.motion)) - world.places[i].depth, -1e-6) << "it penetrates";
      }
    }
  }
  EXPECT_GE(close, 115);
}

/// Without friction: of all sets of pressed contacts just one is right, in long double.
TEST(Signorini, WithoutFrictionTheRightSetOfContactsIsPressed) {
  Random random(75);
  for (int i = 0; i < 200; ++i) {
    const auto count = static_cast<std::size_t>(1 + i % 7);
    const World world = random_world(random, count, 0, i % 2 == 0);
    LongVector<6> reference{};
    int right_sets = 0;
    for (unsigned set = 0; set < 1U << count; ++set) {
      LongMatrix<6> left{};
      LongVector<6> right{};
      for (std::size_t r = 0; r < 6; ++r) {
        right[r] = world.coupling.wrench[r];
        left[r][r] = r < 3 ? coupling_stiffness : 2;
      }
      for (std::size_t c = 0; c < count; ++c) {
        const Vector6 g = wrench_of(world.contacts[c], world.contacts[c].normal);
        for (std::size_t r = 0; r < 6 && (set >> c & 1U) != 0; ++r) {
          right[r] += static_cast<long double>(world.places[c].stiffness) * world.places[c].depth * g[r];
          for (std::size_t s = 0; s < 6; ++s) {
            left[r][s] += static_cast<long double>(world.places[c].stiffness) * g[r] * g[s];
          }
        }
      }
      const LongVector<6> motion = solved(left, right);
      bool fits = true;
      for (std::size_t c = 0; c < count; ++c) {
        const Vector6 g = wrench_of(world.contacts[c], world.contacts[c].normal);
        long double depth = world.places[c].depth;
        for (std::size_t r = 0; r < 6; ++r) {
          depth -= g[r] * motion[r];
        }
        fits = fits && (depth > 0) == ((set >> c & 1U) != 0);
      }
      reference = fits ? motion : reference;
      right_sets += fits ? 1 : 0;
    }
    ASSERT_EQ(right_sets, 1);
    for (const Kind kind : {Kind::staggered, Kind::gauss_seidel}) {
      const auto step = make(kind, {.tolerance = 1e-12, .max_rounds = 50000});
      const Solved found = solve_with(*step, world);
      for (std::size_t r = 0; r < 6; ++r) {
        EXPECT_NEAR(found.motion[r], static_cast<double>(reference[r]), 1e-10);
      }
    }
  }
}

/// One contact below a body that is drawn aside: pressed with λ = (w_z + k_vc depth) k/(k + k_vc), it slides at μλ.
TEST(Signorini, OneContactInClosedForm) {
  for (const double pull : {0.5, 2.0}) {
    World world;
    world.add_contact({}, {0, 0, 1}, 0.001, 1500, 0.4);
    for (std::size_t i = 0; i < 6; ++i) {
      world.coupling.gradient[i][i] = i < 3 ? -coupling_stiffness : -2;
    }
    world.coupling.wrench = {pull, 0, -2, 0, 0, 0};
    world.press();
    const double normal = (2 + coupling_stiffness * 0.001) * 1500 / (1500 + coupling_stiffness);
    const double friction = std::min(pull, 0.4 * normal);
    for (const Kind kind : {Kind::staggered, Kind::gauss_seidel}) {
      const auto step = make(kind, {.tolerance = 1e-10, .max_rounds = 1000});
      const Solved found = solve_with(*step, world);
      EXPECT_NEAR(found.normal[0], normal, 1e-8);
      EXPECT_NEAR(found.motion[0], (pull - friction) / coupling_stiffness, 1e-8);
      EXPECT_NEAR(found.motion[2], (normal - 2) / coupling_stiffness, 1e-10);
      EXPECT_EQ(found.phase, pull > 1 ? Phase::slides : Phase::held);
    }
    world.coupling.wrench = {pull, 0, 2, 0, 0, 0};  // lifted off: w_z + k_vc depth ≤ 0 the other way round
    for (const Kind kind : {Kind::staggered, Kind::gauss_seidel}) {
      const auto step = make(kind, {});
      const Solved found = solve_with(*step, world);
      EXPECT_EQ(found.normal[0], 0);
      EXPECT_NEAR(found.motion[0], pull / coupling_stiffness, 1e-12);
      EXPECT_EQ(found.phase, Phase::free);
    }
  }
}

/// A third way, slow and simple: all forces at once go a little against the gap and slip that they leave, with the
/// normal part of the slip raised by μ times the slip, and back into their cones (de Saxcé's projection).
Vector6 by_small_steps(const World& world) {
  const std::size_t count = world.contacts.size();
  std::vector<Vector3> forces(count);
  // ρ below 1/(largest motion of all contacts per force, with the springs')
  double answer = 0;
  for (std::size_t i = 0; i < count; ++i) {
    answer += 1 / coupling_stiffness + dot(world.contacts[i].arm, world.contacts[i].arm) / 2;
  }
  double softest = 0;
  for (const ContactPoint& place : world.places) {
    softest = std::max(softest, 1 / place.stiffness);
  }
  const double rho = 1 / (answer + softest);
  Vector6 motion{};
  for (int round = 0; round < 200000; ++round) {
    motion = world.coupling.wrench;
    for (std::size_t i = 0; i < count; ++i) {
      add(motion, wrench_of(world.contacts[i], forces[i]));
    }
    for (std::size_t r = 0; r < 6; ++r) {
      motion[r] /= r < 3 ? coupling_stiffness : 2;
    }
    double change = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Contact& c = world.contacts[i];
      const Vector3 v = motion_at(c, motion);
      const Vector3 slip = across(v, c.normal);
      const double gap =
          dot(c.normal, v) - world.places[i].depth + dot(forces[i], c.normal) / world.places[i].stiffness;
      Vector3 next = difference(forces[i], scaled(rho, sum(slip, scaled(gap + c.friction * norm(slip), c.normal))));
      // The nearest point of the cone
      const double along = dot(next, c.normal);
      const Vector3 aside = across(next, c.normal);
      const double width = norm(aside);
      if (width > c.friction * along) {
        const double height = (along + c.friction * width) / (1 + c.friction * c.friction);
        next = height > 0 ? sum(scaled(height, c.normal), scaled(c.friction * height / width, aside)) : Vector3{};
      }
      change = std::max(change, norm(difference(next, forces[i])));
      forces[i] = next;
    }
    if (change < 1e-13) {
      break;
    }
  }
  return motion;
}
TEST(Signorini, AgreesWithAThirdWay) {
  Random random(76);
  for (int i = 0; i < 60; ++i) {
    const World world = random_world(random, static_cast<std::size_t>(1 + i % 6), i % 3 == 0 ? 0.2 : 0.5, i % 2 == 0);
    const Vector6 reference = by_small_steps(world);
    for (const Kind kind : {Kind::staggered, Kind::gauss_seidel}) {
      const auto step = make(kind, {.tolerance = 1e-8, .max_rounds = 20000});
      EXPECT_LT(apart(solve_with(*step, world).motion, reference), 1e-7) << i;
    }
  }
}

/// The forces of the last cycle are found again by their keys, whatever the order: one round is then enough. Contacts
/// that have come or gone do not matter to what is found in the end.
TEST(Signorini, StartsFromTheLastForcesInAnyOrder) {
  Random random(77);
  for (const Kind kind : {Kind::staggered, Kind::gauss_seidel}) {
    int better = 0;
    for (int i = 0; i < 60; ++i) {
      const World world = random_world(random, 6, 0.3, i % 2 == 0);
      World turned = world;  // all of them, backwards or shuffled
      std::vector<std::size_t> order(6);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::ranges::reverse(order);
      for (std::size_t k = 0; i % 3 == 0 && k < 6; ++k) {
        std::swap(order[k], order[random.bits() % 6]);
      }
      for (std::size_t k = 0; k < 6; ++k) {
        turned.contacts[k] = world.contacts[order[k]];
        turned.places[k] = world.places[order[k]];
      }
      // Cycle after cycle with a few rounds each, in turn in the one order and the other
      const SignoriniParams few{.tolerance = 1e-12, .max_rounds = 3};
      const auto step = make(kind, few);
      for (int cycle = 0; cycle < 400; ++cycle) {
        solve_with(*step, cycle % 2 == 0 ? world : turned);
      }
      const double warm = solve_with(*step, turned).left.worst();
      const double cold = solve_with(*make(kind, few), turned).left.worst();
      EXPECT_LT(warm, 1e-5) << i;
      better += warm < 0.01 * cold ? 1 : 0;

      // Others come and go
      const auto exact = make(kind, {.tolerance = 1e-9, .max_rounds = 20000});
      for (int cycle = 0; cycle < 4; ++cycle) {
        World some = turned;
        const auto left_out = static_cast<std::ptrdiff_t>(random.bits() % 6);
        some.contacts.erase(some.contacts.begin() + left_out);
        some.places.erase(some.places.begin() + left_out);
        some.press();
        const Solved fresh = solve_with(*make(kind, {.tolerance = 1e-9, .max_rounds = 20000}), some);
        EXPECT_LT(apart(solve_with(*exact, some).motion, fresh.motion), 1e-7);
      }
      // After a reset it is as new; only the cone program inside the staggered projections starts from where it was
      step->reset();
      const double least = kind == Kind::staggered ? 1e-7 : 0;
      EXPECT_LE(apart(solve_with(*step, turned).motion, solve_with(*make(kind, few), turned).motion), least);
    }
    EXPECT_GT(better, 20);
  }
}

/// Contacts that nobody named do not take over each other's forces.
TEST(Signorini, ContactsWithoutANameStartAfresh) {
  Random random(78);
  for (const Kind kind : {Kind::staggered, Kind::gauss_seidel}) {
    World world = random_world(random, 8, 0.3, false);
    for (Contact& c : world.contacts) {
      c.key.reset();
    }
    const SignoriniParams few{.max_rounds = 2};
    const auto step = make(kind, few);
    const Vector6 first = solve_with(*step, world).motion;
    EXPECT_LE(apart(solve_with(*step, world).motion, first), kind == Kind::staggered ? 1e-7 : 0);
  }
}

TEST(Baselines, RefuseWhatCannotBe) {
  EXPECT_THROW(make_spring_friction(10, {0, true}), InvalidParameter);
  for (const SignoriniParams& bad :
       {SignoriniParams{.rigidity = 0}, SignoriniParams{.rigidity = infinity}, SignoriniParams{.tolerance = -1},
        SignoriniParams{.max_rounds = 0}, SignoriniParams{.max_rounds = -1}}) {
    EXPECT_THROW(make_staggered_projections(10, bad), InvalidParameter);
    EXPECT_THROW(make_gauss_seidel(10, bad), InvalidParameter);
  }
}

}  // namespace
}  // namespace stiction::haptics
