#include <algorithm>
#include <cmath>
#include <limits>

#include "meaning/attend.h"

namespace sa::meaning {
namespace {

constexpr float kNone = -std::numeric_limits<float>::infinity();

struct AttentionResults {
  sa_tensor out;
  float *lse;  // null when it is not wanted
};

AttentionResults checked_results(const AttentionProblem &problem, const sa_tensor *out, const sa_tensor *lse, bool wanted) {
  require_dtype(out, "out", {problem.query.dtype});
  require_shape(out, "out", {problem.batches, problem.rows, problem.heads, problem.value_width});
  require_dense(out, "out");
  require_dtype(lse, "lse", {SA_FP32});
  if (wanted)
    require_shape(lse, "lse", {problem.batches, problem.rows, problem.heads});
  else
    require_shape(lse, "lse", {0});
  require_dense(lse, "lse");
  return {*out, wanted ? static_cast<float *>(lse->data) : nullptr};
}

class AttentionRun {
 public:
  AttentionRun(const AttentionProblem &problem, const Tiles &tiles, const AttentionResults &results, int32_t num_threads)
      : problem_(problem), tiles_(tiles), results_(results), num_threads_(num_threads), plan_(problem),
        attender_(problem, plan_, tiles) {}

  void run() {
    if (problem_.empty_rows == EmptyRows::kMean && problem_.sinks.empty()) average_values();
    if (plan_.parts == 1)
      run_whole();
    else
      run_parts();
  }

 private:
  void run_whole() const {
    const Workspace workspace(thread_count(num_threads_), attender_.sums_floats() + attender_.scratch_floats());
    parallel_for(plan_.blocks(problem_), num_threads_, [&](int64_t index) {
      const LaneBlock block(problem_, plan_, index);
      const LaneSums sums = attender_.sums_at(workspace.of_thread());
      attender_.attend(block, {0, INT64_MAX / 2}, workspace.of_thread() + attender_.sums_floats(), sums);
      finish(block, sums);
    });
  }

  // Few items over many keys: the keys in parts of their own, joined in order.
  void run_parts() const {
    const int64_t blocks = plan_.blocks(problem_), parts = plan_.parts, each = round_up(attender_.sums_floats(), kPanel);
    const Workspace workspace(thread_count(num_threads_), attender_.scratch_floats());
    const Workspace found(blocks * parts, each);
    parallel_for(blocks * parts, num_threads_, [&](int64_t item) {
      const LaneBlock block(problem_, plan_, item / parts);
      const int64_t first = item % parts * plan_.slots_per_part;
      attender_.attend(block, {first, first + plan_.slots_per_part}, workspace.of_thread(), attender_.sums_at(found.data() + item * each));
    });
    parallel_for(blocks, num_threads_, [&](int64_t index) {
      const LaneBlock block(problem_, plan_, index);
      const LaneSums sums = attender_.sums_at(found.data() + index * parts * each);
      for (int64_t part = 1; part < parts; ++part)
        for (int64_t lane = 0; lane < block.lanes(); ++lane)
          join(sums, attender_.sums_at(found.data() + (index * parts + part) * each), lane);
      finish(block, sums);
    });
  }

  void join(const LaneSums &to, const LaneSums &from, int64_t lane) const {
    const float peak = std::max(to.peak[lane], from.peak[lane]), base = peak == kNone ? 0.0f : peak;
    const float kept = std::exp(to.peak[lane] - base), joined = std::exp(from.peak[lane] - base);
    float *out = to.out + lane * attender_.out_stride();
    const float *other = from.out + lane * attender_.out_stride();
    for (int64_t d = 0; d < attender_.out_stride(); ++d) out[d] = out[d] * kept + other[d] * joined;
    to.total[lane] = to.total[lane] * kept + from.total[lane] * joined;
    to.peak[lane] = peak;
  }

