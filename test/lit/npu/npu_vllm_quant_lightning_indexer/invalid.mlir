// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_other_product(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c1] target is Atlas training products, which no kernel here supports}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "atlas_training", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x1xf16>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c2_scale(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x32xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c2] query_dequant_scale has shape [2, 3, 32]: axis 2 is 32 where N1 = 64 asks for 64 in [B, S1, N1]}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "host", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x32xf16>, tensor<2x40x1xf16>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c3_plain(%query: tensor<2x3x64x128xbf16>, %key: tensor<2x40x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c3] query is bfloat16 where int8 or float8_e4m3fn or hifloat8 or uint8 is read}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "host", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x1xf16>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c4_two_dtypes(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x1x128xf8E4M3FN>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c4] query is int8 and key is float8_e4m3fn}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "host", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x1x128xf8E4M3FN>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x1xf16>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c5_head_size(%query: tensor<2x3x64x64xsi8>, %key: tensor<2x40x1x64xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c5] head size D is 64, not 128}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "a3", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x64xsi8>, tensor<2x40x1x64xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x1xf16>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c6_heads(%query: tensor<2x3x65x128xsi8>, %key: tensor<2x40x1x128xsi8>, %weights: tensor<2x3x65xf16>, %query_dequant_scale: tensor<2x3x65xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c6] on a2, query heads N1 is 65, not 1 to 64}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "a2", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x65x128xsi8>, tensor<2x40x1x128xsi8>, tensor<2x3x65xf16>, tensor<2x3x65xf16>, tensor<2x40x1xf16>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c7_count(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c7] sparse_count is 0, outside at least 1}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "host", sparse_count = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x1xf16>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c8_count(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c8] on a3, sparse_count is 4096, outside 1 to 2048}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "a3", sparse_count = 4096 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x1xf16>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c9_fp8_on_atlas(%query: tensor<2x3x64x128xf8E4M3FN>, %key: tensor<2x40x1x128xf8E4M3FN>, %weights: tensor<2x3x64xbf16>, %query_dequant_scale: tensor<2x3x64xf32>, %key_dequant_scale: tensor<2x40x1xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c9] on a2, query is float8_e4m3fn, not int8}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "a2", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xf8E4M3FN>, tensor<2x40x1x128xf8E4M3FN>, tensor<2x3x64xbf16>, tensor<2x3x64xf32>, tensor<2x40x1xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c10_mode(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c10] query_quant_mode is 1, not 0}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "host", query_quant_mode = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x1xf16>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c11_mode(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c11] key_quant_mode is 1, not 0}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "host", key_quant_mode = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x1xf16>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c13_layouts(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c13] layout_query/layout_key is BSND/PA_BBND}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "host", layout_key = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x1xf16>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c14_mode(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c14] sparse_mode is 1, not 0 or 3}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "host", sparse_mode = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x1xf16>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c15_tokens(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c15] pre_tokens is 128, not 9223372036854775807}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "host", pre_tokens = 128 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x1xf16>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c16_tokens(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c16] next_tokens is 0, not 9223372036854775807}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "host", next_tokens = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x1xf16>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c17_no_lengths(%query: tensor<6x64x128xsi8>, %key: tensor<80x1x128xsi8>, %weights: tensor<6x64xf16>, %query_dequant_scale: tensor<6x64xf16>, %key_dequant_scale: tensor<80x1xf16>, %actual_seq_lengths_key: tensor<2xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c17] actual_seq_lengths_query missing with layout_query TND}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %actual_seq_lengths_key, %metadata) {target = "host", layout_query = "TND", layout_key = "TND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 1, 0, 1>}
    : (tensor<6x64x128xsi8>, tensor<80x1x128xsi8>, tensor<6x64xf16>, tensor<6x64xf16>, tensor<80x1xf16>, tensor<2xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c18_no_lengths(%query: tensor<2x3x64x128xsi8>, %key: tensor<9x16x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<9x16x1xf16>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c18] actual_seq_lengths_key missing with layout_key TND or PA_BSND}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %block_table, %metadata) {target = "host", layout_key = "PA_BSND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 1, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<9x16x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<9x16x1xf16>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c19_no_table(%query: tensor<2x3x64x128xsi8>, %key: tensor<9x16x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<9x16x1xf16>, %actual_seq_lengths_key: tensor<2xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c19] block_table missing with layout_key PA_BSND}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %actual_seq_lengths_key, %metadata) {target = "host", layout_key = "PA_BSND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<9x16x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<9x16x1xf16>, tensor<2xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c20_table(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c20] block_table given with layout_key BSND}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %block_table, %metadata) {target = "host", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 1, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x1xf16>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c23_block(%query: tensor<2x3x64x128xsi8>, %key: tensor<9x24x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<9x24x1xf16>, %actual_seq_lengths_key: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c23] on a3, rows of a block size is 24, not 16 to 1024 in steps of 16}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %actual_seq_lengths_key, %block_table, %metadata) {target = "a3", layout_key = "PA_BSND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 1, 1, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<9x24x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<9x24x1xf16>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c27_empty(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x0x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x0x1xf16>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c27] on a2, key is empty, its shape is [2, 0, 1, 128]}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "a2", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<2x0x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x0x1xf16>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c29_ratio(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c29] cmp_ratio is 0, outside 1 to 128}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "host", cmp_ratio = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x1xf16>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c30_no_plan(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x1xf16>) {
  // expected-error@below {{[c30] on a2, metadata missing (npu_vllm_quant_lightning_indexer_metadata makes it)}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale) {target = "a2", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x1xf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c28_key_heads(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x2x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x2xf16>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c28] key heads N2 is 2, not 1}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "host", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x2x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x2xf16>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c3_plain_ascend950(%query: tensor<2x3x64x128xbf16>, %key: tensor<2x40x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c3] query is bfloat16 where int8 or float8_e4m3fn or hifloat8 or uint8 is read}}
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "ascend950", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x1xf16>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}
