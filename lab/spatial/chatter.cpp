// A hand drags a block over a floor: the paper's switch between full friction and none, against the quadratic program.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "../lab.h"
#include "scenes.h"
#include "stiction/vector.h"

namespace stiction::lab::spatial_chatter {
namespace {

using spatial::Contact;
using spatial::StaticFriction;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double frame_time = 1e-3;        // [s]
constexpr double contact_stiffness = 500;  // of each of the feet [N/m]
constexpr double friction = 0.5;
constexpr double half_side = 0.05;  // [m]
constexpr double pressed = 0.02;    // depth below the floor at which the hand holds the block's centre [m]
constexpr std::size_t feet_in_a_row = 5;

enum class Rule {
  switched,  // the verdict: friction that holds everything, or none this frame
  solved,    // the motion of the quadratic program
};

struct Drag {
  double speed = 0;    // of the hand [m/s]
  double tremor = 0;   // of the hand, at 9 Hz [m]
  double noise = 0;    // of its sensor, each frame [m]
  double damping = 0;  // a: the motion without friction is scaled by (1 − a)
  Rule rule = Rule::solved;
};
struct Felt {
  std::vector<double> time, force, state;  // [s], along the motion [N], 1: held
  double flips = 0;                        // between held and sliding
  double largest_jump = 0;                 // of the force from frame to frame [N]
};

/// Poses are small: displacement and rotation of the block from its unloaded pose.
Felt drag(const Drag& how, double duration, const Context& context, double from, double to) {
  StaticFriction solver(feet_in_a_row * feet_in_a_row);
  Random random(3);
  Vector6 pose{0, 0, -0.005, 0, 0, 0};
  Felt felt;
  const auto frames = static_cast<int>(std::lround(duration / frame_time));
  bool held = true;
  for (int k = 0; k < frames; ++k) {
    const double t = k * frame_time;
    if (k % 100 == 0) {
      context.step(from + (to - from) * k / frames);
    }
    const Vector3 hand{
        how.speed * t + how.tremor * std::sin(2 * std::numbers::pi * 9 * t) + how.noise * random.gaussian(),
        how.noise * random.gaussian(), -pressed};
    // Feet in the floor push up by their depth
    std::vector<Contact> contacts;
    spatial::Load load{.length = half_side};
    for (std::size_t i = 0; i < feet_in_a_row * feet_in_a_row; ++i) {
      const auto coordinate = [](std::size_t n) {
        return half_side * (2 * static_cast<double>(n) / (feet_in_a_row - 1) - 1);
      };
      const Vector3 arm{coordinate(i % feet_in_a_row), coordinate(i / feet_in_a_row), 0};
      const Vector3 rotation_part = cross(Vector3{pose[3], pose[4], pose[5]}, arm);
      const double depth = -(pose[2] + rotation_part[2]);
      if (depth > 0) {
        contacts.push_back({.arm = arm,
                            .normal_force = contact_stiffness * depth,
                            .friction = friction,
                            .key = static_cast<std::int64_t>(i)});
        const Vector3 push{0, 0, contacts.back().normal_force};
        const Vector3 torque = cross(arm, push);
        for (std::size_t c = 0; c < 3; ++c) {
          load.wrench[c] += push[c];
          load.wrench[3 + c] += torque[c];
        }
      }
    }
    double pull = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const double coupling = hand_stiffness * (hand[c] - pose[c]);
      pull = c == 0 ? coupling : pull;
      load.wrench[c] += coupling;
      load.wrench[3 + c] -= hand_rotational_stiffness * pose[3 + c];
      load.mass[c][c] = 0.5;
      load.mass[3 + c][3 + c] = 8e-4;
    }
    load.gradient = spring_gradient(contacts, contact_stiffness);
    if (!solver.set(contacts, load)) {
      break;
    }
    const spatial::Verdict verdict = solver.verdict();
    Vector6 motion = verdict.motion;
    if (how.rule == Rule::solved) {
      motion = solver.solve().motion;
    } else if (!verdict.holds()) {
      for (Contact& c : contacts) {
        c.friction = 0;
      }
      const bool given = solver.set(contacts, load);
      motion = given ? solver.solve().motion : Vector6{};
      for (double& component : motion) {
        component *= 1 - how.damping;
      }
    }
    for (std::size_t c = 0; c < 6; ++c) {
      pose[c] += motion[c];
    }
    if (k > 0) {
      felt.flips += verdict.holds() == held ? 0 : 1;
      felt.largest_jump = std::max(felt.largest_jump, std::abs(pull - felt.force.back()));
    }
    held = verdict.holds();
    felt.time.push_back(t);
    felt.force.push_back(pull);
    felt.state.push_back(held ? 1 : 0);
  }
  return felt;
}

struct Way {
  const char* name;
  Rule rule;
  double damping;
};
constexpr std::array<Way, 3> ways{{{"switch, a = 0", Rule::switched, 0},
                                   {"switch, a = 0.6", Rule::switched, 0.6},
                                   {"quadratic program", Rule::solved, 0}}};

Table new_table(const char* name, const char* first) {
  return Table{name,
               {{first, std::vector<double>{}},
                {"flips per second, switch, a = 0", std::vector<double>{}},
                {"flips per second, switch, a = 0.6", std::vector<double>{}},
                {"flips per second, quadratic program", std::vector<double>{}},
                {"largest jump, switch, a = 0 [N]", std::vector<double>{}},
                {"largest jump, switch, a = 0.6 [N]", std::vector<double>{}},
                {"largest jump, quadratic program [N]", std::vector<double>{}}},
               true};
}
void add(Table& table, const std::array<double, 7>& row) {
  for (std::size_t k = 0; k < row.size(); ++k) {
    std::get<std::vector<double>>(table.columns[k].values).push_back(row.at(k));
  }
}

/// Hands of several speeds, with a little noise.
void drag_at_speeds(const Context& context, double duration, Result& result) {
  constexpr std::array speeds{0.02, 0.05, 0.1, 0.2};
  Table table = new_table("flips", "speed of the hand [m/s]");
  std::array<double, 3> flips{};
  std::array<double, 3> jumps{};
  double sliding = 0;  // mean force on the hand [N]
  Figure figure{"force", "Force on a hand that drags a block at 50 mm/s", "time [s]", "force [N]", {}};
  for (std::size_t s = 0; s < speeds.size(); ++s) {
    std::array<double, 7> row{speeds.at(s)};
    for (std::size_t w = 0; w < ways.size(); ++w) {
      const double done = 0.5 * static_cast<double>(ways.size() * s + w) / (ways.size() * speeds.size());
      const Felt felt = drag({.speed = speeds.at(s),
                              .tremor = 50e-6,
                              .noise = 2e-6,
                              .damping = ways.at(w).damping,
                              .rule = ways.at(w).rule},
                             duration, context, done, done + 0.5 / (ways.size() * speeds.size()));
      row.at(1 + w) = felt.flips / duration;
      row.at(4 + w) = felt.largest_jump;
      flips.at(w) += felt.flips;
      jumps.at(w) = std::max(jumps.at(w), felt.largest_jump);
      if (s == 1) {
        const std::string name = fmt::format("force_{}", w);
        const auto first_second = [](const std::vector<double>& values) {
          return std::vector<double>(values.begin(), values.begin() + std::lround(1 / frame_time));
        };
        result.tables.push_back({name,
                                 {{"time [s]", first_second(felt.time)},
                                  {"force [N]", first_second(felt.force)},
                                  {"held [-]", first_second(felt.state)}}});
        figure.series.push_back({name, 0, 1, ways.at(w).name});
        // The last one is the quadratic program's
        sliding = mean(std::span(felt.force).last(felt.force.size() / 4));
      }
    }
    add(table, row);
  }
  result.tables.push_back(table);
  result.figures.push_back(figure);
  for (std::size_t w = 0; w < 2; ++w) {
    result.claims.push_back(at_least(fmt::format("{}: flips for one of the quadratic program", ways.at(w).name),
                                     requirement("the switch chatters, over ten times as much"), 10,
                                     flips.at(w) / std::max(1.0, flips[2]), "-"));
    result.claims.push_back(
        at_least(fmt::format("{}: largest jump of force over the quadratic program's", ways.at(w).name),
                 requirement("a hand would feel it"), 5, jumps.at(w) / jumps[2], "-"));
  }
  // What the hand must feel while it drags: μ times the normal force
  const double all_feet = contact_stiffness * static_cast<double>(feet_in_a_row * feet_in_a_row);
  const double normal = hand_stiffness * all_feet / (hand_stiffness + all_feet) * pressed;
  result.claims.push_back(within("quadratic program: mean force while it slides", from_theory("Coulomb: μ N"),
                                 friction * normal, sliding, 0.02 * friction * normal, "N"));
}

/// More and more noise, at 50 mm/s.
void drag_with_noise(const Context& context, double duration, Result& result) {
  Table noisy = new_table("noise", "noise of the sensor [m]");
  double noisy_jumps = infinity;  // of the switch, for one of the quadratic program
  double noisy_flips = 0;         // of the quadratic program, for one of the switch, at the most noise
  constexpr std::array noises{0.0, 2e-6, 10e-6, 50e-6, 200e-6};
  for (std::size_t n = 0; n < noises.size(); ++n) {
    std::array<double, 7> row{noises.at(n)};
    for (std::size_t w = 0; w < ways.size(); ++w) {
      const double done = 0.5 + 0.5 * static_cast<double>(ways.size() * n + w) / (ways.size() * noises.size());
      const Felt felt = drag({.speed = 0.05,
                              .tremor = 50e-6,
                              .noise = noises.at(n),
                              .damping = ways.at(w).damping,
                              .rule = ways.at(w).rule},
                             duration, context, done, done + 0.5 / (ways.size() * noises.size()));
      row.at(1 + w) = felt.flips / duration;
      row.at(4 + w) = felt.largest_jump;
    }
    noisy_jumps = std::min(noisy_jumps, row[5] / row[6]);
    noisy_flips = row[3] / row[2];
    add(noisy, row);
  }
  result.tables.push_back(noisy);
  result.claims.push_back(
      at_least("sensor noise from 0 to 200 μm: least jump of the switch, a = 0.6, over the quadratic "
               "program's",
               requirement("a hand would feel it"), 2, noisy_jumps, "-"));
  result.claims.push_back(at_most("sensor noise of 200 μm: flips of the quadratic program for one of the switch, a = "
                                  "0.6",
                                  requirement("the switch chatters"), 0.1, noisy_flips, "-")
                              .as_info("the noise of a frame is four times what the hand moves in it"));
}

}  // namespace

Result run(const Context& context) {
  const double duration = context.quick ? 2 : 10;
  Result result;
  result.notes =
      "A block on 25 springy feet, held to a hand by a spring and pressed down with some 19 N, μ = 0.5. The hand drags "
      "it along, with a tremor of 50 μm at 9 Hz and 2 μm of sensor noise. Every millisecond the verdict of static "
      "friction is taken. The paper's rule: where friction holds, the block stays; where not, it goes towards the "
      "balance without any friction, with static damping a = 0.6 or none. Then the spring is slack, friction holds "
      "again, and so on: the hand feels a rattle. The quadratic program moves the block by as much as friction cannot "
      "hold. Flips are changes of the verdict between frames; jumps are of the force on the hand. Where the noise of a "
      "frame is more than the hand moves in it, the verdict flips with either rule, since the hand does turn back; "
      "only "
      "the jumps tell them apart.";
  drag_at_speeds(context, duration, result);
  drag_with_noise(context, duration, result);
  return result;
}

}  // namespace stiction::lab::spatial_chatter
