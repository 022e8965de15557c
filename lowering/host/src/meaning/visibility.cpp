#include "meaning/visibility.h"

#include <cstring>
#include <limits>

namespace sa::meaning {
namespace {

constexpr float kNone = -std::numeric_limits<float>::infinity();

float added(const sa_tensor &mask, int64_t offset) {
  if (mask.dtype == SA_BOOL) return static_cast<const uint8_t *>(mask.data)[offset] ? 0.0f : kNone;
  float value;
  read_row(mask, offset, 1, 1, &value);
  return value;
}

}  // namespace

void require_rows(const sa_tensor *tensor, const char *name, int64_t batches, int64_t rows, int rank) {
  require(tensor, name);
  const bool fits = tensor->rank == rank && (tensor->size[0] == batches || tensor->size[0] == 1) && tensor->size[1] == rows;
  if (!fits)
    fail("tensor %s has shape %s, must have rank %d and start with [%lld or 1,%lld]", name,
         shape_text(tensor->size, tensor->rank).c_str(), rank, static_cast<long long>(batches), static_cast<long long>(rows));
}

VisibleCounts::VisibleCounts(const sa_tensor *visible, const char *name, int64_t batches, int64_t rows, int64_t keys)
    : rows_(rows), keys_(keys) {
  if (!visible) return;
  require_dtype(visible, name, {SA_INT32});
  require_rows(visible, name, batches, rows, 2);
  visible_ = static_cast<const int32_t *>(visible->data);
  batch_stride_ = visible->size[0] == 1 ? 0 : visible->stride[0];
  row_stride_ = visible->stride[1];
}

Mask::Mask(const sa_tensor *mask, std::initializer_list<int64_t> target) {
  if (!mask) return;
  require_dtype(mask, "mask", {SA_BOOL, SA_FP32, SA_BF16, SA_FP16});
  const int64_t *sizes = target.begin();
  const int rank = int(target.size());
  bool fits = mask->rank <= rank;
  for (int axis = 0; fits && axis < mask->rank; ++axis) {
    const int64_t size = mask->size[axis], wanted = sizes[rank - mask->rank + axis];
    fits = size == wanted || size == 1;
    int to = rank - mask->rank + axis;
    if (rank == 3 && to > 0) ++to;  // there are no heads
    if (fits && size != 1) stride_[to] = mask->stride[axis];
  }
  if (!fits)
    fail("tensor mask has shape %s, must broadcast to %s", shape_text(mask->size, mask->rank).c_str(),
         shape_text(sizes, rank).c_str());
  data_ = *mask;
}

void Mask::load(int64_t batch, int64_t head, int64_t row, int64_t first, int64_t count, float *to) const {
  const int64_t offset = batch * stride_[0] + head * stride_[1] + row * stride_[2] + first * stride_[3];
  if (is_bool()) {
    const auto *source = static_cast<const uint8_t *>(data_.data) + offset;
    for (int64_t i = 0; i < count; ++i) to[i] = source[i * stride_[3]] ? 0.0f : kNone;
  } else {
    read_row(data_, offset, stride_[3], count, to);
  }
}

float Mask::at(int64_t batch, int64_t head, int64_t row, int64_t key) const {
  return added(data_, batch * stride_[0] + head * stride_[1] + row * stride_[2] + key * stride_[3]);
}

bool is_word(const char *word, const char *expected) { return word && std::strcmp(word, expected) == 0; }

void require_one_of(const char *word, const char *name, std::initializer_list<const char *> allowed) {
  std::string names;
  for (const char *choice : allowed) {
    if (is_word(word, choice)) return;
    names += (names.empty() ? "" : ", ") + std::string(choice);
  }
  fail("%s is \"%s\", must be one of %s", name, word ? word : "(absent)", names.c_str());
}

void require_dense(const sa_tensor *tensor, const char *name) {
  if (element_count(require(tensor, name)) > 0) require_contiguous(tensor, name);
}

void read_floats(const Tiles &tiles, const sa_tensor &tensor, int64_t offset, int64_t stride, int64_t count, float *to) {
  if (stride == 1 || count == 1)
    tiles.widen(static_cast<const char *>(tensor.data) + offset * dtype_bytes(tensor.dtype), tensor.dtype, count, to);
  else
    read_row(tensor, offset, stride, count, to);
}

}  // namespace sa::meaning
