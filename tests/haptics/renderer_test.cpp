// Whole cycles: a cube on a floor and in a corner, held, sliding, lifted.
#include "stiction/haptics/renderer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "haptics/random_pose.h"
#include "haptics/small_scenes.h"
#include "support/bits.h"

namespace stiction::haptics {
namespace {

using test::contact_wrench;
using test::corner_shell;
using test::cube_half;
using test::cube_on;
using test::floor_shell;
using test::force_of;
using test::plain;
using test::Random;

bool same_bits(const Pose& a, const Pose& b) {
  bool same = true;
  for (std::size_t i = 0; i < 3; ++i) {
    same = same && test::same_bits(a.position[i], b.position[i]);
    for (std::size_t j = 0; j < 3; ++j) {
      same = same && test::same_bits(a.rotation[i][j], b.rotation[i][j]);
    }
  }
  return same;
}
double sideways(const Vector6& wrench) { return std::hypot(wrench[0], wrench[1]); }

/// The cube on the floor, pressed by a hand that is `press` below its place.
Renderer pressed(double friction, double press) {
  Renderer renderer = cube_on(floor_shell(), friction, plain());
  renderer.reset_pose({{0, 0, cube_half}, identity_rotation});
  for (int i = 0; i < 200; ++i) {
    renderer.step({{0, 0, cube_half - press}, identity_rotation});
  }
  return renderer;
}

TEST(Renderer, HandFeelsNothingInFreeSpace) {
  Random random(51);
  Renderer renderer = cube_on(floor_shell(), 0.5, plain());
  for (int i = 0; i < 100; ++i) {
    Pose hand = test::random_pose(random, 0.01, 2);
    hand.position[2] += 0.5;
    for (int k = 0; k < 20; ++k) {
      renderer.step(hand);
    }
    EXPECT_EQ(renderer.last().phase, Phase::free);
    EXPECT_LT(norm(renderer.last().output), 1e-12);
    EXPECT_LT(norm(difference(renderer.body().position, hand.position)), 1e-14);
  }
}

/// Springs in line: the floor's k_f and the coupling's k give the force k k_f/(k + k_f) · press.
TEST(Renderer, PressedCubeRestsOnTheFloor) {
  const RenderParams params = plain();
  const double press = 0.004;
  Renderer renderer = pressed(0.5, press);
  const Cycle& cycle = renderer.last();
  EXPECT_EQ(cycle.phase, Phase::held);
  EXPECT_GT(cycle.contacts, 50U);
  const double floor = params.parallel_contacts * params.contact_stiffness;
  const double expected = params.coupling_stiffness * floor / (params.coupling_stiffness + floor) * press;
  // A few contacts lie where the field has rounded the edges of the cube
  EXPECT_NEAR(cycle.output[2], expected, 2e-3 * expected);  // up: the hand feels the floor
  EXPECT_EQ(cycle.coupling[2], -cycle.output[2]);
  EXPECT_NEAR(cycle.deepest, expected / floor, 0.1 * expected / floor);
}

TEST(Renderer, HeldOnTheFloorItDoesNotCreep) {
  Renderer renderer = pressed(0.5, 0.004);
  const double normal = -renderer.last().coupling[2];
  // A sideways pull of 80 % of what friction can hold
  const Pose hand{{0.8 * 0.5 * normal / 500, 0, cube_half - 0.004}, identity_rotation};
  for (int i = 0; i < 300; ++i) {
    renderer.step(hand);
  }
  const Pose start = renderer.body();
  for (int i = 0; i < 10000; ++i) {
    renderer.step(hand);
    ASSERT_EQ(renderer.last().phase, Phase::held) << i;
  }
  EXPECT_LT(norm(difference(renderer.body().position, start.position)), 1e-12);
  EXPECT_LT(test::largest_difference(renderer.body().rotation, start.rotation), 1e-11);
  EXPECT_NEAR(renderer.last().coupling[0], 0.8 * 0.5 * normal, 0.05 * normal);
}

Pose in_corner(double press) { return {{cube_half - press, cube_half - press, cube_half - press}, identity_rotation}; }

/// In a corner friction resists in all six directions: the body does not move by one bit, however the hand pulls
/// within what friction holds.
TEST(Renderer, HeldInACornerItDoesNotMoveByOneBit) {
  for (const double mass : {0.0, 0.1}) {
    RenderParams params = plain();
    params.mass = mass;
    params.coupling_damping = mass > 0 ? 5 : 0;
    params.coupling_rotational_damping = mass > 0 ? 0.005 : 0;
    Renderer renderer = cube_on(corner_shell(), 0.6, params);
    renderer.reset_pose(in_corner(0));
    for (int i = 0; i < 2000; ++i) {
      renderer.step(in_corner(std::min(3e-6 * i, 0.0055)));
    }
    // It slid in, so friction is at its limit: the hand gives way a little, and it is held with room to both sides
    for (int i = 0; i < 500; ++i) {
      renderer.step(in_corner(0.0055 - 1e-6 * i));
    }
    ASSERT_EQ(renderer.last().phase, Phase::held);
    const Pose held = renderer.body();
    for (int i = 0; i < 10000; ++i) {
      const double swing = 0.0002 * std::sin(0.01 * i);
      Pose hand = in_corner(0.005);
      hand.position = sum(hand.position, {swing, -swing, 0.5 * swing});
      hand.rotation = rotation_by({0, 0.3 * swing / 0.02, 0});
      const Cycle& cycle = renderer.step(hand);
      ASSERT_EQ(cycle.phase, Phase::held) << i << " mass " << mass;
      ASSERT_TRUE(same_bits(cycle.body, held)) << i;
      ASSERT_EQ(cycle.motion, Vector6{});
    }
    EXPECT_GT(std::abs(renderer.last().coupling[0] - renderer.last().coupling[1]), 0.01);  // the load did change
  }
}

/// Contacts without friction, here those of a second floor, do not keep the others from holding.
TEST(Renderer, ContactsWithoutFrictionDoNotHinderTheOthers) {
  const std::array pairs{
      BodyPair{.field = &test::cube_field(), .shell = &corner_shell(), .shell_moves = false, .friction = 0.6},
      BodyPair{.field = &test::cube_field(), .shell = &floor_shell(), .shell_moves = false, .friction = 0}};
  Renderer renderer(pairs, {}, plain(), make_cone_program(1000));
  renderer.reset_pose(in_corner(0));
  for (int i = 0; i < 2000; ++i) {
    renderer.step(in_corner(std::min(3e-6 * i, 0.0055)));
  }
  for (int i = 0; i < 500; ++i) {
    renderer.step(in_corner(0.0055 - 1e-6 * i));
  }
  EXPECT_EQ(renderer.last().phase, Phase::held);
  EXPECT_EQ(renderer.last().motion, Vector6{});
}

/// Looked for in every fifth cycle only, contacts give nearly the same forces, and hold as exactly.
TEST(Renderer, FollowedContactsGiveTheSameForces) {
  RenderParams params = plain();
  Renderer all = cube_on(floor_shell(), 0.4, params);
  params.contact_search_interval = 5;
  Renderer some = cube_on(floor_shell(), 0.4, params);
  Renderer some_corner = cube_on(corner_shell(), 0.6, params);
  for (Renderer* renderer : {&all, &some}) {
    renderer->reset_pose({{0, 0, cube_half}, identity_rotation});
  }
  double worst = 0;
  std::size_t looks = 0, all_looks = 0;
  for (int i = 0; i < 2000; ++i) {
    const Pose hand{{i < 500 ? 0 : 1e-5 * (i - 500), 0, cube_half - std::min(2e-5 * i, 0.004)},
                    rotation_by({0, 0, 1e-5 * i})};
    all.step(hand);
    some.step(hand);
    looks += some.last().field_queries;
    all_looks += all.last().field_queries;
    if (i > 100) {
      worst = std::max(worst, norm(difference(all.last().output, some.last().output)));
    }
  }
  EXPECT_LT(worst, 0.1);  // of 2 N
  EXPECT_LT(looks, all_looks / 4);
  some_corner.reset_pose(in_corner(0));
  for (int i = 0; i < 2500; ++i) {
    some_corner.step(in_corner(std::min(3e-6 * i, 0.0055) - 1e-6 * std::max(0, i - 2000)));
  }
  const Pose held = some_corner.body();
  for (int i = 0; i < 1000; ++i) {
    Pose hand = in_corner(0.005);
    hand.position[0] += 0.0002 * std::sin(0.01 * i);
    some_corner.step(hand);
    ASSERT_EQ(some_corner.last().phase, Phase::held);
    ASSERT_TRUE(same_bits(some_corner.body(), held));
  }
  std::printf("followed: forces off by %.3f N at most\n", worst);
}

/// While it is held, the forces of the contacts and of the coupling are in balance.
TEST(Renderer, ForcesBalanceWhileHeld) {
  Renderer corner = cube_on(corner_shell(), 0.6, plain());
  corner.reset_pose(in_corner(0));
  Renderer floor = pressed(0.5, 0.004);
  // Held not at its middle
  const BodyPair pair{.field = &test::cube_field(), .shell = &floor_shell(), .shell_moves = false, .friction = 0.6};
  Renderer aside(std::span(&pair, 1), {{0.004, -0.003, 0.01}, identity_rotation}, plain(), make_cone_program(1000));
  aside.reset_pose({{0, 0, cube_half}, identity_rotation});
  for (int i = 0; i < 1000; ++i) {
    aside.step({{0.0005, 0, cube_half - 0.004}, identity_rotation});
    corner.step({{cube_half - 0.006, cube_half - 0.005, cube_half - 0.006}, rotation_by({0.01, 0.02, 0})});
    floor.step({{0.0006, 0.0004, cube_half - 0.004}, rotation_by({0, 0, 0.02})});
  }
  for (Renderer* renderer : {&corner, &floor, &aside}) {
    ASSERT_EQ(renderer->last().phase, Phase::held);
    const Vector6 contacts = contact_wrench(*renderer, renderer->body());
    const Vector6& coupling = renderer->last().coupling;
    const double size = norm(force_of(coupling));
    for (std::size_t i = 0; i < 6; ++i) {  // to the root of the gap that the loop asks for
      EXPECT_NEAR(contacts[i], -coupling[i], 1e-3 * size * (i < 3 ? 1 : cube_half)) << i;
    }
    // Friction is in the cone of its contact and across its normal
    for (std::size_t i = 0; i < renderer->contact_count(); ++i) {
      const ContactForce c = renderer->contact(i);
      EXPECT_LE(norm(c.friction), 0.6 * norm(c.normal_force) * (1 + 1e-9));
      EXPECT_LT(std::abs(dot(c.friction, c.normal)), 1e-12);
      EXPECT_EQ(c.state, spatial::ContactState::sticks);
    }
  }
}

/// A hand that goes on: the body follows, and friction is μ times the normal force, against the motion.
TEST(Renderer, SlidesBeyondFriction) {
  const double friction = 0.4;
  Renderer renderer = pressed(friction, 0.004);
  int held_at_first = 0, slides = 0;
  double x = 0;  // of the body, when it slides
  double least = INFINITY, most = 0, mean = 0;
  for (int i = 0; i < 2000; ++i) {
    const Cycle& cycle = renderer.step({{1e-5 * i, 0, cube_half - 0.004}, identity_rotation});  // 1 cm/s
    if (i < 100) {
      held_at_first += cycle.phase == Phase::held ? 1 : 0;
    }
    if (i == 1000) {
      x = cycle.body.position[0];
    }
    if (i >= 1000) {
      slides += cycle.phase == Phase::slides ? 1 : 0;
      const double ratio = cycle.coupling[0] / -cycle.coupling[2];
      least = std::min(least, ratio);
      most = std::max(most, ratio);
      mean += ratio / 1000;
      EXPECT_LT(std::abs(cycle.coupling[1]), 0.02 * cycle.coupling[0]);
    }
  }
  EXPECT_EQ(held_at_first, 100);
  EXPECT_GT(slides, 800);
  EXPECT_NEAR(renderer.body().position[0] - x, 1e-5 * 999, 2e-5);  // as fast as the hand
  EXPECT_GT(least, 0.95 * friction);  // it rocks a little as points of the floor come and go at its edges
  EXPECT_LT(most, 1.01 * friction);
  std::printf("sliding: force over normal force %.4f to %.4f with mu = %.1f, slides in %d of 1000 cycles\n", least,
              most, friction, slides);
}

TEST(Renderer, WithoutFrictionTheForceIsAlongTheNormal) {
  Renderer renderer = cube_on(floor_shell(), 0.5, plain(), Separation::pulled, nullptr);
  renderer.reset_pose({{0, 0, cube_half}, identity_rotation});
  for (int i = 0; i < 1500; ++i) {
    renderer.step({{2e-5 * i, 1e-5 * i, cube_half - 0.004}, identity_rotation});
    EXPECT_LT(sideways(renderer.last().output), 1e-9);
  }
  EXPECT_EQ(renderer.last().phase, Phase::slides);
  EXPECT_GT(renderer.last().output[2], 1.5);
  for (std::size_t i = 0; i < renderer.contact_count(); ++i) {
    EXPECT_EQ(renderer.contact(i).friction, Vector3{});
  }
}

/// The printed way: held is held; beyond, no friction at all.
TEST(Renderer, SwitchedFrictionIsAllOrNothing) {
  Renderer renderer = cube_on(floor_shell(), 0.4, plain(), Separation::pulled, make_switched_friction(1000, 8));
  renderer.reset_pose({{0, 0, cube_half}, identity_rotation});
  double x = 0;
  bool held = false, slid = false;
  for (int i = 0; i < 2000; ++i) {
    x += i > 200 ? 1e-5 : 0;
    const Cycle& cycle = renderer.step({{x, 0, cube_half - 0.004}, identity_rotation});
    if (cycle.phase == Phase::held && sideways(cycle.coupling) > 0.1) {
      held = true;
    }
    if (cycle.phase == Phase::slides && cycle.contacts > 0 && i > 200) {
      slid = true;
      EXPECT_LT(sideways(cycle.coupling), 1e-9);  // it has gone all the way
    }
  }
  EXPECT_TRUE(held);
  EXPECT_TRUE(slid);
}

/// A body that slides goes (1 − a) of the way (Fig. 7).
TEST(Renderer, StaticDampingGoesAShareOfTheWay) {
  for (const double a : {0.0, 0.6, 0.9}) {
    RenderParams params = plain();
    Renderer free = cube_on(floor_shell(), 0, params, Separation::pulled, nullptr);
    params.static_damping = a;
    Renderer renderer = cube_on(floor_shell(), 0, params, Separation::pulled, nullptr);
    for (Renderer* r : {&free, &renderer}) {
      r->reset_pose({{0, 0, cube_half - 0.0002}, identity_rotation});
      r->step({{0.003, 0, cube_half - 0.004}, identity_rotation});
      EXPECT_EQ(r->last().phase, Phase::slides);
    }
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(renderer.last().motion[i], (1 - a) * free.last().motion[i], 1e-15);
    }
    EXPECT_NEAR(free.last().motion[0], 0.003, 1e-9);
  }
}

TEST(Renderer, OutputKeepsItsDirectionAtTheLimits) {
  RenderParams params = plain();
  params.force_limit = 0.7;
  params.torque_limit = 0.002;
  Renderer renderer = cube_on(floor_shell(), 0.5, params);
  renderer.reset_pose({{0, 0, cube_half}, identity_rotation});
  for (int i = 0; i < 200; ++i) {
    renderer.step({{0.001, 0, cube_half - 0.004}, rotation_by({0, 0.2, 0.1})});
  }
  const Cycle& cycle = renderer.last();
  const Vector3 force = force_of(cycle.output);
  const Vector3 torque{cycle.output[3], cycle.output[4], cycle.output[5]};
  EXPECT_NEAR(norm(force), 0.7, 1e-12);
  EXPECT_NEAR(norm(torque), 0.002, 1e-15);
  EXPECT_LT(norm(cross(force, force_of(cycle.coupling))), 1e-12);
  EXPECT_LT(dot(force, force_of(cycle.coupling)), 0);
}

TEST(Renderer, MotionOfACycleIsLimited) {
  RenderParams params = plain();
  params.max_motion = 0.001;
  Renderer renderer = cube_on(floor_shell(), 0.5, params);
  renderer.reset_pose({{0, 0, 0.5}, identity_rotation});
  const double reach = std::sqrt(3.0) * cube_half;
  for (int i = 0; i < 50; ++i) {
    const Cycle& cycle = renderer.step({{0.1, 0, 0.3}, rotation_by({0, 1, 0})});
    const Vector3 turn{cycle.motion[3], cycle.motion[4], cycle.motion[5]};
    EXPECT_LE(norm(force_of(cycle.motion)) + norm(turn) * reach, 0.001 * (1 + 1e-12));
  }
  EXPECT_NEAR(norm(difference(renderer.body().position, {0, 0, 0.5})), 0.05, 0.02);
}

/// Fig. 6: pressed into a corner and then pulled out of it, with μ = 10.
struct Pull {
  double most = 0;  // of the coupling while the hand is outside of the corner [N]
  std::size_t separating = 0;
  bool out = false;
};
Pull pull_out(Separation separation) {
  Renderer renderer = cube_on(corner_shell(), 10, plain(), separation);
  renderer.reset_pose(in_corner(0));
  for (int i = 0; i < 300; ++i) {
    renderer.step(in_corner(0.004));
  }
  Pull result;
  for (int i = 0; i < 1000; ++i) {
    const double out = 1e-5 * i - 0.004;
    const Cycle& cycle = renderer.step(in_corner(-out));
    result.separating += cycle.separating;
    if (out > 1e-4) {
      result.most = std::max(result.most, norm(force_of(cycle.coupling)));
    }
    result.out = cycle.phase == Phase::free;
  }
  return result;
}
TEST(Renderer, DoesNotStickWhenPulledOut) {
  const Pull with = pull_out(Separation::pulled);
  const Pull without = pull_out(Separation::none);
  std::printf("pulled out: %.3g N with the rule, %.3g N without\n", with.most, without.most);
  EXPECT_GT(with.separating, 0U);
  EXPECT_TRUE(with.out);
  EXPECT_LT(with.most, 1e-6);
  EXPECT_EQ(without.separating, 0U);
  EXPECT_GT(without.most, 0.1);
}

/// Dragged along the floor, the cube tips a little: contacts that rise by that still have their friction.
TEST(Renderer, DraggedAlongTheFloorItKeepsItsFriction) {
  for (const auto& [separation, low, high] :
       {std::tuple{Separation::none, 0.97, 1.03}, std::tuple{Separation::pulled, 0.97, 1.03},
        std::tuple{Separation::as_published, 0.3, 0.8}}) {
    Renderer renderer = cube_on(floor_shell(), 0.5, plain(), separation);
    renderer.reset_pose({{0, 0, cube_half}, identity_rotation});
    double most = 0;
    for (int i = 0; i < 800; ++i) {
      const Cycle& cycle = renderer.step({{i < 200 ? 0 : 1e-5 * (i - 200), 0, cube_half - 0.004}, identity_rotation});
      most = std::max(most, cycle.contacts > 0 ? sideways(cycle.coupling) / -cycle.coupling[2] : 0);
    }
    EXPECT_GT(most, low * 0.5);
    EXPECT_LT(most, high * 0.5);
  }
}

TEST(Renderer, HandThatIsNoNumberRests) {
  Renderer renderer = pressed(0.5, 0.004);
  const Pose before = renderer.body();
  const Vector6 output = renderer.last().output;
  for (const double bad : {std::nan(""), infinity, -infinity}) {
    for (std::size_t i = 0; i < 12; ++i) {
      Pose hand{{0, 0, cube_half - 0.004}, identity_rotation};
      (i < 3 ? hand.position[i] : hand.rotation[i / 3 - 1][i % 3]) = bad;
      const Cycle& cycle = renderer.step(hand);
      EXPECT_EQ(cycle.phase, Phase::held);
      EXPECT_LT(norm(difference(cycle.body.position, before.position)), 1e-15);
      EXPECT_LT(norm(difference(cycle.output, output)), 1e-9);
    }
  }
}

/// Extreme but finite inputs must not give results that are not finite.
TEST(Renderer, MadHandsGiveNumbers) {
  Random random(52);
  for (const double mass : {0.0, 0.1}) {
    RenderParams params = plain();
    params.mass = mass;
    Renderer renderer = cube_on(floor_shell(), 0.5, params);
    renderer.reset_pose({{0, 0, cube_half}, identity_rotation});
    for (int i = 0; i < 500; ++i) {
      Pose hand = test::random_pose(random, random.log_between(1e-300, 1e300));
      if (i % 3 == 0) {
        hand.rotation[1][1] = random.log_between(1e-300, 1e300);
      }
      const Cycle& cycle = renderer.step(hand);
      for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_FALSE(std::isnan(cycle.output[k])) << i;
        EXPECT_FALSE(std::isnan(cycle.motion[k])) << i;
      }
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_FALSE(std::isnan(cycle.body.position[k])) << i;
      }
    }
    // And back to sense
    for (int i = 0; i < 20; ++i) {
      renderer.step({{0, 0, 0.5}, identity_rotation});
    }
    renderer.reset_pose({{0, 0, cube_half}, identity_rotation});
    for (int i = 0; i < 3000; ++i) {
      renderer.step({{0, 0, cube_half - 0.004}, identity_rotation});
    }
    EXPECT_NEAR(renderer.last().output[2], 1.9, 0.05) << mass;
  }
}

