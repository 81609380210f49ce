// Future work of the paper: some contacts holding while others slide, a part with a mass, a contact search at a lower
// rate than the servo.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "../lab.h"
#include "drive.h"
#include "paper_scenes.h"
#include "stiction/geometry/shapes.h"

namespace stiction::lab::haptics_beyond {
namespace {

using haptics::FrictionChoice;
using haptics::FrictionMethod;
using haptics::Phase;
using haptics::Pose;
using haptics::RenderParams;

Vector3 force(const Moment& m) { return {m.cycle.coupling[0], m.cycle.coupling[1], m.cycle.coupling[2]}; }

struct Smoothness {
  double flips = 0;         // between held and sliding, a second
  double largest_jump = 0;  // of the force from cycle to cycle [N]
  double rms_jump = 0;      // [N]
  double mixed = 0;         // share of the sliding cycles in which some contacts hold
};
Smoothness smoothness(const std::vector<Moment>& moments, double duration) {
  Smoothness result;
  double squares = 0;
  double sliding = 0;
  for (std::size_t i = 1; i < moments.size(); ++i) {
    const haptics::Cycle& now = moments[i].cycle;
    result.flips += (now.phase == Phase::held) != (moments[i - 1].cycle.phase == Phase::held) ? 1 : 0;
    const double jump = norm(difference(force(moments[i]), force(moments[i - 1])));
    result.largest_jump = std::max(result.largest_jump, jump);
    squares += jump * jump;
    if (now.phase == Phase::slides && now.contacts > 0) {
      ++sliding;
      result.mixed += now.sliding > 0 && now.sliding < now.contacts ? 1 : 0;
    }
  }
  result.flips /= duration;
  result.rms_jump = std::sqrt(squares / static_cast<double>(moments.size() - 1));
  result.mixed /= std::max(1.0, sliding);
  return result;
}

void add_row(Table& table, const std::vector<double>& row) {
  for (std::size_t k = 0; k < row.size(); ++k) {
    std::get<std::vector<double>>(table.columns[k].values).push_back(row[k]);
  }
}

/// A part with a mass, displaced and released in free space: its frequency of oscillation about the hand.
double swing_frequency(const haptics::PreparedScene& scene, double mass, const Context& context) {
  RenderParams params = scene.description().render;
  params.mass = mass;
  params.period = 2e-4;
  haptics::Renderer renderer = scene.renderer(params, scene.description().friction);
  Pose pose = scene.description().start;
  pose.position[2] += 0.05;
  renderer.reset_pose(pose);
  const double middle = pose.position[0] + 0.001;
  const Hand hand = [&](double) { return Pose{{middle, pose.position[1], pose.position[2]}, pose.rotation}; };
  const auto moments = drive(renderer, hand, 0.5, context, {0.9, 0.95, false});
  // Times at which it passes the middle on its way out
  std::vector<double> passes;
  for (std::size_t i = 1; i < moments.size(); ++i) {
    const double before = moments[i - 1].cycle.body.position[0] - middle;
    const double after = moments[i].cycle.body.position[0] - middle;
    if (before < 0 && after >= 0) {
      passes.push_back(moments[i].time - params.period * after / (after - before));
    }
  }
  return passes.size() < 2 ? 0 : static_cast<double>(passes.size() - 1) / (passes.back() - passes.front());
}

}  // namespace

Result run(const Context& context) {
  const haptics::PreparedScene& cube = prepared("cube-and-corner", context.quick);
  const double duration = context.quick ? 4 : 20;
  const haptics::Trajectory path = paper_path("cube-and-corner", duration);
  const Hand hand = [&](double t) { return path.at(t); };
  Result result;
  result.notes =
      "The cube in its corner under one hand. The paper's rule holds the part or lets it go without any friction; the "
      "quadratic program lets contacts slide and hold in the same cycle. Then the same motion with contacts looked for "
      "less often: in between, those that were found follow the motion by their gradients. At last a part with a mass, "
      "by backward Euler: it swings about a hand at rest as √(k/m) has it, a little damped by the scheme, and is held "
      "by friction without creep.";

  struct Way {
    const char* name;
    FrictionMethod method;
    double damping;
  };
  constexpr std::array<Way, 3> ways{{{"switched, a = 0", FrictionMethod::switched, 0},
                                     {"switched, a = 0.6", FrictionMethod::switched, 0.6},
                                     {"cones, a = 0.6", FrictionMethod::cone, 0.6}}};
  Table felt{"felt",
             {{"method", std::vector<std::string>{}},
              {"flips [1/s]", std::vector<double>{}},
              {"largest jump [N]", std::vector<double>{}},
              {"rms jump [N]", std::vector<double>{}},
              {"some hold, some slide [-]", std::vector<double>{}}},
             true};
  std::array<Smoothness, 3> smooth;
  for (std::size_t w = 0; w < ways.size(); ++w) {
    RenderParams params = cube.description().render;
    params.static_damping = ways.at(w).damping;
    FrictionChoice choice = cube.description().friction;
    choice.method = ways.at(w).method;
    haptics::Renderer renderer = cube.renderer(params, choice);
    const auto moments = drive(renderer, hand, duration, context,
                               {0.15 * static_cast<double>(w), 0.15 * static_cast<double>(w + 1), true});
    const Smoothness s = smoothness(moments, duration);
    smooth.at(w) = s;
    std::get<std::vector<std::string>>(felt.columns[0].values).emplace_back(ways.at(w).name);
    for (const auto& [column, value] : {std::pair{1, s.flips}, {2, s.largest_jump}, {3, s.rms_jump}, {4, s.mixed}}) {
      std::get<std::vector<double>>(felt.columns[static_cast<std::size_t>(column)].values).push_back(value);
    }
    result.tables.push_back(to_table(fmt::format("force_{}", w), moments, 4));
  }
  result.tables.push_back(felt);
  result.figures.push_back(
      {"force",
       "Force on the hand, the same motion",
       "time [s]",
       "coupling force [N]",
       {{"force_0", 0, 7, ways[0].name}, {"force_1", 0, 7, ways[1].name}, {"force_2", 0, 7, ways[2].name}}});
  result.claims.push_back(at_least("switched, a = 0.6: flips for one with cones", requirement("a hand feels them"), 2,
                                   smooth[1].flips / std::max(smooth[2].flips, 1 / duration), "-"));
  result.claims.push_back(at_least("switched, a = 0.6: rms jump of the force over that with cones",
                                   requirement("a hand feels it"), 1.5, smooth[1].rms_jump / smooth[2].rms_jump, "-"));
  result.claims.push_back(at_least("sliding cycles with cones in which some contacts hold",
                                   requirement("section 7: future work of the paper"), 0.01, smooth[2].mixed, "-"));

  // Contact search at a lower rate
  Table rates{"contact_search_interval",
              {{"cycles [-]", std::vector<double>{}},
               {"rms difference of the force [N]", std::vector<double>{}},
               {"largest difference [N]", std::vector<double>{}},
               {"median of a cycle [us]", std::vector<double>{}}},
              true};
  std::vector<Moment> each;
  double rms_force = 0;
  double rms_at_5 = 0;
  double rms_at_20 = 0;
  constexpr std::array counts{1, 2, 5, 10, 20};
  for (std::size_t c = 0; c < counts.size(); ++c) {
    RenderParams params = cube.description().render;
    params.contact_search_interval = counts.at(c);
    haptics::Renderer renderer = cube.renderer(params, cube.description().friction);
    const double from = 0.45 + 0.09 * static_cast<double>(c);
    const auto moments = drive(renderer, hand, duration, context, {from, from + 0.09, false});
    if (c == 0) {
      each = moments;
    }
    double squares = 0;
    double largest = 0;
    double all = 0;
    for (std::size_t i = 0; i < moments.size(); ++i) {
      const double error = norm(difference(force(moments[i]), force(each[i])));
      squares += error * error;
      all += dot(force(each[i]), force(each[i]));
      largest = std::max(largest, error);
    }
    const double rms = std::sqrt(squares / static_cast<double>(moments.size()));
    rms_force = std::sqrt(all / static_cast<double>(moments.size()));
    rms_at_5 = counts.at(c) == 5 ? rms : rms_at_5;
    rms_at_20 = counts.at(c) == 20 ? rms : rms_at_20;
    add_row(rates, {static_cast<double>(counts.at(c)), rms, largest,
                    quantile(moments, 0.5, [](const Moment& m) { return m.cycle.microseconds[3]; })});
  }
  result.tables.push_back(rates);
  result.claims.push_back(at_most("contacts looked for in every 5th cycle: rms difference over the rms force",
                                  requirement("section 7: multirate, future work of the paper"), 0.01,
                                  rms_at_5 / rms_force, "-"));
  result.claims.push_back(at_most("in every 20th cycle", requirement("section 7: multirate, future work of the paper"),
                                  0.02, rms_at_20 / rms_force, "-"));

  // A part with a mass
  constexpr double mass = 0.2;
  const double frequency = std::sqrt(cube.description().render.coupling_stiffness / mass) / (2 * std::numbers::pi);
  result.claims.push_back(within("dynamic coupling, free: frequency", from_theory("√(k/m)/2π"), frequency,
                                 swing_frequency(cube, mass, context), 0.01 * frequency, "Hz"));
  RenderParams params = cube.description().render;
  params.mass = mass;
  params.coupling_damping = 5;
  params.coupling_rotational_damping = 0.02;
  params.static_damping = 0;
  std::vector<haptics::BodyPair> pairs = cube.pairs();
  pairs[0].friction = 1;
  haptics::Renderer renderer(
      pairs, cube.moving_body(), params,
      haptics::make_friction(cube.description().friction, static_cast<std::size_t>(params.max_contacts)));
  renderer.reset_pose(cube.description().start);
  const Vector3 pressed{0.046, 0.046, 0.044};
  const Hand press = [&](double t) {
    const double share = std::min(t / 0.2, 1.0);
    const Vector3 start = cube.description().start.position;
    Vector3 at = sum(start, scaled(share, difference(pressed, start)));
    const double amplitude = t < 1 ? 0 : t < 2 ? 0.0012 : 0.0008;
    at[0] += amplitude * std::sin(4 * std::numbers::pi * (t - 1));
    return Pose{at, haptics::identity_rotation};
  };
  const auto massive = drive(renderer, press, 3, context, {0.95, 1, false});
  double way = 0;
  double faults = 0;
  for (const Moment& m : massive) {
    faults += m.cycle.phase == Phase::fault ? 1 : 0;
    if (m.time > 2) {
      way = std::max(way, norm(difference(m.cycle.body.position, massive[2000].cycle.body.position)));
    }
  }
  result.claims.push_back(within("dynamic coupling, the hand moves within the cone: way of the part",
                                 from_theory("Coulomb: held exactly"), 0, way, 0, "m"));
  result.claims.push_back(at_most("dynamic coupling: cycles without a motion found",
                                  requirement("a motion in every cycle"), 0, faults, "-"));
  result.tables.push_back(to_table("with_a_mass", massive, 4));
  result.figures.push_back({"with_a_mass",
                            "A part with a mass: pressed into the corner, then held",
                            "time [s]",
                            "place x [m]",
                            {{"with_a_mass", 0, 1, "hand"}, {"with_a_mass", 0, 4, "part"}}});
  return result;
}

}  // namespace stiction::lab::haptics_beyond
