// The words of column names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stiction::io {

/// What a column's name says.
struct Guess {
  std::string role;
  bool plain = true;      // all words are known
  bool measured = false;  // a word says so
  int axis = -1;          // number of the joint in the name; −1: none
  std::string unit;       // at the end of the name, as in "speed_rpm"
};

/// The role that a name is for; none where its words say nothing, or too much.
std::optional<Guess> guess_role(std::string_view name);

}  // namespace stiction::io
