#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "stiction/io/file.h"
#include "stiction/io/model_file.h"
#include "stiction/sim/advice.h"

namespace stiction::cli {
namespace {

nlohmann::ordered_json number_or_inf(double value) {
  return std::isinf(value) ? nlohmann::ordered_json("inf") : nlohmann::ordered_json(value);
}

nlohmann::ordered_json json_of(const sim::Advice& advice) {
  nlohmann::ordered_json schemes = nlohmann::ordered_json::array();
  for (const sim::SchemeAdvice& scheme : advice.schemes) {
    schemes.push_back({{"method", sim::name_of(scheme.method)},
                       {"stable", scheme.stable},
                       {"largest_dt", number_or_inf(scheme.largest_step())},
                       {"largest_dt_at_rest", number_or_inf(scheme.largest_step_at_rest)},
                       {"largest_dt_sliding", number_or_inf(scheme.largest_step_sliding)},
                       {"creeps", scheme.creeps},
                       {"drift", scheme.drift},
                       {"reason", scheme.reason}});
  }
  return {{"model", advice.model},
          {"mass", advice.mass},
          {"dt", advice.step},
          {"speed", advice.speed},
          {"stiffness", advice.stiffness},
          {"damping", number_or_inf(advice.damping)},
          {"sliding_force", advice.sliding_force},
          {"breakaway", advice.breakaway},
          {"load", advice.load},
          {"creeps", advice.creeps},
          {"drift", advice.drift},
          {"one_solution", advice.one_solution},
          {"largest_one_solution_dt", number_or_inf(advice.largest_one_solution_step)},
          {"passive",
           {{"passive", advice.passive},
            {"worst_work", advice.worst_work},
            {"worst_cycle_speed", advice.worst_cycle_speed},
            {"reason", advice.passive_reason}}},
          {"schemes", schemes},
          {"recommended",
           {{"method", sim::name_of(advice.recommended)}, {"dt", advice.recommended_step}, {"reason", advice.reason}}}};
}

const char* yes_or_no(bool answer) { return answer ? "yes" : "no"; }

std::string step_text(double step) {
  return std::isinf(step) ? "any" : step == 0 ? "none" : fmt::format("{:.3g}", step);
}

std::string drift_text(const sim::SchemeAdvice& scheme) {
  if (!std::isfinite(scheme.drift)) {
    return "drifts away";
  }
  return scheme.creeps ? fmt::format("{:.2g}", scheme.drift) : "holds";
}

std::string slopes(const sim::Advice& advice) {
  if (std::isinf(advice.damping)) {
    return "friction jumps at v = 0";
  }
  if (advice.stiffness == 0) {
    return fmt::format("damping {:.4g} N s/m, nothing elastic", advice.damping);
  }
  return fmt::format("stiffness {:.4g} N/m, damping {:.4g} N s/m: {:.3g} Hz, damping ratio {:.2g}", advice.stiffness,
                     advice.damping, std::sqrt(advice.stiffness / advice.mass) / 6.283185307179586,
                     advice.damping / (2 * std::sqrt(advice.stiffness * advice.mass)));
}

std::string uniqueness(const sim::Advice& advice) {
  const double limit = advice.largest_one_solution_step;
  if (limit == 0) {
    return "one solution is not guaranteed at any dt; the one nearest to the present velocity is taken";
  }
  return std::isinf(limit)
             ? "one solution at any dt"
             : fmt::format("{}; up to dt = {:.3g} s",
                           advice.one_solution ? "one solution" : "one solution is not guaranteed", limit);
}

void print(const sim::Advice& advice) {
  fmt::print("{}, mass {:g} kg, dt {:g} s\n\n", advice.model, advice.mass, advice.step);
  fmt::print("at rest        {}\n", slopes(advice));
  fmt::print("sliding        {:.4g} N at {:.3g} m/s\n", advice.sliding_force, advice.speed);
  fmt::print("holds          {}\n", advice.breakaway > 0 ? fmt::format("up to {:.4g} N", advice.breakaway)
                                                         : "nothing: friction vanishes with the speed");
  fmt::print("creeps         {}\n", advice.creeps ? fmt::format("yes, the model itself, under {:.3g} N", advice.load)
                                                  : fmt::format("no, under {:.3g} N", advice.load));
  fmt::print("coupled step   {}\n", uniqueness(advice));
  fmt::print("passive        {}: {}\n\n", yes_or_no(advice.passive), advice.passive_reason);
  fmt::print("{:<20} {:<7} {:>11} {:>12}   {}\n", "scheme", "stable", "largest dt", "drift [m/s]", "reason");
  for (const sim::SchemeAdvice& scheme : advice.schemes) {
    fmt::print("{:<20} {:<7} {:>11} {:>12}   {}\n", sim::name_of(scheme.method), yes_or_no(scheme.stable),
               step_text(scheme.largest_step()), drift_text(scheme), scheme.reason);
  }
  fmt::print("\nrecommended    {} at dt = {:g} s: {}\n", sim::name_of(advice.recommended), advice.recommended_step,
             advice.reason);
}

}  // namespace

int advise(const AdviseArguments& arguments) {
  const io::ModelFile file = io::read_model_file(arguments.file);
  const std::optional<double> mass = arguments.mass ? arguments.mass : file.mass;
  if (!mass) {
    throw io::InputError(fmt::format("{} has no mass: give --mass, or a table [body] with mass", arguments.file));
  }
  const sim::Advice advice = sim::advise(file.model, {*mass, arguments.step, arguments.speed});
  if (arguments.json) {
    fmt::print("{}\n", json_of(advice).dump(2));
  } else {
    print(advice);
  }
  return exit_good;
}

}  // namespace stiction::cli
