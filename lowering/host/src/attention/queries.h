// Query rows in their two layouts, and the results that follow them.
#pragma once

#include <string>

#include "attention/engine.h"
#include "core/core.h"

namespace sa {

// [B,S,N,D] (BSND) or packed [T,N,D] (TND).
class Queries {
 public:
  // `starts`: prefix sums with the leading 0 (TND only, empty otherwise). `used`: rows per batch that take part, or null.
  Queries(const sa_tensor *q, const char *name, int64_t width, const std::vector<int64_t> &starts, const sa_tensor *used,
          const char *used_name);

  int64_t batches() const { return batches_; }
  int64_t heads() const { return q_.size[q_.rank - 2]; }
  bool packed() const { return q_.rank == 3; }
  const std::vector<QueryRow> &rows() const { return rows_; }
  // The tensor itself.
  const sa_tensor &tensor() const { return q_; }
  // Element offset of a row in a tensor whose leading axes are those of the query.
  int64_t offset(const sa_tensor &tensor, const QueryRow &row) const;
  // "[b,s" or "[t" and the rest, for error texts.
  std::vector<int64_t> place(const QueryRow &row, std::initializer_list<int64_t> rest) const;

  // [B,S,1,K] or [T,1,K] lists (K any), [B,S,1] or [T,1] counts, [B,S,N,columns] or [T,N,columns] results.
  void require_lists(const sa_tensor *lists, const char *name) const;
  void require_counts(const sa_tensor *counts, const char *name) const;
  void require_result(const sa_tensor *out, const char *name, int64_t columns) const;
  // [B,1,S,N] or [1,T,N] fp32; returns the element offset of a row's first head.
  void require_statistics(const sa_tensor *lse, const char *name) const;
  int64_t statistics_offset(const sa_tensor &lse, const QueryRow &row) const;

 private:
  sa_tensor q_;
  int64_t batches_;
  std::vector<QueryRow> rows_;
};

// Starts of a query layout word: checked prefix sums for TND, none for BSND.
std::vector<int64_t> query_starts(const sa_tensor *q, const char *layout, const char *layout_name, const sa_tensor *sums,
                                  const char *sums_name, bool leading_zero = true);

}  // namespace sa
