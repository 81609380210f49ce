#include "stiction/sim/trajectory.h"

#include <cmath>

namespace stiction::sim {
namespace {

constexpr Range tolerances{1e-13, 1e-2, true, true, "in [1e-13, 1e-2]"};
constexpr double most_rows = 1e7;  // half a gigabyte
constexpr double most_steps = 1e11;

}  // namespace

std::optional<Problem> Options::check(const Options& o) noexcept {
  if (!positive.holds(o.duration)) {
    return Problem{"duration", o.duration, positive.text};
  }
  if (!positive.holds(o.output_interval)) {
    return Problem{"output_interval", o.output_interval, positive.text};
  }
  if (o.duration / o.output_interval > most_rows) {
    return Problem{"output_interval", o.output_interval, ">= duration / 1e7"};
  }
  if (o.method == Method::cvode) {
    return tolerances.holds(o.relative_tolerance)
               ? std::nullopt
               : std::optional(Problem{"relative_tolerance", o.relative_tolerance, tolerances.text});
  }
  if (!positive.holds(o.step) || o.step > o.duration) {
    return Problem{"step", o.step, "> 0 and at most the duration"};
  }
  if (o.duration / o.step > most_steps) {
    return Problem{"step", o.step, ">= duration / 1e11"};
  }
  return std::nullopt;
}

std::optional<Problem> Body::check(const Body& body) noexcept {
  if (!positive.holds(body.mass)) {
    return Problem{"mass", body.mass, positive.text};
  }
  if (!finite.holds(body.position)) {
    return Problem{"position", body.position, finite.text};
  }
  if (!finite.holds(body.velocity)) {
    return Problem{"velocity", body.velocity, finite.text};
  }
  return std::nullopt;
}

}  // namespace stiction::sim
