// What must hold for the status of every call of the C interface.
#pragma once

#include "fuzz/support.h"
#include "stiction/stiction.h"

namespace stiction::fuzz {

inline int checked(int status) {
  FUZZ_REQUIRE(status >= STICTION_OK && status <= STICTION_NO_MEMORY);
  FUZZ_REQUIRE(stiction_last_error() != nullptr);
  FUZZ_REQUIRE(status == STICTION_OK || *stiction_last_error() != '\0');
  return status;
}

}  // namespace stiction::fuzz
