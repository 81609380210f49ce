#include "stiction/sim/trajectory.h"

#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <string_view>

namespace stiction::sim {
namespace {

constexpr Range tolerances{1e-13, 1e-2, true, true, "in [1e-13, 1e-2]"};
constexpr double max_rows = 1e7;  // half a gigabyte

/// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...) {
  std::array<char, 512> line{};
  // NOLINTBEGIN(cppcoreguidelines-pro-bounds-array-to-pointer-decay): a va_list is an array on some platforms
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(line.data(), line.size(), format, values);
  va_end(values);
  // NOLINTEND(cppcoreguidelines-pro-bounds-array-to-pointer-decay)
  return line.data();
}

const char* name_of(Entry entry) {
  switch (entry) {
    case Entry::two_bodies:
      return "two bodies";
    case Entry::imposed_velocity:
      return "an imposed velocity";
    case Entry::servo:
      return "a servo";
    default:
      return "a body";
  }
}

}  // namespace

std::optional<Problem> Options::check(const Options& o) noexcept {
  if (!positive.holds(o.duration)) {
    return Problem{"duration", o.duration, positive.text};
  }
  if (!positive.holds(o.output_interval)) {
    return Problem{"output_interval", o.output_interval, positive.text};
  }
  if (!(o.duration / o.output_interval <= max_rows)) {
    return Problem{"output_interval", o.output_interval, ">= duration / 1e7"};
  }
  if (o.max_steps <= 0) {
    return Problem{"max_steps", static_cast<double>(o.max_steps), "> 0"};
  }
  if (o.method == Method::cvode) {
    return tolerances.holds(o.relative_tolerance)
               ? std::nullopt
               : std::optional(Problem{"relative_tolerance", o.relative_tolerance, tolerances.text});
  }
  if (!positive.holds(o.step) || o.step > o.duration) {
    return Problem{"step", o.step, "> 0 and at most the duration"};
  }
  if (!(o.duration / o.step <= static_cast<double>(o.max_steps))) {
    return Problem{"step", o.step, ">= duration / max_steps"};
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

const std::vector<Method>& methods_of(Entry entry) {
  static const std::vector<Method> body{
      Method::cvode,        Method::sdirk2, Method::backward_euler, Method::explicit_euler, Method::semi_implicit_euler,
      Method::runge_kutta_4};
  static const std::vector<Method> two_bodies{Method::cvode, Method::sdirk2, Method::backward_euler};
  static const std::vector<Method> imposed{Method::cvode, Method::midpoint};
  static const std::vector<Method> servo{Method::sdirk2, Method::backward_euler};
  switch (entry) {
    case Entry::body:
      return body;
    case Entry::two_bodies:
      return two_bodies;
    case Entry::imposed_velocity:
      return imposed;
    default:
      return servo;
  }
}

std::string too_much_work(const Options& options, double time_scale) {
  const bool rows = options.duration / options.output_interval > max_rows;
  const bool fixed = options.method != Method::cvode;
  const double needed = options.duration / (rows ? options.output_interval : fixed ? options.step : time_scale / 10);
  if (rows) {
    return text("%g rows, of which at most 1e7 are allowed: raise output_interval, or shorten duration", needed);
  }
  if (!(needed > static_cast<double>(options.max_steps))) {
    return {};
  }
  return fixed ? text("%g steps, more than max_steps = %ld: raise step or max_steps, or shorten duration", needed,
                      options.max_steps)
               : text(
                     "max_steps = %ld: at least %g steps are needed for an input that changes within %g s: raise "
                     "max_steps, shorten duration, or take a slower input",
                     options.max_steps, needed, time_scale);
}

void require_valid(const Options& options, Entry entry, double time_scale) {
  const auto& methods = methods_of(entry);
  if (std::find(methods.begin(), methods.end(), options.method) == methods.end()) {
    std::string names;
    for (const Method method : methods) {
      names += (names.empty() ? "" : method == methods.back() ? " or " : ", ") + std::string(sim::name_of(method));
    }
    throw InvalidInput(
        Problem{"method", static_cast<double>(options.method), "one that is offered"},
        text("method = %s: must be %s for %s", sim::name_of(options.method), names.c_str(), name_of(entry)));
  }
  const std::string work = positive.holds(options.duration) ? too_much_work(options, time_scale) : "";
  if (const auto problem = Options::check(options)) {
    const bool counts = std::string_view(problem->allowed).starts_with(">= duration");  // rows or steps
    throw InvalidInput(*problem, InvalidParameter::describe(*problem) + (counts ? " (" + work + ")" : ""));
  }
  if (!work.empty()) {
    throw InvalidInput(Problem{"max_steps", static_cast<double>(options.max_steps), "enough for the input"}, work);
  }
}

void require_valid(const Body& body, const char* name) {
  if (const auto problem = Body::check(body)) {
    throw InvalidInput(*problem, name + InvalidParameter::describe(*problem));
  }
}

void require_valid(const Signal& signal, const char* name) {
  if (const auto flaw = signal.flaw()) {
    throw InvalidInput(Problem{name, flaw->value, flaw->allowed},
                       text("%s: %g at t = %g s: must be %s", name, flaw->value, flaw->time, flaw->allowed));
  }
}

void require_valid(const Load& load, const char* name) {
  const auto signal = [&](const Signal& given, const char* field) {
    if (const auto flaw = given.flaw()) {
      throw InvalidInput(Problem{field, flaw->value, flaw->allowed},
                         text("%s%s: %g at t = %g s: must be %s", name, field, flaw->value, flaw->time, flaw->allowed));
    }
  };
  const auto gain = [&](double value, const char* field) {
    if (!non_negative.holds(value)) {
      const Problem problem{field, value, non_negative.text};
      throw InvalidInput(problem, name + InvalidParameter::describe(problem));
    }
  };
  signal(load.force, "force");
  signal(load.normal, "normal");
  if (load.motor) {
    signal(*load.motor, "motor");
  }
  if (load.spring) {
    gain(load.spring->stiffness, "spring.stiffness");
    gain(load.spring->damping, "spring.damping");
    signal(load.spring->anchor, "spring.anchor");
  }
  if (load.controller) {
    gain(load.controller->proportional, "controller.proportional");
    gain(load.controller->integral, "controller.integral");
    gain(load.controller->derivative, "controller.derivative");
    signal(load.controller->reference, "controller.reference");
  }
}

std::string sampling_note(const Options& options, double time_scale) {
  return options.method == Method::cvode || 3 * time_scale >= options.step
             ? ""
             : text("an input changes within %g s: steps of %g s sample it, but do not follow it", time_scale,
                    options.step);
}

bool goes_on(const Options& options, double time, RunReport& report) {
  if (options.progress) {
    options.progress(time / options.duration);
  }
  report.interrupted = report.interrupted || options.stop.stop_requested();
  return !report.interrupted;
}

}  // namespace stiction::sim
