// Rows of a cache that are written by slot.
#pragma once

#include <utility>
#include <vector>

#include "core/core.h"

namespace sa {

// One row to write: from row `source` of x to slot `slot`.
struct SlotWrite { int64_t source, slot; };

// Rows of a tensor along all its axes but the last.
int64_t slot_count(const sa_tensor &cache);
// Element offset of a row; `slot` < slot_count.
int64_t slot_offset(const sa_tensor &cache, int64_t slot);

// The writes that remain: slots are -1 or in [0, slots); of equal slots only the last. Independent of each other.
std::vector<SlotWrite> read_slots(const sa_tensor *slot_mapping, const char *name, int64_t rows, int64_t slots);

// Copies `count` bytes into a row of a one-byte cache, from column `first` on.
void store_bytes(const sa_tensor &cache, int64_t slot, int64_t first, const uint8_t *bytes, int64_t count);

}  // namespace sa
