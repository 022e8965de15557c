#include "meaning/scores.h"

#include <algorithm>

namespace sa::meaning {
namespace {

// Query rows computed together keep a panel of keys in use; these many floats of queries and scores fit beside it.
constexpr int64_t kQueryFloats = 1 << 16, kScoreFloats = 1 << 19;

}  // namespace

Scores::Scores(const ScoreArguments &arguments, const Tiles &tiles) : arguments_(arguments), tiles_(tiles) {
  require_dtype(arguments.query, "query", {SA_FP32, SA_BF16, SA_FP16});
  require_shape(arguments.query, "query", {-1, -1, -1, -1});
  const int64_t *size = arguments.query->size;
  batches_ = size[0], rows_ = size[1], heads_ = size[2], width_ = size[3];
  require_dtype(arguments.key, "key", {SA_FP32, SA_BF16, SA_FP16});
  require_shape(arguments.key, "key", {batches_, -1, width_});
  keys_ = arguments.key->size[1];
  require_one_of(arguments.activation, "activation", {"relu", "none"});
  require_one_of(arguments.reduce, "reduce", {"weighted", "sum", "none"});
  if (is_word(arguments.reduce, "weighted"))
    require(arguments.weights, "weights");
  else
    require_absent(arguments.weights, "weights", "reduce is not weighted");
  const struct { const sa_tensor *tensor; const char *name; } factors[] = {{arguments.weights, "weights"},
                                                                           {arguments.query_scale, "query_scale"}};
  for (const auto &factor : factors) {
    if (!factor.tensor) continue;
    require_dtype(factor.tensor, factor.name, {SA_FP32, SA_BF16, SA_FP16});
    require_shape(factor.tensor, factor.name, {batches_, rows_, heads_});
  }
  if (arguments.key_scale) {
    require_dtype(arguments.key_scale, "key_scale", {SA_FP32, SA_BF16, SA_FP16});
    require_shape(arguments.key_scale, "key_scale", {batches_, keys_});
  }
  if (keys_ > INT32_MAX) fail("tensor key has %lld keys, an int32 index reaches 2147483647", static_cast<long long>(keys_));
  const int64_t by_query = kQueryFloats / std::max<int64_t>(1, heads_ * width_);
  const int64_t by_score = kScoreFloats / std::max<int64_t>(1, row_stride());
  together_ = std::max<int64_t>(1, std::min({by_query, by_score, rows_, kMaxRowsTogether}));
  scale_ = float(arguments.scale);
  relu_ = is_word(arguments.activation, "relu");
}

// Queries and their factors, sixteen key rows, their panel and factors.
int64_t Scores::scratch() const {
  return round_up(together_ * heads_ * width_, kPanel) + round_up(together_ * heads_, kPanel) + 2 * kPanel * width_ + 2 * kPanel;
}

void Scores::load_queries(int64_t batch, int64_t row, int64_t count, float *queries, float *factors) const {
  const sa_tensor &query = *arguments_.query;
  for (int64_t r = 0; r < count; ++r)
    for (int64_t h = 0; h < heads_; ++h) {
      const int64_t offset = batch * query.stride[0] + (row + r) * query.stride[1] + h * query.stride[2];
      read_floats(tiles_, query, offset, query.stride[3], width_, queries + (r * heads_ + h) * width_);
      factors[r * heads_ + h] = 1.0f;
    }
  for (const sa_tensor *factor : {arguments_.weights, arguments_.query_scale}) {
    if (!factor) continue;
    for (int64_t r = 0; r < count; ++r)
      for (int64_t h = 0; h < heads_; ++h) {
        float value;
        read_row(*factor, batch * factor->stride[0] + (row + r) * factor->stride[1] + h * factor->stride[2], 1, 1, &value);
        factors[r * heads_ + h] *= value;
      }
  }
}

void Scores::load_panel(int64_t batch, int64_t first, int64_t count, float *rows, float *panel, float *factors) const {
  const sa_tensor &key = *arguments_.key;
  for (int64_t i = 0; i < count; ++i)
    read_floats(tiles_, key, batch * key.stride[0] + (first + i) * key.stride[1], key.stride[2], width_, rows + i * width_);
  tiles_.pack(rows, width_, count, width_, panel);
  if (!arguments_.key_scale) return;
  const sa_tensor &scale = *arguments_.key_scale;
  std::fill_n(factors, kPanel, 0.0f);
  read_row(scale, batch * scale.stride[0] + first * scale.stride[1], scale.stride[1], count, factors);
}

void Scores::block(int64_t batch, int64_t row, int64_t count, int64_t first, int64_t end, const int64_t *limits,
                   float *scratch, float *scores) const {
  float *queries = scratch, *factors = queries + round_up(together_ * heads_ * width_, kPanel);
  float *panel = factors + round_up(together_ * heads_, kPanel), *rows = panel + kPanel * width_;
  float *key_factors = rows + kPanel * width_;
  end = std::min(end, *std::max_element(limits, limits + count));
  if (first >= end) return;
  load_queries(batch, row, count, queries, factors);
  for (int64_t key = first; key < end; key += kPanel) {
    load_panel(batch, key, std::min(kPanel, end - key), rows, panel, key_factors);
    for (int64_t r = 0; r < count; ++r) {
      if (key >= limits[r]) continue;
      float *to = scores + r * row_stride() + key;
      tiles_.index_heads(panel, width_, queries + r * heads_ * width_, heads_, factors + r * heads_, scale_, relu_, to);
      if (arguments_.key_scale)
        for (int64_t i = 0; i < kPanel; ++i) to[i] *= key_factors[i];
    }
  }
}

void Scores::each_head(int64_t batch, int64_t row, float *scratch, float *out) const {
  float *queries = scratch, *factors = queries + round_up(together_ * heads_ * width_, kPanel);
  float *panel = factors + round_up(together_ * heads_, kPanel), *rows = panel + kPanel * width_;
  float *key_factors = rows + kPanel * width_;
  load_queries(batch, row, 1, queries, factors);
  for (int64_t key = 0; key < keys_; key += kPanel) {
    load_panel(batch, key, std::min(kPanel, keys_ - key), rows, panel, key_factors);
    tiles_.products(panel, width_, queries, width_, heads_, out + key, row_stride());
    for (int64_t h = 0; h < heads_; ++h)
      for (int64_t i = 0; i < kPanel; ++i) {
        float &score = out[h * row_stride() + key + i];
        score *= scale_;
        if (relu_ && score < 0) score = 0;
        score *= factors[h] * (arguments_.key_scale ? key_factors[i] : 1.0f);
      }
  }
}

}  // namespace sa::meaning
