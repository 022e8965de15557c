// indexer_quant_cache and its earlier form indexer_compress_epilog: index keys and their scales, written by slot.
#include <cstring>
#include <limits>

#include "cache/rows.h"
#include "cache/scales.h"
#include "sparse_attn_host/cache.h"

namespace sa {
namespace {

constexpr int64_t kGroup = 32;

enum class KeyKind { kMxFp8, kFp8, kHif8, kMxFp4 };

struct KeyFormat {
  KeyKind kind;
  int64_t width;
  bool round_scale;
  float x_scale;
  bool wide = false;  // fp8 elements are e5m2

  float largest() const { return wide ? kE5m2Largest : kE4m3Largest; }
  // An infinity has no e4m3 code; it becomes NaN.
  uint8_t element(float value) const {
    if (wide) return float_to_e5m2(value).bits;
    return float_to_e4m3(std::isinf(value) ? std::numeric_limits<float>::quiet_NaN() : value).bits;
  }
  bool microscaled() const { return kind == KeyKind::kMxFp8 || kind == KeyKind::kMxFp4; }
  int64_t bytes() const { return kind == KeyKind::kMxFp4 ? width / 2 : width; }
  int64_t scales() const { return microscaled() ? width / kGroup : 1; }
};

// Quantised elements and scales of one key; `codes` are the E8M0 scales of the microscaled formats.
struct PackedKey {
  std::vector<uint8_t> bytes, codes;
  float scale = 0;
};

void pack_mxfp8(const KeyFormat &format, const float *x, PackedKey &packed) {
  for (int64_t g = 0; g < format.scales(); ++g) {
    const float scale = round_scale_up(fp8_scale(x + g * kGroup, kGroup, format.largest()));
    packed.codes[size_t(g)] = exponent_code(scale);
    const float divisor = std::isfinite(scale) ? scale : std::numeric_limits<float>::quiet_NaN();
    for (int64_t i = g * kGroup; i < (g + 1) * kGroup; ++i) packed.bytes[size_t(i)] = format.element(x[i] / divisor);
  }
}

// One scale for the row, from its finite elements; a row without any magnitude has scale 0 and is stored as it is.
void pack_fp8(const KeyFormat &format, const float *x, PackedKey &packed) {
  float largest = 0;
  for (int64_t i = 0; i < format.width; ++i)
    if (std::isfinite(x[i])) largest = std::max(largest, std::fabs(x[i]));
  packed.scale = largest * (1.0f / format.largest());
  if (format.round_scale && largest > 0) packed.scale = round_scale_up(packed.scale);
  for (int64_t i = 0; i < format.width; ++i)
    packed.bytes[size_t(i)] = format.element(largest > 0 && std::isfinite(x[i]) ? x[i] / packed.scale : x[i]);
}

void pack_hif8(const KeyFormat &format, const float *x, PackedKey &packed) {
  for (int64_t i = 0; i < format.width; ++i) packed.bytes[size_t(i)] = float_to_hif8(x[i] * format.x_scale, true).bits;
}

// The scale is the largest exponent of the group less 2, the exponent of the largest FP4 value: magnitudes above 6 clip.
// A group of zeros (or subnormals) has code 0 and zero elements, one with an infinity or NaN code 255 and zero elements.
void pack_mxfp4(const KeyFormat &format, const float *x, PackedKey &packed) {
  for (int64_t g = 0; g < format.scales(); ++g) {
    int exponent = 0;
    for (int64_t i = g * kGroup; i < (g + 1) * kGroup; ++i)
      exponent = std::max(exponent, int((float_bits(x[i]) >> 23) & 0xFF));
    const int code = exponent == 255 ? 255 : std::max(exponent - 2, 0);
    const float inverse = exponent == 0 || exponent == 255 ? 0.0f : std::ldexp(1.0f, 127 - code);
    packed.codes[size_t(g)] = static_cast<uint8_t>(code);
    for (int64_t i = g * kGroup; i < (g + 1) * kGroup; i += 2) {
      const uint8_t low = exponent == 255 ? 0 : float_to_fp4(x[i] * inverse);
      const uint8_t high = exponent == 255 ? 0 : float_to_fp4(x[i + 1] * inverse);
      packed.bytes[size_t(i / 2)] = static_cast<uint8_t>(low | high << 4);
    }
  }
}

void pack(const KeyFormat &format, const float *x, PackedKey &packed) {
  packed.bytes.assign(size_t(format.bytes()), 0);
  packed.codes.assign(size_t(format.microscaled() ? format.scales() : 0), 0);
  switch (format.kind) {
    case KeyKind::kMxFp8: return pack_mxfp8(format, x, packed);
    case KeyKind::kFp8: return pack_fp8(format, x, packed);
    case KeyKind::kHif8: return pack_hif8(format, x, packed);
    case KeyKind::kMxFp4: return pack_mxfp4(format, x, packed);
  }
}

struct Names { const char *cache, *scale; };

// Rows of a scale cache: the microscaled layout may split them into two axes, [..., groups / 2, 2].
sa_tensor scale_rows(const sa_tensor &scale, const sa_tensor &cache, const char *name) {
  if (scale.rank != cache.rank + 1) return scale;
  sa_tensor joined = scale;
  joined.rank = cache.rank;
  if (scale.size[scale.rank - 1] != 2 || scale.stride[scale.rank - 2] != 2 * scale.stride[scale.rank - 1])
    fail("tensor %s has shape %s, its last two axes must be [*,2] and lie together", name,
         shape_text(scale.size, scale.rank).c_str());
  joined.size[joined.rank - 1] = 2 * scale.size[scale.rank - 2];
  joined.stride[joined.rank - 1] = scale.stride[scale.rank - 1];
  return joined;
}

void check_caches(const KeyFormat &format, const sa_tensor *cache, const sa_tensor &scale, const Names &names) {
  const int32_t stored = format.kind == KeyKind::kHif8 ? SA_HIF8 : format.kind == KeyKind::kMxFp4 ? SA_FP4X2 : SA_FP8_E4M3;
  if (stored == SA_FP8_E4M3)
    require_dtype(cache, names.cache, {SA_FP8_E4M3, SA_FP8_E5M2, SA_UINT8});
  else
    require_dtype(cache, names.cache, {stored, SA_UINT8});
  if (format.microscaled())
    require_dtype(&scale, names.scale, {SA_FP8_E8M0, SA_UINT8});
  else
    require_dtype(&scale, names.scale, {SA_FP32});
  if (cache->rank < 2) fail("tensor %s has rank %d, must be at least 2", names.cache, cache->rank);
  bool same = scale.rank == cache->rank;
  for (int axis = 0; same && axis + 1 < scale.rank; ++axis) same = scale.size[axis] == cache->size[axis];
  if (!same)
    fail("tensor %s has shape %s, must have the rows of %s, shape %s", names.scale, shape_text(scale.size, scale.rank).c_str(),
         names.cache, shape_text(cache->size, cache->rank).c_str());
  const int64_t room = cache->size[cache->rank - 1], columns = scale.size[scale.rank - 1];
  if (room < format.bytes())
    fail("tensor %s has rows of %lld bytes, must be >= %lld for keys of %lld elements", names.cache, (long long)room,
         (long long)format.bytes(), (long long)format.width);
  if (columns < format.scales())
    fail("tensor %s has rows of %lld scales, must be >= %lld for keys of %lld elements", names.scale, (long long)columns,
         (long long)format.scales(), (long long)format.width);
}

void write_keys(KeyKind kind, const sa_tensor *cache, const sa_tensor *cache_scale, const sa_tensor *x,
                const sa_tensor *slot_mapping, bool round_scale, double x_scale, const Names &names, int32_t num_threads) {
  require_dtype(x, "x", {SA_BF16, SA_FP16});
  require_shape(x, "x", {-1, -1});
  require(cache, names.cache);
  const KeyFormat format = {kind, x->size[1], round_scale, static_cast<float>(x_scale), cache->dtype == SA_FP8_E5M2};
  if (format.width % kGroup) fail("tensor x has %lld columns, must be a multiple of 32", (long long)format.width);
  const sa_tensor scale = scale_rows(require(cache_scale, names.scale), *cache, names.scale);
  check_caches(format, cache, scale, names);
  const std::vector<SlotWrite> writes = read_slots(slot_mapping, "slot_mapping", x->size[0], slot_count(*cache));
  parallel_for(int64_t(writes.size()), num_threads, [&](int64_t i) {
    const SlotWrite write = writes[size_t(i)];
    std::vector<float> values(static_cast<size_t>(format.width));
    PackedKey packed;
    read_row(*x, write.source * x->stride[0], x->stride[1], format.width, values.data());
    pack(format, values.data(), packed);
    store_bytes(*cache, write.slot, 0, packed.bytes.data(), format.bytes());
    if (format.microscaled())
      store_bytes(scale, write.slot, 0, packed.codes.data(), format.scales());
    else if (kind == KeyKind::kFp8)
      static_cast<float *>(scale.data)[slot_offset(scale, write.slot)] = packed.scale;
  });
}

constexpr int64_t kBlockGroup = 128;

// Rows of one cache whose blocks hold all elements, then all scales.
void write_split_blocks(const sa_tensor *cache, const sa_tensor *x, const sa_tensor *slot_mapping, int32_t num_threads) {
  require_dtype(x, "x", {SA_BF16, SA_FP16});
  require_shape(x, "x", {-1, -1});
  require_dtype(cache, "indexer_compress_cache", {SA_UINT8, SA_FP8_E4M3});
  require_shape(cache, "indexer_compress_cache", {-1, -1, 1, -1});
  const int64_t width = x->size[1], groups = (width + kBlockGroup - 1) / kBlockGroup, size = cache->size[1];
  const int64_t row_bytes = width + groups * int64_t(sizeof(float));
  if (cache->size[3] < row_bytes)
    fail("tensor indexer_compress_cache has rows of %lld bytes, must be >= %lld for keys of %lld elements and their scales",
         (long long)cache->size[3], (long long)row_bytes, (long long)width);
  if (cache->stride[3] != 1 || (size > 1 && cache->stride[1] != cache->size[3]))
    fail("tensor indexer_compress_cache must be contiguous on all axes but the first");
  const std::vector<SlotWrite> writes = read_slots(slot_mapping, "slot_mapping", x->size[0], slot_count(*cache));
  parallel_for(int64_t(writes.size()), num_threads, [&](int64_t i) {
    const SlotWrite write = writes[size_t(i)];
    std::vector<float> values(static_cast<size_t>(width));
    read_row(*x, write.source * x->stride[0], x->stride[1], width, values.data());
    uint8_t *block = static_cast<uint8_t *>(cache->data) + write.slot / size * cache->stride[0];
    uint8_t *elements = block + write.slot % size * width;
    uint8_t *scales = block + size * width + write.slot % size * groups * int64_t(sizeof(float));
    for (int64_t g = 0; g < groups; ++g) {
      const int64_t first = g * kBlockGroup, count = std::min(kBlockGroup, width - first);
      PackedKey packed;
      packed.bytes.resize(size_t(count));
      pack_fp8({KeyKind::kFp8, count, false, 1.0f}, values.data() + first, packed);
      std::copy_n(packed.bytes.data(), count, elements + first);
      std::memcpy(scales + g * int64_t(sizeof(float)), &packed.scale, sizeof(float));
    }
  });
}

KeyKind kind_of(const char *quant_mode) {
  require_word(quant_mode, "quant_mode", {"mxfp8", "fp8", "hifloat8", "mxfp4"});
  if (is_word(quant_mode, "mxfp8")) return KeyKind::kMxFp8;
  if (is_word(quant_mode, "fp8")) return KeyKind::kFp8;
  return is_word(quant_mode, "hifloat8") ? KeyKind::kHif8 : KeyKind::kMxFp4;
}

}  // namespace
}  // namespace sa

