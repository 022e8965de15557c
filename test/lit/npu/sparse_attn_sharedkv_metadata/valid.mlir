// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_a3
// CHECK: "npu.sparse_attn_sharedkv_metadata"
// CHECK-SAME: target = "a3"
func.func @example_a3(%seqused_kv: tensor<2xi32>) {
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "a3", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @example_a2
// CHECK: "npu.sparse_attn_sharedkv_metadata"
// CHECK-SAME: target = "a2"
func.func @example_a2(%seqused_kv: tensor<2xi32>) {
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "a2", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.sparse_attn_sharedkv_metadata"
// CHECK-SAME: target = "host"
func.func @example_host(%seqused_kv: tensor<2xi32>) {
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @packed
// CHECK: "npu.sparse_attn_sharedkv_metadata"
// CHECK-SAME: target = "a3"
func.func @packed(%cu_seqlens_q: tensor<3xi32>, %seqused_kv: tensor<2xi32>) {
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%cu_seqlens_q, %seqused_kv) {target = "a3", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, layout_q = "TND", operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}
    : (tensor<3xi32>, tensor<2xi32>) -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @compressed
// CHECK: "npu.sparse_attn_sharedkv_metadata"
// CHECK-SAME: target = "a3"
func.func @compressed(%seqused_kv: tensor<2xi32>) {
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "a3", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1024xi32>)
  return
}
