// The bridge against MuJoCo itself: a joint under gravity, a box on a slope, and what a user may get wrong.
#include "bridge.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "stiction/planar/shapes.h"
#include "stiction/scalar/presets.h"

namespace stiction::integrations {
namespace {

using Model = std::unique_ptr<mjModel, void (*)(mjModel*)>;
using Data = std::unique_ptr<mjData, void (*)(mjData*)>;

Model load(const std::string& xml) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("stiction_bridge_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "_" +
                     ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".xml");
  std::ofstream(file) << xml;
  std::array<char, 1000> error{};
  Model model(mj_loadXML(file.c_str(), nullptr, error.data(), error.size()), mj_deleteModel);
  std::filesystem::remove(file);
  if (!model) {
    throw std::runtime_error(error.data());
  }
  return model;
}
Data data_of(const Model& model) { return {mj_makeData(model.get()), mj_deleteData}; }

/// An arm of 0.2 m that hangs from a hinge at an angle: gravity asks for about 0.5 N m.
std::string arm(const std::string& joint) {
  return R"(<mujoco><option timestep="0.001" integrator="Euler" gravity="0 0 -9.81"/><worldbody>
    <body><joint name="shoulder" type="hinge" axis="0 1 0" )" +
         joint + R"(/><geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.01" mass="0.5" contype="0" conaffinity="0"/>
    </body></worldbody></mujoco>)";
}

scalar::LuGre joint_friction() {
  return scalar::LuGre::make({.stiffness = 5e3,
                              .damping = 5,
                              .coulomb_force = 0.8,
                              .static_force = 1.0,
                              .stribeck_velocity = 0.01,
                              .viscous = 0.05});
}

/// How far the arm has moved between 1 s and 101 s [rad].
template <class Step>
double creep(const Model& model, const Data& data, const Step& step) {
  double start = 0;
  for (int i = 0; i < 101'000; ++i) {
    step();
    if (i == 1000) {
      start = data->qpos[0];
    }
  }
  EXPECT_EQ(model->nq, 1);
  return std::abs(data->qpos[0] - start);
}

TEST(MujocoBridge, HoldsAJointUnderGravityForAHundredSeconds) {
  const Model plain = load(arm(""));
  const Model theirs = load(arm(R"(frictionloss="1.0")"));
  const auto with = [&](const scalar::AnyModel& friction) {
    const Data data = data_of(plain);
    MujocoFriction bridge(plain.get(), {{0, friction}});
    bridge.rest(plain.get(), data.get());
    return creep(plain, data, [&] { bridge.step(plain.get(), data.get()); });
  };
  const double coulomb = with(scalar::Coulomb::make({.coulomb_force = 1.0}));
  const double lugre = with(joint_friction());
  const Data data = data_of(theirs);
  const double frictionloss = creep(theirs, data, [&] { mj_step(theirs.get(), data.get()); });
  std::cout << "creep in 100 s at 1 ms: Coulomb " << coulomb << " rad, LuGre " << lugre << " rad, MuJoCo "
            << mj_versionString() << " frictionloss " << frictionloss << " rad (this version has no LuGre actuator)\n";
  EXPECT_LT(coulomb, 1e-12);
  EXPECT_LT(lugre, 1e-9);
  EXPECT_GT(frictionloss, 1e-6);
}

TEST(MujocoBridge, LetsGoAboveBreakAway) {
  const Model model = load(arm(""));
  const Data data = data_of(model);
  MujocoFriction bridge(model.get(), {{0, scalar::Coulomb::make({.coulomb_force = 0.3})}});
  for (int i = 0; i < 100; ++i) {
    bridge.step(model.get(), data.get());
  }
  // I dω/dt = m g l cos q − F, with l = 0.1 m: at the start
  const double torque = 0.5 * 9.81 * 0.1 - 0.3;
  EXPECT_NEAR(data->qvel[0] * data->qM[0] / 0.1, torque, 0.05 * torque);
  EXPECT_NEAR(bridge.joint_forces()[0], 0.3, 1e-12);
}

TEST(MujocoBridge, GivesTheUsersForcesBack) {
  const Model model = load(arm(""));
  const Data data = data_of(model);
  MujocoFriction bridge(model.get(), {{0, joint_friction()}});
  data->qfrc_applied[0] = -0.1;
  bridge.step(model.get(), data.get());
  EXPECT_EQ(data->qfrc_applied[0], -0.1);
}

