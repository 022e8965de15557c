// Checked access to sa_tensor: requirements first, then typed strided views.
//
//   const auto query = view<const bf16, 3>(q, "query", {-1, heads, 128});   // -1: any size
//   float x = to_float(query(t, h, d));
//
// Views check dtype, rank and sizes when made; element access does not check, so check indices before following them.
#pragma once

#include <initializer_list>
#include <vector>

#include "core/error.h"
#include "core/numbers.h"

namespace sa {

const char *dtype_name(int32_t dtype);
// Bytes of one stored element (one byte of fp4x2 holds two values).
int64_t dtype_bytes(int32_t dtype);

template <class T> struct dtype_of;
template <> struct dtype_of<float> { static constexpr int32_t value = SA_FP32; };
template <> struct dtype_of<double> { static constexpr int32_t value = SA_FP64; };
template <> struct dtype_of<bf16> { static constexpr int32_t value = SA_BF16; };
template <> struct dtype_of<fp16> { static constexpr int32_t value = SA_FP16; };
template <> struct dtype_of<int8_t> { static constexpr int32_t value = SA_INT8; };
template <> struct dtype_of<uint8_t> { static constexpr int32_t value = SA_UINT8; };
template <> struct dtype_of<int16_t> { static constexpr int32_t value = SA_INT16; };
template <> struct dtype_of<int32_t> { static constexpr int32_t value = SA_INT32; };
template <> struct dtype_of<int64_t> { static constexpr int32_t value = SA_INT64; };
template <> struct dtype_of<bool> { static constexpr int32_t value = SA_BOOL; };
template <> struct dtype_of<e4m3> { static constexpr int32_t value = SA_FP8_E4M3; };
template <> struct dtype_of<e5m2> { static constexpr int32_t value = SA_FP8_E5M2; };
template <> struct dtype_of<e8m0> { static constexpr int32_t value = SA_FP8_E8M0; };
template <> struct dtype_of<fp4x2> { static constexpr int32_t value = SA_FP4X2; };
template <> struct dtype_of<hif8> { static constexpr int32_t value = SA_HIF8; };

// The tensor is present, its descriptor is sane and it has data wherever it has elements.
const sa_tensor &require(const sa_tensor *tensor, const char *name);
// `when`: e.g. "layout_q is BSND"; the error says that the tensor must be absent then.
void require_absent(const sa_tensor *tensor, const char *name, const char *when);
void require_dtype(const sa_tensor *tensor, const char *name, const std::vector<int32_t> &allowed);
// Present, of this rank, and of these sizes; -1 accepts any size.
void require_shape(const sa_tensor *tensor, const char *name, std::initializer_list<int64_t> size);
// Row-major without gaps; any strides when there are no elements.
void require_contiguous(const sa_tensor *tensor, const char *name);
int64_t element_count(const sa_tensor &tensor);

template <class T, int Rank>
struct View {
  T *data;
  int64_t size[Rank];
  int64_t stride[Rank];

  template <class... Index>
  int64_t offset(Index... index) const {
    static_assert(sizeof...(Index) <= Rank, "too many indices");
    const int64_t position[] = {static_cast<int64_t>(index)...};
    int64_t sum = 0;
    for (size_t axis = 0; axis < sizeof...(Index); ++axis) sum += position[axis] * stride[axis];
    return sum;
  }
  template <class... Index>
  T &operator()(Index... index) const {
    static_assert(sizeof...(Index) == Rank, "one index per axis");
    return data[offset(index...)];
  }
  // Address of the sub-view at the leading indices.
  template <class... Index>
  T *at(Index... index) const {
    return data + offset(index...);
  }
};

template <class T, int Rank>
View<T, Rank> view(const sa_tensor *tensor, const char *name, std::initializer_list<int64_t> size = {}) {
  require_dtype(tensor, name, {dtype_of<std::remove_const_t<T>>::value});
  if (size.size()) require_shape(tensor, name, size);
  if (tensor->rank != Rank) fail("tensor %s has rank %d, must be %d", name, tensor->rank, Rank);
  View<T, Rank> result{static_cast<T *>(tensor->data), {}, {}};
  for (int axis = 0; axis < Rank; ++axis) {
    result.size[axis] = tensor->size[axis];
    result.stride[axis] = tensor->stride[axis];
  }
  return result;
}

}  // namespace sa
