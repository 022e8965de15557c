// How a stored key row becomes fp32, and how probabilities are rounded before they meet the values.
//
// A decoder has kWidth (numbers per key), kValues (the leading ones that are the value) and decode(address, out).
// A rounding has kGain (what it multiplies probabilities by) and round(probability).
#pragma once

#include <cstring>

#include "core/numbers.h"

namespace sa {

// Where a key row starts; `extra` is its second part when it is stored apart.
struct KeyAddress {
  const uint8_t *row = nullptr;
  const uint8_t *extra = nullptr;
};

template <class T>
void decode_elements(const uint8_t *from, int64_t count, float *out) {
  for (int64_t i = 0; i < count; ++i) {
    T element;
    std::memcpy(&element, from + i * int64_t(sizeof(T)), sizeof(T));
    out[i] = to_float(element);
  }
}

// 512 elements of one type; all of them are the value.
template <class T>
struct PlainRow {
  static constexpr int64_t kWidth = 512, kValues = 512;
  static void decode(const KeyAddress &key, float *out) { decode_elements<T>(key.row, 512, out); }
};

// 512 elements that are also the value, and 64 rotary elements stored apart.
template <class T>
struct RopeApartRow {
  static constexpr int64_t kWidth = 576, kValues = 512;
  static void decode(const KeyAddress &key, float *out) {
    decode_elements<T>(key.row, 512, out);
    decode_elements<T>(key.extra, 64, out + 512);
  }
};

// 640 bytes: 64 bf16 rotary | 448 e4m3 | 7 e8m0 scales, one per 64 | padding. Logical order: the 448, then the rotary.
// Scaled elements are rounded to bf16.
struct PackedRow640 {
  static constexpr int64_t kBytes = 640, kWidth = 512, kValues = 512;
  static void decode(const KeyAddress &key, float *out) {
    for (int64_t group = 0; group < 7; ++group) {
      const float scale = e8m0_table[key.row[576 + group]];
      for (int64_t i = 64 * group; i < 64 * (group + 1); ++i) out[i] = round_bf16(e4m3_table[key.row[128 + i]] * scale);
    }
    decode_elements<bf16>(key.row, 64, out + 448);
  }
};

// 656 bytes: 512 one-byte elements | 64 rotary elements of Rope | 4 fp32 scales, one per 128. The 512 are the value;
// scaled elements are rounded to Rope.
template <class T, class Rope>
struct PackedRow656 {
  static constexpr int64_t kBytes = 656, kWidth = 576, kValues = 512;
  static void decode(const KeyAddress &key, float *out) {
    float scale[4];
    std::memcpy(scale, key.row + 640, sizeof scale);
    decode_elements<T>(key.row, 512, out);
    for (int64_t i = 0; i < 512; ++i) out[i] = to_float(encode<Rope>(out[i] * scale[i / 128]));
    decode_elements<Rope>(key.row + 512, 64, out + 512);
  }
};

// Probabilities times 16 as HIFLOAT8, ties away from zero, for arguments in [0, 16].
struct RoundHif8 {
  static constexpr float kGain = 16;
  static float round(float probability) {
    const float value = probability * kGain;
    if (!(value >= 0x1p-22f)) return value >= 0x1p-23f ? 0x1p-22f : value * 0.0f;  // keeps NaN
    const uint32_t bits = float_bits(value);
    const int exponent = int(bits >> 23) - 127;
    const int magnitude = exponent < 0 ? -exponent : exponent;
    const int dropped = 23 - (magnitude < 4 ? 3 : magnitude < 8 ? 2 : magnitude < 16 ? 1 : 0);
    return bits_float((bits + (1u << (dropped - 1))) >> dropped << dropped);
  }
};

template <class T>
struct RoundTo {
  static constexpr float kGain = 1;
  static float round(float probability) { return to_float(encode<T>(probability)); }
};

}  // namespace sa
