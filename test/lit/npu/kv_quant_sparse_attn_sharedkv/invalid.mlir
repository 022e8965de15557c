// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_other_chip(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c1] target a3 (Atlas A3 training and inference products) has no such kernel}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "a3", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c1_other_product(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c1] target is Atlas inference products, which no kernel here supports}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "atlas_inference", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c2_three_axes(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c2] ori_kv has shape [9, 16, 640]}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c3_query(%q: tensor<2x3x64x512xf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c3] q is float16 where bfloat16 is read}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c4_empty(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x0xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c4] on ascend950, ori_block_table is empty, its shape is [2, 0]}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "ascend950", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x0xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c5_head_size(%q: tensor<2x3x64x576xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c5] head size of q D is 576, not 512}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x576xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c6_row(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x608xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c6] bytes of a key row W is 608, not 640}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x608xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c7_heads(%q: tensor<2x3x32x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<32xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c7] on ascend950, query heads N1 is 32, not 64 or 128}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "ascend950", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x32x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<32xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c8_key_heads(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x2x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c8] key heads N2 is 2, not 1}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x2x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c9_mode(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c9] kv_quant_mode is 10, not 1}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 10 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c10_tile(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c10] tile_size is 0, not 64}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c11_rotary(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c11] rope_head_dim is 0, not 64}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c12_layout(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c12] layout_q is 'BNSD', not BSND or TND}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, layout_q = "BNSD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c13_layout(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c13] layout_kv is 'PA_BBND', not PA_ND}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c14_no_table(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c14] ori_block_table missing}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c15_no_compressed_table(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %cmp_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c15] cmp_kv is given without cmp_block_table}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %cmp_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 128 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c16_no_length(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c16] seqused_kv missing}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c17_no_sinks(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c17] on ascend950, sinks missing}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %metadata) {target = "ascend950", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c18_no_plan(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>) {
  // expected-error@below {{[c18] on ascend950, metadata missing (kv_quant_sparse_attn_sharedkv_metadata makes it)}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks) {target = "ascend950", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c19_ratio(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %cmp_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c19] on ascend950, cmp_ratio is 8 with cmp_kv, not 4 or 128}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %cmp_kv, %ori_block_table, %cmp_block_table, %seqused_kv, %sinks, %metadata) {target = "ascend950", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c20_no_ratio(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %cmp_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c20] cmp_ratio is 0 with cmp_kv}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %cmp_kv, %ori_block_table, %cmp_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c22_mask(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c22] ori_mask_mode is 3, not 4}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, ori_mask_mode = 3 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c23_mask(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c23] cmp_mask_mode is 0, not 3}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, cmp_mask_mode = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c24_window(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c24] on ascend950, ori_win_left is 63, not 127}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "ascend950", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, ori_win_left = 63 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c25_window(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c25] on ascend950, ori_win_right is 1, not 0}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "ascend950", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, ori_win_right = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c26_window(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c26] ori_win_left is -1, outside at least 0}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, ori_win_left = -1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c27_window(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c27] ori_win_right is -1, outside at least 0}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, ori_win_right = -1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c28_lse(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c28] on ascend950, return_softmax_lse is True, not False}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "ascend950", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, return_softmax_lse = true, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c30_reserved_sums(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %cu_seqlens_ori_kv: tensor<3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c30] on ascend950, cu_seqlens_ori_kv given though reserved for packed keys}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %cu_seqlens_ori_kv, %seqused_kv, %sinks, %metadata) {target = "ascend950", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c31_no_sums(%q: tensor<6x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c31] cu_seqlens_q missing with layout_q TND}}
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, layout_q = "TND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<6x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}