TEST(Renderer, TooManyContactsAreThinned) {
  RenderParams params = plain();
  for (const int most : {1, 3, 20}) {
    params.max_contacts = most;
    Renderer renderer = cube_on(floor_shell(), 0.5, params);
    renderer.reset_pose({{0, 0, cube_half}, identity_rotation});
    for (int i = 0; i < 300; ++i) {
      renderer.step({{0, 0, cube_half - 0.004}, identity_rotation});
      ASSERT_LE(renderer.last().contacts, static_cast<std::size_t>(most));
      ASSERT_EQ(renderer.contact_count(), renderer.last().contacts);
      ASSERT_NE(renderer.last().phase, Phase::fault);
    }
    EXPECT_GT(renderer.last().touching, 50U);
    EXPECT_GT(renderer.last().contacts, 0U) << most;
  }
}

TEST(Renderer, RefusesWhatCannotBe) {
  for (const auto& [field, value] :
       std::initializer_list<std::pair<double RenderParams::*, double>>{{&RenderParams::period, 0},
                                                                        {&RenderParams::coupling_stiffness, -1},
                                                                        {&RenderParams::static_damping, 1},
                                                                        {&RenderParams::mass, NAN}}) {
    RenderParams params;
    params.*field = value;
    EXPECT_THROW(cube_on(floor_shell(), 0.5, params), InvalidParameter);
  }
  EXPECT_THROW(cube_on(floor_shell(), 0.5, {.max_contacts = 0}), InvalidParameter);
  EXPECT_THROW(cube_on(floor_shell(), -0.5, {}), InvalidParameter);
  EXPECT_THROW(cube_on(floor_shell(), NAN, {}), InvalidParameter);
}

