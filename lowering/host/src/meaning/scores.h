// Indexer scores of a few query rows at a time, the work shared by index_scores and lightning_indexer.
#pragma once

#include "meaning/visibility.h"
#include "meaning/workspace.h"

namespace sa::meaning {

constexpr int64_t kMaxRowsTogether = 32;

struct ScoreArguments {
  const sa_tensor *query, *key, *weights, *query_scale, *key_scale;
  double scale;
  const char *activation, *reduce;
};

class Scores {
 public:
  Scores(const ScoreArguments &arguments, const Tiles &tiles);

  int64_t batches() const { return batches_; }
  int64_t rows() const { return rows_; }
  int64_t keys() const { return keys_; }
  int64_t heads() const { return heads_; }
  // Query rows computed together, and the distance of their scores in memory.
  int64_t rows_together() const { return together_; }
  int64_t row_stride() const { return round_up(keys_, kPanel); }
  // Floats that block() and each_head() want.
  int64_t scratch() const;

  // The scores of keys [first, end) of `count` rows: row r into scores + r * row_stride(), written up to the next
  // multiple of kPanel. `first` is a multiple of kPanel; row r needs only its keys below limits[r].
  void block(int64_t batch, int64_t row, int64_t count, int64_t first, int64_t end, const int64_t *limits, float *scratch,
             float *scores) const;
  // The scores of one row head by head: head h into out + h * row_stride().
  void each_head(int64_t batch, int64_t row, float *scratch, float *out) const;

 private:
  void load_queries(int64_t batch, int64_t row, int64_t count, float *queries, float *factors) const;
  void load_panel(int64_t batch, int64_t first, int64_t count, float *rows, float *panel, float *factors) const;

  ScoreArguments arguments_;
  const Tiles &tiles_;
  int64_t batches_, rows_, heads_, width_, keys_, together_;
  float scale_;
  bool relu_;
};

}  // namespace sa::meaning