TEST(MujocoBridge, CoupledArmIsHeldAndTheUncoupledOneIsNot) {
  const std::string xml = R"(<mujoco><option timestep="0.001"/><worldbody>
    <body><joint type="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.01" mass="0.5"
    contype="0" conaffinity="0"/><body pos="0.2 0 0"><joint type="hinge" axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.01" mass="0.3" contype="0" conaffinity="0"/></body></body>
    </worldbody></mujoco>)";
  const Model model = load(xml);
  const auto friction = scalar::Coulomb::make({.coulomb_force = 2});
  const auto moved = [&](bool coupled) {
    const Data data = data_of(model);
    MujocoFriction bridge(model.get(), {{0, friction}, {1, friction}});
    for (int i = 0; i < 2000; ++i) {
      if (coupled) {
        bridge.step(model.get(), data.get());
      } else {
        mj_step1(model.get(), data.get());
        bridge.add_passive(model.get(), data.get());
        mj_step2(model.get(), data.get());
      }
    }
    return std::abs(data->qpos[0]) + std::abs(data->qpos[1]);
  };
  EXPECT_LT(moved(true), 1e-12);
  EXPECT_GT(moved(false), 1e-6);
}

/// Two fingers that squeeze a box with 10 N and have friction in their joints; a force along them pushes the box.
std::string gripper() {
  return R"(<mujoco><option timestep="0.001" gravity="0 0 0"/><worldbody>
    <body pos="-0.03 0 0"><joint type="slide" axis="1 0 0"/>
      <geom type="box" size="0.01 0.02 0.02" mass="0.2" condim="1"/></body>
    <body pos="0.03 0 0"><joint type="slide" axis="1 0 0"/>
      <geom type="box" size="0.01 0.02 0.02" mass="0.2" condim="1"/></body>
    <body><joint type="slide" axis="1 0 0"/><geom type="box" size="0.02 0.02 0.02" mass="0.1" condim="1"/></body>
    </worldbody></mujoco>)";
}

/// The mean speed of the box between 1 s and 3 s [m/s].
double gripper_drift(const scalar::AnyModel& friction, double push) {
  const Model model = load(gripper());
  const Data data = data_of(model);
  MujocoFriction bridge(model.get(), {{0, friction}, {1, friction}});
  data->qfrc_applied[0] = 10;
  data->qfrc_applied[1] = -10;
  data->qfrc_applied[2] = push;
  double start = 0;
  for (int i = 0; i < 3000; ++i) {
    bridge.step(model.get(), data.get());
    if (i == 999) {
      start = data->qpos[2];
    }
  }
  EXPECT_GT(data->ncon, 0);
  return (data->qpos[2] - start) / 2;
}

TEST(MujocoBridge, AGripperHoldsWhatItSqueezes) {
  const auto coulomb = scalar::Coulomb::make({.coulomb_force = 2});
  const auto lugre = scalar::LuGre::make(
      {.stiffness = 1e5, .damping = 100, .coulomb_force = 2, .static_force = 2, .stribeck_velocity = 0.01});
  const double drift = gripper_drift(coulomb, 1);
  const double lugre_drift = gripper_drift(lugre, 1);
  std::cout << "a box between two fingers under 1 N: " << drift << " m/s with Coulomb friction, " << lugre_drift
            << " m/s with LuGre friction\n";
  EXPECT_LT(std::abs(drift), 1e-5);
  EXPECT_LT(std::abs(lugre_drift), 1e-5);
}

TEST(MujocoBridge, AGripperGivesWayToMoreThanItsFriction) {
  // 5 N against 2 × 2 N of friction, on 0.5 kg in all
  EXPECT_NEAR(gripper_drift(scalar::Coulomb::make({.coulomb_force = 2}), 5), 2 * (5 - 4) / 0.5, 0.2);
}

TEST(MujocoBridge, AJointComesToRestAtItsStop) {
  const Model model = load(R"(<mujoco><option timestep="0.001" gravity="0 0 0"/><worldbody><body>
    <joint type="slide" axis="1 0 0" limited="true" range="-1 0.05"/><geom type="box" size="0.02 0.02 0.02" mass="0.2"/>
    </body></worldbody></mujoco>)");
  const auto lugre = scalar::LuGre::make(
      {.stiffness = 1e5, .damping = 100, .coulomb_force = 2, .static_force = 2, .stribeck_velocity = 0.01});
  for (const scalar::AnyModel& friction :
       {scalar::AnyModel(scalar::Coulomb::make({.coulomb_force = 2})), scalar::AnyModel(lugre)}) {
    const Data data = data_of(model);
    MujocoFriction bridge(model.get(), {{0, friction}});
    data->qfrc_applied[0] = 5;
    for (int i = 0; i < 3000; ++i) {
      bridge.step(model.get(), data.get());
    }
    EXPECT_NEAR(data->qpos[0], 0.05, 5e-3);
    EXPECT_LT(std::abs(data->qvel[0]), 1e-9);
    // What friction does not carry, the stop does
    EXPECT_NEAR(data->qfrc_constraint[0] + 5 - bridge.joint_forces()[0], 0, 1e-6);
  }
}

