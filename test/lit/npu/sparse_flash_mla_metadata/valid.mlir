// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_ascend950
// CHECK: "npu.sparse_flash_mla_metadata"
// CHECK-SAME: target = "ascend950"
func.func @example_ascend950() {
  %r:1 = "npu.sparse_flash_mla_metadata"() {target = "ascend950", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : () -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @example_a3
// CHECK: "npu.sparse_flash_mla_metadata"
// CHECK-SAME: target = "a3"
func.func @example_a3() {
  %r:1 = "npu.sparse_flash_mla_metadata"() {target = "a3", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : () -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @example_a2
// CHECK: "npu.sparse_flash_mla_metadata"
// CHECK-SAME: target = "a2"
func.func @example_a2() {
  %r:1 = "npu.sparse_flash_mla_metadata"() {target = "a2", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : () -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.sparse_flash_mla_metadata"
// CHECK-SAME: target = "host"
func.func @example_host() {
  %r:1 = "npu.sparse_flash_mla_metadata"() {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : () -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @packed
// CHECK: "npu.sparse_flash_mla_metadata"
// CHECK-SAME: target = "ascend950"
func.func @packed() {
  %r:1 = "npu.sparse_flash_mla_metadata"() {target = "ascend950", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, max_seqlen_q = 3 : i64, max_seqlen_ori_kv = 40 : i64, layout_q = "TND", layout_kv = "TND", operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : () -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @pages
// CHECK: "npu.sparse_flash_mla_metadata"
// CHECK-SAME: target = "ascend950"
func.func @pages(%seqused_ori_kv: tensor<2xi32>) {
  %r:1 = "npu.sparse_flash_mla_metadata"(%seqused_ori_kv) {target = "ascend950", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 4 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 0, 0, 0, 0, 1, 0, 0, 0, 0>}
    : (tensor<2xi32>) -> (tensor<1024xi32>)
  return
}
