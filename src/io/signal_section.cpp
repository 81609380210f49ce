#include "signal_section.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "stiction/io/csv.h"
#include "stiction/io/file.h"

namespace stiction::io {
namespace {

using sim::Signal;

void require_rising(const TomlSection& section, const std::vector<double>& times, const std::vector<double>& values) {
  if (times.size() != values.size()) {
    section.fail(fmt::format("'{0}.times' has {1} numbers and '{0}.values' {2}: must be equally many", section.path(),
                             times.size(), values.size()));
  }
  if (std::adjacent_find(times.begin(), times.end(), [](double a, double b) { return !(a < b); }) != times.end()) {
    section.reject("times", "strictly increasing");
  }
}

Signal::Term read_csv_term(TomlSection& section, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / section.text("file");
  const std::string time_name = section.text("time", "time");
  const std::string value_name = section.text("value");
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) {
    section.reject("file", fmt::format("a readable file: there is none at {}", file.string()));
  }
  const Csv csv = read_csv(file);
  for (const auto& [key, name] : {std::pair("time", time_name), std::pair("value", value_name)}) {
    if (std::find(csv.names.begin(), csv.names.end(), name) == csv.names.end()) {
      const std::string allowed = fmt::format("one of the columns of {}: {}", csv.file, fmt::join(csv.names, ", "));
      if (section.has(key)) {
        section.reject(key, allowed);
      }
      section.fail(fmt::format("'{}.{}' is missing: must be {}", section.path(), key, allowed));
    }
  }
  sim::Table table{csv.column(time_name), csv.column(value_name)};
  for (std::size_t i = 1; i < table.times.size(); ++i) {
    if (!(table.times[i - 1] < table.times[i])) {
      throw InputError(fmt::format("{}: column '{}' falls or repeats in row {} ({:g}): must increase strictly",
                                   csv.file, time_name, i + 1, table.times[i]));
    }
  }
  return table;
}

Signal::Term read_term(TomlSection section, const std::filesystem::path& folder) {
  const std::string type = section.choice("type", {"constant", "ramp", "sine", "steps", "table", "csv"});
  Signal::Term term;
  if (type == "constant") {
    term = sim::Constant{section.number("value", finite)};
  } else if (type == "ramp") {
    sim::Ramp ramp;
    ramp.from = section.number("from", finite, 0.0);
    ramp.to = section.number("to", finite);
    ramp.start = section.number("start", finite, 0.0);
    ramp.end = section.number("end", finite);
    ramp.smooth = section.flag("smooth", false);
    if (!(ramp.end > ramp.start)) {
      section.reject("end", fmt::format("> start ({:g})", ramp.start));
    }
    term = ramp;
  } else if (type == "sine") {
    sim::Sine sine;
    sine.amplitude = section.number("amplitude", finite);
    sine.frequency = section.number("frequency", positive);
    sine.phase = section.number("phase", finite, 0.0);
    sine.offset = section.number("offset", finite, 0.0);
    term = sine;
  } else if (type == "csv") {
    term = read_csv_term(section, folder);
  } else {
    auto times = section.numbers("times");
    auto values = section.numbers("values");
    require_rising(section, times, values);
    term = type == "steps" ? Signal::Term(sim::Steps{times, values}) : Signal::Term(sim::Table{times, values});
  }
  section.finish();
  return term;
}

}  // namespace

sim::Signal read_signal(TomlSection& section, const std::string& key, const std::filesystem::path& folder,
                        bool optional) {
  const std::string allowed =
      "a finite number, a table with a type (constant, ramp, sine, steps, table, csv), or a list of these";
  const toml::node* node = optional ? section.node(key) : &section.required_node(key, allowed);
  if (node == nullptr) {
    return {};
  }
  const auto one = [&](const toml::node& element) -> Signal::Term {
    if (const auto* table = element.as_table()) {
      return read_term({*table, section.path().empty() ? key : section.path() + "." + key, section.file()}, folder);
    }
    const auto value = element.value<double>();
    if (!element.is_number() || !value || !finite.holds(*value)) {
      section.reject(element, key, allowed);
    }
    return sim::Constant{*value};
  };
  std::vector<Signal::Term> terms;
  if (const auto* list = node->as_array()) {
    if (list->empty()) {
      section.reject(key, allowed);
    }
    for (const toml::node& element : *list) {
      terms.push_back(one(element));
    }
  } else {
    terms.push_back(one(*node));
  }
  return Signal(std::move(terms));
}

}  // namespace stiction::io
