// What the compressor and its form with norm and rotary embedding share.
#pragma once

#include <functional>

#include "core/core.h"

namespace sa {

struct CompressorCall {
  const sa_tensor *x, *wkv, *wgate, *state_cache, *ape, *state_block_table, *cu_seqlens, *seqused, *start_pos;
  int64_t ratio, coff, cache_mode;
  const sa_tensor *cmp_kv;
};

// What is done, in fp32, to a compressed row before it is stored; `row` counts rows of cmp_kv along all axes but the last.
// Rows that no group fills are not finished: they are zero.
using Finish = std::function<void(int64_t row, float *values)>;

void compress(const CompressorCall &call, const Finish &finish, int32_t num_threads);

}  // namespace sa
