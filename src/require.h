// Checks of arguments: the message names field, value and what is allowed.
#pragma once

#include "stiction/problem.h"

namespace stiction {

inline void require(bool holds, const char* field, double value, const char* allowed) {
  if (!holds) {
    throw InvalidParameter(Problem{field, value, allowed});
  }
}

inline void require(const char* field, double value, const Range& range) {
  require(range.holds(value), field, value, range.text);
}

}  // namespace stiction
