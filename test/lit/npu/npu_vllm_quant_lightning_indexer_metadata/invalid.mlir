// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_other_product(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi32>) {
  // expected-error@below {{[c1] target is Atlas training products, which no kernel here supports}}
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "atlas_training", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, query_quant_mode = 0 : i64, key_quant_mode = 0 : i64, layout_query = "TND", layout_key = "PA_BSND", sparse_count = 512 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c2_batches_differ(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<3xi32>) {
  // expected-error@below {{[c2] actual_seq_lengths_key has shape [3]: axis 0 is 3 where B = 2 asks for 2 in [B]}}
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "host", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, query_quant_mode = 0 : i64, key_quant_mode = 0 : i64, layout_query = "TND", layout_key = "PA_BSND", sparse_count = 512 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<3xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c3_long_lengths(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi64>) {
  // expected-error@below {{[c3] actual_seq_lengths_key is int64 where int32 is read}}
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "host", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, query_quant_mode = 0 : i64, key_quant_mode = 0 : i64, layout_query = "TND", layout_key = "PA_BSND", sparse_count = 512 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<2xi64>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c4_heads(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi32>) {
  // expected-error@below {{[c4] on a3, num_heads_q is 128, outside 1 to 64}}
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "a3", num_heads_q = 128 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, query_quant_mode = 0 : i64, key_quant_mode = 0 : i64, layout_query = "TND", layout_key = "PA_BSND", sparse_count = 512 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c5_key_heads(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi32>) {
  // expected-error@below {{[c5] num_heads_k is 2, not 1}}
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "host", num_heads_q = 64 : i64, num_heads_k = 2 : i64, head_dim = 128 : i64, query_quant_mode = 0 : i64, key_quant_mode = 0 : i64, layout_query = "TND", layout_key = "PA_BSND", sparse_count = 512 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c6_head_size(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi32>) {
  // expected-error@below {{[c6] on a3, head_dim is 64, not 128}}
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "a3", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 64 : i64, query_quant_mode = 0 : i64, key_quant_mode = 0 : i64, layout_query = "TND", layout_key = "PA_BSND", sparse_count = 512 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c7_mode(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi32>) {
  // expected-error@below {{[c7] query_quant_mode is 1, not 0}}
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "host", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, query_quant_mode = 1 : i64, key_quant_mode = 0 : i64, layout_query = "TND", layout_key = "PA_BSND", sparse_count = 512 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c8_mode(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi32>) {
  // expected-error@below {{[c8] key_quant_mode is 1, not 0}}
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "host", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, query_quant_mode = 0 : i64, key_quant_mode = 1 : i64, layout_query = "TND", layout_key = "PA_BSND", sparse_count = 512 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c9_layouts(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi32>) {
  // expected-error@below {{[c9] layout_query/layout_key is TND/PA_BBND}}
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "host", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, query_quant_mode = 0 : i64, key_quant_mode = 0 : i64, layout_query = "TND", layout_key = "PA_BBND", sparse_count = 512 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c10_count(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi32>) {
  // expected-error@below {{[c10] on a2, sparse_count is 4096, outside 1 to 2048}}
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "a2", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, query_quant_mode = 0 : i64, key_quant_mode = 0 : i64, layout_query = "TND", layout_key = "PA_BSND", sparse_count = 4096 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c11_mode(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi32>) {
  // expected-error@below {{[c11] sparse_mode is 4, not 0 or 3}}
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "host", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, query_quant_mode = 0 : i64, key_quant_mode = 0 : i64, layout_query = "TND", layout_key = "PA_BSND", sparse_count = 512 : i64, sparse_mode = 4 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c12_tokens(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi32>) {
  // expected-error@below {{[c12] pre_tokens is 1, not 9223372036854775807}}
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "host", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, query_quant_mode = 0 : i64, key_quant_mode = 0 : i64, layout_query = "TND", layout_key = "PA_BSND", sparse_count = 512 : i64, pre_tokens = 1 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c13_tokens(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi32>) {
  // expected-error@below {{[c13] next_tokens is 1, not 9223372036854775807}}
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "host", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, query_quant_mode = 0 : i64, key_quant_mode = 0 : i64, layout_query = "TND", layout_key = "PA_BSND", sparse_count = 512 : i64, next_tokens = 1 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c14_ratio(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi32>) {
  // expected-error@below {{[c14] cmp_ratio is 129, outside 1 to 128}}
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "host", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, query_quant_mode = 0 : i64, key_quant_mode = 0 : i64, layout_query = "TND", layout_key = "PA_BSND", sparse_count = 512 : i64, cmp_ratio = 129 : i64, operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c3_long_lengths_ascend950(%actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi64>) {
  // expected-error@below {{[c3] actual_seq_lengths_key is int64 where int32 is read}}
  %r:1 = "npu.npu_vllm_quant_lightning_indexer_metadata"(%actual_seq_lengths_query, %actual_seq_lengths_key) {target = "ascend950", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, query_quant_mode = 0 : i64, key_quant_mode = 0 : i64, layout_query = "TND", layout_key = "PA_BSND", sparse_count = 512 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1>}
    : (tensor<2xi32>, tensor<2xi64>) -> (tensor<1xf32>)
  return
}
