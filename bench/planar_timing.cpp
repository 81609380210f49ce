#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "plain_patch.h"
#include "stiction/planar/distributed.h"
#include "stiction/planar/reduced_batch.h"
#include "stiction/planar/shapes.h"
#include "timing.h"

namespace stiction::bench {
namespace {

using planar::Distributed;
using planar::Patch;
using planar::Reduced;
using planar::SurfaceTable;

volatile double sink = 0;

/// The settings of the paper's timing tables: softer bristles, so that explicit Euler steps of 0.1 ms are stable.
Friction timed_friction() {
  Friction friction = planar::preset::waltersson_p1();
  friction.stiffness = 1e5;
  friction.damping = 20;
  return friction;
}
constexpr Twist timed_twist{0.1, -0.05, 1.59};
constexpr double timed_step = 1e-5;
/// Steps of many bristles in a round: long enough for the widest vector units to power up.
constexpr int round = 200;

/// The torque in units of a force.
double difference(const Wrench& a, const Wrench& b, double r) {
  return std::max({std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.torque - b.torque) / r});
}

/// A twist that rotates slightly from step to step; precomputed, since a sine costs half of what is timed here.
class TurningTwists {
 public:
  TurningTwists() {
    for (std::size_t i = 0; i < twists_.size(); ++i) {
      twists_[i] = {timed_twist.x, timed_twist.y + 1e-4 * std::sin(0.01 * static_cast<double>(i)), timed_twist.spin};
    }
  }
  const Twist& operator()(int k) const { return twists_[static_cast<std::size_t>(k) % twists_.size()]; }

