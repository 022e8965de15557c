// Which table of inner loops runs.
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/error.h"
#include "meaning/tiles.h"

namespace sa::meaning {
namespace {

bool machine_has_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
#else
  return false;
#endif
}

bool machine_has_avx512() {
#if defined(__x86_64__)
  return machine_has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
#else
  return false;
#endif
}

// Usable tables, the fastest first, then null.
const Tiles *const *usable() {
  static const auto found = [] {
    struct List { const Tiles *entry[5]; } list = {};
    int count = 0;
    if (tiles_avx512() && machine_has_avx512()) list.entry[count++] = tiles_avx512();
    if (tiles_avx2() && machine_has_avx2()) list.entry[count++] = tiles_avx2();
    if (tiles_neon()) list.entry[count++] = tiles_neon();
    list.entry[count] = tiles_portable();
    return list;
  }();
  return found.entry;
}

std::string usable_names() {
  std::string names;
  for (const Tiles *const *table = usable(); *table; ++table) names += (names.empty() ? "" : ",") + std::string((*table)->name);
  return names;
}

}  // namespace

const Tiles &tiles() {
  const char *wanted = std::getenv("SPARSE_ATTN_ISA");
  if (!wanted || !*wanted) return **usable();
  for (const Tiles *const *table = usable(); *table; ++table)
    if (std::strcmp((*table)->name, wanted) == 0) return **table;
  fail("SPARSE_ATTN_ISA names the instruction set %s, this machine has %s", wanted, usable_names().c_str());
}

}  // namespace sa::meaning

extern "C" const char *sa_meaning_instruction_sets(void) {
  static const std::string names = sa::meaning::usable_names();
  return names.c_str();
}
