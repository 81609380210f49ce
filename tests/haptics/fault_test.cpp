// Numbers that are not finite, and options that cannot be used: what the renderer and all around it do with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "haptic_baselines.h"
#include "haptics/random_pose.h"
#include "haptics/small_scenes.h"
#include "haptics/udp_sender.h"
#include "io/temp_folder.h"
#include "stiction/haptics/insertability.h"
#include "stiction/haptics/scene.h"
#include "stiction/haptics/servo.h"
#include "stiction/haptics/simulated_hand.h"
#include "stiction/haptics/udp_device.h"

namespace stiction::haptics::fault_test {
namespace {

using baselines::make_gauss_seidel;
using baselines::make_spring_friction;
using baselines::make_staggered_projections;
using baselines::Method;
using baselines::with_method;
using test::cube_half;
using test::cube_on;
using test::floor_shell;
using test::message_of;
using test::plain;
using test::Random;
using ::testing::HasSubstr;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool is_finite(const Vector6& a) {
  return std::ranges::all_of(a, [](double x) { return std::isfinite(x); });
}
bool is_finite(const Pose& pose) {
  double sum = pose.position[0] + pose.position[1] + pose.position[2];
  for (const Vector3& row : pose.rotation) {
    sum += row[0] + row[1] + row[2];
  }
  return std::isfinite(sum);
}
/// Nothing that a cycle gives, or remembers, may be anything but a number.
void expect_finite(const Renderer& renderer) {
  const Cycle& cycle = renderer.last();
  EXPECT_TRUE(is_finite(cycle.motion) && is_finite(cycle.coupling) && is_finite(cycle.output) &&
              is_finite(cycle.body) && std::isfinite(cycle.deepest));
  for (std::size_t i = 0; i < renderer.contact_count(); ++i) {
    const ContactForce c = renderer.contact(i);
    EXPECT_TRUE(std::isfinite(norm(c.normal_force) + norm(c.friction) + c.depth + norm(c.position) + norm(c.normal)));
  }
}

const Pose above{{0, 0, cube_half}, identity_rotation};
const Pose pressing{{0, 0, cube_half - 0.004}, identity_rotation};

/// Over all decades that numbers have.
double wild(Random& random) { return std::pow(10, random.between(-300, 300)); }

/// The cone program, until it is told to give something that is no number.
class Broken final : public FrictionStep {
 public:
  enum class Fault : std::uint8_t { none, motion, infinite_motion, force, torque };

  explicit Broken(const Fault& fault) : fault_(&fault) {}
  FrictionMotion step(const Situation& situation, std::span<spatial::ContactResult> forces) noexcept override {
    FrictionMotion result = inner_->step(situation, forces);
    switch (*fault_) {
      case Fault::motion:
        result.motion[4] = nan;
        break;
      case Fault::infinite_motion:
        result.motion[0] = infinity;
        break;
      case Fault::force:
        forces.back().friction[1] = nan;
        break;
      case Fault::torque:
        forces.front().torque = -infinity;
        break;
      case Fault::none:
        break;
    }
    return result;
  }
  void reset() noexcept override {
    inner_->reset();
    ++resets;
  }
  int resets = 0;

