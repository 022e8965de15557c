// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_ascend950
// CHECK: "npu.npu_vllm_quant_lightning_indexer_metadata"
// CHECK-SAME: target = "ascend950"
func.func @example_ascend950(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi32>) {
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "ascend950", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, query_quant_mode = 0 : i64, key_quant_mode = 0 : i64, layout_query = "TND", layout_key = "PA_BSND", sparse_count = 512 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @example_a3
// CHECK: "npu.npu_vllm_quant_lightning_indexer_metadata"
// CHECK-SAME: target = "a3"
func.func @example_a3(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi32>) {
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "a3", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, query_quant_mode = 0 : i64, key_quant_mode = 0 : i64, layout_query = "TND", layout_key = "PA_BSND", sparse_count = 512 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @example_a2
// CHECK: "npu.npu_vllm_quant_lightning_indexer_metadata"
// CHECK-SAME: target = "a2"
func.func @example_a2(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi32>) {
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "a2", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, query_quant_mode = 0 : i64, key_quant_mode = 0 : i64, layout_query = "TND", layout_key = "PA_BSND", sparse_count = 512 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.npu_vllm_quant_lightning_indexer_metadata"
// CHECK-SAME: target = "host"
func.func @example_host(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi32>) {
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "host", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, query_quant_mode = 0 : i64, key_quant_mode = 0 : i64, layout_query = "TND", layout_key = "PA_BSND", sparse_count = 512 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @device
// CHECK: "npu.npu_vllm_quant_lightning_indexer_metadata"
// CHECK-SAME: target = "ascend950"
func.func @device(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi32>) {
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "ascend950", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, query_quant_mode = 0 : i64, key_quant_mode = 0 : i64, layout_query = "TND", layout_key = "PA_BSND", sparse_count = 512 : i64, cmp_ratio = 4 : i64, device = "npu:3", operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1024xi32>)
  return
}

// CHECK-LABEL: @batched
// CHECK: "npu.npu_vllm_quant_lightning_indexer_metadata"
// CHECK-SAME: target = "ascend950"
func.func @batched(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi32>) {
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "ascend950", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, query_quant_mode = 0 : i64, key_quant_mode = 0 : i64, batch_size = 2 : i64, layout_key = "PA_BSND", sparse_count = 512 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1024xi32>)
  return
}
