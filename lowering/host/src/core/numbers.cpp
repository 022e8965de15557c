#include "core/numbers.h"

#include <array>
#include <cmath>
#include <limits>

namespace sa {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

float decode_e4m3(int code) {
  const int exponent = (code >> 3) & 15, fraction = code & 7;
  if (exponent == 15 && fraction == 7) return kNaN;
  const float magnitude = exponent ? std::ldexp(1.0f + fraction / 8.0f, exponent - 7) : std::ldexp(float(fraction), -9);
  return code & 0x80 ? -magnitude : magnitude;
}

float decode_e8m0(int code) { return code == 255 ? kNaN : std::ldexp(1.0f, code - 127); }

// Fraction bits and exponent-field bits (sign included) selected by the prefix of a HiFloat8 code.
struct Hif8Field { int fraction_bits, exponent_bits; };

Hif8Field hif8_field(int magnitude) {
  if (magnitude >= 0x60) return {1, 4};
  if (magnitude >= 0x40) return {2, 3};
  if (magnitude >= 0x20) return {3, 2};
  if (magnitude >= 0x10) return {3, 1};
  return {3, 0};
}

float decode_hif8(int code) {
  const int magnitude = code & 0x7F;
  const float sign = code & 0x80 ? -1.0f : 1.0f;
  if (code == 0) return 0.0f;
  if (code == 0x80) return kNaN;
  if (magnitude == 0x6F) return sign * kInf;
  if (magnitude < 0x08) return sign * std::ldexp(1.0f, magnitude - 23);
  const Hif8Field field = hif8_field(magnitude);
  const int fraction = magnitude & ((1 << field.fraction_bits) - 1);
  int exponent = 0;
  if (field.exponent_bits) {
    const int raw = (magnitude >> field.fraction_bits) & ((1 << field.exponent_bits) - 1);
    const int top = 1 << (field.exponent_bits - 1);
    exponent = (raw & (top - 1)) | top;
    if (field.exponent_bits == 1) exponent = 1;
    if (raw & top) exponent = -exponent;
  }
  return sign * std::ldexp(1.0f + float(fraction) / float(1 << field.fraction_bits), exponent);
}

template <class Decode>
std::array<float, 256> make_table(Decode decode) {
  std::array<float, 256> table{};
  for (int code = 0; code < 256; ++code) table[size_t(code)] = decode(code);
  return table;
}

const std::array<float, 256> e4m3_values = make_table(decode_e4m3);
const std::array<float, 256> e8m0_values = make_table(decode_e8m0);
const std::array<float, 256> hif8_values = make_table(decode_hif8);

}  // namespace

const float *const e4m3_table = e4m3_values.data();
const float *const e8m0_table = e8m0_values.data();
const float *const hif8_table = hif8_values.data();
const float fp4_table[16] = {0.0f,  0.5f,  1.0f,  1.5f,  2.0f,  3.0f,  4.0f,  6.0f,
                             -0.0f, -0.5f, -1.0f, -1.5f, -2.0f, -3.0f, -4.0f, -6.0f};

float fp16_bits_to_float(uint16_t bits) {
  const uint32_t sign = uint32_t(bits & 0x8000u) << 16;
  const uint32_t magnitude = bits & 0x7FFFu;
  if (magnitude >= 0x7C00u) return bits_float(sign | 0x7F800000u | ((magnitude & 0x3FFu) << 13));
  if (magnitude >= 0x0400u) return bits_float(sign | ((magnitude << 13) + (112u << 23)));
  return bits_float(sign | float_bits(float(magnitude) * 0x1p-24f));
}

