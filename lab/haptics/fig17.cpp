// Fig. 17: a peg that friction holds in its hole, and a hand that pushes and moves sideways like a snake.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "../lab.h"
#include "drive.h"
#include "haptic_baselines.h"
#include "stiction/vector.h"

namespace stiction::lab::haptics_fig17 {
namespace {

using baselines::Method;
using baselines::with_method;
using haptics::Pose;

constexpr double friction = 100;
constexpr double start_height = 0.035;        // of the peg's centre: its tip is 1 cm in [m]
constexpr double end_height = 0.005;          // its tip is at the hole's end [m]
constexpr double hand_height = -0.01;         // [m]
constexpr double pressing = 0.5;              // until the hand has arrived [s]
constexpr double revolutions_per_second = 2;  // in a second

enum class Snake { none, left_right, around };

Pose hand_at(double time, Snake snake, double amplitude) {
  const double share = std::min(1.0, time / pressing);
  const double angle = 2 * std::numbers::pi * revolutions_per_second * time;
  return {.position = {snake == Snake::none ? 0 : share * amplitude * std::sin(angle),
                       snake == Snake::around ? share * amplitude * std::cos(angle) : 0,
                       start_height + share * (hand_height - start_height)}};
}

}  // namespace

Result run(const Context& context) {
  const double duration = context.quick ? 6 : 12;
  constexpr double amplitude = 0.01;  // [m]
  const haptics::PreparedScene& scene = prepared("peg-and-hole", context.quick);
  struct Way {
    const char* name;
    Method method;
    Snake snake;
  };
  constexpr std::array<Way, 5> ways{{{"springs, hand goes around", Method::springs, Snake::around},
                                     {"springs, left and right", Method::springs, Snake::left_right},
                                     {"springs, straight push", Method::springs, Snake::none},
                                     {"this library, hand goes around", Method::cone, Snake::around},
                                     {"switched, hand goes around", Method::switched, Snake::around}}};
  Result result;
  result.notes = fmt::format(
      "A peg is 1 cm in its hole and held by friction, μ = {:g}. The hand pushes it down with up to 20 N and moves to "
      "the sides by 1 cm, {:g} times a second. With Yamane's springs contacts part on one side, and are tied anew, a "
      "little deeper, when they touch again: the peg sinks until it is all the way in. A round peg has contacts on all "
      "sides, so the hand must go around to part all of them; left and right alone it sinks too, but some of its "
      "springs stay tied. Pushed straight, it goes down by as much as the springs stretch. With cones, or the paper's "
      "program, it stays exactly where it is.",
      friction, revolutions_per_second);
  Figure figure{"fig17", "A peg under a hand like a snake, μ = 100", "time [s]", "way of the peg down [m]", {}};
  std::array<double, ways.size()> sunk{};
  std::array<double, ways.size()> moved{};
  double inserted_after = duration;
  double rising_turns = 0;  // revolutions of the hand in which the peg did not sink deeper
  for (std::size_t w = 0; w < ways.size(); ++w) {
    const auto choice = with_method(scene.description().friction, ways.at(w).method);
    haptics::Renderer renderer = renderer_with(scene, friction, choice, scene.description().render);
    const Pose start{.position = {0, 0, start_height}};
    renderer.reset_pose(start);
    const double done = static_cast<double>(w) / ways.size();
    // Of the paper's four pictures: (a) this library, and springs (b) at first, (c) halfway, (d) in the end
    std::vector<Snapshot> shown;
    const auto show = [&](const Moment& m) {
      const double height = m.cycle.body.position[2];
      const double depth = (start_height - height) / (start_height - end_height);
      constexpr std::array shares{0.05, 0.5, 1.0};
      if (w == 0 && shown.size() < shares.size() && depth >= shares.at(shown.size())) {
        shown.push_back(snapshot(renderer, m.hand));
      }
    };
    const std::vector<Moment> moments =
        drive(renderer, [&](double time) { return hand_at(time, ways.at(w).snake, amplitude); }, duration, context,
              {done, done + 1.0 / ways.size(), false, show});
    if (w == 3) {  // once more, for the forces of contacts that hold
      const Pose hand = moments.back().hand;
      renderer.step(hand);
      shown.push_back(snapshot(renderer, hand));
    }
    for (std::size_t k = 0; k < shown.size(); ++k) {
      constexpr std::array names{"fig17_b", "fig17_c", "fig17_d"};
      result.pictures.push_back(picture(w == 0 ? names.at(k) : "fig17_a",
                                        fmt::format("{}: total contact force (red), its part along the normals (grey), "
                                                    "the hand (thin)",
                                                    ways.at(w).name),
                                        scene, shown[k], {viz::SceneArrows::total, Vector3{0.6, -0.9, 0.5}}));
    }
    std::vector<double> times;
    std::vector<double> depth;
    for (std::size_t k = 0; k < moments.size(); k += 10) {
      times.push_back(moments[k].time);
      depth.push_back(start_height - moments[k].cycle.body.position[2]);
    }
    for (const Moment& moment : moments) {
      moved.at(w) = std::max(moved.at(w), norm(difference(moment.cycle.body.position, start.position)));
      if (w == 0 && moment.cycle.body.position[2] <= end_height) {
        inserted_after = std::min(inserted_after, moment.time);
      }
    }
    sunk.at(w) = depth.back();
    if (w == 0) {
      const double period = scene.description().render.period;
      const auto cycles_per_revolution = static_cast<std::size_t>(std::lround(1 / (revolutions_per_second * period)));
      for (std::size_t k = cycles_per_revolution; k < moments.size() && moments[k].time <= inserted_after;
           k += cycles_per_revolution) {
        rising_turns +=
            moments[k].cycle.body.position[2] >= moments[k - cycles_per_revolution].cycle.body.position[2] ? 1 : 0;
      }
    }
    const std::string table = fmt::format("way_{}", w);
    result.tables.push_back({table, {{"time [s]", times}, {"depth [m]", depth}}});
    figure.series.push_back({table, 0, 1, ways.at(w).name});
  }
  result.figures.push_back(figure);
  const double total_height = start_height - end_height;
  result.claims = {
      at_least("springs, hand goes around: way of the peg", printed("Fig. 17, caption: eventually fully inserted"),
               total_height, sunk[0], "m"),
      at_most("springs, hand goes around: turns in which it did not sink", printed("Section 5.6: slowly but steadily"),
              0, rising_turns, "-"),
      at_most("springs, hand goes around: time until it is in",
              requirement("Fig. 17, caption: eventually; here within the run"), duration, inserted_after, "s"),
      at_least("springs, left and right: way over that of a straight push", requirement("Fig. 17, caption: sinks"), 1.2,
               sunk[1] / sunk[2], "-"),
      at_most("springs, straight push: way over the whole", requirement("only the springs stretch"), 0.15,
              sunk[2] / total_height, "-"),
      within("this library: largest motion of the peg",
             printed("Fig. 17, caption: correctly cannot be inserted; exactly 0"), 0, moved[3], 0, "m"),
      within("switched, as the paper: largest motion of the peg",
             printed("Fig. 17, caption: correctly cannot be inserted; exactly 0"), 0, moved[4], 0, "m"),
  };
  return result;
}

}  // namespace stiction::lab::haptics_fig17
