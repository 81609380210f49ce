// Fig. 14: a cube in a corner with strong static damping, the hand moving left and right: when it is held, and when it
// slides.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "../lab.h"
#include "drive.h"
#include "stiction/vector.h"

namespace stiction::lab::haptics_fig14 {
namespace {

using haptics::FrictionMethod;
using haptics::Phase;
using haptics::Pose;

constexpr double friction = 0.4;
constexpr double damping = 0.9;
constexpr double swings = 3;         // of the hand in a second
constexpr double amplitude = 0.006;  // of the hand [m]
constexpr Vector3 left{std::numbers::sqrt2 / 2, -std::numbers::sqrt2 / 2, 0};

double largest(const Vector6& motion) {
  return std::abs(std::ranges::max(motion, {}, [](double component) { return std::abs(component); }));
}

}  // namespace

Result run(const Context& context) {
  const double duration = context.quick ? 2 : 10;
  const haptics::PreparedScene& scene = prepared("cube-and-corner", context.quick);
  haptics::RenderParams params = scene.description().render;
  params.static_damping = damping;
  const Pose pressed{{0.045, 0.045, 0.045}, haptics::rotation_by({0.2, -0.2, 0})};
  const Pose start = settled(scene, {.position = {0.06, 0.06, 0.06}}, pressed, context);
  const auto hand = [&](double time) {
    const double swing = amplitude * std::sin(2 * std::numbers::pi * swings * time);
    return Pose{sum(pressed.position, scaled(swing, left)), pressed.rotation};
  };
  Result result;
  result.notes = fmt::format(
      "A cube is pressed into the corner on its edges, μ = {:g}, and the hand moves left and right {:g} times a "
      "second. "
      "With a static damping of {:g} the cube slides slowly after the hand, until friction can hold it again. While it "
      "is held, by contacts that resist every motion, it does not move at all. At each turn of the hand it is held for "
      "a while: four changes in each swing. That is what the cones find. The paper's switch, friction or none, finds "
      "these as well, and many more: a cube that goes as if there were no friction is soon where friction holds it.",
      friction, swings, damping);
  struct Method {
    FrictionMethod method;
    const char* name;
  };
  constexpr std::array<Method, 2> methods{{{FrictionMethod::cone, "cones"}, {FrictionMethod::switched, "switched"}}};
  std::array<double, 2> changes{};  // between held and sliding, in each swing
  double done = 0;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    haptics::FrictionChoice choice = scene.description().friction;
    choice.method = methods.at(m).method;
    haptics::Renderer renderer = renderer_with(scene, friction, choice, params);
    renderer.reset_pose(start);
    const std::vector<Moment> moments = drive(renderer, hand, duration, context, {done, done + 0.5, false});
    done += 0.5;
    double moved_while_held = 0;
    double min_slide = std::numeric_limits<double>::infinity();
    double held = 0;
    std::array<std::vector<double>, 2> times, ways, contacts;  // sliding, held
    for (std::size_t k = 0; k < moments.size(); ++k) {
      const haptics::Cycle& cycle = moments[k].cycle;
      const bool holds = cycle.phase == Phase::held;
      if (holds) {
        ++held;
        moved_while_held = std::max(moved_while_held, largest(cycle.motion));
      } else {
        min_slide = std::min(min_slide, largest(cycle.motion));
      }
      if (k > 0 && holds != (moments[k - 1].cycle.phase == Phase::held)) {
        ++changes.at(m);
      }
      if (moments[k].time < 1) {
        const std::size_t which = holds ? 1 : 0;
        times.at(which).push_back(moments[k].time);
        ways.at(which).push_back(dot(difference(cycle.body.position, start.position), left));
        contacts.at(which).push_back(static_cast<double>(cycle.contacts));
      }
    }
    changes.at(m) /= swings * duration;
    Figure figure{methods.at(m).name,
                  fmt::format("The cube's way to the left, {}", methods.at(m).name),
                  "time [s]",
                  "way of the cube [m]",
                  {}};
    for (const std::size_t which : {1, 0}) {
      const std::string table = fmt::format("{}_{}", methods.at(m).name, which == 1 ? "held" : "slides");
      result.tables.push_back(
          {table, {{"time [s]", times.at(which)}, {"way [m]", ways.at(which)}, {"contacts [-]", contacts.at(which)}}});
      figure.series.push_back({table, 0, 1, which == 1 ? "held" : "slides", "points"});
    }
    result.figures.push_back(figure);
    const auto claim_name = [&](const char* what) { return fmt::format("{}: {}", methods.at(m).name, what); };
    result.claims.push_back(within(claim_name("largest motion of a held cycle"), "Fig. 14: static, exactly 0", 0,
                                   moved_while_held, 0, "m"));
    result.claims.push_back(
        at_least(claim_name("least motion of a sliding cycle"), "Fig. 14: sliding", 1e-12, min_slide, "m"));
    result.claims.push_back(at_least(claim_name("held cycles of all"), "Fig. 14: both are found", 0.05,
                                     held / static_cast<double>(moments.size()), "-"));
    result.claims.push_back(at_most(claim_name("held cycles of all, at most"), "Fig. 14: both are found", 0.95,
                                    held / static_cast<double>(moments.size()), "-"));
    const auto number = [](const Moment& x) { return static_cast<double>(x.cycle.contacts); };
    const auto cost = [](const Moment& x) { return x.cycle.microseconds[3] / 1000; };
    result.claims.push_back(
        within(claim_name("contacts, median"), "Fig. 14: about 70", 70, quantile(moments, 0.5, number), 30, "-"));
    result.claims.push_back(
        at_most(claim_name("cycle, median"), "Fig. 14: about 0.72 ms", 0.72, quantile(moments, 0.5, cost), "ms")
            .as_info("depends on the machine"));
  }
  result.claims.push_back(within("cones: changes between held and sliding in a swing", "two at each turn of the hand",
                                 4, changes[0], 0.25, "-"));
  result.claims.push_back(at_least("switched: changes in a swing over those of the cones", "friction or none chatters",
                                   2, changes[1] / changes[0], "-"));
  return result;
}

}  // namespace stiction::lab::haptics_fig14
