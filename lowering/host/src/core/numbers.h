// The number formats of the kernels: storage types, decoders and encoders.
//
// One storage struct per format, so that a typed view says what its bits mean. to_float() decodes; encode<T>() rounds
// to nearest, ties to even, unless said otherwise. All of it is exact bit work: the results are the same on every machine.
#pragma once

#include <cstdint>
#include <cstring>

#include "sparse_attn_host.h"

namespace sa {

struct bf16 { uint16_t bits; };
struct fp16 { uint16_t bits; };
struct e4m3 { uint8_t bits; };   // finite variant: largest 448, 0x7F and 0xFF are NaN
struct e5m2 { uint8_t bits; };   // the upper byte of an fp16
struct e8m0 { uint8_t bits; };   // 2^(code-127), 255 = NaN
struct hif8 { uint8_t bits; };   // HiFloat8: tapered precision, 0x80 = NaN, 0x6F / 0xEF = +-inf
struct fp4x2 { uint8_t bits; };  // two e2m1 values, the even element in the low nibble

// 256-entry decode tables (fp4: 16 entries).
extern const float *const e4m3_table;
extern const float *const e8m0_table;
extern const float *const hif8_table;
extern const float fp4_table[16];

inline uint32_t float_bits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

inline float bits_float(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

float fp16_bits_to_float(uint16_t bits);
uint16_t float_to_fp16_bits(float value);

inline float to_float(float value) { return value; }
inline float to_float(double value) { return static_cast<float>(value); }
inline float to_float(int8_t value) { return value; }
inline float to_float(uint8_t value) { return value; }
inline float to_float(bf16 value) { return bits_float(static_cast<uint32_t>(value.bits) << 16); }
inline float to_float(fp16 value) { return fp16_bits_to_float(value.bits); }
inline float to_float(e4m3 value) { return e4m3_table[value.bits]; }
inline float to_float(e5m2 value) { return fp16_bits_to_float(static_cast<uint16_t>(value.bits << 8)); }
inline float to_float(e8m0 value) { return e8m0_table[value.bits]; }
inline float to_float(hif8 value) { return hif8_table[value.bits]; }

inline bf16 float_to_bf16(float value) {
  const uint32_t bits = float_bits(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return {static_cast<uint16_t>((bits >> 16) | 0x40u)};
  return {static_cast<uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16)};
}

// value rounded to bfloat16 / float16 and back.
inline float round_bf16(float value) { return to_float(float_to_bf16(value)); }
inline float round_fp16(float value) { return fp16_bits_to_float(float_to_fp16_bits(value)); }

// NaN has no sign here (0x7F): which sign an invalid operation gives depends on the machine.
// Values beyond 448 clip to +-448.
e4m3 float_to_e4m3(float value);
// |value| >= 61440 gives an infinity.
e5m2 float_to_e5m2(float value);
// Ties away from zero. |value| >= 40960 gives an infinity, or +-32768 when saturating (then NaN gives 0).
hif8 float_to_hif8(float value, bool saturate = false);
// Values beyond 6 clip to +-6; ties to the even code. NaN gives 0.
uint8_t float_to_fp4(float value);

template <class T> T encode(float value);
template <> inline float encode<float>(float value) { return value; }
template <> inline double encode<double>(float value) { return value; }
template <> inline bf16 encode<bf16>(float value) { return float_to_bf16(value); }
template <> inline fp16 encode<fp16>(float value) { return {float_to_fp16_bits(value)}; }
template <> inline e4m3 encode<e4m3>(float value) { return float_to_e4m3(value); }
template <> inline e5m2 encode<e5m2>(float value) { return float_to_e5m2(value); }
template <> inline hif8 encode<hif8>(float value) { return float_to_hif8(value); }

}  // namespace sa
