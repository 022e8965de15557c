// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_other_chip(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c1] target a2 (Atlas A2 training and inference products) has no such kernel}}
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "a2", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<512xbf16>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c2_hidden(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x512xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c2] wkv has shape [1024, 512]: axis 1 is 512 where H = 1024 asks for 1024 in [E, H]}}
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "host", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1024x512xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<512xbf16>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c3_weight(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xf32>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c3] norm_weight is float32 where bfloat16 or float16 is read}}
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "host", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<512xf32>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c4_coff(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c4] coff is 3, not 1 or 2}}
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "host", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 3 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<512xbf16>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c5_ratio(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<8x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c5] on a3, cmp_ratio is 8, not 4 or 128}}
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "a3", rope_head_dim = 64 : i64, cmp_ratio = 8 : i64, coff = 2 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<8x1024xf32>, tensor<512xbf16>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c6_width(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1023x1024xbf16>, %wgate: tensor<1023x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1023xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c6] wkv has 1023 rows with coff 2}}
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "host", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1023x1024xbf16>, tensor<1023x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1023xf32>, tensor<512xbf16>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c7_bias(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<8x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c7] ape has 8 rows with cmp_ratio 4}}
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "host", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<8x1024xf32>, tensor<512xbf16>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c8_sums_missing(%x: tensor<13x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<5x64xbf16>, %rope_cos: tensor<5x64xbf16>) {
  // expected-error@below {{[c8] x has 2 axes, cu_seqlens missing}}
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "host", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<13x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<512xbf16>, tensor<5x64xbf16>, tensor<5x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c9_cache(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c9] cache_mode is 0, not 1 or 2}}
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "host", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, rotary_mode = 2 : i64, cache_mode = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<512xbf16>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c12_empty(%x: tensor<2x0x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c12] on ascend950, x is empty, its shape is [2, 0, 1024]}}
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "ascend950", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x0x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<512xbf16>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c14_weight(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<500xbf16>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c14] norm_weight has 500 elements, wkv has 1024 rows with coff 2}}
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "host", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<500xbf16>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c15_odd(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c15] rope_head_dim is 63}}
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "host", rope_head_dim = 63 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<512xbf16>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c16_rows(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x2x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c16] rope_sin has rows [2, 2], the result has [2, 3]}}
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "host", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<512xbf16>, tensor<2x2x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c17_mode(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c17] rotary_mode is 3, not 1 or 2}}
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "host", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, rotary_mode = 3 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<512xbf16>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c18_halves(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c18] on a3, rotary_mode is 1, not 2}}
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "a3", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<512xbf16>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c19_width(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x3x32xbf16>, %rope_cos: tensor<2x3x32xbf16>) {
  // expected-error@below {{[c19] on ascend950, rope_head_dim is 32, not 64}}
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "ascend950", rope_head_dim = 32 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<512xbf16>, tensor<2x3x32xbf16>, tensor<2x3x32xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c20_widths(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<128x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x1x64xbf16>, %rope_cos: tensor<2x1x64xbf16>) {
  // expected-error@below {{[c20] on ascend950, D, coff, cmp_ratio are 512, 2, 128}}
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "ascend950", rope_head_dim = 64 : i64, cmp_ratio = 128 : i64, coff = 2 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<128x1024xf32>, tensor<512xbf16>, tensor<2x1x64xbf16>, tensor<2x1x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c21_hidden(%x: tensor<2x10x1000xbf16>, %wkv: tensor<1024x1000xbf16>, %wgate: tensor<1024x1000xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c21] on ascend950, hidden size H is 1000, not 1024 to 10240 in steps of 512}}
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "ascend950", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1000xbf16>, tensor<1024x1000xbf16>, tensor<1024x1000xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<512xbf16>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c22_block(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x8x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c22] on ascend950, rows of a state block size is 8, not 16 to 1024 in steps of 16}}
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "ascend950", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x8x2048xf32>, tensor<4x1024xf32>, tensor<512xbf16>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c23_eps(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c23] norm_eps is inf}}
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "host", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, norm_eps = 0x7FF0000000000000 : f64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<512xbf16>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}
