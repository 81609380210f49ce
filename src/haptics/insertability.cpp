#include "stiction/haptics/insertability.h"

#include <algorithm>
#include <cmath>

#include "../require.h"

namespace stiction::haptics {
namespace {

constexpr double max_duration = 1e5;  // of a path and the wait after it [s]

void check(const InsertionGoal& goal, const Trajectory& path) {
  constexpr Range durations{0, max_duration, true, true, "0 to 100000"};
  require("tolerance", goal.tolerance, positive);
  require("max_force", goal.max_force, positive_or_infinite);
  require("wait", goal.wait, durations);
  require("duration", path.end() - path.begin() + goal.wait, durations);
}

void check(const InsertabilitySearch& search) {
  constexpr Range counts{2, 1000, true, true, "2 to 1000"};
  require("max_friction", search.max_friction, positive);
  require("sweep", search.sweep, counts);
  require("resolution", search.resolution, positive);
}

}  // namespace

InsertionTrial try_insertion(const PreparedScene& scene, const Trajectory& path, double friction,
                             const FrictionChoice& choice, const InsertionGoal& goal,
                             const std::function<void(double)>& progress) {
  check(goal, path);
  std::vector<BodyPair> pairs = scene.pairs();
  for (BodyPair& pair : pairs) {
    pair.friction = friction;
    if (pair.sliding_friction) {
      pair.sliding_friction = std::min(*pair.sliding_friction, friction);
    }
  }
  const RenderParams& params = scene.description().render;
  Renderer renderer(pairs, scene.moving_body(), params,
                    make_friction(choice, static_cast<std::size_t>(params.max_contacts)), choice.separation);
  renderer.reset_pose(scene.description().start);
  InsertionTrial trial{.friction = friction};
  const auto cycles = std::lround((path.end() - path.begin() + goal.wait) / params.period);
  for (long k = 0; k <= cycles; ++k) {
    if (progress && k % 1000 == 0) {
      progress(static_cast<double>(k) / static_cast<double>(cycles + 1));
    }
    const Cycle& cycle = renderer.step(path.at(path.begin() + static_cast<double>(k) * params.period), false);
    trial.force = std::max(trial.force, std::hypot(cycle.coupling[0], cycle.coupling[1], cycle.coupling[2]));
    if (trial.force > goal.max_force) {
      break;
    }
  }
  const Pose& last = path.poses().back().pose;
  trial.distance = norm(difference(to_world(last, renderer.centre()), to_world(renderer.body(), renderer.centre())));
  trial.inserted = trial.force <= goal.max_force && trial.distance <= goal.tolerance;
  return trial;
}

Insertability find_insertability(const PreparedScene& scene, const Trajectory& path, const FrictionChoice& choice,
                                 const InsertionGoal& goal, const InsertabilitySearch& search,
                                 const std::function<void(double)>& progress) {
  check(goal, path);
  check(search);
  Insertability result;
  const double step = search.max_friction / (search.sweep - 1);
  const double halvings = std::max(0.0, std::ceil(std::log2(step / search.resolution)));
  double done = 0;
  const auto try_at = [&](double friction) {
    result.trials.push_back(try_insertion(scene, path, friction, choice, goal, [&](double fraction) {
      if (progress) {
        progress(std::min(1.0, (done + fraction) / (search.sweep + halvings)));
      }
    }));
    done += 1;
    return result.trials.back().inserted;
  };
  for (int i = 0; i < search.sweep; ++i) {
    const double friction = step * i;
    if (try_at(friction)) {
      result.insertable = result.not_insertable ? result.insertable : friction;
    } else if (!result.not_insertable) {
      result.not_insertable = friction;
    }
  }
  if (result.insertable && result.not_insertable) {
    double& low = *result.insertable;
    double& high = *result.not_insertable;
    while (high - low > search.resolution) {
      const double middle = 0.5 * (low + high);
      if (!(middle > low && middle < high)) {
        break;  // no representable number between them
      }
      (try_at(middle) ? low : high) = middle;
    }
  }
  if (progress) {
    progress(1);
  }
  std::ranges::sort(result.trials, {}, &InsertionTrial::friction);
  return result;
}

}  // namespace stiction::haptics
