// compressor: projects tokens to keys and gates and sums every `ratio` of them, softmax-weighted, into one row; what an
// unfinished group still needs is kept in a paged fp32 state.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cache/compressor.h"
#include "cache/projection.h"
#include "sparse_attn_host/cache.h"

namespace sa {
namespace {

// New tokens of one batch: positions [start, start + used), rows [first, first + used) of the projections; `slot` is the
// first token of the batch in a packed x.
struct Span {
  int64_t start, used, first, slot;
  int64_t end() const { return start + used; }
};

// Paged keys and gates by position. cache_mode 1: a table row per batch, block 0 keeps nothing; 2: one ring per batch.
struct State {
  const sa_tensor *cache, *table;
  bool ring;

  int64_t block_size() const { return cache->size[1]; }
  int64_t block(int64_t batch, int64_t position) const {
    return ring ? read_int(*table, batch * table->stride[0])
                : read_int(*table, batch * table->stride[0] + position / block_size() * table->stride[1]);
  }
  int64_t offset(int64_t batch, int64_t position) const {
    return block(batch, position) * cache->stride[0] + position % block_size() * cache->stride[1];
  }
};

struct Compressor {
  int64_t ratio, coff, width;  // width: of one compressed row
  State state;
  std::vector<Span> spans;
  std::vector<float> keys, gates;  // [tokens, coff * width], the gates with their position bias