extern "C" int sa_indexer_quant_cache(const sa_tensor *cache, const sa_tensor *cache_scale, const sa_tensor *x,
                                      const sa_tensor *slot_mapping, const char *quant_mode, int64_t round_scale,
                                      double x_scale, int32_t num_threads, sa_error *error) {
  return sa::guarded(error, [&] {
    sa::write_keys(sa::kind_of(quant_mode), cache, cache_scale, x, slot_mapping, round_scale != 0, x_scale,
                   {"cache", "cache_scale"}, num_threads);
  });
}

extern "C" int sa_indexer_compress_epilog(const sa_tensor *indexer_compress_cache, const sa_tensor *indexer_compress_scale,
                                          const sa_tensor *x, const sa_tensor *slot_mapping, int64_t quant_mode,
                                          int64_t round_scale, double scale, int32_t num_threads, sa_error *error) {
  return sa::guarded(error, [&] {
    sa::require_choice(quant_mode, "quant_mode", {0, 1, 2});
    static const sa::KeyKind kinds[] = {sa::KeyKind::kMxFp8, sa::KeyKind::kFp8, sa::KeyKind::kHif8};
    sa::write_keys(kinds[quant_mode], indexer_compress_cache, indexer_compress_scale, x, slot_mapping, round_scale != 0, scale,
                   {"indexer_compress_cache", "indexer_compress_scale"}, num_threads);
  });
}

extern "C" int sa_indexer_compress_epilog_v2(const sa_tensor *indexer_compress_cache, const sa_tensor *x,
                                             const sa_tensor *slot_mapping, int64_t layout, int32_t num_threads,
                                             sa_error *error) {
  return sa::guarded(error, [&] {
    sa::require_choice(layout, "layout", {2});
    sa::write_split_blocks(indexer_compress_cache, x, slot_mapping, num_threads);
  });
}
