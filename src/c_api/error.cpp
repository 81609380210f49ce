#include "error.h"

#include <array>
#include <cstdio>

#include "stiction/version.h"

namespace stiction::c_api {
namespace {

thread_local std::array<char, 512> message_of_thread{};

}  // namespace

int failed(stiction_status status, const char* message) noexcept {
  std::snprintf(message_of_thread.data(), message_of_thread.size(), "%s", message);
  return status;
}

int failed(const Problem& problem) noexcept {
  std::snprintf(message_of_thread.data(), message_of_thread.size(),
                problem.is_length ? "%s has %g numbers: must be %s" : "%s = %g: must be %s", problem.field,
                problem.value, problem.allowed);
  return STICTION_INVALID;
}

int failed_about(stiction_status status, const char* before, const char* name, const char* after) noexcept {
  std::snprintf(message_of_thread.data(), message_of_thread.size(), "%s '%.200s'%s", before, name, after);
  return status;
}

bool usable_dt(double dt) noexcept {
  if (non_negative.holds(dt)) {
    return true;
  }
  failed(Problem{"dt", dt, non_negative.text});
  return false;
}

}  // namespace stiction::c_api

const char* stiction_version(void) { return STICTION_VERSION; }
const char* stiction_last_error(void) { return stiction::c_api::message_of_thread.data(); }
