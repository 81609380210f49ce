// Exceptions become a status and a message of the thread.
#pragma once

#include <exception>
#include <new>

#include "stiction/problem.h"
#include "stiction/stiction.h"

namespace stiction::c_api {

/// Keeps the message, cut at its room, and hands the status back. Never allocates.
int failed(stiction_status status, const char* message) noexcept;
int failed(const Problem& problem) noexcept;
/// The same with a name that the caller gave, of any length: "lugre has no parameter 'colour'".
int failed_about(stiction_status status, const char* before, const char* name, const char* after) noexcept;
inline int null_pointer() noexcept { return failed(STICTION_INVALID, "a pointer is NULL"); }

/// Runs what may throw.
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

/// True for a time that can pass; otherwise the message is kept.
bool usable_dt(double dt) noexcept;

}  // namespace stiction::c_api