 private:
  std::array<Twist, 4096> twists_{};
};
const TurningTwists twist_at;

/// Times step(k) against plain(k) once their answers have been compared, from step `from` on: a step gives the force at
/// its end, Euler's at its start, and these are alike once both slide steadily.
template <class Step, class Plain>
Row compared(const std::string& what, const std::string& baseline, int operations, int from, double allowed, double r,
             const Step& step, const Plain& plain) {
  double deviation = 0;
  for (int k = 0; k < 1200; ++k) {
    const double error = difference(step(k), plain(k), r);
    deviation = k >= from ? std::max(deviation, error) : deviation;
  }
  require_same(what, deviation, allowed);
  const auto repeat = [operations](const auto& one) {
    for (int k = 0; k < operations; ++k) {
      sink = one(k).x;
    }
  };
  const auto [ours, theirs] = time_both(
      operations, [&] { repeat(step); }, [&] { repeat(plain); });
  return {what, baseline, ours, theirs, deviation};
}

Row distributed_row(const std::string& what, bool euler, double allowed) {
  const Patch patch(planar::paper::square());
  const auto model = Distributed::make({timed_friction(), patch});
  PlainDistributed plain{timed_friction(), patch.points()};
  std::vector<double> z(model.state_size());
  return compared(
      what, "plain distributed model, explicit Euler", round, euler ? 0 : 1000, allowed, patch.torque_radius(),
      [&](int k) {
        return euler ? model.euler_step(z, twist_at(k), 1, timed_step) : model.step(z, twist_at(k), 1, timed_step);
      },
      [&](int k) { return plain.euler_step(twist_at(k), 1, timed_step); });
}

/// A disc by fewer, better placed bristles, as accurate as the paper's cells.
Row fewer_bristles_row() {
  const Patch cells(planar::paper::circle());
  const Patch polar(planar::disc_points(0.01, 4, 9));
  const auto model = Distributed::make({timed_friction(), polar});
  PlainDistributed plain{timed_friction(), cells.points()};
  std::vector<double> z(model.state_size());
  return compared(
      fmt::format("Distributed::step, disc by {} points", polar.size()),
      fmt::format("plain distributed model, {} cells", cells.size()), round, 1000, 0.05, cells.torque_radius(),
      [&](int k) { return model.step(z, twist_at(k), 1, timed_step); },
      [&](int k) { return plain.euler_step(twist_at(k), 1, timed_step); });
}

Row reduced_row(const std::string& what, bool euler) {
  const Patch patch(planar::paper::square());
  const auto model = Reduced<SurfaceTable>::make({timed_friction(), patch.pressure_moments(), SurfaceTable(patch)});
  PlainReduced plain{timed_friction(), planar::AngleTable(patch), patch.torque_radius(), patch.mean_square_radius()};
  Reduced<SurfaceTable>::State z;
  return compared(
      what, "plain reduced model, explicit Euler", 2000, 1000, 0.01, patch.torque_radius(),
      [&](int k) {
        const auto next =
            euler ? model.euler_step(z, twist_at(k), 1, timed_step) : model.step(z, twist_at(k), 1, timed_step);
        z = next.state;
        return next.wrench;
      },
      [&](int k) { return plain.euler_step(twist_at(k), 1, timed_step); });
}

template <class Real>
Row reduced_batch_row(const char* name) {
  constexpr std::size_t n = 1024;
  constexpr auto dt = static_cast<Real>(timed_step);
  const std::string what = fmt::format("{}::step, {} patches, each", name, n);
  const Patch patch(planar::paper::square());
  const std::vector<SurfaceTable> surfaces{SurfaceTable(patch)};
  using Batch = planar::BasicReducedBatch<Real>;
  const Batch batch(surfaces, std::vector<typename Batch::Item>(
                                  n, {timed_friction(), 0, patch.torque_radius(), patch.mean_square_radius()}));
  std::vector<PlainReduced> plain(
      n, PlainReduced{timed_friction(), planar::AngleTable(patch), patch.torque_radius(), patch.mean_square_radius()});
  std::vector<Real> states(3 * n);
  std::vector<Real> twists(3 * n);
  std::vector<Real> wrenches(3 * n);
  const std::vector<Real> normal(n, 1);
  const auto twist_of = [](std::size_t i) { return twist_at(static_cast<int>(7 * i)); };
  for (std::size_t i = 0; i < n; ++i) {
    twists[i] = static_cast<Real>(twist_of(i).x);
    twists[n + i] = static_cast<Real>(twist_of(i).y);
    twists[2 * n + i] = static_cast<Real>(twist_of(i).spin);
  }
  double deviation = 0;
  for (int k = 0; k < 1200; ++k) {
    batch.step(states, twists, normal, dt, wrenches);
    for (std::size_t i = 0; i < n; i += 100) {
      const Wrench w = plain[i].euler_step(twist_of(i), 1, timed_step);
      if (k >= 1000) {
        deviation = std::max(deviation,
                             difference(w, {wrenches[i], wrenches[n + i], wrenches[2 * n + i]}, patch.torque_radius()));
      }
    }
  }
  require_same(what, deviation, 0.01);
  PlainReduced& one = plain.front();
  constexpr int steps = 200;  // a processor's vector units power up slowly
  const auto [ours, theirs] = time_both(
      steps * static_cast<int>(n),
      [&] {
        for (int k = 0; k < steps; ++k) {
          batch.step(states, twists, normal, dt, wrenches);
        }
      },
      [&] {
        for (std::size_t i = 0; i < steps * n; ++i) {
          sink = one.euler_step(twist_of(i % n), 1, timed_step).x;
        }
      });
  return {what, "plain reduced model, explicit Euler", ours, theirs, deviation};
}

/// Cost against the number of cells: 40 times as many cells should cost 40 times as much.
Row linear_row() {
  const std::string what = "Distributed::step, one of 125x125 cells";
  const Patch few(planar::paper::square(21));
  const Patch many(planar::paper::square(125));
  const auto small = Distributed::make({timed_friction(), few});
  const auto large = Distributed::make({timed_friction(), many});
  std::vector<double> z_small(small.state_size());
  std::vector<double> z_large(large.state_size());
  double deviation = 0;
  for (int k = 0; k < 1000; ++k) {
    deviation = difference(small.step(z_small, timed_twist, 1, 1e-4), large.step(z_large, timed_twist, 1, 1e-4),
                           few.torque_radius());
  }
  require_same(what, deviation, 0.01);
  auto [ours, theirs] = time_both(
      1, [&] { sink = large.step(z_large, timed_twist, 1, timed_step).x; },
      [&] { sink = small.step(z_small, timed_twist, 1, timed_step).x; });
  const auto by_cell = [](planar::Patch const& patch, Timing& t) {
    t.median /= static_cast<double>(patch.size());
    t.worst /= static_cast<double>(patch.size());
  };
  by_cell(many, ours);
  by_cell(few, theirs);
  return {what, "one of 21x21 cells", ours, theirs, deviation};
}

Row table_row() {
  const std::string what = "SurfaceTable, 21x21 cells, 1875 nodes";
  const Patch patch(planar::paper::circle());
  const SurfaceTable table(patch);
  const planar::AngleTable plain(patch, 20, planar::authors_bilinear_wrench);
  double deviation = 0;
  for (int k = 0; k < 1000; ++k) {
    const Vector3 v{std::sin(1.3 * k), std::cos(2.1 * k), std::sin(0.7 * k + 1)};
    const Vector3 a = table(v);
    const Vector3 b = plain(v);
    for (std::size_t i = 0; i < 3; ++i) {
      deviation = std::max(deviation, std::abs(a[i] - b[i]));
    }
  }
  require_same(what, deviation, 0.03);  // the bilinear rule is off by that much
  const auto [ours, theirs] = time_both(
      1,
      [&] {
        sink = SurfaceTable(patch)({1, 2, 3})[0];
      },
      [&] {
        sink = planar::AngleTable(patch, 20, planar::authors_bilinear_wrench)({1, 2, 3})[0];
      });
  return {what, "AngleTable by the bilinear rule", ours, theirs, deviation};
}

}  // namespace

std::vector<Row> planar_rows() {
  return {distributed_row("Distributed::euler_step, 21x21", true, 1e-9),
          distributed_row("Distributed::step, 21x21", false, 1e-3),
          fewer_bristles_row(),
          linear_row(),
          reduced_row("Reduced::euler_step, limit surface", true),
          reduced_row("Reduced::step, limit surface", false),
          reduced_batch_row<double>("ReducedBatch"),
          reduced_batch_row<float>("ReducedBatchF"),
          table_row()};
}

}  // namespace stiction::bench
