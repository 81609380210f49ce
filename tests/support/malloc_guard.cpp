#include "support/malloc_guard.h"

#include <cerrno>
#include <cstddef>

// The C library's own functions behind the names that are replaced below; operator new calls malloc.
extern "C" {
void* __libc_malloc(std::size_t size);                           // NOLINT(bugprone-reserved-identifier)
void* __libc_calloc(std::size_t count, std::size_t size);        // NOLINT(bugprone-reserved-identifier)
void* __libc_realloc(void* memory, std::size_t size);            // NOLINT(bugprone-reserved-identifier)
void* __libc_memalign(std::size_t alignment, std::size_t size);  // NOLINT(bugprone-reserved-identifier)
void __libc_free(void* memory);                                  // NOLINT(bugprone-reserved-identifier)
}

namespace {

thread_local bool watching = false;
thread_local long calls = 0;

void note() noexcept { calls += watching ? 1 : 0; }

}  // namespace

namespace stiction::test {

void start_counting_heap_calls() noexcept {
  calls = 0;
  watching = true;
}

long stop_counting_heap_calls() noexcept {
  watching = false;
  return calls;
}

}  // namespace stiction::test

extern "C" {

void* malloc(std::size_t size) {
  note();
  return __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  note();
  return __libc_calloc(count, size);
}

void* realloc(void* memory, std::size_t size) {
  note();
  return __libc_realloc(memory, size);
}

void* memalign(std::size_t alignment, std::size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  note();
  *result = __libc_memalign(alignment, size);
  return *result == nullptr ? ENOMEM : 0;
}

void free(void* memory) {
  note();
  __libc_free(memory);
}

}  // extern "C"
