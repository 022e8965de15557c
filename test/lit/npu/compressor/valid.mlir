// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_ascend950
// CHECK: "npu.compressor"
// CHECK-SAME: target = "ascend950"
func.func @example_ascend950(%x: tensor<2x10x256xbf16>, %wkv: tensor<1024x256xbf16>, %wgate: tensor<1024x256xbf16>, %state_cache: tensor<5x8x2048xf32>, %ape: tensor<4x1024xf32>) {
  %r:2 = "npu.compressor"(%x, %wkv, %wgate, %state_cache, %ape) {target = "ascend950", coff = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x256xbf16>, tensor<1024x256xbf16>, tensor<1024x256xbf16>, tensor<5x8x2048xf32>, tensor<4x1024xf32>) -> (tensor<5x8x2048xf32>, tensor<2x3x512xbf16>)
  return
}

// CHECK-LABEL: @example_a3
// CHECK: "npu.compressor"
// CHECK-SAME: target = "a3"
func.func @example_a3(%x: tensor<2x10x256xbf16>, %wkv: tensor<1024x256xbf16>, %wgate: tensor<1024x256xbf16>, %state_cache: tensor<5x8x2048xf32>, %ape: tensor<4x1024xf32>) {
  %r:2 = "npu.compressor"(%x, %wkv, %wgate, %state_cache, %ape) {target = "a3", coff = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x256xbf16>, tensor<1024x256xbf16>, tensor<1024x256xbf16>, tensor<5x8x2048xf32>, tensor<4x1024xf32>) -> (tensor<5x8x2048xf32>, tensor<2x3x512xbf16>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.compressor"
// CHECK-SAME: target = "host"
func.func @example_host(%x: tensor<2x10x256xbf16>, %wkv: tensor<1024x256xbf16>, %wgate: tensor<1024x256xbf16>, %state_cache: tensor<5x8x2048xf32>, %ape: tensor<4x1024xf32>) {
  %r:2 = "npu.compressor"(%x, %wkv, %wgate, %state_cache, %ape) {target = "host", coff = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x256xbf16>, tensor<1024x256xbf16>, tensor<1024x256xbf16>, tensor<5x8x2048xf32>, tensor<4x1024xf32>) -> (tensor<5x8x2048xf32>, tensor<2x3x512xbf16>)
  return
}

// CHECK-LABEL: @packed
// CHECK: "npu.compressor"
// CHECK-SAME: target = "ascend950"
func.func @packed(%x: tensor<13x256xbf16>, %wkv: tensor<1024x256xbf16>, %wgate: tensor<1024x256xbf16>, %state_cache: tensor<5x8x2048xf32>, %ape: tensor<4x1024xf32>, %cu_seqlens: tensor<3xi32>) {
  %r:2 = "npu.compressor"(%x, %wkv, %wgate, %state_cache, %ape, %cu_seqlens) {target = "ascend950", coff = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 1, 0, 0>}
    : (tensor<13x256xbf16>, tensor<1024x256xbf16>, tensor<1024x256xbf16>, tensor<5x8x2048xf32>, tensor<4x1024xf32>, tensor<3xi32>) -> (tensor<5x8x2048xf32>, tensor<5x512xbf16>)
  return
}

// CHECK-LABEL: @ratio_128
// CHECK: "npu.compressor"
// CHECK-SAME: target = "ascend950"
func.func @ratio_128(%x: tensor<2x10x256xbf16>, %wkv: tensor<1024x256xbf16>, %wgate: tensor<1024x256xbf16>, %state_cache: tensor<5x8x2048xf32>, %ape: tensor<128x1024xf32>) {
  %r:2 = "npu.compressor"(%x, %wkv, %wgate, %state_cache, %ape) {target = "ascend950", cmp_ratio = 128 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x256xbf16>, tensor<1024x256xbf16>, tensor<1024x256xbf16>, tensor<5x8x2048xf32>, tensor<128x1024xf32>) -> (tensor<5x8x2048xf32>, tensor<2x1x1024xbf16>)
  return
}

// CHECK-LABEL: @any_ratio
// CHECK: "npu.compressor"
// CHECK-SAME: target = "host"
func.func @any_ratio(%x: tensor<2x10x256xbf16>, %wkv: tensor<1024x256xbf16>, %wgate: tensor<1024x256xbf16>, %state_cache: tensor<5x8x2048xf32>, %ape: tensor<3x1024xf32>) {
  %r:2 = "npu.compressor"(%x, %wkv, %wgate, %state_cache, %ape) {target = "host", cmp_ratio = 3 : i64, coff = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x10x256xbf16>, tensor<1024x256xbf16>, tensor<1024x256xbf16>, tensor<5x8x2048xf32>, tensor<3x1024xf32>) -> (tensor<5x8x2048xf32>, tensor<2x4x512xbf16>)
  return
}

// CHECK-LABEL: @lengths
// CHECK: "npu.compressor"
// CHECK-SAME: target = "ascend950"
func.func @lengths(%x: tensor<2x10x256xbf16>, %wkv: tensor<1024x256xbf16>, %wgate: tensor<1024x256xbf16>, %state_cache: tensor<5x8x2048xf32>, %ape: tensor<4x1024xf32>, %state_block_table: tensor<2x3xi32>, %seqused: tensor<2xi32>, %start_pos: tensor<2xi32>) {
  %r:2 = "npu.compressor"(%x, %wkv, %wgate, %state_cache, %ape, %state_block_table, %seqused, %start_pos) {target = "ascend950", coff = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 1, 1>}
    : (tensor<2x10x256xbf16>, tensor<1024x256xbf16>, tensor<1024x256xbf16>, tensor<5x8x2048xf32>, tensor<4x1024xf32>, tensor<2x3xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<5x8x2048xf32>, tensor<2x3x512xbf16>)
  return
}
