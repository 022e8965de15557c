// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_other_product(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>) {
  // expected-error@below {{[c1] target is Atlas training products, which no kernel here supports}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "atlas_training", scale_value = 5.00000000000000028e-02 : f64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c2_values(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x41x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>) {
  // expected-error@below {{[c2] value has shape [2, 41, 1, 512]: axis 1 is 41 where S2 = 40 asks for 40 in [B, S2, N2, D]}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "host", scale_value = 5.00000000000000028e-02 : f64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x41x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c3_quantised(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xsi8>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>) {
  // expected-error@below {{[c3] key is int8 where bfloat16 or float16 is read}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "host", scale_value = 5.00000000000000028e-02 : f64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xsi8>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c4_two_dtypes(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xf16>) {
  // expected-error@below {{[c4] key_rope is float16 and query is bfloat16}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "host", scale_value = 5.00000000000000028e-02 : f64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c5_head_size(%query: tensor<2x3x64x256xbf16>, %key: tensor<2x40x1x256xbf16>, %value: tensor<2x40x1x256xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>) {
  // expected-error@below {{[c5] head size without rotary D is 256, not 512}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "a3", scale_value = 5.00000000000000028e-02 : f64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x256xbf16>, tensor<2x40x1x256xbf16>, tensor<2x40x1x256xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c6_rotary(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x64x32xbf16>, %key_rope: tensor<2x40x1x32xbf16>) {
  // expected-error@below {{[c6] rotary head size R is 32, not 64}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "a3", scale_value = 5.00000000000000028e-02 : f64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x64x32xbf16>, tensor<2x40x1x32xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c7_mode(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>) {
  // expected-error@below {{[c7] attention_mode is 0, not 2}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "host", scale_value = 5.00000000000000028e-02 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c8_no_rotary(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>) {
  // expected-error@below {{[c8] query_rope and key_rope missing with attention_mode 2}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "host", scale_value = 5.00000000000000028e-02 : f64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c9_block(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>) {
  // expected-error@below {{[c9] sparse_block_size is 3, no power of two from 1 to 128}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "host", scale_value = 5.00000000000000028e-02 : f64, sparse_block_size = 3 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c10_scale(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>) {
  // expected-error@below {{[c10] scale_value is inf}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "host", scale_value = 0x7FF0000000000000 : f64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c11_heads(%query: tensor<2x3x48x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x48x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>) {
  // expected-error@below {{[c11] on a2, query heads N1 is 48, not 1 or 2 or 4 or 8 or 16 or 32 or 64 or 128}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "a2", scale_value = 5.00000000000000028e-02 : f64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x48x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x48x64xbf16>, tensor<2x40x1x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c14_layouts(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>) {
  // expected-error@below {{[c14] layout_query/layout_kv is BSND/PA_BBND}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "host", scale_value = 5.00000000000000028e-02 : f64, layout_kv = "PA_BBND", attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c15_mode(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>) {
  // expected-error@below {{[c15] sparse_mode is 1, not 0 or 3}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "host", scale_value = 5.00000000000000028e-02 : f64, sparse_mode = 1 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c16_tokens(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>) {
  // expected-error@below {{[c16] pre_tokens is 128, not 9223372036854775807}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "host", scale_value = 5.00000000000000028e-02 : f64, pre_tokens = 128 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c17_tokens(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>) {
  // expected-error@below {{[c17] next_tokens is 0, not 9223372036854775807}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "host", scale_value = 5.00000000000000028e-02 : f64, next_tokens = 0 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c18_no_lengths(%query: tensor<6x64x512xbf16>, %key: tensor<80x1x512xbf16>, %value: tensor<80x1x512xbf16>, %sparse_indices: tensor<6x1x16xi32>, %actual_seq_lengths_kv: tensor<2xi32>, %query_rope: tensor<6x64x64xbf16>, %key_rope: tensor<80x1x64xbf16>) {
  // expected-error@below {{[c18] actual_seq_lengths_query missing with layout_query TND}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %actual_seq_lengths_kv, %query_rope, %key_rope) {target = "host", scale_value = 5.00000000000000028e-02 : f64, layout_query = "TND", layout_kv = "TND", attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1, 1, 1, 0>}
    : (tensor<6x64x512xbf16>, tensor<80x1x512xbf16>, tensor<80x1x512xbf16>, tensor<6x1x16xi32>, tensor<2xi32>, tensor<6x64x64xbf16>, tensor<80x1x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c19_no_lengths(%query: tensor<2x3x64x512xbf16>, %key: tensor<9x16x1x512xbf16>, %value: tensor<9x16x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %block_table: tensor<2x4xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<9x16x1x64xbf16>) {
  // expected-error@below {{[c19] actual_seq_lengths_kv missing with layout_kv TND or PA_BSND}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %block_table, %query_rope, %key_rope) {target = "host", scale_value = 5.00000000000000028e-02 : f64, layout_kv = "PA_BSND", attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x4xi32>, tensor<2x3x64x64xbf16>, tensor<9x16x1x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c20_no_table(%query: tensor<2x3x64x512xbf16>, %key: tensor<9x16x1x512xbf16>, %value: tensor<9x16x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %actual_seq_lengths_kv: tensor<2xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<9x16x1x64xbf16>) {
  // expected-error@below {{[c20] block_table missing with layout_kv PA_BSND}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %actual_seq_lengths_kv, %query_rope, %key_rope) {target = "host", scale_value = 5.00000000000000028e-02 : f64, layout_kv = "PA_BSND", attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2xi32>, tensor<2x3x64x64xbf16>, tensor<9x16x1x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c21_table(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %block_table: tensor<2x4xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>) {
  // expected-error@below {{[c21] block_table given with layout_kv BSND}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %block_table, %query_rope, %key_rope) {target = "host", scale_value = 5.00000000000000028e-02 : f64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x4xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c24_block(%query: tensor<2x3x64x512xbf16>, %key: tensor<9x24x1x512xbf16>, %value: tensor<9x24x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %block_table: tensor<2x4xi32>, %actual_seq_lengths_kv: tensor<2xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<9x24x1x64xbf16>) {
  // expected-error@below {{[c24] on a3, rows of a block size is 24, not 16 to 1024 in steps of 16}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %block_table, %actual_seq_lengths_kv, %query_rope, %key_rope) {target = "a3", scale_value = 5.00000000000000028e-02 : f64, layout_kv = "PA_BSND", attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 1, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<9x24x1x512xbf16>, tensor<9x24x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x4xi32>, tensor<2xi32>, tensor<2x3x64x64xbf16>, tensor<9x24x1x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c28_empty(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x0xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>) {
  // expected-error@below {{[c28] on a2, sparse_indices is empty, its shape is [2, 3, 1, 0]}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "a2", scale_value = 5.00000000000000028e-02 : f64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x0xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c29_key_heads(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x2x512xbf16>, %value: tensor<2x40x2x512xbf16>, %sparse_indices: tensor<2x3x2x16xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x2x64xbf16>) {
  // expected-error@below {{[c29] key heads N2 is 2, not 1}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "host", scale_value = 5.00000000000000028e-02 : f64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x2x512xbf16>, tensor<2x40x2x512xbf16>, tensor<2x3x2x16xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x2x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c3_quantised_ascend950(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xsi8>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>) {
  // expected-error@below {{[c3] key is int8 where bfloat16 or float16 is read}}
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "ascend950", scale_value = 5.00000000000000028e-02 : f64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xsi8>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>) -> (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>)
  return
}
