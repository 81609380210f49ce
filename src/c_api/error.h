// Exceptions become a status and a message of the thread.
#pragma once

#include <exception>
#include <new>

#include "stiction/problem.h"
#include "stiction/stiction.h"

namespace stiction::c_api {

/// Stores the message, truncated to the buffer, and returns the status. Never allocates.
int failed(stiction_status status, const char* message) noexcept;
int failed(const Problem& problem) noexcept;
/// The same with a name given by the caller, of any length: "lugre has no parameter 'colour'".
int failed_about(stiction_status status, const char* before, const char* name, const char* after) noexcept;
inline int null_pointer() noexcept { return failed(STICTION_INVALID, "a pointer is NULL"); }

/// Runs a function that may throw.
template <class F>
int guarded(const F& f) noexcept {
  try {
    f();
    return STICTION_OK;
  } catch (const InvalidParameter& error) {
    return failed(STICTION_INVALID, error.what());
  } catch (const std::bad_alloc&) {
    return failed(STICTION_NO_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return failed(STICTION_INVALID, error.what());
  } catch (...) {
    return failed(STICTION_INVALID, "unknown error");
  }
}

/// True for a valid time step; otherwise the message is stored.
bool usable_dt(double dt) noexcept;

}  // namespace stiction::c_api
