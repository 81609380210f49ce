// Fig. 2: a peg 1 % too large for its hole, with compliant contacts and with non-penetrating ones.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "../lab.h"
#include "drive.h"
#include "haptic_baselines.h"
#include "stiction/vector.h"

namespace stiction::lab::haptics_fig02 {
namespace {

using baselines::Method;
using baselines::with_method;
using haptics::Pose;

constexpr double start_height = 0.046;  // of the peg's centre: it does not touch yet [m]
constexpr double rim_height = 0.045;    // its end is in the plane of the rim [m]
constexpr double hand_travel = 0.032;   // [m]
constexpr double hand_depth = hand_travel - (start_height - rim_height);
constexpr double radius = 0.01;   // of the peg [m]
constexpr double waiting = 0.4;   // at the end [s]
constexpr double sway = 0.003;    // of the swaying hand in all directions [m]
constexpr double tilt = 0.02;     // and in rotation [rad]
constexpr double per_second = 2;  // swings

struct Way {
  Method method;
  const char* name;
};
constexpr std::array<Way, 2> methods{{{Method::cone, "penalty"}, {Method::constraint, "constraint"}}};
constexpr std::array<double, 3> coefficients{0, 0.5, 5};

Pose hand_at(double time, double speed, bool sways) {
  const double share = std::min(1.0, time * speed / hand_travel);
  const double angle = 2 * std::numbers::pi * per_second * time;
  const double sideways = sways ? share : 0;
  return {{sideways * sway * std::sin(angle), sideways * sway * std::cos(angle), start_height - share * hand_travel},
          haptics::rotation_by({sideways * tilt * std::sin(1.7 * angle), sideways * tilt * std::cos(1.3 * angle), 0})};
}

struct Pushed {
  std::vector<double> time, depth, penetration;  // depth: of the peg's end below the rim [m]
  double deepest = 0;                            // penetration of any point, during the motion [m]
  double force = 0;                              // on the peg at the end [N]
};

}  // namespace

Result run(const Context& context) {
  const double speed = context.quick ? 0.08 : 0.02;  // of the hand [m/s]
  const haptics::PreparedScene& scene = prepared("peg-and-hole", context.quick);
  const geometry::DistanceField& hole = scene.fields().front();
  const double cell = hole.spacing();
  const auto penetration = [&](const Pose& body) {  // of all points, whichever the renderer has found
    double max_value = 0;
    for (const geometry::ShellPoint& point : scene.shells().front().points()) {
      max_value = std::max(max_value, -hole.value(to_world(body, point.position)));
    }
    return max_value;
  };
  Result result;
  result.notes = fmt::format(
      "The hand pushes a peg down on a hole that is 1 % too small until its end would be {:g} mm below the rim, once "
      "straight and once swaying by {:g} mm and {:g} rad to all sides. Penalty contact lets the peg in: its springs "
      "give way by the 0.1 mm by which it is too thick, and friction decides how far it comes. Constraint contact "
      "finds points before they touch and solves Signorini's and Coulomb's laws on their gaps, so that none gets in. "
      "The peg stays on the rim, whatever μ is. It is below the plane of the rim by as much as the distance field, "
      "with cells of {:.2f} mm, rounds that edge. Penetration is looked up at all points of the peg after each cycle.",
      1e3 * hand_depth, 1e3 * sway, tilt, 1e3 * cell);
  std::vector<std::string> hands;
  std::vector<std::string> contacts;
  std::vector<double> used_mu;
  std::vector<double> depths;
  std::vector<double> deepest;
  std::vector<double> forces;
  double done = 0;
  for (const bool sways : {false, true}) {
    const char* hand_name = sways ? "swaying" : "straight";
    Figure figure{sways ? "swaying" : "fig02",
                  fmt::format("How deep the peg gets, {} hand", hand_name),
                  "time [s]",
                  "depth of its end below the rim [m]",
                  {}};
    for (const Way& method : methods) {
      for (const double mu : coefficients) {
        haptics::Renderer renderer = renderer_with(scene, mu, with_method(scene.description().friction, method.method),
                                                   scene.description().render);
        renderer.reset_pose({.position = {0, 0, start_height}});
        const std::vector<Moment> moments = drive(renderer, [&](double time) { return hand_at(time, speed, sways); },
                                                  hand_travel / speed + waiting, context, {done, done + 0.08, false});
        done += 0.08;
        Pushed pushed;
        for (std::size_t k = 0; k < moments.size(); ++k) {
          const double now = penetration(moments[k].cycle.body);
          pushed.deepest = std::max(pushed.deepest, now);
          if (k % 5 == 4) {
            pushed.time.push_back(moments[k].time);
            pushed.depth.push_back(rim_height - moments[k].cycle.body.position[2]);
            pushed.penetration.push_back(now);
          }
        }
        pushed.force = -moments.back().cycle.coupling[2];
        hands.emplace_back(hand_name);
        contacts.emplace_back(method.name);
        used_mu.push_back(mu);
        depths.push_back(pushed.depth.back());
        deepest.push_back(pushed.deepest);
        forces.push_back(pushed.force);
        const std::string table = fmt::format("{}_{}_{:g}", hand_name, method.name, mu);
        result.tables.push_back({table,
                                 {{"time [s]", pushed.time},
                                  {"depth [m]", pushed.depth},
                                  {"deepest penetration [m]", pushed.penetration}}});
        figure.series.push_back({table, 0, 1, fmt::format("{}, μ = {:g}", method.name, mu)});
        const std::string name = fmt::format("{}, {} hand, μ = {:g}: ", method.name, hand_name, mu);
        if (method.method == Method::constraint) {
          result.claims.push_back(
              at_most(name + "greatest depth of its end",
                      printed("Fig. 2, caption: prevented from entering; the edge is round within a cell"), 0,
                      std::ranges::max(pushed.depth), "m", cell));
          result.claims.push_back(
              at_most(name + "deepest penetration",
                      requirement("Fig. 2, caption: strict non-penetration; a tenth of what the peg is too thick"),
                      0.1 * 0.01 * radius, pushed.deepest, "m"));
        } else if (mu == 0) {
          result.claims.push_back(within(name + "depth of its end",
                                         from_theory("springs in balance: where the hand is"), hand_depth,
                                         pushed.depth.back(), 1e-4, "m"));
          if (!sways) {
            result.claims.push_back(within(name + "deepest penetration in the end",
                                           from_theory("1 % of its radius too thick"), 0.01 * radius,
                                           pushed.penetration.back(), 2e-5, "m"));
          }
        } else {
          result.claims.push_back(at_least(name + "depth of its end",
                                           requirement("Fig. 2: it gets in; friction decides how far"),
                                           mu < 1 ? 0.025 : 0.005, pushed.depth.back(), "m"));
        }
        if (!sways && mu == 0.5) {
          const Pose hand = moments.back().hand;
          renderer.step(hand);  // another cycle, with the friction of contacts that hold
          result.pictures.push_back(picture(method.name, fmt::format("The peg with {} contact, μ = 0.5", method.name),
                                            scene, renderer, &hand));
        }
      }
    }
    result.figures.push_back(figure);
  }
  result.tables.push_back({"pushed",
                           {{"hand", hands},
                            {"contact", contacts},
                            {"μ [-]", used_mu},
                            {"depth in the end [m]", depths},
                            {"deepest penetration [m]", deepest},
                            {"force in the end [N]", forces}},
                           true});
  return result;
}

}  // namespace stiction::lab::haptics_fig02
