// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_ascend950
// CHECK: "npu.quant_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @example_ascend950(%query: tensor<2x3x64x128xsi8>, %key: tensor<9x16x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<9x16x1xf16>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %seqused_k, %block_table, %metadata) {target = "ascend950", topk = 512 : i64, quant_mode = 2 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<9x16x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<9x16x1xf16>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @example_a3
// CHECK: "npu.quant_lightning_indexer"
// CHECK-SAME: target = "a3"
func.func @example_a3(%query: tensor<2x3x64x128xsi8>, %key: tensor<9x16x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<9x16x1xf16>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %seqused_k, %block_table, %metadata) {target = "a3", topk = 512 : i64, quant_mode = 2 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<9x16x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<9x16x1xf16>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @example_a2
// CHECK: "npu.quant_lightning_indexer"
// CHECK-SAME: target = "a2"
func.func @example_a2(%query: tensor<2x3x64x128xsi8>, %key: tensor<9x16x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<9x16x1xf16>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %seqused_k, %block_table, %metadata) {target = "a2", topk = 512 : i64, quant_mode = 2 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<9x16x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<9x16x1xf16>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.quant_lightning_indexer"
// CHECK-SAME: target = "host"
func.func @example_host(%query: tensor<2x3x64x128xsi8>, %key: tensor<9x16x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<9x16x1xf16>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %seqused_k, %block_table, %metadata) {target = "host", topk = 512 : i64, quant_mode = 2 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<9x16x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<9x16x1xf16>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @mode_1
// CHECK: "npu.quant_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @mode_1(%query: tensor<2x3x8x128xf8E4M3FN>, %key: tensor<9x16x1x128xf8E4M3FN>, %weights: tensor<2x3x8xf32>, %query_dequant_scale: tensor<2x3x8xf32>, %key_dequant_scale: tensor<9x16x1xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %seqused_k, %block_table, %metadata) {target = "ascend950", topk = 512 : i64, quant_mode = 1 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x8x128xf8E4M3FN>, tensor<9x16x1x128xf8E4M3FN>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<9x16x1xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @mode_3
// CHECK: "npu.quant_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @mode_3(%query: tensor<2x3x8x128xf8E4M3FN>, %key: tensor<9x16x1x128xf8E4M3FN>, %weights: tensor<2x3x8xf32>, %query_dequant_scale: tensor<2x3x8x2x2xf8E8M0FNU>, %key_dequant_scale: tensor<9x16x1x2x2xf8E8M0FNU>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %seqused_k, %block_table, %metadata) {target = "ascend950", topk = 512 : i64, quant_mode = 3 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x8x128xf8E4M3FN>, tensor<9x16x1x128xf8E4M3FN>, tensor<2x3x8xf32>, tensor<2x3x8x2x2xf8E8M0FNU>, tensor<9x16x1x2x2xf8E8M0FNU>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @mode_4
// CHECK: "npu.quant_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @mode_4(%query: tensor<2x3x8x128x!npu.hif8>, %key: tensor<9x16x1x128xui8>, %weights: tensor<2x3x8xf32>, %query_dequant_scale: tensor<1xf32>, %key_dequant_scale: tensor<1xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %seqused_k, %block_table, %metadata) {target = "ascend950", topk = 512 : i64, quant_mode = 4 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x8x128x!npu.hif8>, tensor<9x16x1x128xui8>, tensor<2x3x8xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @mode_5
// CHECK: "npu.quant_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @mode_5(%query: tensor<2x3x8x64x!npu.fp4x2>, %key: tensor<9x16x1x64xui8>, %weights: tensor<2x3x8xf32>, %query_dequant_scale: tensor<2x3x8x2x2xf8E8M0FNU>, %key_dequant_scale: tensor<9x16x1x2x2xf8E8M0FNU>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %seqused_k, %block_table, %metadata) {target = "ascend950", topk = 512 : i64, quant_mode = 5 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x8x64x!npu.fp4x2>, tensor<9x16x1x64xui8>, tensor<2x3x8xf32>, tensor<2x3x8x2x2xf8E8M0FNU>, tensor<9x16x1x2x2xf8E8M0FNU>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @batched_keys
// CHECK: "npu.quant_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @batched_keys(%query: tensor<2x3x8x128xf8E4M3FN>, %key: tensor<2x40x1x128xf8E4M3FN>, %weights: tensor<2x3x8xf32>, %query_dequant_scale: tensor<2x3x8xf32>, %key_dequant_scale: tensor<2x40x1xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "ascend950", topk = 512 : i64, quant_mode = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1>}
    : (tensor<2x3x8x128xf8E4M3FN>, tensor<2x40x1x128xf8E4M3FN>, tensor<2x3x8xf32>, tensor<2x3x8xf32>, tensor<2x40x1xf32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @packed
// CHECK: "npu.quant_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @packed(%query: tensor<6x8x128xf8E4M3FN>, %key: tensor<80x1x128xf8E4M3FN>, %weights: tensor<6x8xf32>, %query_dequant_scale: tensor<6x8xf32>, %key_dequant_scale: tensor<80x1xf32>, %cu_seqlens_q: tensor<3xi32>, %cu_seqlens_k: tensor<3xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %cu_seqlens_q, %cu_seqlens_k, %metadata) {target = "ascend950", topk = 512 : i64, quant_mode = 1 : i64, layout_q = "TND", layout_k = "TND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1>}
    : (tensor<6x8x128xf8E4M3FN>, tensor<80x1x128xf8E4M3FN>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<80x1xf32>, tensor<3xi32>, tensor<3xi32>, tensor<1024xi32>) -> (tensor<6x1x512xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @packed_with_padding
// CHECK: "npu.quant_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @packed_with_padding(%query: tensor<6x8x128xf8E4M3FN>, %key: tensor<80x1x128xf8E4M3FN>, %weights: tensor<6x8xf32>, %query_dequant_scale: tensor<6x8xf32>, %key_dequant_scale: tensor<80x1xf32>, %cu_seqlens_q: tensor<3xi32>, %cu_seqlens_k: tensor<3xi32>, %seqused_q: tensor<2xi32>, %seqused_k: tensor<2xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %cu_seqlens_q, %cu_seqlens_k, %seqused_q, %seqused_k, %metadata) {target = "ascend950", topk = 512 : i64, quant_mode = 1 : i64, layout_q = "TND", layout_k = "TND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<6x8x128xf8E4M3FN>, tensor<80x1x128xf8E4M3FN>, tensor<6x8xf32>, tensor<6x8xf32>, tensor<80x1xf32>, tensor<3xi32>, tensor<3xi32>, tensor<2xi32>, tensor<2xi32>, tensor<1024xi32>) -> (tensor<6x1x512xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @packed_queries_over_pages
// CHECK: "npu.quant_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @packed_queries_over_pages(%query: tensor<6x64x128xsi8>, %key: tensor<9x16x1x128xsi8>, %weights: tensor<6x64xf16>, %query_dequant_scale: tensor<6x64xf16>, %key_dequant_scale: tensor<9x16x1xf16>, %cu_seqlens_q: tensor<3xi32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %cu_seqlens_q, %seqused_k, %block_table, %metadata) {target = "ascend950", topk = 512 : i64, quant_mode = 2 : i64, layout_q = "TND", layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<6x64x128xsi8>, tensor<9x16x1x128xsi8>, tensor<6x64xf16>, tensor<6x64xf16>, tensor<9x16x1xf16>, tensor<3xi32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<6x1x512xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @compressed
// CHECK: "npu.quant_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @compressed(%query: tensor<2x3x64x128xsi8>, %key: tensor<9x16x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<9x16x1xf16>, %seqused_k: tensor<2xi32>, %cmp_residual_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %seqused_k, %cmp_residual_k, %block_table, %metadata) {target = "ascend950", topk = 512 : i64, quant_mode = 2 : i64, layout_k = "PA_BBND", mask_mode = 3 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<9x16x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<9x16x1xf16>, tensor<2xi32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @any_ratio
// CHECK: "npu.quant_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @any_ratio(%query: tensor<2x3x64x128xsi8>, %key: tensor<9x16x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<9x16x1xf16>, %seqused_k: tensor<2xi32>, %cmp_residual_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %seqused_k, %cmp_residual_k, %block_table, %metadata) {target = "ascend950", topk = 512 : i64, quant_mode = 2 : i64, layout_k = "PA_BBND", mask_mode = 3 : i64, cmp_ratio = 3 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<9x16x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<9x16x1xf16>, tensor<2xi32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @offset_and_values
// CHECK: "npu.quant_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @offset_and_values(%query: tensor<2x3x64x128xsi8>, %key: tensor<9x16x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<9x16x1xf16>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %output_idx_offset: tensor<2x3x1xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %seqused_k, %block_table, %output_idx_offset, %metadata) {target = "ascend950", topk = 512 : i64, quant_mode = 2 : i64, layout_k = "PA_BBND", return_value = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 1, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<9x16x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<9x16x1xf16>, tensor<2xi32>, tensor<2x4xi32>, tensor<2x3x1xi32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<2x3x1x512xbf16>)
  return
}

// CHECK-LABEL: @one_head
// CHECK: "npu.quant_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @one_head(%query: tensor<2x3x1x128xsi8>, %key: tensor<9x16x1x128xsi8>, %weights: tensor<2x3x1xf16>, %query_dequant_scale: tensor<2x3x1xf16>, %key_dequant_scale: tensor<9x16x1xf16>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %seqused_k, %block_table, %metadata) {target = "ascend950", topk = 512 : i64, quant_mode = 2 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x1x128xsi8>, tensor<9x16x1x128xsi8>, tensor<2x3x1xf16>, tensor<2x3x1xf16>, tensor<9x16x1xf16>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x512xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @wide
// CHECK: "npu.quant_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @wide(%query: tensor<2x3x64x128xsi8>, %key: tensor<9x16x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<9x16x1xf16>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %seqused_k, %block_table, %metadata) {target = "ascend950", topk = 8192 : i64, quant_mode = 2 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<9x16x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<9x16x1xf16>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x8192xi32>, tensor<0xbf16>)
  return
}
