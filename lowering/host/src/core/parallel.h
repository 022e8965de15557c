// Parallel loops whose results do not depend on the number of threads.
//
// The rule: an item owns what it writes, and whatever one item sums is summed by one thread in index order.
// Never reduce across items inside a loop; write partial results per item and combine them afterwards, in order.
#pragma once

#include <cstdint>
#include <exception>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace sa {

inline int thread_count(int32_t requested) {
#ifdef _OPENMP
  return requested > 0 ? requested : omp_get_max_threads();
#else
  (void)requested;
  return 1;
#endif
}

// Calls body(i) for i in [0, count). An exception of an item is rethrown after the loop (the one with the lowest index).
template <class Body>
void parallel_for(int64_t count, int32_t num_threads, Body &&body) {
  std::exception_ptr failure;
  int64_t failed_at = count;
  const int threads = thread_count(num_threads);
  (void)threads;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1 && count > 1)
  for (int64_t i = 0; i < count; ++i) {
    try {
      body(i);
    } catch (...) {
#pragma omp critical(sa_parallel_for_failure)
      if (i < failed_at) {
        failed_at = i;
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace sa
