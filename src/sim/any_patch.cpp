#include "stiction/sim/any_patch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <type_traits>
#include <utility>

#include "planar_checks.h"
#include "stiction/sim/cvode.h"
#include "stiction/sim/planar_steps.h"

namespace stiction::sim {
namespace {

using planar::Distributed;
using planar::Point;
using planar::Reduced;
using planar::SoftFingerModel;
using planar::Twist;
using planar::Wrench;

/// `use(contact, press)` with the patch as fixed steps take it; `press(contact, force)` sets its normal force.
template <class Use>
auto with_contact(const AnyPatch& patch, const Use& use) {
  return std::visit(
      [&]<class Model>(const Model& chosen) {
        const auto keep = [](auto&, double) {};
        if constexpr (std::is_same_v<Model, Distributed>) {
          return use(DistributedContact(chosen), keep);
        } else if constexpr (std::is_same_v<Model, SoftFingerModel>) {
          return use(ReducedContact<planar::SurfaceFamily<planar::AxisymmetricCurve>>{chosen.model},
                     [&](auto& contact, double force) { planar::press(contact.model, chosen.finger, force); });
        } else {
          return use(ReducedContact<std::remove_cvref_t<decltype(chosen.params().surface)>>{chosen}, keep);
        }
      },
      patch);
}

/// The current wrench of a contact at the patch's origin, for the motion of its centre of pressure.
template <class Contact, class Press>
Wrench wrench_now(Contact& contact, const Press& press, const Twist& twist, double normal_force) {
  press(contact, normal_force);
  return planar::at_point(contact.wrench(twist, normal_force), contact.reference(), {});
}

PlanarRow first_row(const PlanarBody& body, const AnyPatch& patch, const PlanarState& start) {
  return with_contact(patch, [&](auto contact, const auto& press) {
    const Point at = body.contact + contact.reference();
    const Point arm = body.carried ? at : at - start.position;
    const double force = body.normal_force(0);
    const Twist twist = planar::at_point(start.velocity, {}, arm);
    return PlanarRow{0, force, start, wrench_now(contact, press, twist, force)};
  });
}

bool is_finite(const PlanarRow& row) {
  const auto& [position, angle, velocity] = row.state;
  return std::isfinite(row.normal_force + position.x + position.y + angle + velocity.x + velocity.y + velocity.spin +
                       row.wrench.x + row.wrench.y + row.wrench.torque);
}

/// Equal steps and the rows that fall on them: `take(middle, h)`, and `row(time)` for time 0 and each row.
template <class Take, class Row>
PlanarRun run_in_steps(const PlanarOptions& options, double step, const Take& take, const Row& row) {
  const double count = std::round(options.duration / step);
  const double h = options.duration / count;
  const double stride = std::max(1.0, std::round(options.interval / h));
  PlanarRun result;
  result.rows.push_back(row(0));
  double next = stride;
  double k = 1;
  for (; k <= count && !result.diverged; ++k) {
    if (std::fmod(k, 16) == 1 && !goes_on(options, (k - 1) * h, result)) {
      break;
    }
    take((k - 0.5) * h, h);
    if (k == next || k == count) {
      const PlanarRow now = row(options.duration * (k / count));
      result.diverged = !is_finite(now);
      if (!result.diverged) {
        result.rows.push_back(now);
      }
      next += stride;
    }
  }
  result.steps = static_cast<long>(k) - 1;
  return result;
}

}  // namespace

const char* name_of(const AnyPatch& patch) noexcept {
  return std::holds_alternative<Distributed>(patch)                  ? "distributed"
         : std::holds_alternative<Reduced<planar::Ellipsoid>>(patch) ? "ellipsoid"
                                                                     : "reduced";
}

Point centre_of_pressure(const AnyPatch& patch) noexcept {
  return std::visit(
      []<class Model>(const Model& chosen) {
        if constexpr (std::is_same_v<Model, Distributed>) {
          return chosen.reference();
        } else if constexpr (std::is_same_v<Model, SoftFingerModel>) {
          return chosen.model.params().pressure.centre_of_pressure;
        } else {
          return chosen.params().pressure.centre_of_pressure;
        }
      },
      patch);
}

PlanarRun simulate(const PlanarBody& body, const AnyPatch& patch, const PlanarState& start,
                   const PlanarOptions& options) {
  check(options);
  PlanarOptions adjusted = options;
  const double intervals = std::max(1.0, std::round(options.duration / options.interval));
  adjusted.interval = options.duration / intervals;
  if (intervals * adjusted.interval > options.duration) {  // the last row is at the end, not beyond it
    adjusted.interval = std::nextafter(adjusted.interval, 0.0);
  }
  PlanarRun result = std::visit([&](const auto& model) { return simulate(body, model, start, adjusted); }, patch);
  result.rows.insert(result.rows.begin(), first_row(body, patch, start));
  return result;
}

PlanarRun simulate_fixed_step(const PlanarBody& body, const AnyPatch& patch, const PlanarState& start,
                              const PlanarOptions& options, double step) {
  check(body, start);
  check_steps(options, step);
  return with_contact(patch, [&]<class Contact>(Contact contact, const auto& press) {
    PlanarSteps<Contact> steps({body.mass, body.inertia, body.contacts, body.carried, body.contact},
                               std::move(contact));
    steps.position = start.position;
    steps.angle = start.angle;
    steps.velocity = start.velocity;
    const Wrench weight{body.mass * body.gravity.x, body.mass * body.gravity.y, 0};
    PlanarRow last = first_row(body, patch, start);
    long missed = 0;  // steps that were not solved
    const auto take = [&](double middle, double h) {
      last.normal_force = body.normal_force(middle);
      press(steps.contact, last.normal_force);
      const Wrench load = body.load ? body.load(middle) : Wrench{};
      last.wrench = steps.step({weight + load, last.normal_force}, h);
      missed += steps.error() <= 1e-6 ? 0 : 1;
    };
    PlanarRun result = run_in_steps(options, step, take, [&](double time) {
      return PlanarRow{time, last.normal_force, {steps.position, steps.angle, steps.velocity}, last.wrench};
    });
    result.solver = "backward-euler";
    // With friction that decreases with speed an occasional step has no solution, but not many.
    if (static_cast<double>(missed) > 0.01 * static_cast<double>(result.steps)) {
      std::array<char, 200> line{};
      std::snprintf(line.data(), line.size(),
                    "%ld of %ld steps could not be solved: take a smaller step or method = \"accurate\"", missed,
                    result.steps);
      throw SolverFailure(line.data());
    }
    return result;
  });
}

PlanarRun drive(const ImposedMotion& motion, const AnyPatch& patch, const PlanarOptions& options, double step) {
  check_steps(options, step);
  for (const auto& [given, field] : {std::pair{static_cast<bool>(motion.velocity), "velocity"},
                                     {static_cast<bool>(motion.normal_force), "normal_force"}}) {
    if (!given) {
      throw InvalidParameter(Problem{field, std::numeric_limits<double>::quiet_NaN(), "a function of time"});
    }
  }
  return with_contact(patch, [&](auto contact, const auto& press) {
    const Point reference = contact.reference();
    PlanarState state;
    const auto take = [&](double middle, double h) {
      const Twist v = motion.velocity(middle);
      const double force = motion.normal_force(middle);
      press(contact, force);
      contact.step(planar::at_point(v, {}, reference), force, h);
      state.position = {state.position.x + h * v.x, state.position.y + h * v.y};
      state.angle += h * v.spin;
    };
    PlanarRun result = run_in_steps(options, step, take, [&](double time) {
      state.velocity = motion.velocity(time);
      const double force = motion.normal_force(time);
      const Twist twist = planar::at_point(state.velocity, {}, reference);
      return PlanarRow{time, force, state, wrench_now(contact, press, twist, force)};
    });
    result.solver = "midpoint";
    return result;
  });
}

}  // namespace stiction::sim
