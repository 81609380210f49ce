#pragma once

#include "stiction/problem.h"

namespace stiction::planar {

/// Throws InvalidParameter unless it holds.
inline void require(bool holds, const char* field, double value, const char* allowed) {
  if (!holds) {
    throw InvalidParameter(Problem{field, value, allowed});
  }
}

}  // namespace stiction::planar
