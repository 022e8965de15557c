// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c32_sums(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %cu_seqlens_q: tensor<3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c32] cu_seqlens_q given without layout_q TND}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %cu_seqlens_q, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c33_list_alone(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %cmp_sparse_indices: tensor<2x3x1x512xi32>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c33] cmp_sparse_indices given without cmp_kv}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %cmp_sparse_indices, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3x1x512xi32>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c34_width(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %cmp_kv: tensor<9x16x1x640xf8E4M3FN>, %cmp_sparse_indices: tensor<2x3x1x256xi32>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c34] on ascend950, list width K2 is 256, not 512 or 1024}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %cmp_kv, %cmp_sparse_indices, %ori_block_table, %cmp_block_table, %seqused_kv, %sinks, %metadata) {target = "ascend950", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3x1x256xi32>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c35_width(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_sparse_indices: tensor<2x3x1x256xi32>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c35] on ascend950, original list width K1 is 256, not 512 or 1024}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_sparse_indices, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "ascend950", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3x1x256xi32>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c36_block(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x24x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c36] on ascend950, rows of an original block size1 is 24, not 16 to 1024 in steps of 16}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "ascend950", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x24x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c37_block(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %cmp_kv: tensor<9x1040x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c37] on ascend950, rows of a compressed block size2 is 1040, not 16 to 1024 in steps of 16}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %cmp_kv, %ori_block_table, %cmp_block_table, %seqused_kv, %sinks, %metadata) {target = "ascend950", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 128 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<9x1040x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c43_two_formats(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %cmp_kv: tensor<9x16x1x!npu.kv_row640>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c43] ori_kv is float8_e4m3fn and cmp_kv is kv_row640}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %cmp_kv, %ori_block_table, %cmp_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 128 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<9x16x1x!npu.kv_row640>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c45_no_scale(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c45] softmax_scale is 0.0}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c1_a2(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c1] target a2 (Atlas A2 training and inference products) has no such kernel}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "a2", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}