/// Whatever the scale of the offset, a turn of the hand by nearly half a turn included, a cycle finds a motion.
TEST(Renderer, LargeTurnsOfTheHandAreNoFault) {
  Renderer renderer = pressed(0.5, 0.004);
  for (const Vector3& axis : {Vector3{1, 0, 0}, Vector3{0, 1, 0}, Vector3{0, 0, 1}, Vector3{0.6, 0, 0.8}}) {
    for (int i = 0; i <= 310; ++i) {
      renderer.step({{0, 0, cube_half - 0.004}, rotation_by(scaled(0.01 * i, axis))});
      ASSERT_NE(renderer.last().phase, Phase::fault) << i;
    }
    for (int i = 0; i <= 310; ++i) {
      renderer.step({{0, 0, cube_half - 0.004}, rotation_by(scaled(3.1 - 0.01 * i, axis))});
      ASSERT_NE(renderer.last().phase, Phase::fault) << i;
    }
  }
  // At once
  for (int i = 0; i < 100; ++i) {
    renderer.step({{0, 0, cube_half - 0.004}, i % 2 == 0 ? identity_rotation : rotation_by({3.1, 0, 0})});
    ASSERT_NE(renderer.last().phase, Phase::fault) << i;
  }
}

/// The search from scratch is done when the body is placed: the first cycle looks at what is near, as all others do.
/// A cycle that was in vain leaves nothing behind.
TEST(Renderer, FirstCycleIsLikeAnyOther) {
  const Pose start{{0, 0, cube_half - 0.0005}, identity_rotation};
  const Pose hand{{0.003, 0, cube_half - 0.002}, identity_rotation};
  Renderer renderer = test::cube_on(test::floor_shell(), 0.5, {});
  const std::size_t from_scratch = renderer.step(hand).field_queries;
  renderer.reset_pose(start);
  EXPECT_EQ(renderer.contact_count(), 0U);
  EXPECT_EQ(renderer.body(), start);
  const Cycle first = renderer.step(hand);
  EXPECT_GT(first.contacts, 0U);
  EXPECT_LT(first.field_queries, from_scratch / 2);

  Renderer once = test::cube_on(test::floor_shell(), 0.5, {}), often = test::cube_on(test::floor_shell(), 0.5, {});
  for (int i = 0; i < 40; ++i) {
    often.reset_pose(start);  // flat on the floor: many contacts, which share their stiffness
  }
  const Pose on_edge{{0, 0, cube_half * (std::cos(0.1) + std::sin(0.1)) - 0.001}, rotation_by({0.1, 0, 0})};
  once.reset_pose(on_edge);
  often.reset_pose(on_edge);
  EXPECT_EQ(once.step(hand).motion, often.step(hand).motion);
  EXPECT_GT(once.last().contacts, 0U);
  EXPECT_LT(once.last().contacts, first.contacts / 2);
  EXPECT_NE(once.last().motion, Vector6{});
}

}  // namespace
}  // namespace stiction::haptics
