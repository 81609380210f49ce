#include "planar_checks.h"

#include <initializer_list>
#include <limits>

#include "../require.h"
#include "stiction/problem.h"

namespace stiction::sim {
namespace {

void require_positive(const char* field, double value) { require(positive.holds(value), field, value, positive.text); }
void require_finite(const char* field, std::initializer_list<double> values) {
  for (const double value : values) {
    require(finite.holds(value), field, value, finite.text);
  }
}

}  // namespace

void check(const PlanarBody& body, const PlanarState& start) {
  require_positive("mass", body.mass);
  require_positive("inertia", body.inertia);
  require_positive("contacts", body.contacts);
  require(static_cast<bool>(body.normal_force), "normal_force", std::numeric_limits<double>::quiet_NaN(),
          "a function of time");
  require_finite("gravity", {body.gravity.x, body.gravity.y});
  require_finite("contact", {body.contact.x, body.contact.y});
  require_finite("position", {start.position.x, start.position.y});
  require_finite("angle", {start.angle});
  require_finite("velocity", {start.velocity.x, start.velocity.y, start.velocity.spin});
}

void check(const PlanarOptions& options) {
  require_positive("duration", options.duration);
  require_positive("interval", options.interval);
  const double rows = options.duration / options.interval;
  require(rows <= 1e7, "duration/interval", rows, "<= 1e7");
  require_positive("relative_tolerance", options.relative_tolerance);
  require_positive("absolute_tolerance", options.absolute_tolerance);
  require_positive("max_step", options.max_step);
  require(options.max_steps > 0, "max_steps", static_cast<double>(options.max_steps), "> 0");
}

void check_steps(const PlanarOptions& options, double step) {
  check(options);
  require_positive("step", step);
  require(step <= options.duration, "step", step, "<= duration");
  require(options.duration / step <= static_cast<double>(options.max_steps), "duration/step", options.duration / step,
          "<= max_steps");
}

}  // namespace stiction::sim
