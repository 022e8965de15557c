// kv_compress_epilog: one row of bf16 becomes rotary columns | quantised columns | scales, written by slot.
#include "cache/rows.h"
#include "cache/scales.h"
#include "sparse_attn_host/cache.h"

namespace sa {
namespace {

constexpr int64_t kRope = 64, kFp8Group = 64;

enum class RowKind { kFp8E8m0, kFp8Bf16, kHif8Fp4 };

struct RowFormat {
  RowKind kind;
  int64_t width, group;
  bool round_scale;
  float x_scale;

  int64_t nope() const { return width - kRope; }
  int64_t groups() const { return (nope() + group - 1) / group; }
  int64_t rope_bytes() const { return kind == RowKind::kHif8Fp4 ? kRope : 2 * kRope; }
  int64_t element_bytes() const { return kind == RowKind::kHif8Fp4 ? nope() / 2 : nope(); }
  int64_t scale_bytes() const { return kind == RowKind::kFp8E8m0 ? 1 : 2; }
  int64_t scales_at() const { return rope_bytes() + element_bytes(); }
  // Bytes written; beyond the scales they are zero.
  int64_t bytes() const {
    const int64_t used = scales_at() + groups() * scale_bytes();
    return kind == RowKind::kFp8E8m0 ? used : (used + 31) / 32 * 32;
  }
};

void put_bf16(uint8_t *bytes, float value) {
  const uint16_t bits = float_to_bf16(value).bits;
  bytes[0] = static_cast<uint8_t>(bits);
  bytes[1] = static_cast<uint8_t>(bits >> 8);
}

void pack_fp8(const RowFormat &format, const float *x, uint8_t *row) {
  for (int64_t i = 0; i < kRope; ++i) put_bf16(row + 2 * i, x[format.nope() + i]);
  for (int64_t g = 0; g < format.groups(); ++g) {
    const int64_t first = g * format.group, count = std::min(format.group, format.nope() - first);
    float scale = fp8_scale(x + first, count);
    if (format.round_scale) scale = round_scale_up(scale);
    for (int64_t i = 0; i < count; ++i) row[format.rope_bytes() + first + i] = float_to_e4m3(x[first + i] / scale).bits;
    uint8_t *stored = row + format.scales_at() + g * format.scale_bytes();
    if (format.kind == RowKind::kFp8E8m0)
      *stored = exponent_code(scale);
    else
      put_bf16(stored, scale);
  }
}

void pack_fp4(const RowFormat &format, const float *x, uint8_t *row) {
  for (int64_t i = 0; i < kRope; ++i) row[i] = float_to_hif8(x[format.nope() + i] * format.x_scale, true).bits;
  for (int64_t g = 0; g < format.groups(); ++g) {
    const float *group = x + g * format.group;
    const float largest = largest_magnitude(group, format.group);
    const float inverse = largest > 0 ? round_bf16(6.0f / largest) : 0.0f;
    for (int64_t i = 0; i < format.group; i += 2) {
      const uint8_t low = float_to_fp4(round_bf16(group[i] * inverse)), high = float_to_fp4(round_bf16(group[i + 1] * inverse));
      row[format.rope_bytes() + (g * format.group + i) / 2] = static_cast<uint8_t>(low | high << 4);
    }
    put_bf16(row + format.scales_at() + 2 * g, largest * (1.0f / 6.0f));
  }
}

RowFormat read_format(const sa_tensor *cache, const sa_tensor *x, const char *quant_mode, int64_t group, bool round_scale,
                      double x_scale) {
  require_word(quant_mode, "quant_mode", {"fp8_e8m0", "fp8_bf16", "hifloat8_fp4"});
  require_dtype(cache, "cache", {SA_UINT8, SA_FP8_E4M3});
  require_dtype(x, "x", {SA_BF16});
  require_shape(x, "x", {-1, -1});
  if (cache->rank < 2) fail("tensor cache has rank %d, must be at least 2", cache->rank);
  const RowKind kind = is_word(quant_mode, "fp8_e8m0")   ? RowKind::kFp8E8m0
                       : is_word(quant_mode, "fp8_bf16") ? RowKind::kFp8Bf16
                                                         : RowKind::kHif8Fp4;
  if (kind == RowKind::kHif8Fp4)
    require_choice(group, "quant_group_size", {16, 32, 64});
  else
    require_choice(group, "quant_group_size", {kFp8Group});
  const RowFormat format = {kind, x->size[1], group, round_scale, static_cast<float>(x_scale)};
  if (format.width <= kRope) fail("tensor x has %lld columns, must be more than 64", (long long)format.width);
  if (kind == RowKind::kHif8Fp4 && format.nope() % group)
    fail("tensor x has %lld columns before the rotary ones, must be a multiple of quant_group_size %lld",
         (long long)format.nope(), (long long)group);
  const int64_t room = cache->size[cache->rank - 1];
  if (room < format.bytes())
    fail("tensor cache has rows of %lld bytes, must be >= %lld for %lld columns in mode %s", (long long)room,
         (long long)format.bytes(), (long long)format.width, quant_mode);
  return format;
}

}  // namespace
}  // namespace sa

extern "C" int sa_kv_compress_epilog(const sa_tensor *cache, const sa_tensor *x, const sa_tensor *slot_mapping,
                                     int64_t quant_group_size, const char *quant_mode, int64_t round_scale, double x_scale,
                                     int32_t num_threads, sa_error *error) {
  return sa::guarded(error, [&] {
    const sa::RowFormat format = sa::read_format(cache, x, quant_mode, quant_group_size, round_scale != 0, x_scale);
    const auto writes = sa::read_slots(slot_mapping, "slot_mapping", x->size[0], sa::slot_count(*cache));
    sa::parallel_for(int64_t(writes.size()), num_threads, [&](int64_t i) {
      const sa::SlotWrite write = writes[size_t(i)];
      std::vector<float> values(static_cast<size_t>(format.width));
      std::vector<uint8_t> row(static_cast<size_t>(format.bytes()));
      sa::read_row(*x, write.source * x->stride[0], x->stride[1], format.width, values.data());
      (format.kind == sa::RowKind::kHif8Fp4 ? sa::pack_fp4 : sa::pack_fp8)(format, values.data(), row.data());
      sa::store_bytes(*cache, write.slot, 0, row.data(), format.bytes());
    });
  });
}