 private:
  const Fault* fault_;
  std::unique_ptr<FrictionStep> inner_ = make_cone_program(1000);
};

TEST(Fault, NumbersThatAreNoneFromFrictionStopTheBodyAndTheForce) {
  using Fault = Broken::Fault;
  for (const double mass : {0.0, 0.1}) {
    for (const Fault kind : {Fault::motion, Fault::infinite_motion, Fault::force, Fault::torque}) {
      RenderParams params = plain();
      params.mass = mass;
      Fault fault = Fault::none;
      auto step = std::make_unique<Broken>(fault);
      const Broken& broken = *step;
      Renderer renderer = cube_on(floor_shell(), 0.5, params, Separation::pulled, std::move(step));
      renderer.reset_pose(above);
      for (int i = 0; i < 100; ++i) {
        renderer.step(pressing);
      }
      EXPECT_GT(renderer.last().output[2], 1);
      const Pose before = renderer.body();
      const int resets = broken.resets;
      fault = kind;
      for (int i = 0; i < 3; ++i) {
        const Cycle& cycle = renderer.step(pressing);
        EXPECT_EQ(cycle.phase, Phase::fault);
        EXPECT_EQ(cycle.output, Vector6{});
        EXPECT_EQ(cycle.motion, Vector6{});
        EXPECT_EQ(cycle.body, before);
        expect_finite(renderer);
      }
      EXPECT_EQ(broken.resets, resets + 3);
      // It goes on as if it had been put there
      fault = Fault::none;
      Renderer fresh = cube_on(floor_shell(), 0.5, params);
      fresh.reset_pose(before);
      for (int i = 0; i < 50; ++i) {
        renderer.step(pressing);
        fresh.step(pressing);
        EXPECT_EQ(renderer.last().phase, fresh.last().phase);
        EXPECT_LT(norm(difference(renderer.last().output, fresh.last().output)), 1e-9);
      }
      EXPECT_GT(renderer.last().output[2], 1);
    }
  }
}

/// Parameters and hands over all decades: every cycle gives numbers, or says that it has none.
TEST(Fault, WildParametersAndHandsGiveNumbersOrAFault) {
  Random random(91);
  long faults = 0;
  long cycles = 0;
  for (int i = 0; i < 300; ++i) {
    RenderParams params = plain();
    for (double RenderParams::*member :
         {&RenderParams::coupling_stiffness, &RenderParams::coupling_rotational_stiffness,
          &RenderParams::contact_stiffness, &RenderParams::parallel_contacts, &RenderParams::stiffness_lag,
          &RenderParams::max_motion, &RenderParams::force_limit, &RenderParams::mass, &RenderParams::coupling_damping,
          &RenderParams::coupling_rotational_damping}) {
      if (random.unit() < 0.3) {
        params.*member = wild(random);
      }
    }
    params.contact_search_interval = i % 3 == 0 ? 3 : 1;
    const double friction = random.unit() < 0.5 ? 0.5 : wild(random);
    std::unique_ptr<FrictionStep> steps[] = {make_cone_program(1000),
                                             make_switched_friction(1000, 8),
                                             make_spring_friction(1000),
                                             make_staggered_projections(1000, {.max_rounds = 5}),
                                             make_gauss_seidel(1000, {.max_rounds = 5}),
                                             nullptr};
    Renderer renderer = cube_on(floor_shell(), friction, params, Separation::pulled, std::move(steps[i % 6]));
    renderer.reset_pose({{0, 0, cube_half - 0.001}, identity_rotation});
    for (int k = 0; k < 20; ++k) {
      Pose hand = k % 4 == 3 ? test::random_pose(random, wild(random)) : pressing;
      hand.position[2] -= k % 5 == 0 ? random.log_between(1e-6, 1e3) : 0;
      const Cycle& cycle = renderer.step(hand);
      expect_finite(renderer);
      if (cycle.phase == Phase::fault) {
        EXPECT_EQ(cycle.output, Vector6{});
        ++faults;
      }
      ++cycles;
    }
    if (::testing::Test::HasFailure()) {
      FAIL() << "round " << i;
    }
  }
  std::printf("%ld of %ld cycles were faults\n", faults, cycles);
  EXPECT_GT(faults, 0);
  EXPECT_LT(faults, cycles);
}

TEST(Fault, PosesThatAreNoneAreNotTaken) {
  Renderer renderer = cube_on(floor_shell(), 0.5, plain());
  EXPECT_TRUE(renderer.reset_pose(above));
  renderer.step(pressing);
  const Pose body = renderer.body();
  for (const double bad : {nan, infinity, 1e308}) {
    for (std::size_t i = 0; i < 12; ++i) {
      Pose pose = above;
      (i < 3 ? pose.position[i] : pose.rotation[i / 3 - 1][i % 3]) = bad;
      EXPECT_FALSE(renderer.reset_pose(pose)) << bad << ' ' << i;
      EXPECT_EQ(renderer.body(), body);
    }
  }
  // Neither is a mirror, nor a matrix that stretches: the hand is where it was
  for (int i = 0; i < 100; ++i) {
    renderer.step(pressing);
  }
  const Vector6 output = renderer.last().output;
  for (const Matrix3& rotation :
       {Matrix3{{{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}, Matrix3{{{1, 0, 0}, {0, 1, 0}, {0, 0, 2}}}, Matrix3{}}) {
    EXPECT_FALSE(renderer.reset_pose({{0, 0, 1}, rotation}));
    const Cycle& cycle = renderer.step({{0, 0, 1}, rotation});
    EXPECT_NE(cycle.phase, Phase::fault);
    EXPECT_LT(norm(difference(cycle.output, output)), 1e-6);
  }
  EXPECT_TRUE(renderer.reset_pose({{0, 0, 1}, rotation_by({1, 2, 3})}));
}

TEST(InvalidRenderer, PairsAndBodiesAreChecked) {
  const BodyPair good{.field = &test::cube_field(), .shell = &floor_shell(), .shell_moves = false};
  const auto message = [&](const auto& change) {
    BodyPair pair = good;
    MovingBody body;
    change(pair, body);
    return message_of<InvalidParameter>([&] { Renderer(std::span(&pair, 1), body, {}, make_cone_program(10)); });
  };
  const auto pair_message = [&](std::optional<double> BodyPair::*member, double value) {
    return message([&](BodyPair& pair, MovingBody&) { pair.*member = value; });
  };
  EXPECT_THAT(pair_message(&BodyPair::sliding_friction, 0.6),
              HasSubstr("sliding_friction = 0.6: must be at most friction"));
  EXPECT_THAT(pair_message(&BodyPair::sliding_friction, nan), HasSubstr("sliding_friction"));
  EXPECT_THAT(pair_message(&BodyPair::sliding_friction, -1), HasSubstr("sliding_friction = -1"));
  EXPECT_THAT(pair_message(&BodyPair::contact_stiffness, -1), HasSubstr("contact_stiffness = -1"));
  EXPECT_THAT(pair_message(&BodyPair::contact_stiffness, 0), HasSubstr("contact_stiffness"));
  EXPECT_THAT(pair_message(&BodyPair::contact_stiffness, nan), HasSubstr("contact_stiffness"));
  EXPECT_THAT(message([](BodyPair& pair, MovingBody&) { pair.field = nullptr; }), HasSubstr("field"));
  EXPECT_THAT(message([](BodyPair& pair, MovingBody&) { pair.shell = nullptr; }), HasSubstr("shell"));
  for (const double bad : {nan, infinity, 1e10}) {
    EXPECT_THAT(message([&](BodyPair&, MovingBody& body) { body.centre[1] = bad; }), HasSubstr("centre"));
  }
  for (const Matrix3& inertia :
       {Matrix3{}, Matrix3{{{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}}, Matrix3{{{1, 0, 0}, {0, -1, 0}, {0, 0, 1}}},
        Matrix3{{{1, 2, 0}, {2, 1, 0}, {0, 0, 1}}}, Matrix3{{{1, 0.5, 0}, {0, 1, 0}, {0, 0, 1}}},
        Matrix3{{{1, 0, 0}, {0, nan, 0}, {0, 0, 1}}}, Matrix3{{{1, 0, 0}, {0, 1, 0}, {0, 0, infinity}}}}) {
    EXPECT_THAT(message([&](BodyPair&, MovingBody& body) { body.inertia_per_mass = inertia; }),
                HasSubstr("inertia_per_mass"));
  }
  EXPECT_NO_THROW(Renderer(std::span(&good, 1), {}, {}, make_cone_program(10)));
  const BodyPair slippery{.field = &test::cube_field(),
                          .shell = &floor_shell(),
                          .shell_moves = false,
                          .friction = 0.5,
                          .sliding_friction = 0.5};
  EXPECT_NO_THROW(Renderer(std::span(&slippery, 1), {}, {}, make_cone_program(10)));
}

/// Each range at its ends: what is allowed works, what is just beyond is refused.
TEST(InvalidRenderer, EveryParameterIsCheckedAtTheEndsOfItsRange) {
  for (const auto& field : RenderParams::fields()) {
    for (const double value :
         {nan, -1.0, -infinity, infinity, field.range.low, field.range.high, std::nextafter(field.range.low, -infinity),
          std::nextafter(field.range.high, infinity), std::nextafter(field.range.low, infinity),
          std::nextafter(field.range.high, -infinity)}) {
      RenderParams params = plain();
      params.*field.member = value;
      if (field.range.holds(value)) {
        Renderer renderer = cube_on(floor_shell(), 0.5, params);
        renderer.reset_pose(above);
        for (int i = 0; i < 5; ++i) {
          renderer.step(pressing);
          expect_finite(renderer);
        }
      } else {
        EXPECT_THAT(message_of<InvalidParameter>([&] { cube_on(floor_shell(), 0.5, params); }), HasSubstr(field.name))
            << value;
      }
    }
  }
  for (const auto& count : RenderParams::integers()) {
    const auto low = static_cast<int>(count.range.low);
    const auto high = static_cast<int>(count.range.high);
    for (const int value : {-1, low - 1, low, high, high + 1}) {
      RenderParams params = plain();
      params.*count.member = value;
      if (value == low || value == high) {
        EXPECT_NO_THROW(cube_on(floor_shell(), 0.5, params)) << count.name << ' ' << value;
      } else {
        EXPECT_THAT(message_of<InvalidParameter>([&] { cube_on(floor_shell(), 0.5, params); }), HasSubstr(count.name))
            << value;
      }
    }
  }
}

SceneDescription small_scene() {
  SceneDescription scene;
  scene.moving = {"cube", geometry::box({0.04, 0.04, 0.04}), {32, 2}, {100, 3, 1}};
  FixedPart plate;
  static_cast<Part&>(plate) = {"plate", geometry::box({0.1, 0.1, 0.02}), {32, 2}, {100, 3, 1}};
  scene.fixed.push_back(plate);
  scene.start.position = {0, 0, 0.04};
  return scene;
}

TEST(InvalidScene, DescriptionsAndChoicesAreChecked) {
  const auto message = [](const auto& change) {
    SceneDescription scene = small_scene();
    change(scene);
    return message_of<InvalidParameter>([&] { static_cast<void>(PreparedScene(scene).renderer()); });
  };
  using Scene = SceneDescription;
  EXPECT_THAT(message([](Scene& s) { s.start.position[0] = nan; }), HasSubstr("start"));
  EXPECT_THAT(message([](Scene& s) { s.start.rotation = {}; }), HasSubstr("start"));
  EXPECT_THAT(message([](Scene& s) { s.centre = Vector3{0, infinity, 0}; }), HasSubstr("centre"));
  EXPECT_THAT(message([](Scene& s) { s.fixed[0].sliding_friction = 0.7; }), HasSubstr("sliding_friction"));
  EXPECT_THAT(message([](Scene& s) { s.render.max_contacts = -1; }), HasSubstr("max_contacts"));
  EXPECT_THAT(message([](Scene& s) { s.render.max_contacts = 100'001; }), HasSubstr("max_contacts"));
  EXPECT_THAT(message([](Scene& s) { s.render.contact_search_interval = 0; }), HasSubstr("contact_search_interval"));
  for (const int sides : {-8, 2, 5, 66, 1 << 30}) {
    for (const FrictionMethod method : {FrictionMethod::pyramid, FrictionMethod::switched}) {
      EXPECT_THAT(message([&](Scene& s) { s.friction = {.method = method, .sides = sides}; }), HasSubstr("sides"))
          << sides;
    }
  }
  EXPECT_THAT(message([](Scene& s) { s.friction = with_method({}, Method::springs, nan); }), HasSubstr("stiffness"));
  EXPECT_THAT(message([](Scene& s) { s.friction = with_method({}, Method::staggered, 0); }), HasSubstr("rigidity"));
  EXPECT_THAT(message([](Scene& s) { s.fixed[0].field.resolution = nan; }), HasSubstr("resolution"));
  EXPECT_THAT(message([](Scene& s) { s.moving.shell.points = 0; }), HasSubstr("points"));
  Scene bad = small_scene();
  bad.moving.mesh.vertices[0][0] = nan;
  EXPECT_THROW(PreparedScene{bad}, geometry::MeshError);
}

TEST(InvalidScene, InsertionsAreChecked) {
  const PreparedScene scene(small_scene());
  const Trajectory path({{0, {{0, 0, 0.04}, identity_rotation}}, {0.02, {{0, 0, 0.035}, identity_rotation}}});
  EXPECT_THROW(try_insertion(scene, path, nan, {}), InvalidParameter);
  EXPECT_THROW(try_insertion(scene, path, 0.5, {}, {.tolerance = nan}), InvalidParameter);
  EXPECT_THROW(try_insertion(scene, path, 0.5, {}, {.wait = 1e300}), InvalidParameter);
  EXPECT_THROW(find_insertability(scene, path, {}, {}, {.max_friction = nan}), InvalidParameter);
  EXPECT_THROW(find_insertability(scene, path, {}, {}, {.resolution = 0}), InvalidParameter);
  // As fine as numbers are, and no finer: the search ends
  const Insertability found =
      find_insertability(scene, path, {}, {.tolerance = 1e-9}, {.sweep = 2, .resolution = 1e-300});
  EXPECT_LT(found.trials.size(), 100U);
  // Sliding friction of the scene does not stand above the friction that is tried
  SceneDescription slippery = small_scene();
  slippery.fixed[0].sliding_friction = 0.4;
  EXPECT_NO_THROW(try_insertion(PreparedScene(slippery), path, 0.1, {}));
}

TEST(InvalidTrajectory, IsRefused) {
  const Pose here;
  EXPECT_THROW(Trajectory({}), InvalidParameter);
  EXPECT_THROW(Trajectory({{nan, here}}), InvalidParameter);
  EXPECT_THROW(Trajectory({{0, here}, {0, here}}), InvalidParameter);
  EXPECT_THROW(Trajectory({{-1e308, here}, {1e308, here}}), InvalidParameter);  // as far apart as no number says
  for (const double bad : {nan, infinity, 1e300}) {
    EXPECT_THROW(Trajectory({{0, {{0, bad, 0}, identity_rotation}}}), InvalidParameter);
  }
  EXPECT_THROW(Trajectory({{0, {{}, {{{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}}}}), InvalidParameter);  // a mirror
  const Trajectory path({{0, here}, {1, {{1, 0, 0}, identity_rotation}}});
  EXPECT_TRUE(std::isnan(path.at(nan).position[0]));
  EXPECT_EQ(path.at(infinity).position[0], 1);
  EXPECT_EQ(path.at(-infinity).position[0], 0);
}

TEST(InvalidHand, ForgetsForcesThatAreNone) {
  EXPECT_THROW(SimulatedHand(Trajectory({TimedPose{}}), {0, nan, 0}), InvalidParameter);
  SimulatedHand hand(Trajectory({TimedPose{}}), {});
  SimulatedHand well(Trajectory({TimedPose{}}), {});
  for (int i = 1; i < 300; ++i) {
    const bool bad = i % 10 == 0;
    hand.write(i * 1e-3,
               {{bad ? (i % 20 == 0 ? nan : infinity) : 1, 0, 0, 0, 0, bad ? nan : 0.01}, Phase::slides, false});
    well.write(i * 1e-3, {bad ? Vector6{} : Vector6{1, 0, 0, 0, 0, 0.01}, Phase::slides, false});
    const Pose pose = hand.read(i * 1e-3).pose;
    ASSERT_TRUE(is_finite(pose));
    EXPECT_EQ(pose, well.read(i * 1e-3).pose);
    ASSERT_TRUE(is_finite(hand.read(i % 2 == 0 ? nan : infinity).pose));
  }
  hand.write(0.3, {{1e308, 0, 0, 1e308, 0, 0}, Phase::slides, false});
  for (int i = 300; i < 400; ++i) {
    ASSERT_TRUE(is_finite(hand.read(i * 1e-3).pose)) << i;
  }
}

/// A hand whose force is gone for a fault must not get it back at once.
TEST(Servo, ForceComesBackOverTheRampAfterAFault) {
  using Fault = Broken::Fault;
  Fault fault = Fault::none;
  Renderer renderer = cube_on(floor_shell(), 0.5, plain(), Separation::pulled, std::make_unique<Broken>(fault));
  renderer.reset_pose(above);
  PlaybackDevice device(Trajectory({TimedPose{0, pressing}}));
  ServoRecord record(1000);
  long number = 0;
  const ServoReport report =
      run_servo(renderer, device, {.duration = 1, .real_time = false, .ramp = 0.5}, &record, [&](const ServoCycle&) {
        ++number;
        fault = number == 200 ? Fault::motion : Fault::none;
      });
  EXPECT_EQ(report.faults, 1U);
  const auto cycles = record.cycles();
  EXPECT_GT(cycles[199].output[2], 1);
  EXPECT_EQ(cycles[200].cycle.phase, Phase::fault);
  EXPECT_EQ(cycles[200].output, Vector6{});
  EXPECT_EQ(cycles[200].gain, 0);
  EXPECT_NEAR(cycles[201].gain, 1e-3 / 0.5, 1e-12);
  EXPECT_LT(cycles[201].output[2], 0.01);
  EXPECT_NEAR(cycles[450].gain, 0.5, 1e-9);
  EXPECT_EQ(cycles[701].gain, 1);
}

/// A number that a sender never comes to by counting, the largest of all among them, does not lock the hand out.
TEST(UdpDevice, AWildSequenceNumberDoesNotLockTheHandOut) {
  constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t wild : {largest, largest - 5, std::uint64_t{1} << 63U, std::uint64_t{1} << 40U}) {
    UdpDevice device;
    test::Sender sender(device.port());
    sender.send({10, 0, {0.1, 0, 0}, {1, 0, 0, 0}});
    sender.send({wild, 0, {0.9, 0, 0}, {1, 0, 0, 0}});
    sender.send({11, 0, {0.2, 0, 0}, {1, 0, 0, 0}});
    EXPECT_EQ(device.read(0.1).pose.position, (Vector3{0.2, 0, 0})) << wild;
    EXPECT_EQ(device.read(0.1).age, 0);
    EXPECT_EQ(device.counts().taken, 2U);
    EXPECT_EQ(device.counts().old_sequence, 1U);
  }
  // Counting goes on beyond the largest number, and may go in steps as large as nanoseconds of a clock
  UdpDevice device;
  test::Sender sender(device.port());
  for (const std::uint64_t number : {largest - 1, largest, std::uint64_t{0}, std::uint64_t{400000000}}) {
    sender.send({number, 0, {0.3, 0, 0}, {1, 0, 0, 0}});
  }
  device.read(0.1);
  EXPECT_EQ(device.counts().taken, 4U);
}

TEST(InvalidUdp, OptionsAreChecked) {
  EXPECT_THROW(UdpDevice({.max_packets = std::numeric_limits<int>::max()}), InvalidParameter);
  EXPECT_THROW(UdpDevice({.max_distance = nan}), InvalidParameter);
  EXPECT_THROW(UdpDevice({.new_peer_after = -1}), InvalidParameter);
}

}  // namespace
}  // namespace stiction::haptics::fault_test