  int64_t columns() const { return coff * width; }
};

// One compressed row: group `group` of batch `batch`, or an empty row of the result (batch -1).
struct GroupRow { int64_t batch, group, offset; };

std::vector<Span> read_spans(const sa_tensor *x, const sa_tensor *cu_seqlens, const sa_tensor *seqused,
                             const sa_tensor *start_pos) {
  const bool packed = x->rank == 2;
  std::vector<int64_t> sums;
  if (packed && !cu_seqlens) fail("tensor cu_seqlens is missing: packed x needs it");
  if (packed) sums = read_cu_seqlens(cu_seqlens, "cu_seqlens", x->size[0]);
  if (!packed) require_absent(cu_seqlens, "cu_seqlens", "x is [B,S,H]");
  const int64_t batches = packed ? int64_t(sums.size()) - 1 : x->size[0];
  std::vector<int64_t> used, starts(static_cast<size_t>(batches), 0);
  if (seqused) used = read_ints(seqused, "seqused", batches);
  if (start_pos) starts = read_bounded(start_pos, "start_pos", batches, 0, INT32_MAX);
  std::vector<Span> spans;
  for (int64_t b = 0, first = 0; b < batches; ++b) {
    const int64_t slot = packed ? sums[size_t(b + 1)] - sums[size_t(b)] : x->size[1];
    const int64_t count = seqused ? used[size_t(b)] : slot;
    if (count < 0 || count > slot)
      fail_value("seqused", {b}, count, "in 0.." + std::to_string(slot) + ", the tokens of that batch");
    spans.push_back({starts[size_t(b)], count, first, packed ? sums[size_t(b)] : 0});
    first += count;
  }
  return spans;
}

// Positions before the new tokens that their completed groups look at.
int64_t oldest_read(const Compressor &job, const Span &span) {
  if (span.end() / job.ratio * job.ratio <= span.start) return span.start;
  return std::max<int64_t>(span.start / job.ratio * job.ratio - (job.coff - 1) * job.ratio, 0);
}

// First new position whose state is kept: all in a linear cache, what later groups may need in a ring.
int64_t first_kept(const Compressor &job, const Span &span) {
  if (!job.state.ring) return span.start;
  return std::max(span.start, span.end() / job.ratio * job.ratio - (job.coff - 1) * job.ratio);
}

void check_state(const Compressor &job) {
  const State &state = job.state;
  require_dtype(state.cache, "state_cache", {SA_FP32});
  require_shape(state.cache, "state_cache", {-1, -1, 2 * job.columns()});
  const int64_t batches = int64_t(job.spans.size());
  if (!state.table) {
    for (int64_t b = 0; b < batches; ++b)
      if (job.spans[size_t(b)].start != 0)
        fail_value("start_pos", {b}, job.spans[size_t(b)].start, "0 without state_block_table");
    return;
  }
  require_dtype(state.table, "state_block_table", {SA_INT32, SA_INT64});
  if (state.ring)
    require_shape(state.table, "state_block_table", {batches});
  else
    require_shape(state.table, "state_block_table", {batches, -1});
  if (state.block_size() < 1 || (state.ring && state.block_size() < job.coff * job.ratio))
    fail("tensor state_cache has blocks of %lld rows, must be >= %lld", (long long)state.block_size(),
         (long long)(state.ring ? job.coff * job.ratio : 1));
  for (int64_t b = 0; b < batches; ++b) {
    const Span &span = job.spans[size_t(b)];
    for (int64_t p = oldest_read(job, span); p < span.end(); ++p) {
      const int64_t column = p / state.block_size();
      if (!state.ring && column >= state.table->size[1])
        fail("tensor state_block_table has %lld blocks per row, must be > %lld: batch %lld reaches position %lld",
             (long long)state.table->size[1], (long long)column, (long long)b, (long long)p);
      const int64_t id = state.block(b, p);
      if (id >= 0 && id < state.cache->size[0]) continue;
      const std::string rule = "in 0.." + std::to_string(state.cache->size[0] - 1);
      if (state.ring) fail_value("state_block_table", {b}, id, rule);
      fail_value("state_block_table", {b, column}, id, rule);
    }
  }
}

std::vector<GroupRow> result_rows(const Compressor &job, const sa_tensor *x, const sa_tensor *cmp_kv) {
  const int64_t batches = int64_t(job.spans.size());
  require_dtype(cmp_kv, "cmp_kv", {x->dtype});
  std::vector<GroupRow> rows;
  if (x->rank == 2) {
    const int64_t total = std::min(x->size[0], x->size[0] / job.ratio + batches);
    require_shape(cmp_kv, "cmp_kv", {total, job.width});
    for (int64_t b = 0; b < batches; ++b)
      for (int64_t g = job.spans[size_t(b)].start / job.ratio; g < job.spans[size_t(b)].end() / job.ratio; ++g)
        rows.push_back({b, g, int64_t(rows.size()) * cmp_kv->stride[0]});
    while (int64_t(rows.size()) < total) rows.push_back({-1, 0, int64_t(rows.size()) * cmp_kv->stride[0]});
    return rows;
  }
  const int64_t total = (x->size[1] + job.ratio - 1) / job.ratio;
  require_shape(cmp_kv, "cmp_kv", {batches, total, job.width});
  for (int64_t b = 0; b < batches; ++b) {
    const int64_t first = job.spans[size_t(b)].start / job.ratio, last = job.spans[size_t(b)].end() / job.ratio;
    for (int64_t i = 0; i < total; ++i)
      rows.push_back({first + i < last ? b : -1, first + i, b * cmp_kv->stride[0] + i * cmp_kv->stride[1]});
  }
  return rows;
}

// `width` keys and gates of one position, from column `first` on.
void read_position(const Compressor &job, int64_t batch, int64_t position, int64_t first, float *keys, float *gates) {
  const Span &span = job.spans[size_t(batch)];
  if (position >= span.start) {
    const int64_t row = (span.first + position - span.start) * job.columns() + first;
    std::copy_n(job.keys.data() + row, job.width, keys);
    std::copy_n(job.gates.data() + row, job.width, gates);
    return;
  }
  const int64_t step = job.state.cache->stride[2], offset = job.state.offset(batch, position);
  read_row(*job.state.cache, offset + first * step, step, job.width, keys);
  read_row(*job.state.cache, offset + (job.columns() + first) * step, step, job.width, gates);
}

// Softmax of the gates over the positions of the window, one per column; out = sum of weight * key.
void sum_window(int64_t positions, int64_t width, const float *keys, float *gates, float *out) {
  for (int64_t d = 0; d < width; ++d) {
    float peak = -std::numeric_limits<float>::infinity(), total = 0, sum = 0;
    for (int64_t i = 0; i < positions; ++i) peak = std::max(peak, gates[i * width + d]);
    for (int64_t i = 0; i < positions; ++i) total += gates[i * width + d] = std::exp(gates[i * width + d] - peak);
    for (int64_t i = 0; i < positions; ++i) sum += gates[i * width + d] / total * keys[i * width + d];
    out[d] = sum;
  }
}

void write_group(const Compressor &job, const GroupRow &row, const sa_tensor &cmp_kv, int64_t index, const Finish &finish) {
  const int64_t size = job.ratio * job.width;
  std::vector<float> keys(size_t(job.coff * size)), gates(size_t(job.coff * size)), out(size_t(job.width), 0.0f);
  if (row.batch >= 0) {
    int64_t count = 0;
    // Overlapping windows: the previous group with the first half of the columns, then the group itself with the last.
    // Group 0 has no previous one.
    for (int64_t half = row.group == 0 ? job.coff - 1 : 0; half < job.coff; ++half)
      for (int64_t i = 0; i < job.ratio; ++i, ++count)
        read_position(job, row.batch, (row.group - (job.coff - 1 - half)) * job.ratio + i, half * job.width,
                      keys.data() + count * job.width, gates.data() + count * job.width);
    sum_window(count, job.width, keys.data(), gates.data(), out.data());
    if (finish) finish(index, out.data());
  }
  write_row(cmp_kv, row.offset, cmp_kv.stride[cmp_kv.rank - 1], job.width, out.data());
}

void keep_state(const Compressor &job, int64_t batch) {
  const Span &span = job.spans[size_t(batch)];
  const State &state = job.state;
  const int64_t step = state.cache->stride[2], columns = job.columns();
  for (int64_t p = first_kept(job, span); p < span.end(); ++p) {
    if (!state.ring && state.block(batch, p) == 0) continue;
    const int64_t row = (span.first + p - span.start) * columns, offset = state.offset(batch, p);
    write_row(*state.cache, offset, step, columns, job.keys.data() + row);
    write_row(*state.cache, offset + columns * step, step, columns, job.gates.data() + row);
  }
}

// Keys and gates of all new tokens.
void project_tokens(Compressor &job, const sa_tensor &x, const sa_tensor &wkv, const sa_tensor &wgate, const sa_tensor &ape,
                    int32_t num_threads) {
  std::vector<int64_t> offsets, positions;
  for (int64_t b = 0; b < int64_t(job.spans.size()); ++b)
    for (int64_t i = 0; i < job.spans[size_t(b)].used; ++i) {
      const Span &span = job.spans[size_t(b)];
      offsets.push_back(x.rank == 2 ? (span.slot + i) * x.stride[0] : b * x.stride[0] + i * x.stride[1]);
      positions.push_back(span.start + i);
    }
  job.keys = project(x, offsets, wkv, num_threads);
  job.gates = project(x, offsets, wgate, num_threads);
  parallel_for(int64_t(positions.size()), num_threads, [&](int64_t row) {
    std::vector<float> bias(size_t(job.columns()));
    read_row(ape, positions[size_t(row)] % job.ratio * ape.stride[0], ape.stride[1], job.columns(), bias.data());
    for (int64_t e = 0; e < job.columns(); ++e) job.gates[size_t(row * job.columns() + e)] += bias[size_t(e)];
  });
}

void check_operands(const sa_tensor *x, const sa_tensor *wkv, const sa_tensor *wgate, const sa_tensor *ape, int64_t ratio,
                    int64_t coff) {
  require_choice(coff, "coff", {1, 2});
  require_range(ratio, "cmp_ratio", 1, 128);
  require_dtype(x, "x", {SA_BF16, SA_FP16, SA_FP32});
  if (x->rank != 2 && x->rank != 3) fail("tensor x has rank %d, must be 3 ([B,S,H]) or 2 (packed [T,H])", x->rank);
  for (const auto &[weight, name] : {std::pair{wkv, "wkv"}, std::pair{wgate, "wgate"}}) {
    require_dtype(weight, name, {x->dtype});
    require_shape(weight, name, {wkv->rank > 0 ? wkv->size[0] : -1, x->size[x->rank - 1]});
  }
  if (wkv->size[0] == 0 || wkv->size[0] % coff)
    fail("tensor wkv has %lld rows, must be a multiple of coff %lld", (long long)wkv->size[0], (long long)coff);
  require_dtype(ape, "ape", {SA_FP32});
  require_shape(ape, "ape", {ratio, wkv->size[0]});
}

}  // namespace

void compress(const CompressorCall &call, const Finish &finish, int32_t num_threads) {
  check_operands(call.x, call.wkv, call.wgate, call.ape, call.ratio, call.coff);
  require_choice(call.cache_mode, "cache_mode", {1, 2});
  Compressor job = {call.ratio, call.coff, call.wkv->size[0] / call.coff,
                    {call.state_cache, call.state_block_table, call.cache_mode == 2}, {}, {}, {}};
  job.spans = read_spans(call.x, call.cu_seqlens, call.seqused, call.start_pos);
  check_state(job);
  const std::vector<GroupRow> rows = result_rows(job, call.x, call.cmp_kv);
  project_tokens(job, *call.x, *call.wkv, *call.wgate, *call.ape, num_threads);
  // Groups read the state of earlier tokens, so they come before it is written: in a ring, new rows replace old ones.
  parallel_for(int64_t(rows.size()), num_threads,
               [&](int64_t i) { write_group(job, rows[size_t(i)], *call.cmp_kv, i, finish); });
  if (!call.state_block_table) return;
  parallel_for(int64_t(job.spans.size()), num_threads, [&](int64_t b) { keep_state(job, b); });
}

}  // namespace sa

extern "C" int sa_compressor(const sa_tensor *x, const sa_tensor *wkv, const sa_tensor *wgate, const sa_tensor *state_cache,
                             const sa_tensor *ape, int64_t cmp_ratio, const sa_tensor *state_block_table,
                             const sa_tensor *cu_seqlens, const sa_tensor *seqused, const sa_tensor *start_pos, int64_t coff,
                             int64_t cache_mode, sa_tensor *cmp_kv, int32_t num_threads, sa_error *error) {
  return sa::guarded(error, [&] {
    sa::compress({x, wkv, wgate, state_cache, ape, state_block_table, cu_seqlens, seqused, start_pos, cmp_ratio, coff,
                  cache_mode, cmp_kv}, {}, num_threads);
  });
}
