// Fig. 14: a cube in a corner with strong static damping, the hand moving left and right: when it is held, and when it
// slides.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
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

struct Method {
  FrictionMethod method;
  const char* name;
};
constexpr std::array<Method, 2> methods{{{FrictionMethod::cone, "cones"}, {FrictionMethod::switched, "switched"}}};

bool holds(const Moment& m) { return m.cycle.phase == Phase::held; }
std::vector<Moment> those(const std::vector<Moment>& moments, bool held) {
  std::vector<Moment> chosen;
  std::ranges::copy_if(moments, std::back_inserter(chosen), [&](const Moment& m) { return holds(m) == held; });
  return chosen;
}

/// The first second, cycles that hold and cycles that slide apart.
void add_figure(Result& result, const Method& method, const std::vector<Moment>& moments, const Vector3& start) {
  Figure figure{method.name,
                fmt::format("The cube under a hand that moves left and right, {}", method.name),
                "time [s]",
                "way of the cube [mm]",
                {}};
  figure.panels_in_a_row = 1;
  const auto early =
      static_cast<std::ptrdiff_t>(std::ranges::count_if(moments, [](const Moment& m) { return m.time < 1; }));
  std::vector<Moment> first(moments.begin(), moments.begin() + early);
  const auto cycle_time = [](const Moment& m) { return m.cycle.microseconds[3]; };
  const std::vector<double> smooth = running_median(numbers(first, cycle_time));
  for (std::size_t k = 0; k < first.size(); ++k) {
    first[k].cycle.microseconds[3] = smooth[k];
  }
  for (const bool held : {true, false}) {
    const std::vector<Moment> part = those(first, held);
    const std::string table = fmt::format("{}_{}", method.name, held ? "held" : "slides");
    result.tables.push_back(
        {table,
         {{"time [s]", numbers(part, [](const Moment& m) { return m.time; })},
          {"contacts [-]", numbers(part, [](const Moment& m) { return static_cast<double>(m.cycle.contacts); })},
          {"cycle, running median [ms]", numbers(part, [](const Moment& m) { return m.cycle.microseconds[3] / 1000; })},
          {"way [mm]",
           numbers(part, [&](const Moment& m) { return 1000 * dot(difference(m.cycle.body.position, start), left); })},
          {"coupling force [N]", numbers(part, [](const Moment& m) { return norm(linear(m.cycle.coupling)); })}}});
  }
  constexpr std::array<const char*, 4> panels{"contacts", "cycle [ms]", "way of the cube [mm]", "coupling force [N]"};
  for (std::size_t p = 0; p < panels.size(); ++p) {
    for (const char* state : {"held", "slides"}) {
      figure.series.push_back({fmt::format("{}_{}", method.name, state), 0, p + 1, state, "points", panels.at(p)});
    }
  }
  result.figures.push_back(figure);
}

void add_claims(Result& result, const Method& method, const std::vector<Moment>& moments) {
  const auto name = [&](const char* what) { return fmt::format("{}: {}", method.name, what); };
  const auto motion = [](const Moment& m) { return largest(m.cycle.motion); };
  const std::vector<Moment> held = those(moments, true);
  const std::vector<Moment> sliding = those(moments, false);
  const double share = static_cast<double>(held.size()) / static_cast<double>(moments.size());
  const Source both = requirement("Fig. 14: both are found");
  result.claims.push_back(within(name("largest motion of a held cycle"), printed("Section 5.4: motionless; exactly 0"),
                                 0, held.empty() ? infinity : quantile(held, 1, motion), 0, "m"));
  result.claims.push_back(at_least(name("least motion of a sliding cycle"), requirement("Fig. 14: sliding"), 1e-12,
                                   sliding.empty() ? 0 : quantile(sliding, 0, motion), "m"));
  result.claims.push_back(at_least(name("held cycles of all"), both, 0.05, share, "-"));
  result.claims.push_back(at_most(name("held cycles of all, at most"), both, 0.95, share, "-"));
  const auto number = [](const Moment& x) { return static_cast<double>(x.cycle.contacts); };
  const auto cost = [](const Moment& x) { return x.cycle.microseconds[3] / 1000; };
  result.claims.push_back(within(name("contacts, median"),
                                 requirement("a setting like that of Fig. 14, approximately 70"), 70,
                                 quantile(moments, 0.5, number), 30, "-"));
  result.claims.push_back(at_most(name("cycle, median"), printed("Fig. 14, caption: approximately 0.72 ms"), 0.72,
                                  quantile(moments, 0.5, cost), "ms")
                              .as_info("depends on the machine"));
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
      "second. With a static damping of {:g} the cube slides slowly after the hand, until friction can hold it again. "
      "While it is held, by contacts that resist every motion, it does not move at all. At each turn of the hand it is "
      "held for a while: four changes in each swing. That is what the cones find. The paper's switch, friction or "
      "none, finds these as well, and many more: a cube that goes as if there were no friction is soon where friction "
      "holds it. The time of a cycle is a median of nine.",
      friction, swings, damping);
  std::array<double, 2> changes{};  // between held and sliding, in each swing
  for (std::size_t m = 0; m < methods.size(); ++m) {
    haptics::FrictionChoice choice = scene.description().friction;
    choice.method = methods.at(m).method;
    haptics::Renderer renderer = renderer_with(scene, friction, choice, params);
    renderer.reset_pose(start);
    const double done = 0.5 * static_cast<double>(m);
    const std::vector<Moment> moments = drive(renderer, hand, duration, context, {done, done + 0.5, false});
    for (std::size_t k = 1; k < moments.size(); ++k) {
      changes.at(m) += holds(moments[k]) != holds(moments[k - 1]) ? 1 / (swings * duration) : 0;
    }
    add_figure(result, methods.at(m), moments, start.position);
    add_claims(result, methods.at(m), moments);
  }
  result.claims.push_back(within("cones: changes between held and sliding in a swing",
                                 from_theory("two at each turn of the hand"), 4, changes[0], 0.25, "-"));
  result.claims.push_back(at_least("switched: changes in a swing over those of the cones",
                                   requirement("friction or none chatters"), 2, changes[1] / changes[0], "-"));
  return result;
}

}  // namespace stiction::lab::haptics_fig14