uint16_t float_to_fp16_bits(float value) {
  const uint32_t bits = float_bits(value);
  const uint16_t sign = uint16_t((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) return uint16_t(sign | 0x7E00u);
  if (magnitude >= 0x477FF000u) return uint16_t(sign | 0x7C00u);  // 65520 and above round to infinity
  if (magnitude < 0x38800000u) {  // below the smallest normal: count steps of 2^-24
    // Adding 2^-1 (ulp 2^-24) leaves the rounded step count in the low bits of the sum.
    return uint16_t(sign | (float_bits(bits_float(magnitude) + 0.5f) - float_bits(0.5f)));
  }
  const uint32_t rounded = magnitude + 0xFFFu + ((magnitude >> 13) & 1u);
  return uint16_t(sign | ((rounded - (112u << 23)) >> 13));
}

e4m3 float_to_e4m3(float value) {
  const uint8_t sign = uint8_t((float_bits(value) >> 24) & 0x80u);
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return {0x7F};
  if (magnitude >= 448.0f) return {uint8_t(sign | 0x7Eu)};
  if (magnitude < 0x1p-6f)  // subnormal steps of 2^-9: 2^14 has an ulp of 2^-9
    return {uint8_t(sign | (float_bits(magnitude + 0x1p14f) - float_bits(0x1p14f)))};
  const uint32_t bits = float_bits(magnitude);
  const uint32_t rounded = bits + 0x7FFFFu + ((bits >> 20) & 1u);
  return {uint8_t(sign | ((rounded - (120u << 23)) >> 20))};
}

e5m2 float_to_e5m2(float value) {
  const uint8_t sign = uint8_t((float_bits(value) >> 24) & 0x80u);
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return {0x7F};
  if (magnitude >= 61440.0f) return {uint8_t(sign | 0x7Cu)};
  if (magnitude < 0x1p-14f)  // subnormal steps of 2^-16: 2^7 has an ulp of 2^-16
    return {uint8_t(sign | (float_bits(magnitude + 0x1p7f) - float_bits(0x1p7f)))};
  const uint32_t bits = float_bits(magnitude);
  const uint32_t rounded = bits + 0xFFFFFu + ((bits >> 21) & 1u);
  return {uint8_t(sign | ((rounded - (112u << 23)) >> 21))};
}

hif8 float_to_hif8(float value, bool saturate) {
  if (std::isnan(value)) return {uint8_t(saturate ? 0x00 : 0x80)};
  const uint8_t sign = std::signbit(value) ? 0x80 : 0x00;
  const float magnitude = std::fabs(value);
  if (magnitude >= 40960.0f) return {uint8_t(sign | (saturate ? 0x6E : 0x6F))};
  if (magnitude < 0x1p-23f) return {0};
  int exponent = std::ilogb(magnitude);
  if (exponent < -22) return {uint8_t(sign | 1)};
  const auto fraction_bits = [](int e) { return e < -15 ? 0 : e < -7 ? 1 : e < -3 ? 2 : e < 4 ? 3 : e < 8 ? 2 : 1; };
  int bits = fraction_bits(exponent);
  const float scaled = std::ldexp(magnitude, bits - exponent);  // in [2^bits, 2^(bits+1))
  int steps = int(std::floor(scaled + 0.5f));
  if (steps >> (bits + 1)) {  // the carry: next exponent, fraction 0, in that exponent's own width
    ++exponent;
    bits = fraction_bits(exponent);
    steps = 1 << bits;
  }
  const int fraction = steps - (1 << bits);
  if (exponent < -15) return {uint8_t(sign | (exponent + 23))};
  const int distance = std::abs(exponent);
  const int negative = exponent < 0 ? 1 : 0;
  if (distance == 0) return {uint8_t(sign | 0x08 | fraction)};
  if (distance == 1) return {uint8_t(sign | 0x10 | negative << 3 | fraction)};
  if (distance < 4) return {uint8_t(sign | 0x20 | negative << 4 | (distance & 1) << 3 | fraction)};
  if (distance < 8) return {uint8_t(sign | 0x40 | negative << 4 | (distance & 3) << 2 | fraction)};
  return {uint8_t(sign | 0x60 | negative << 4 | (distance & 7) << 1 | fraction)};
}

uint8_t float_to_fp4(float value) {
  // Midpoints between neighbours; at a midpoint the even code wins.
  static const float midpoint[7] = {0.25f, 0.75f, 1.25f, 1.75f, 2.5f, 3.5f, 5.0f};
  if (std::isnan(value)) return 0;
  const float magnitude = std::fabs(value);
  uint8_t code = 0;
  while (code < 7 && (magnitude > midpoint[code] || (magnitude == midpoint[code] && (code & 1)))) ++code;
  return uint8_t(code | (std::signbit(value) ? 8 : 0));
}

}  // namespace sa
