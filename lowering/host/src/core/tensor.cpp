#include "core/tensor.h"

namespace sa {
namespace {

struct DtypeFacts { const char *name; int64_t bytes; };

// Indexed by sa_dtype.
const DtypeFacts dtype_facts[] = {{nullptr, 0},    {"fp32", 4},     {"bf16", 2},     {"fp16", 2},  {"fp64", 8},
                                  {"int8", 1},     {"uint8", 1},    {"int16", 2},    {"int32", 4}, {"int64", 8},
                                  {"bool", 1},     {"fp8_e4m3", 1}, {"fp8_e8m0", 1}, {"fp4x2", 1}, {"hif8", 1},
                                  {"fp8_e5m2", 1}};
constexpr int32_t dtype_total = sizeof dtype_facts / sizeof dtype_facts[0];

}  // namespace

const char *dtype_name(int32_t dtype) { return dtype > 0 && dtype < dtype_total ? dtype_facts[dtype].name : "unknown"; }

int64_t dtype_bytes(int32_t dtype) { return dtype > 0 && dtype < dtype_total ? dtype_facts[dtype].bytes : 0; }

int64_t element_count(const sa_tensor &tensor) {
  int64_t count = 1;
  for (int axis = 0; axis < tensor.rank; ++axis) count *= tensor.size[axis];
  return count;
}

const sa_tensor &require(const sa_tensor *tensor, const char *name) {
  if (!tensor) fail("tensor %s is missing: this call needs it", name);
  if (dtype_bytes(tensor->dtype) == 0) fail("tensor %s has the unknown dtype code %d", name, tensor->dtype);
  if (tensor->rank < 0 || tensor->rank > SA_MAX_RANK)
    fail("tensor %s has rank %d, must be 0..%d", name, tensor->rank, SA_MAX_RANK);
  for (int axis = 0; axis < tensor->rank; ++axis)
    if (tensor->size[axis] < 0)
      fail("tensor %s has size %lld at axis %d, must be >= 0", name, static_cast<long long>(tensor->size[axis]), axis);
  if (!tensor->data && element_count(*tensor) > 0) fail("tensor %s has no data", name);
  return *tensor;
}

void require_absent(const sa_tensor *tensor, const char *name, const char *when) {
  if (tensor) fail("tensor %s must be absent when %s", name, when);
}

void require_dtype(const sa_tensor *tensor, const char *name, const std::vector<int32_t> &allowed) {
  require(tensor, name);
  std::string names;
  for (int32_t dtype : allowed) {
    if (tensor->dtype == dtype) return;
    names += (names.empty() ? "" : " or ") + std::string(dtype_name(dtype));
  }
  fail("tensor %s is %s, must be %s", name, dtype_name(tensor->dtype), names.c_str());
}

void require_shape(const sa_tensor *tensor, const char *name, std::initializer_list<int64_t> size) {
  require(tensor, name);
  bool same = tensor->rank == static_cast<int32_t>(size.size());
  for (int axis = 0; same && axis < tensor->rank; ++axis) {
    const int64_t wanted = size.begin()[axis];
    same = wanted < 0 || wanted == tensor->size[axis];
  }
  if (same) return;
  std::string wanted = "[";
  for (int64_t extent : size) wanted += (wanted.size() > 1 ? "," : "") + (extent < 0 ? "*" : std::to_string(extent));
  fail("tensor %s has shape %s, must be %s]", name, shape_text(tensor->size, tensor->rank).c_str(), wanted.c_str());
}

void require_contiguous(const sa_tensor *tensor, const char *name) {
  require(tensor, name);
  if (element_count(*tensor) == 0) return;  // nothing is stored, so the strides mean nothing
  int64_t expected = 1;
  for (int axis = tensor->rank - 1; axis >= 0; --axis) {
    if (tensor->size[axis] != 1 && tensor->stride[axis] != expected)
      fail("tensor %s has stride %lld at axis %d, must be contiguous (%lld)", name,
           static_cast<long long>(tensor->stride[axis]), axis, static_cast<long long>(expected));
    expected *= tensor->size[axis];
  }
}

}  // namespace sa
