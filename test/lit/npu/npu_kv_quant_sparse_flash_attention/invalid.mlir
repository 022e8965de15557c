// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_other_product(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  // expected-error@below {{[c1] target is Atlas training products, which no kernel here supports}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "atlas_training", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c2_values(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x41x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  // expected-error@below {{[c2] value has shape [2, 41, 1, 656]: axis 1 is 41 where S2 = 40 asks for 40 in [B, S2, N2, W]}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x41x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c3_plain(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xbf16>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  // expected-error@below {{[c3] key is bfloat16 where int8 or float8_e4m3fn or hifloat8 or uint8 is read}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xbf16>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c4_mode(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  // expected-error@below {{[c4] key_quant_mode is 0, not 2}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 0 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c5_mode(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  // expected-error@below {{[c5] value_quant_mode is 0, not 2}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 0 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c6_mode(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  // expected-error@below {{[c6] attention_mode is 0, not 2}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c7_mode(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  // expected-error@below {{[c7] quant_scale_repo_mode is 0, not 1}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, quant_scale_repo_mode = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c8_tile(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  // expected-error@below {{[c8] tile_size is 64, not 128}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, tile_size = 64 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c9_rotary(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  // expected-error@below {{[c9] rope_head_dim is 0, not 64}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, rope_head_dim = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c10_head_size(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  // expected-error@below {{[c10] head size of the query D is 512, not 576}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c11_row(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x640xsi8>, %value: tensor<2x40x1x640xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  // expected-error@below {{[c11] bytes of a key row W is 640, not 656}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x640xsi8>, tensor<2x40x1x640xsi8>, tensor<2x3x1x16xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c12_scales(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>, %key_dequant_scale: tensor<8xf32>) {
  // expected-error@below {{[c12] key_dequant_scale given though reserved: scales lie in the rows}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %key_dequant_scale) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>, tensor<8xf32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c13_heads(%query: tensor<2x3x48x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  // expected-error@below {{[c13] on a2, query heads N1 is 48, not 1 or 2 or 4 or 8 or 16 or 32 or 64 or 128}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "a2", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x48x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c14_block(%query: tensor<2x3x64x576xbf16>, %key: tensor<9x32x1x656xsi8>, %value: tensor<9x32x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>, %block_table: tensor<2x4xi32>, %actual_seq_lengths_kv: tensor<2xi32>) {
  // expected-error@below {{[c14] on a3, sparse_block_size is 32, no power of two from 1 to 16}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %block_table, %actual_seq_lengths_kv) {target = "a3", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, sparse_block_size = 32 : i64, layout_kv = "PA_BSND", attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1, 0, 1>}
    : (tensor<2x3x64x576xbf16>, tensor<9x32x1x656xsi8>, tensor<9x32x1x656xsi8>, tensor<2x3x1x16xi32>, tensor<2x4xi32>, tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c15_scale(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  // expected-error@below {{[c15] scale_value is inf}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "host", scale_value = 0x7FF0000000000000 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c18_layouts(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  // expected-error@below {{[c18] layout_query/layout_kv is BSND/PA_BBND}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, layout_kv = "PA_BBND", attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c19_mode(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  // expected-error@below {{[c19] sparse_mode is 1, not 0 or 3}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, sparse_mode = 1 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c20_tokens(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  // expected-error@below {{[c20] pre_tokens is 128, not 9223372036854775807}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, pre_tokens = 128 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c21_tokens(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  // expected-error@below {{[c21] next_tokens is 0, not 9223372036854775807}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, next_tokens = 0 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c22_no_lengths(%query: tensor<6x64x576xbf16>, %key: tensor<80x1x656xsi8>, %value: tensor<80x1x656xsi8>, %sparse_indices: tensor<6x1x16xi32>, %actual_seq_lengths_kv: tensor<2xi32>) {
  // expected-error@below {{[c22] actual_seq_lengths_query missing with layout_query TND}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %actual_seq_lengths_kv) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, layout_query = "TND", layout_kv = "TND", attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 1>}
    : (tensor<6x64x576xbf16>, tensor<80x1x656xsi8>, tensor<80x1x656xsi8>, tensor<6x1x16xi32>, tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c23_no_lengths(%query: tensor<2x3x64x576xbf16>, %key: tensor<9x32x1x656xsi8>, %value: tensor<9x32x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>, %block_table: tensor<2x4xi32>) {
  // expected-error@below {{[c23] actual_seq_lengths_kv missing with layout_kv TND or PA_BSND}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %block_table) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, layout_kv = "PA_BSND", attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<9x32x1x656xsi8>, tensor<9x32x1x656xsi8>, tensor<2x3x1x16xi32>, tensor<2x4xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c24_no_table(%query: tensor<2x3x64x576xbf16>, %key: tensor<9x32x1x656xsi8>, %value: tensor<9x32x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>, %actual_seq_lengths_kv: tensor<2xi32>) {
  // expected-error@below {{[c24] block_table missing with layout_kv PA_BSND}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %actual_seq_lengths_kv) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, layout_kv = "PA_BSND", attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 1>}
    : (tensor<2x3x64x576xbf16>, tensor<9x32x1x656xsi8>, tensor<9x32x1x656xsi8>, tensor<2x3x1x16xi32>, tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c25_table(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>, %block_table: tensor<2x4xi32>) {
  // expected-error@below {{[c25] block_table given with layout_kv BSND}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %block_table) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>, tensor<2x4xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c28_block(%query: tensor<2x3x64x576xbf16>, %key: tensor<9x24x1x656xsi8>, %value: tensor<9x24x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>, %block_table: tensor<2x4xi32>, %actual_seq_lengths_kv: tensor<2xi32>) {
  // expected-error@below {{[c28] on a3, rows of a block size is 24, not 16 to 1024 in steps of 16}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %block_table, %actual_seq_lengths_kv) {target = "a3", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, layout_kv = "PA_BSND", attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1, 0, 1>}
    : (tensor<2x3x64x576xbf16>, tensor<9x24x1x656xsi8>, tensor<9x24x1x656xsi8>, tensor<2x3x1x16xi32>, tensor<2x4xi32>, tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c32_empty(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x0xi32>) {
  // expected-error@below {{[c32] on a2, sparse_indices is empty, its shape is [2, 3, 1, 0]}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "a2", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x0xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c33_key_heads(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x2x656xsi8>, %value: tensor<2x40x2x656xsi8>, %sparse_indices: tensor<2x3x2x16xi32>) {
  // expected-error@below {{[c33] key heads N2 is 2, not 1}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x2x656xsi8>, tensor<2x40x2x656xsi8>, tensor<2x3x2x16xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c3_plain_ascend950(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xbf16>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  // expected-error@below {{[c3] key is bfloat16 where int8 or float8_e4m3fn or hifloat8 or uint8 is read}}
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "ascend950", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xbf16>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<1xf32>)
  return
}
