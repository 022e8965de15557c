// One item of an attention call while it is computed: what the parts of the Attender hand to each other.
#pragma once

#include <limits>

#include "meaning/attend.h"

namespace sa::meaning {

constexpr float kNone = -std::numeric_limits<float>::infinity();
constexpr int64_t kTileKeys = 64;
// Lanes that fill a tile of registers many times over and still leave the tile of keys in the second-level cache.
constexpr int64_t kLanes = 64;
// One bit for each row of an item.
using RowBits = uint64_t;
static_assert(kLanes <= 64, "RowBits has a bit for every row");

// One item's place in its memory and its current tile of keys.
struct Attender::Item {
  const LaneBlock &block;
  const LaneSums &sums;
  float *panels, *keys, *values, *scores, *shrink;
  float *added;         // [tile key][row]: what the masks that all heads share add, and -inf where a row does not see
  float *mask;          // [row][tile key]: the mask of the keys being offered
  RowBits *listed[2];   // [key]: the rows that list it, when rows are taken together
  Interval shown[2][kLanes];
  Interval shown_to_all[2];
  int64_t count = 0;
  bool plain = true;    // `added` would be 0 all over and is not read
  int64_t key[kTileKeys];
  int which[kTileKeys];
};

}  // namespace sa::meaning