/// A box of 1 kg on a slope whose friction holds it or does not.
std::string slope(double degrees) {
  return R"(<mujoco><compiler angle="degree"/><option timestep="0.001" gravity="0 0 -9.81"/><worldbody>
    <geom name="floor" type="plane" size="5 5 0.1" euler="0 )" +
         std::to_string(degrees) + R"( 0" condim="1"/>
    <body pos=")" +
         std::to_string(0.05 * std::sin(degrees * mjPI / 180)) + " 0 " +
         std::to_string(0.05 * std::cos(degrees * mjPI / 180)) + R"(" euler="0 )" + std::to_string(degrees) + R"( 0">
    <freejoint/><geom name="box" type="box" size="0.05 0.05 0.05" mass="1" condim="1"/></body></worldbody></mujoco>)";
}

planar::Friction rubber() {
  return {.stiffness = 2e4,
          .damping = 100,
          .viscous = 0,
          .coulomb = 0.5,
          .static_level = 0.5,
          .stribeck_exponent = 2,
          .stribeck_velocity = 1e-3,
          .elastic_share = 0.9,
          .elasto_plastic = true};
}

double speed_after(double degrees, double seconds, double* slid) {
  const Model model = load(slope(degrees));
  const Data data = data_of(model);
  const planar::Patch patch(planar::rectangle_points(0.1, 0.1, 6, 6));
  MujocoFriction bridge(model.get(), {}, {{1, 0, rubber(), patch}});
  for (int i = 0; i < 500; ++i) {
    bridge.step(model.get(), data.get());  // it settles in its springs
  }
  const std::array<double, 3> start{data->qpos[0], data->qpos[1], data->qpos[2]};
  for (int i = 0; i < static_cast<int>(seconds * 1000); ++i) {
    bridge.step(model.get(), data.get());
  }
  *slid = std::hypot(data->qpos[0] - start[0], data->qpos[1] - start[1], data->qpos[2] - start[2]);
  EXPECT_NEAR(bridge.contact_normal_force(0), 9.81 * std::cos(degrees * mjPI / 180), 0.05);
  return std::hypot(data->qvel[0], data->qvel[1], data->qvel[2]);
}

TEST(MujocoBridge, HoldsABoxOnASlope) {
  double slid = 0;
  const double speed = speed_after(20, 20, &slid);  // tan 20° = 0.36 < 0.5
  std::cout << "a box on 20 degrees with mu = 0.5: creep in 20 s " << slid << " m, speed " << speed << " m/s\n";
  EXPECT_LT(slid, 1e-6);
}

TEST(MujocoBridge, LetsABoxSlideDownASteepSlope) {
  double slid = 0;
  const double speed = speed_after(35, 1, &slid);  // tan 35° = 0.70
  const double angle = 35 * mjPI / 180;
  const double acceleration = 9.81 * (std::sin(angle) - 0.5 * std::cos(angle));
  EXPECT_NEAR(speed, 1.5 * acceleration, 0.05 * acceleration);
}

TEST(MujocoBridge, RefusesWhatItCannotDo) {
  const Model model = load(arm(R"(frictionloss="1.0")"));
  EXPECT_THROW(MujocoFriction(model.get(), {{0, joint_friction()}}), Error);
  EXPECT_THROW(MujocoFriction(model.get(), {{7, joint_friction()}}), Error);
  const planar::Patch patch(planar::rectangle_points(0.1, 0.1, 4, 4));
  EXPECT_THROW(MujocoFriction(model.get(), {}, {{0, 9, rubber(), patch}}), Error);
  EXPECT_THROW(MujocoFriction(model.get(), {}, {{0, 0, rubber(), patch}}), Error);  // condim 3
  const Model free = load(slope(10));
  EXPECT_THROW(MujocoFriction(free.get(), {{0, joint_friction()}}), Error);  // a free joint
}

}  // namespace
}  // namespace stiction::integrations
