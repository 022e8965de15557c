// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_other_chip(%x: tensor<2x10x256xbf16>, %wkv: tensor<1024x256xbf16>, %wgate: tensor<1024x256xbf16>, %state_cache: tensor<5x8x2048xf32>, %ape: tensor<4x1024xf32>) {
  // expected-error@below {{[c1] target a2 (Atlas A2 training and inference products) has no such kernel}}
  %r:2 = "npu.compressor"(%x, %wkv, %wgate, %state_cache, %ape) {target = "a2", coff = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x256xbf16>, tensor<1024x256xbf16>, tensor<1024x256xbf16>, tensor<5x8x2048xf32>, tensor<4x1024xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c2_hidden(%x: tensor<2x10x256xbf16>, %wkv: tensor<1024x128xbf16>, %wgate: tensor<1024x256xbf16>, %state_cache: tensor<5x8x2048xf32>, %ape: tensor<4x1024xf32>) {
  // expected-error@below {{[c2] wkv has shape [1024, 128]: axis 1 is 128 where H = 256 asks for 256 in [E, H]}}
  %r:2 = "npu.compressor"(%x, %wkv, %wgate, %state_cache, %ape) {target = "host", coff = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x256xbf16>, tensor<1024x128xbf16>, tensor<1024x256xbf16>, tensor<5x8x2048xf32>, tensor<4x1024xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c3_state(%x: tensor<2x10x256xbf16>, %wkv: tensor<1024x256xbf16>, %wgate: tensor<1024x256xbf16>, %state_cache: tensor<5x8x2048xbf16>, %ape: tensor<4x1024xf32>) {
  // expected-error@below {{[c3] state_cache is bfloat16 where float32 is read}}
  %r:2 = "npu.compressor"(%x, %wkv, %wgate, %state_cache, %ape) {target = "host", coff = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x256xbf16>, tensor<1024x256xbf16>, tensor<1024x256xbf16>, tensor<5x8x2048xbf16>, tensor<4x1024xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c4_coff(%x: tensor<2x10x256xbf16>, %wkv: tensor<1024x256xbf16>, %wgate: tensor<1024x256xbf16>, %state_cache: tensor<5x8x2048xf32>, %ape: tensor<4x1024xf32>) {
  // expected-error@below {{[c4] coff is 3, not 1 or 2}}
  %r:2 = "npu.compressor"(%x, %wkv, %wgate, %state_cache, %ape) {target = "host", coff = 3 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x256xbf16>, tensor<1024x256xbf16>, tensor<1024x256xbf16>, tensor<5x8x2048xf32>, tensor<4x1024xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c5_ratio(%x: tensor<2x10x256xbf16>, %wkv: tensor<1024x256xbf16>, %wgate: tensor<1024x256xbf16>, %state_cache: tensor<5x8x2048xf32>, %ape: tensor<8x1024xf32>) {
  // expected-error@below {{[c5] on a3, cmp_ratio is 8, not 4 or 128}}
  %r:2 = "npu.compressor"(%x, %wkv, %wgate, %state_cache, %ape) {target = "a3", cmp_ratio = 8 : i64, coff = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x256xbf16>, tensor<1024x256xbf16>, tensor<1024x256xbf16>, tensor<5x8x2048xf32>, tensor<8x1024xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c6_width(%x: tensor<2x10x256xbf16>, %wkv: tensor<1023x256xbf16>, %wgate: tensor<1023x256xbf16>, %state_cache: tensor<5x8x2048xf32>, %ape: tensor<4x1023xf32>) {
  // expected-error@below {{[c6] wkv has 1023 rows with coff 2}}
  %r:2 = "npu.compressor"(%x, %wkv, %wgate, %state_cache, %ape) {target = "host", coff = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x256xbf16>, tensor<1023x256xbf16>, tensor<1023x256xbf16>, tensor<5x8x2048xf32>, tensor<4x1023xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c7_bias(%x: tensor<2x10x256xbf16>, %wkv: tensor<1024x256xbf16>, %wgate: tensor<1024x256xbf16>, %state_cache: tensor<5x8x2048xf32>, %ape: tensor<8x1024xf32>) {
  // expected-error@below {{[c7] ape has 8 rows with cmp_ratio 4}}
  %r:2 = "npu.compressor"(%x, %wkv, %wgate, %state_cache, %ape) {target = "host", coff = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x256xbf16>, tensor<1024x256xbf16>, tensor<1024x256xbf16>, tensor<5x8x2048xf32>, tensor<8x1024xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c8_sums_missing(%x: tensor<13x256xbf16>, %wkv: tensor<1024x256xbf16>, %wgate: tensor<1024x256xbf16>, %state_cache: tensor<5x8x2048xf32>, %ape: tensor<4x1024xf32>) {
  // expected-error@below {{[c8] x has 2 axes, cu_seqlens missing}}
  %r:2 = "npu.compressor"(%x, %wkv, %wgate, %state_cache, %ape) {target = "host", coff = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<13x256xbf16>, tensor<1024x256xbf16>, tensor<1024x256xbf16>, tensor<5x8x2048xf32>, tensor<4x1024xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c9_cache(%x: tensor<2x10x256xbf16>, %wkv: tensor<1024x256xbf16>, %wgate: tensor<1024x256xbf16>, %state_cache: tensor<5x8x2048xf32>, %ape: tensor<4x1024xf32>) {
  // expected-error@below {{[c9] cache_mode is 0, not 1 or 2}}
  %r:2 = "npu.compressor"(%x, %wkv, %wgate, %state_cache, %ape) {target = "host", coff = 2 : i64, cache_mode = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x256xbf16>, tensor<1024x256xbf16>, tensor<1024x256xbf16>, tensor<5x8x2048xf32>, tensor<4x1024xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c12_empty(%x: tensor<2x0x256xbf16>, %wkv: tensor<1024x256xbf16>, %wgate: tensor<1024x256xbf16>, %state_cache: tensor<5x8x2048xf32>, %ape: tensor<4x1024xf32>) {
  // expected-error@below {{[c12] on ascend950, x is empty, its shape is [2, 0, 256]}}
  %r:2 = "npu.compressor"(%x, %wkv, %wgate, %state_cache, %ape) {target = "ascend950", coff = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x0x256xbf16>, tensor<1024x256xbf16>, tensor<1024x256xbf16>, tensor<5x8x2048xf32>, tensor<4x1024xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}
