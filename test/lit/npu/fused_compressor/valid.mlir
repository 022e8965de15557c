// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_ascend950
// CHECK: "npu.fused_compressor"
// CHECK-SAME: target = "ascend950"
func.func @example_ascend950(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "ascend950", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<512xbf16>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<5x16x2048xf32>, tensor<2x3x512xbf16>)
  return
}

// CHECK-LABEL: @example_a3
// CHECK: "npu.fused_compressor"
// CHECK-SAME: target = "a3"
func.func @example_a3(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "a3", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<512xbf16>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<5x16x2048xf32>, tensor<2x3x512xbf16>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.fused_compressor"
// CHECK-SAME: target = "host"
func.func @example_host(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "host", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<512xbf16>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<5x16x2048xf32>, tensor<2x3x512xbf16>)
  return
}

// CHECK-LABEL: @packed
// CHECK: "npu.fused_compressor"
// CHECK-SAME: target = "ascend950"
func.func @packed(%x: tensor<13x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<5x64xbf16>, %rope_cos: tensor<5x64xbf16>, %cu_seqlens: tensor<3xi32>) {
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos, %cu_seqlens) {target = "ascend950", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 0>}
    : (tensor<13x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<512xbf16>, tensor<5x64xbf16>, tensor<5x64xbf16>, tensor<3xi32>) -> (tensor<5x16x2048xf32>, tensor<5x512xbf16>)
  return
}

// CHECK-LABEL: @heavy
// CHECK: "npu.fused_compressor"
// CHECK-SAME: target = "ascend950"
func.func @heavy(%x: tensor<2x10x1024xbf16>, %wkv: tensor<512x1024xbf16>, %wgate: tensor<512x1024xbf16>, %state_cache: tensor<5x16x1024xf32>, %ape: tensor<128x512xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x1x64xbf16>, %rope_cos: tensor<2x1x64xbf16>) {
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "ascend950", rope_head_dim = 64 : i64, cmp_ratio = 128 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<512x1024xbf16>, tensor<512x1024xbf16>, tensor<5x16x1024xf32>, tensor<128x512xf32>, tensor<512xbf16>, tensor<2x1x64xbf16>, tensor<2x1x64xbf16>) -> (tensor<5x16x1024xf32>, tensor<2x1x512xbf16>)
  return
}

// CHECK-LABEL: @halves_on_host
// CHECK: "npu.fused_compressor"
// CHECK-SAME: target = "host"
func.func @halves_on_host(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>) {
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos) {target = "host", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<512xbf16>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<5x16x2048xf32>, tensor<2x3x512xbf16>)
  return
}

// CHECK-LABEL: @lengths
// CHECK: "npu.fused_compressor"
// CHECK-SAME: target = "ascend950"
func.func @lengths(%x: tensor<2x10x1024xbf16>, %wkv: tensor<1024x1024xbf16>, %wgate: tensor<1024x1024xbf16>, %state_cache: tensor<5x16x2048xf32>, %ape: tensor<4x1024xf32>, %norm_weight: tensor<512xbf16>, %rope_sin: tensor<2x3x64xbf16>, %rope_cos: tensor<2x3x64xbf16>, %state_block_table: tensor<2x3xi32>, %seqused: tensor<2xi32>, %start_pos: tensor<2xi32>) {
  %r:2 = "npu.fused_compressor"(%x, %wkv, %wgate, %state_cache, %ape, %norm_weight, %rope_sin, %rope_cos, %state_block_table, %seqused, %start_pos) {target = "ascend950", rope_head_dim = 64 : i64, cmp_ratio = 4 : i64, coff = 2 : i64, rotary_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1>}
    : (tensor<2x10x1024xbf16>, tensor<1024x1024xbf16>, tensor<1024x1024xbf16>, tensor<5x16x2048xf32>, tensor<4x1024xf32>, tensor<512xbf16>, tensor<2x3x64xbf16>, tensor<2x3x64xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<5x16x2048xf32>, tensor<2x3x512xbf16>)
  return
}
