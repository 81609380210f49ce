// Counts every call to the heap that the present thread makes while it watches.
#pragma once

namespace stiction::test {

void start_counting_heap_calls() noexcept;
/// Calls to malloc, calloc, realloc, free, posix_memalign, aligned_alloc and memalign since the start.
long stop_counting_heap_calls() noexcept;

template <class Work>
long heap_calls_in(Work&& work) {
  start_counting_heap_calls();
  work();
  return stop_counting_heap_calls();
}

}  // namespace stiction::test
