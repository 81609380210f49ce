// Fig. 7: static damping. A sliding body moves by (1 − a) of the step to equilibrium in each cycle.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "../lab.h"
#include "drive.h"
#include "stiction/vector.h"

namespace stiction::lab::haptics_fig07 {
namespace {

using haptics::FrictionMethod;
using haptics::Pose;

constexpr double friction = 0.3;
constexpr double before = 0.005;  // the hand is displaced [s]

struct Setup {
  const char* scene;
  const char* name;
  Pose clear, pressed;
  Vector3 jump;  // of the hand, along the surface [m]
};

/// Displacement of the body along the jump of the hand, in each cycle from the one before the jump on [m].
struct Slide {
  std::vector<double> time, way;
  Snapshot initial, first;  // before the jump, and one cycle after it
};
Slide slide(const Setup& setup, FrictionMethod method, double mu, double damping, double duration,
            const Context& context) {
  const haptics::PreparedScene& scene = prepared(setup.scene, context.quick);
  haptics::RenderParams params = scene.description().render;
  params.static_damping = damping;
  params.max_motion = infinity;
  haptics::FrictionChoice choice = scene.description().friction;
  choice.method = method;
  haptics::Renderer renderer = renderer_with(scene, mu, choice, params);
  renderer.reset_pose(settled(scene, setup.clear, setup.pressed, context));
  const auto hand = [&](double time) {
    return Pose{time < before ? setup.pressed.position : sum(setup.pressed.position, setup.jump),
                setup.pressed.rotation};
  };
  Slide result;
  const auto after = [&](const Moment& m) {
    const double since = m.time - before;
    if (since < 0) {
      result.initial = snapshot(renderer, m.hand);
    } else if (since < renderer.params().period) {
      result.first = snapshot(renderer, m.hand);
    }
  };
  const std::vector<Moment> moments = drive(renderer, hand, duration, context, {.forces = false, .after = after});
  Vector3 start{};
  for (const Moment& moment : moments) {
    if (moment.time < before) {
      start = moment.cycle.body.position;
      result.time = {0};
      result.way = {0};
      continue;
    }
    result.time.push_back(static_cast<double>(result.time.size()) * renderer.params().period);
    result.way.push_back(dot(difference(moment.cycle.body.position, start), setup.jump) / norm(setup.jump));
  }
  return result;
}

}  // namespace

Result run(const Context& context) {
  const double duration = context.quick ? 0.1 : 0.2;
  constexpr std::array<double, 3> dampings{0, 0.6, 0.9};
  const std::array<Setup, 2> setups{
      {{"cube-and-corner", "cube", {{0.1, 0.1, 0.051}}, {{0.1, 0.1, 0.045}}, {0.02, 0, 0}},
       {"engine-bay", "starter", {{0.08, -0.08, 0}}, {{0.08, -0.063, 0}}, {0, 0, -0.01}}}};
  struct Method {
    FrictionMethod method;
    const char* name;
  };
  constexpr std::array<Method, 3> methods{
      {{FrictionMethod::none, "no friction"}, {FrictionMethod::switched, "switched"}, {FrictionMethod::cone, "cones"}}};

  Result result;
  result.notes = fmt::format(
      "A body pressed onto a surface slides there after the hand has jumped along it, by 20 mm with a cube on the "
      "floor, by 10 mm with a starter on the engine. In the first cycle it goes (1 − a) of what it goes with a = 0. "
      "Without friction it comes to the same place with any a. With friction, μ = {:g}, the place depends on how "
      "friction is found: with the paper's switch between friction and none the body goes on as if there were none, "
      "and stops where friction can hold it, sooner with more damping. With cones it goes to where the spring of the "
      "hand just balances friction, as Coulomb's law says, and a changes only how fast.",
      friction);
  // Of the two places, the three methods and dampings
  std::array<std::array<std::array<Slide, 3>, 3>, 2> slides;
  std::vector<std::string> names;
  std::vector<std::string> used;
  std::vector<double> used_dampings;
  std::vector<double> first;
  std::vector<double> last;
  double done = 0;
  for (std::size_t p = 0; p < setups.size(); ++p) {
    Figure figure{setups.at(p).name,
                  fmt::format("The hand has jumped: a {} slides after it", setups.at(p).name),
                  "time [s]",
                  "way of the body [m]",
                  {}};
    for (std::size_t m = 0; m < methods.size(); ++m) {
      for (std::size_t d = 0; d < dampings.size(); ++d) {
        context.step(done);
        done += 1.0 / 18;
        Slide& now = slides.at(p).at(m).at(d);
        now = slide(setups.at(p), methods.at(m).method, friction, dampings.at(d), duration, context);
        names.emplace_back(setups.at(p).name);
        used.emplace_back(methods.at(m).name);
        used_dampings.push_back(dampings.at(d));
        first.push_back(now.way[1]);
        last.push_back(now.way.back());
        const std::string table = fmt::format("{}_{}_{}", setups.at(p).name, m, d);
        // The first 30 cycles show it all
        const auto start = [](const std::vector<double>& all) {
          return std::vector<double>(all.begin(), all.begin() + 30);
        };
        result.tables.push_back({table, {{"time [s]", start(now.time)}, {"way [m]", start(now.way)}}});
        figure.series.push_back(
            {table, 0, 1, fmt::format("{}, a = {:g}", methods.at(m).name, dampings.at(d)), "linespoints"});
      }
    }
    figure.panels_in_a_row = 3;
    result.figures.push_back(figure);
  }
  // The paper's three pictures, of the cube: the program as published, a = 0.6 and a = 0
  const haptics::PreparedScene& scene = prepared(setups[0].scene, context.quick);
  const viz::SceneView view{.direction = Vector3{-0.2, 1, 0.7}};
  Snapshot initial = slides[0][1][1].initial;
  initial.hand = slides[0][1][1].first.hand;
  result.pictures.push_back(picture("fig07_initial", "The hand (thin) has jumped", scene, initial, view));
  result.pictures.push_back(
      picture("fig07_damped", "One cycle later with static damping, a = 0.6", scene, slides[0][1][1].first, view));
  result.pictures.push_back(
      picture("fig07_undamped", "One cycle later without static damping", scene, slides[0][1][0].first, view));
  result.tables.push_back({"ways",
                           {{"body", names},
                            {"friction", used},
                            {"a [-]", used_dampings},
                            {"after one cycle [m]", first},
                            {"in the end [m]", last}},
                           true});
  const auto step_share = [&](std::size_t p, std::size_t m) {
    return slides.at(p).at(m)[1].way[1] / slides.at(p).at(m)[0].way[1];
  };
  const auto end_distance = [&](std::size_t p, std::size_t m) {
    return std::abs(slides.at(p).at(m)[1].way.back() - slides.at(p).at(m)[0].way.back());
  };
  const Source converges = printed("Section 4.2: it converges to the equilibrium of a = 0");
  for (std::size_t p = 0; p < setups.size(); ++p) {
    for (std::size_t m = 0; m < methods.size(); ++m) {
      result.claims.push_back(within(
          fmt::format("{}, {}: first step with a = 0.6 over that with a = 0", setups.at(p).name, methods.at(m).name),
          printed("Section 4.2: (1 − a) Δ"), 0.4, step_share(p, m), 1e-9, "-"));
    }
    result.claims.push_back(
        at_most(fmt::format("{}, no friction: between where it ends with a = 0.6 and a = 0", setups.at(p).name),
                converges, 1e-9, end_distance(p, 0), "m"));
  }
  result.claims.push_back(within("cube, a = 0: way in the first cycle, switched",
                                 printed("Section 4.2: it may jump to its target in one cycle"), norm(setups[0].jump),
                                 slides[0][1][0].way[1], 1e-9, "m"));
  result.claims.push_back(
      at_most("cube, switched: between where it ends with a = 0.6 and a = 0", converges, 1e-4, end_distance(0, 1), "m")
          .as_refuted("it stops as soon as friction can hold it: the more damping, the sooner"));
  result.claims.push_back(
      at_most("cube, cones: between where it ends with a = 0.6 and a = 0", converges, 1e-4, end_distance(0, 2), "m"));
  // Hand and floor are springs in series: N = k K depth/(k + K), and the body stays μ N/k behind the hand
  const haptics::RenderParams params;
  const double k = params.coupling_stiffness;
  const double floor = params.parallel_contacts * params.contact_stiffness;
  const double normal = k * floor / (k + floor) * 0.005;
  result.claims.push_back(within("cube, cones, a = 0.6: way in the end", from_theory("Coulomb: jump − μ N/k"),
                                 norm(setups[0].jump) - friction * normal / k, slides[0][2][1].way.back(), 2e-5, "m"));
  return result;
}

}  // namespace stiction::lab::haptics_fig07
