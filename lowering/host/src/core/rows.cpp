#include "core/rows.h"

namespace sa {
namespace {

template <class T>
void decode(const sa_tensor &tensor, int64_t offset, int64_t stride, int64_t count, float *out) {
  const T *source = static_cast<const T *>(tensor.data) + offset;
  for (int64_t i = 0; i < count; ++i) out[i] = to_float(source[i * stride]);
}

void decode_fp4(const sa_tensor &tensor, int64_t offset, int64_t stride, int64_t count, float *out) {
  const uint8_t *source = static_cast<const uint8_t *>(tensor.data) + offset;
  for (int64_t i = 0; i < count; ++i) {
    const uint8_t pair = source[i * stride];
    out[2 * i] = fp4_table[pair & 15];
    out[2 * i + 1] = fp4_table[pair >> 4];
  }
}

template <class T>
void store(const sa_tensor &tensor, int64_t offset, int64_t stride, int64_t count, const float *values) {
  T *target = static_cast<T *>(tensor.data) + offset;
  for (int64_t i = 0; i < count; ++i) target[i * stride] = encode<T>(values[i]);
}

void store_fp4(const sa_tensor &tensor, int64_t offset, int64_t stride, int64_t count, const float *values) {
  uint8_t *target = static_cast<uint8_t *>(tensor.data) + offset;
  for (int64_t i = 0; i < count; ++i)
    target[i * stride] = uint8_t(float_to_fp4(values[2 * i]) | float_to_fp4(values[2 * i + 1]) << 4);
}

}  // namespace

void read_row(const sa_tensor &tensor, int64_t offset, int64_t stride, int64_t count, float *out, int32_t as) {
  switch (tensor.dtype == SA_UINT8 ? as : tensor.dtype) {
    case SA_FP32: return decode<float>(tensor, offset, stride, count, out);
    case SA_BF16: return decode<bf16>(tensor, offset, stride, count, out);
    case SA_FP16: return decode<fp16>(tensor, offset, stride, count, out);
    case SA_FP64: return decode<double>(tensor, offset, stride, count, out);
    case SA_INT8: return decode<int8_t>(tensor, offset, stride, count, out);
    case SA_UINT8: return decode<uint8_t>(tensor, offset, stride, count, out);
    case SA_FP8_E4M3: return decode<e4m3>(tensor, offset, stride, count, out);
    case SA_FP8_E5M2: return decode<e5m2>(tensor, offset, stride, count, out);
    case SA_FP8_E8M0: return decode<e8m0>(tensor, offset, stride, count, out);
    case SA_HIF8: return decode<hif8>(tensor, offset, stride, count, out);
    case SA_FP4X2: return decode_fp4(tensor, offset, stride, count, out);
    default: fail("%s elements have no value as fp32", dtype_name(tensor.dtype));
  }
}

void write_row(const sa_tensor &tensor, int64_t offset, int64_t stride, int64_t count, const float *values) {
  switch (tensor.dtype) {
    case SA_FP32: return store<float>(tensor, offset, stride, count, values);
    case SA_BF16: return store<bf16>(tensor, offset, stride, count, values);
    case SA_FP16: return store<fp16>(tensor, offset, stride, count, values);
    case SA_FP64: return store<double>(tensor, offset, stride, count, values);
    case SA_FP8_E4M3: return store<e4m3>(tensor, offset, stride, count, values);
    case SA_FP8_E5M2: return store<e5m2>(tensor, offset, stride, count, values);
    case SA_HIF8: return store<hif8>(tensor, offset, stride, count, values);
    case SA_FP4X2: return store_fp4(tensor, offset, stride, count, values);
    default: fail("a float result cannot be stored as %s", dtype_name(tensor.dtype));
  }
}

}  // namespace sa
