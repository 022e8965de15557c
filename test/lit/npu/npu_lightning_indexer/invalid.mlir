// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_other_product(%query: tensor<2x3x64x128xbf16>, %key: tensor<2x40x1x128xbf16>, %weights: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c1] target is Atlas training products, which no kernel here supports}}
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "atlas_training", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c2_weights(%query: tensor<2x3x64x128xbf16>, %key: tensor<2x40x1x128xbf16>, %weights: tensor<2x3x32xbf16>) {
  // expected-error@below {{[c2] weights has shape [2, 3, 32]: axis 2 is 32 where N1 = 64 asks for 64 in [B, S1, N1]}}
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "host", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xbf16>, tensor<2x3x32xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c3_quantised(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x1x128xbf16>, %weights: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c3] query is int8 where bfloat16 or float16 is read}}
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "host", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x1x128xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c4_two_dtypes(%query: tensor<2x3x64x128xbf16>, %key: tensor<2x40x1x128xf16>, %weights: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c4] query is bfloat16 and key is float16}}
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "host", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c5_head_size(%query: tensor<2x3x64x64xbf16>, %key: tensor<2x40x1x64xbf16>, %weights: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c5] head size D is 64, not 128}}
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "a3", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c6_heads(%query: tensor<2x3x65x128xbf16>, %key: tensor<2x40x1x128xbf16>, %weights: tensor<2x3x65xbf16>) {
  // expected-error@below {{[c6] on a2, query heads N1 is 65, not 1 to 64}}
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "a2", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x65x128xbf16>, tensor<2x40x1x128xbf16>, tensor<2x3x65xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c7_count(%query: tensor<2x3x64x128xbf16>, %key: tensor<2x40x1x128xbf16>, %weights: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c7] sparse_count is 0, outside at least 1}}
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "host", sparse_count = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c8_count(%query: tensor<2x3x64x128xbf16>, %key: tensor<2x40x1x128xbf16>, %weights: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c8] on a3, sparse_count is 4096, outside 1 to 2048}}
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "a3", sparse_count = 4096 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c10_layouts(%query: tensor<2x3x64x128xbf16>, %key: tensor<2x40x1x128xbf16>, %weights: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c10] layout_query/layout_key is BSND/PA_BBND}}
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "host", layout_key = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c11_mode(%query: tensor<2x3x64x128xbf16>, %key: tensor<2x40x1x128xbf16>, %weights: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c11] sparse_mode is 1, not 0 or 3}}
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "host", sparse_mode = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c12_tokens(%query: tensor<2x3x64x128xbf16>, %key: tensor<2x40x1x128xbf16>, %weights: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c12] pre_tokens is 128, not 9223372036854775807}}
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "host", pre_tokens = 128 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c13_tokens(%query: tensor<2x3x64x128xbf16>, %key: tensor<2x40x1x128xbf16>, %weights: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c13] next_tokens is 0, not 9223372036854775807}}
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "host", next_tokens = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c14_no_lengths(%query: tensor<6x64x128xbf16>, %key: tensor<80x1x128xbf16>, %weights: tensor<6x64xbf16>, %actual_seq_lengths_key: tensor<2xi32>) {
  // expected-error@below {{[c14] actual_seq_lengths_query missing with layout_query TND}}
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights, %actual_seq_lengths_key) {target = "host", layout_query = "TND", layout_key = "TND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>}
    : (tensor<6x64x128xbf16>, tensor<80x1x128xbf16>, tensor<6x64xbf16>, tensor<2xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c15_no_lengths(%query: tensor<2x3x64x128xbf16>, %key: tensor<9x16x1x128xbf16>, %weights: tensor<2x3x64xbf16>, %block_table: tensor<2x4xi32>) {
  // expected-error@below {{[c15] actual_seq_lengths_key missing with layout_key TND or PA_BSND}}
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights, %block_table) {target = "host", layout_key = "PA_BSND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xbf16>, tensor<2x4xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c16_no_table(%query: tensor<2x3x64x128xbf16>, %key: tensor<9x16x1x128xbf16>, %weights: tensor<2x3x64xbf16>, %actual_seq_lengths_key: tensor<2xi32>) {
  // expected-error@below {{[c16] block_table missing with layout_key PA_BSND}}
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights, %actual_seq_lengths_key) {target = "host", layout_key = "PA_BSND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xbf16>, tensor<2xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c17_table(%query: tensor<2x3x64x128xbf16>, %key: tensor<2x40x1x128xbf16>, %weights: tensor<2x3x64xbf16>, %block_table: tensor<2x4xi32>) {
  // expected-error@below {{[c17] block_table given with layout_key BSND}}
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights, %block_table) {target = "host", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xbf16>, tensor<2x3x64xbf16>, tensor<2x4xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c20_block(%query: tensor<2x3x64x128xbf16>, %key: tensor<9x24x1x128xbf16>, %weights: tensor<2x3x64xbf16>, %actual_seq_lengths_key: tensor<2xi32>, %block_table: tensor<2x4xi32>) {
  // expected-error@below {{[c20] on a3, rows of a block size is 24, not 16 to 1024 in steps of 16}}
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights, %actual_seq_lengths_key, %block_table) {target = "a3", layout_key = "PA_BSND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x24x1x128xbf16>, tensor<2x3x64xbf16>, tensor<2xi32>, tensor<2x4xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c24_empty(%query: tensor<2x3x64x128xbf16>, %key: tensor<2x0x1x128xbf16>, %weights: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c24] on a2, key is empty, its shape is [2, 0, 1, 128]}}
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "a2", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x64x128xbf16>, tensor<2x0x1x128xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c25_key_heads(%query: tensor<2x3x64x128xbf16>, %key: tensor<2x40x2x128xbf16>, %weights: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c25] key heads N2 is 2, not 1}}
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "host", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x2x128xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c3_quantised_ascend950(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x1x128xbf16>, %weights: tensor<2x3x64xbf16>) {
  // expected-error@below {{[c3] query is int8 where bfloat16 or float16 is read}}
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "ascend950", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x1x128xbf16>, tensor<2x3x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}
