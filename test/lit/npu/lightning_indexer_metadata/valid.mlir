// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_ascend950
// CHECK: "npu.lightning_indexer_metadata"
// CHECK-SAME: target = "ascend950"
func.func @example_ascend950(%seqused_k: tensor<2xi32>) {
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "ascend950", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<2xi32>) -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @example_a3
// CHECK: "npu.lightning_indexer_metadata"
// CHECK-SAME: target = "a3"
func.func @example_a3(%seqused_k: tensor<2xi32>) {
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "a3", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<2xi32>) -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @example_a2
// CHECK: "npu.lightning_indexer_metadata"
// CHECK-SAME: target = "a2"
func.func @example_a2(%seqused_k: tensor<2xi32>) {
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "a2", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<2xi32>) -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.lightning_indexer_metadata"
// CHECK-SAME: target = "host"
func.func @example_host(%seqused_k: tensor<2xi32>) {
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "host", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<2xi32>) -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @compressed
// CHECK: "npu.lightning_indexer_metadata"
// CHECK-SAME: target = "ascend950"
func.func @compressed(%seqused_k: tensor<2xi32>, %cmp_residual_k: tensor<2xi32>) {
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k, %cmp_residual_k) {target = "ascend950", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", mask_mode = 3 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 1, 1>}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @packed
// CHECK: "npu.lightning_indexer_metadata"
// CHECK-SAME: target = "ascend950"
func.func @packed(%cu_seqlens_q: tensor<3xi32>, %seqused_k: tensor<2xi32>) {
  %r:1 = "npu.lightning_indexer_metadata"(%cu_seqlens_q, %seqused_k) {target = "ascend950", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_k = 64 : i64, layout_q = "TND", layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 0, 0, 1, 0>}
    : (tensor<3xi32>, tensor<2xi32>) -> (tensor<1024xi32>)
  return
}
