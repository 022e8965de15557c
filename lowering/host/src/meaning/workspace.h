// Scratch memory of one call: the same number of floats for each thread, on cache lines of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <new>

#include "core/parallel.h"

namespace sa::meaning {

inline int this_thread() {
#ifdef _OPENMP
  return omp_get_thread_num();
#else
  return 0;
#endif
}

class Workspace {
 public:
  Workspace(int64_t threads, int64_t floats_each)
      : each_((floats_each + kLine - 1) / kLine * kLine), memory_(allocate(threads * each_)) {}
  float *of_thread() const { return memory_.get() + this_thread() * each_; }
  float *data() const { return memory_.get(); }

 private:
  static constexpr int64_t kLine = 16;
  struct Release {
    void operator()(float *memory) const { ::operator delete(memory, std::align_val_t(64)); }
  };
  static float *allocate(int64_t floats) {
    return static_cast<float *>(::operator new(size_t(floats) * sizeof(float), std::align_val_t(64)));
  }

  int64_t each_;
  std::unique_ptr<float, Release> memory_;
};

inline int64_t round_up(int64_t value, int64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

}  // namespace sa::meaning
