// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_ascend950
// CHECK: "npu.kv_quant_sparse_attn_sharedkv_metadata"
// CHECK-SAME: target = "ascend950"
func.func @example_ascend950(%seqused_kv: tensor<2xi32>) {
  %r:1 = "npu.kv_quant_sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "ascend950", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, kv_quant_mode = 1 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.kv_quant_sparse_attn_sharedkv_metadata"
// CHECK-SAME: target = "host"
func.func @example_host(%seqused_kv: tensor<2xi32>) {
  %r:1 = "npu.kv_quant_sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, kv_quant_mode = 1 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @packed
// CHECK: "npu.kv_quant_sparse_attn_sharedkv_metadata"
// CHECK-SAME: target = "ascend950"
func.func @packed(%cu_seqlens_q: tensor<3xi32>, %seqused_kv: tensor<2xi32>) {
  %r:1 = "npu.kv_quant_sparse_attn_sharedkv_metadata"(%cu_seqlens_q, %seqused_kv) {target = "ascend950", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, kv_quant_mode = 1 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, layout_q = "TND", operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}
    : (tensor<3xi32>, tensor<2xi32>) -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @compressed
// CHECK: "npu.kv_quant_sparse_attn_sharedkv_metadata"
// CHECK-SAME: target = "ascend950"
func.func @compressed(%seqused_kv: tensor<2xi32>) {
  %r:1 = "npu.kv_quant_sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "ascend950", num_heads_q = 128 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, kv_quant_mode = 1 : i64, batch_size = 2 : i64, cmp_topk = 512 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @spelled_out
// CHECK: "npu.kv_quant_sparse_attn_sharedkv_metadata"
// CHECK-SAME: target = "ascend950"
func.func @spelled_out(%seqused_kv: tensor<2xi32>) {
  %r:1 = "npu.kv_quant_sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "ascend950", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, kv_quant_mode = 1 : i64, batch_size = 2 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, cmp_ratio = 1 : i64, device = "npu:1", operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1024xi32>)
  return
}
