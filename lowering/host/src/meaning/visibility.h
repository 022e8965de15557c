// Which keys a query row may see: visible counts, and masks that broadcast.
#pragma once

#include <string>

#include "core/core.h"
#include "meaning/tiles.h"

namespace sa::meaning {

// Keys of the prefix a row sees: the operand [B or 1, S], or keys - rows + s + 1 without it. Not clamped.
class VisibleCounts {
 public:
  VisibleCounts(const sa_tensor *visible, const char *name, int64_t batches, int64_t rows, int64_t keys);
  int64_t of(int64_t batch, int64_t row) const {
    return visible_ ? visible_[batch * batch_stride_ + row * row_stride_] : keys_ - rows_ + row + 1;
  }

 private:
  const int32_t *visible_ = nullptr;
  int64_t batch_stride_ = 0, row_stride_ = 0, rows_, keys_;
};

// A bool or float mask that broadcasts to [B, S, T] or [B, N, S, T], read as what it adds to a score: 0, -inf or its value.
class Mask {
 public:
  // `target`: the sizes it broadcasts to; absent masks add nothing.
  Mask(const sa_tensor *mask, std::initializer_list<int64_t> target);
  bool present() const { return data_.data != nullptr || data_.rank != 0; }
  bool is_bool() const { return data_.dtype == SA_BOOL; }
  // Whether the heads of a row differ.
  bool by_head() const { return stride_[1] != 0; }
  // Adds of keys [first, first + count) of one row.
  void load(int64_t batch, int64_t head, int64_t row, int64_t first, int64_t count, float *to) const;
  float at(int64_t batch, int64_t head, int64_t row, int64_t key) const;

 private:
  sa_tensor data_ = {};
  int64_t stride_[4] = {};  // batch, head, row, key; 0 where it broadcasts
};

bool is_word(const char *word, const char *expected);
// `word` is one of `allowed`, else an error naming them.
void require_one_of(const char *word, const char *name, std::initializer_list<const char *> allowed);
// [B or 1, S, ...]: a tensor whose first axis may be 1.
void require_rows(const sa_tensor *tensor, const char *name, int64_t batches, int64_t rows, int rank);

// Contiguous; a tensor without elements always is.
void require_dense(const sa_tensor *tensor, const char *name);

// `count` elements `stride` apart as fp32.
void read_floats(const Tiles &tiles, const sa_tensor &tensor, int64_t offset, int64_t stride, int64_t count, float *to);

}  // namespace sa::meaning
