// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_ascend950
// CHECK: "npu.lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @example_ascend950(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "ascend950", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @example_a3
// CHECK: "npu.lightning_indexer"
// CHECK-SAME: target = "a3"
func.func @example_a3(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "a3", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @example_a2
// CHECK: "npu.lightning_indexer"
// CHECK-SAME: target = "a2"
func.func @example_a2(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "a2", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.lightning_indexer"
// CHECK-SAME: target = "host"
func.func @example_host(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "host", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @half
// CHECK: "npu.lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @half(%q: tensor<2x3x64x128xf16>, %k: tensor<9x16x1x128xf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "ascend950", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xf16>, tensor<9x16x1x128xf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @batched
// CHECK: "npu.lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @batched(%q: tensor<2x3x64x128xbf16>, %k: tensor<2x40x1x128xbf16>, %w: tensor<2x3x64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %metadata) {target = "ascend950", topk = 512 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xbf16>, tensor<2x3x64xf32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @packed
// CHECK: "npu.lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @packed(%q: tensor<6x64x128xbf16>, %k: tensor<80x1x128xbf16>, %w: tensor<6x64xf32>, %cu_seqlens_q: tensor<3xi32>, %cu_seqlens_k: tensor<3xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %cu_seqlens_q, %cu_seqlens_k, %metadata) {target = "ascend950", topk = 512 : i64, layout_q = "TND", layout_k = "TND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1>}
    : (tensor<6x64x128xbf16>, tensor<80x1x128xbf16>, tensor<6x64xf32>, tensor<3xi32>, tensor<3xi32>, tensor<1024xi32>) -> (tensor<6x1x512xi32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @packed_queries
// CHECK: "npu.lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @packed_queries(%q: tensor<6x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<6x64xf32>, %cu_seqlens_q: tensor<3xi32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %cu_seqlens_q, %seqused_k, %block_table, %metadata) {target = "ascend950", topk = 512 : i64, layout_q = "TND", layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<6x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<6x64xf32>, tensor<3xi32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<6x1x512xi32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @compressed
// CHECK: "npu.lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @compressed(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %cmp_residual_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %cmp_residual_k, %block_table, %metadata) {target = "ascend950", topk = 512 : i64, layout_k = "PA_BBND", mask_mode = 3 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @few_heads
// CHECK: "npu.lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @few_heads(%q: tensor<2x3x8x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x8xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "ascend950", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x8x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x8xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @interleaved_keys
// CHECK: "npu.lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @interleaved_keys(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "ascend950", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xf32>)
  return
}
