// Calls a function of the host library with the values of a boxed torch call.
#pragma once

#include <utility>

#include "sparse_attn_host.h"

namespace sparse_attn {

// One argument as the C interface passes it: a tensor or a string, an integer, or a floating-point number.
union Slot {
  const void *pointer;
  int64_t integer;
  double real;
};

inline const sa_tensor *as(const Slot &slot, const sa_tensor *) { return static_cast<const sa_tensor *>(slot.pointer); }
inline const char *as(const Slot &slot, const char *) { return static_cast<const char *>(slot.pointer); }
inline int64_t as(const Slot &slot, int64_t) { return slot.integer; }
inline double as(const Slot &slot, double) { return slot.real; }
// What only results, the number of threads and the error have for a type.
inline sa_tensor *as(const Slot &slot, sa_tensor *) { return static_cast<sa_tensor *>(const_cast<void *>(slot.pointer)); }
inline int32_t as(const Slot &slot, int32_t) { return int32_t(slot.integer); }
inline sa_error *as(const Slot &slot, sa_error *) { return static_cast<sa_error *>(const_cast<void *>(slot.pointer)); }

using Invoke = int (*)(void *function, const Slot *slots);

// The prototype gives each slot its C type; the function itself is an address that is found when the library is loaded.
template <class Prototype> struct Caller;
template <class... Parameters>
struct Caller<int(Parameters...)> {
  static constexpr size_t count = sizeof...(Parameters);
  static int call(void *function, const Slot *slots) {
    return with(reinterpret_cast<int (*)(Parameters...)>(function), slots, std::index_sequence_for<Parameters...>());
  }

 private:
  template <size_t... At>
  static int with(int (*function)(Parameters...), const Slot *slots, std::index_sequence<At...>) {
    return function(as(slots[At], Parameters())...);
  }
};

// One meaning-level operator: its name, how to call it, and how many arguments the C function has in all.
struct Kernel {
  const char *name;
  Invoke invoke;
  size_t parameters;
};

#define SPARSE_ATTN_KERNEL(name) \
  { #name, Caller<decltype(sa_meaning_##name)>::call, Caller<decltype(sa_meaning_##name)>::count }
inline constexpr Kernel kKernels[] = {
    SPARSE_ATTN_KERNEL(index_scores), SPARSE_ATTN_KERNEL(topk),     SPARSE_ATTN_KERNEL(lightning_indexer),
    SPARSE_ATTN_KERNEL(selection),    SPARSE_ATTN_KERNEL(attention), SPARSE_ATTN_KERNEL(compress),
    SPARSE_ATTN_KERNEL(paged_write),
};
#undef SPARSE_ATTN_KERNEL

}  // namespace sparse_attn