  // Adds the sinks, divides, and stores the lanes of a block.
  void finish(const LaneBlock &block, const LaneSums &sums) const {
    for (int64_t lane = 0; lane < block.lanes(); ++lane) {
      const int64_t row = block.row + lane / block.heads, head = block.head + lane % block.heads;
      const int64_t at = (block.batch * problem_.rows + row) * problem_.heads + head;
      float *out = sums.out + lane * attender_.out_stride();
      float peak = sums.peak[lane], total = sums.total[lane], factor = 1.0f;
      if (!problem_.sinks.empty()) {
        const float sink = problem_.sinks[size_t(head)], top = std::max(peak, sink), base = top == kNone ? 0.0f : top;
        factor = std::exp(peak - base);
        total = total * factor + std::exp(sink - base);
        peak = top;
      }
      const bool empty = peak == kNone && !(total != total);
      if (empty)
        fill_empty(block.batch, head / problem_.heads_per_group(), out);
      else
        for (int64_t d = 0; d < problem_.value_width; ++d) out[d] = out[d] * factor / total;
      char *to = static_cast<char *>(results_.out.data) + at * problem_.value_width * dtype_bytes(results_.out.dtype);
      tiles_.narrow(out, problem_.value_width, to, results_.out.dtype);
      if (results_.lse) results_.lse[at] = empty ? kNone : peak + std::log(total);
    }
  }

  void fill_empty(int64_t batch, int64_t group, float *out) const {
    const int64_t width = problem_.value_width;
    if (!means_.empty()) {
      std::copy_n(means_.data() + (batch * problem_.groups + group) * width, width, out);
    } else {
      std::fill_n(out, width, problem_.empty_rows == EmptyRows::kNan ? std::numeric_limits<float>::quiet_NaN() : 0.0f);
    }
  }

  // The mean value of each batch and key head; none when there are no keys.
  void average_values() {
    const int64_t width = problem_.value_width, groups = problem_.groups;
    if (problem_.keys() == 0) return;
    means_.resize(size_t(problem_.batches * groups * width));
    parallel_for(problem_.batches * groups, num_threads_, [&](int64_t item) {
      std::vector<float> value(static_cast<size_t>(width));
      std::vector<double> sum(static_cast<size_t>(width));
      for (const Segment &segment : problem_.segment)
        for (int64_t key = 0; key < segment.keys(); ++key) {
          segment.read_value(tiles_, item / groups, key, item % groups, width, value.data());
          for (int64_t d = 0; d < width; ++d) sum[size_t(d)] += value[size_t(d)];
        }
      for (int64_t d = 0; d < width; ++d) means_[size_t(item * width + d)] = float(sum[size_t(d)] / double(problem_.keys()));
    });
  }

  const AttentionProblem &problem_;
  const Tiles &tiles_;
  const AttentionResults results_;
  const int32_t num_threads_;
  const AttentionPlan plan_;
  const Attender attender_;
  std::vector<float> means_;
};

}  // namespace
}  // namespace sa::meaning

extern "C" int sa_meaning_attention(
    const sa_tensor *query, const sa_tensor *ori_kv, const sa_tensor *ori_value, const sa_tensor *cmp_kv,
    const sa_tensor *ori_indices, const sa_tensor *cmp_indices, const sa_tensor *sinks, const sa_tensor *visible,
    const sa_tensor *cmp_visible, const sa_tensor *mask, double scale, int64_t value_width, const char *ori_mask,
    int64_t ori_left, int64_t ori_right, const char *cmp_mask, int64_t cmp_ratio, const char *empty_rows, int64_t return_lse,
    sa_tensor *out, sa_tensor *lse, int32_t num_threads, sa_error *error) {
  return sa::guarded(error, [&] {
    const sa::meaning::AttentionProblem problem({query, ori_kv, ori_value, cmp_kv, ori_indices, cmp_indices, sinks, visible, cmp_visible,
                                        mask, scale, value_width, ori_mask, ori_left, ori_right, cmp_mask, cmp_ratio, empty_rows});
    const auto results = sa::meaning::checked_results(problem, out, lse, return_lse != 0);
    sa::meaning::AttentionRun(problem, sa::meaning::tiles(), results, num_threads).run();
  });
}
