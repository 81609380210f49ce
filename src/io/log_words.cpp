#include "log_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <set>
#include <span>

namespace stiction::io {
namespace {

using Words = std::vector<std::string>;

/// Lower-case words; "GoalPosition", "goal_position" and "goal.position" have the same ones. Digits are words, and of
/// brackets only these count.
Words words_of(std::string_view name) {
  Words words;
  char before = ' ';
  bool bracket = false;
  for (const char c : name) {
    bracket = c == '[' || c == '(' || (bracket && c != ']' && c != ')');
    const auto letter = static_cast<unsigned char>(c);
    const bool digit = std::isdigit(letter) != 0;
    if ((std::isalpha(letter) == 0 || bracket) && !digit) {
      before = ' ';
      continue;
    }
    const auto previous = static_cast<unsigned char>(before);
    const bool starts = before == ' ' || (std::isdigit(previous) != 0) != digit ||
                        (std::islower(previous) != 0 && std::isupper(letter) != 0);
    if (starts) {
      words.emplace_back();
    }
    words.back() += static_cast<char>(std::tolower(letter));
    before = c;
  }
  return words;
}

const std::map<std::string, std::string, std::less<>>& kinds() {
  static const std::map<std::string, std::string, std::less<>> map = [] {
    std::map<std::string, std::string, std::less<>> result;
    const std::vector<std::pair<const char*, std::vector<const char*>>> list{
        {"time", {"time", "timestamp", "stamp", "seconds", "clock", "zeit"}},
        {"position", {"position", "positions", "pos", "angle", "theta", "phi", "lage", "winkel"}},
        {"velocity",
         {"velocity", "velocities", "vel", "speed", "omega", "qd", "dq", "qdot", "thetadot", "drehzahl",
          "geschwindigkeit"}},
        {"acceleration", {"acceleration", "acc", "accel", "ddq", "qdd", "qddot"}},
        {"torque", {"torque", "torques", "tau", "effort", "efforts", "moment", "drehmoment", "trq"}},
        {"current", {"current", "currents", "amps", "iq", "strom"}},
        {"duty", {"pwm", "duty"}},
        {"voltage", {"voltage", "volts", "spannung"}},
    };
    for (const auto& [kind, words] : list) {
      for (const char* word : words) {
        result[word] = kind;
      }
    }
    return result;
  }();
  return map;
}

/// Letters that are a quantity where no longer word says more.
const std::map<std::string, std::string, std::less<>> letters{
    {"t", "time"}, {"q", "position"}, {"v", "velocity"}, {"w", "velocity"}, {"i", "current"}, {"force", "torque"}};

bool is_one_of(std::string_view word, std::span<const std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

constexpr auto reference_words =
    std::to_array<std::string_view>({"ref", "reference", "cmd", "command", "commanded", "goal", "target", "desired",
                                     "des", "setpoint", "set", "sp", "soll"});
constexpr auto measured_words = std::to_array<std::string_view>(
    {"meas",   "measured", "actual", "act",      "present", "feedback", "fb",    "encoder",
     "enc",    "ist",      "joint",  "joints",   "motor",   "axis",     "servo", "state",
     "states", "rotor",    "shaft",  "filtered", "j",       "m",        "p"});
/// Words of quantities that only look like one of ours.
constexpr auto other_words = std::to_array<std::string_view>(
    {"error",     "err",     "std",     "sigma",    "deviation", "variance", "temperature", "temp",   "integral",
     "status",    "limit",   "min",     "max",      "kp",        "kd",       "ki",          "gain",   "residual",
     "predicted", "pred",    "model",   "sim",      "simulated", "estimate", "estimated",   "offset", "ext",
     "external",  "tcp",     "pose",    "count",    "constant",  "mode",     "delta",       "dt",     "diff",
     "load",      "gravity", "inertia", "friction", "average",   "mean",     "feedforward", "ff"});

struct Ending {
  std::vector<std::string_view> words;
  const char* role;
  const char* unit;
};
const std::vector<Ending>& endings() {
  static const std::vector<Ending> list{
      {{"rad", "per", "s"}, "velocity", "rad/s"},
      {{"deg", "per", "s"}, "velocity", "deg/s"},
      {{"rad", "s"}, "velocity", "rad/s"},
      {{"deg", "s"}, "velocity", "deg/s"},
      {{"mm", "s"}, "velocity", "mm/s"},
      {{"m", "s"}, "velocity", "m/s"},
      {{"rads"}, "velocity", "rad/s"},
      {{"radps"}, "velocity", "rad/s"},
      {{"dps"}, "velocity", "deg/s"},
      {{"rpm"}, "velocity", "rpm"},
      {{"rad"}, "position", "rad"},
      {{"mrad"}, "position", "mrad"},
      {{"deg"}, "position", "deg"},
      {{"degrees"}, "position", "deg"},
      {{"rev"}, "position", "rev"},
      {{"mm"}, "position", "mm"},
      {{"um"}, "position", "um"},
      {{"m", "nm"}, "torque", "mNm"},  // "mNm" has a capital within
      {{"n", "m"}, "torque", "Nm"},
      {{"nm"}, "torque", "Nm"},
      {{"mnm"}, "torque", "mNm"},
      {{"n"}, "torque", "N"},
      {{"s"}, "time", "s"},
      {{"sec"}, "time", "s"},
      {{"ms"}, "time", "ms"},
      {{"us"}, "time", "us"},
      {{"ns"}, "time", "ns"},
      {{"m", "a"}, "current", "mA"},
      {{"a"}, "current", "A"},
      {{"ma"}, "current", "mA"},
  };
  return list;
}

bool ends_with(const Words& words, const std::vector<std::string_view>& ending) {
  return words.size() > ending.size() && std::equal(ending.rbegin(), ending.rend(), words.rbegin());
}

/// The quantity of the words; empty where there is none, or more than one.
std::string kind_of(const Words& words) {
  std::set<std::string> found;
  for (const std::string& word : words) {
    if (const auto kind = kinds().find(word); kind != kinds().end()) {
      found.insert(kind->second);
    }
  }
  if (found.empty() && words.size() == 1 && words[0] == "encoder") {
    return "position";
  }
  if (found.empty()) {
    for (const std::string& word : words) {
      if (const auto kind = letters.find(word); kind != letters.end()) {
        found.insert(kind->second);
      }
    }
  }
  // "time_position" is the clock of the position.
  if (found.size() == 2 && found.contains("time") && (kinds().contains(words[0]) && kinds().at(words[0]) == "time")) {
    return "time";
  }
  return found.size() == 1 ? *found.begin() : "";
}

}  // namespace

std::optional<Guess> guess_role(std::string_view name) {
  Words words = words_of(name);
  Guess guess;
  for (const Ending& ending : endings()) {
    if (ends_with(words, ending.words)) {
      Words rest(words.begin(), words.end() - static_cast<std::ptrdiff_t>(ending.words.size()));
      std::string kind = kind_of(rest);
      if (kind == ending.role) {
        words = std::move(rest);
        guess.unit = ending.unit;
        break;
      }
    }
  }
  std::string kind = kind_of(words);
  if (kind.empty()) {
    return std::nullopt;
  }
  bool reference = words.size() > 1 && words.back() == "d" && kind != "time";
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string& word = words[k];
    if (is_one_of(word, other_words)) {
      return std::nullopt;
    }
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0) {
      std::from_chars(word.data(), word.data() + std::min<std::size_t>(word.size(), 6), guess.axis);
      continue;
    }
    const bool commanded = is_one_of(word, reference_words);
    reference |= commanded;
    const bool known = kinds().contains(word) || letters.contains(word) || commanded ||
                       is_one_of(word, measured_words) || (word == "d" && k + 1 == words.size());
    guess.plain &= known;
    guess.measured |=
        word.starts_with("meas") || word == "actual" || word == "act" || word == "present" || word == "ist";
  }
  if (reference && kind == "torque") {
    kind = "torque_command";
  } else if (reference && (kind == "position" || kind == "velocity")) {
    kind += "_reference";
  } else if (reference) {
    return std::nullopt;
  }
  guess.role = kind;
  return guess;
}

}  // namespace stiction::io
