// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_other_chip(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c1] target ascend950 (Ascend 950PR / Ascend 950DT) has no such kernel}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c2_three_axes(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c2] ori_kv has shape [9, 16, 512]: it has 3 axes where [blocks1, size1, N2, D] has 4}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c3_packed_rows(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c3] ori_kv is float8_e4m3fn where bfloat16 or float16 is read}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c4_empty(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x0xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c4] on a3, ori_block_table is empty, its shape is [2, 0]}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x0xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c5_head_size(%q: tensor<2x3x64x256xbf16>, %ori_kv: tensor<9x16x1x256xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c5] head size D is 256, not 512}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x256xbf16>, tensor<9x16x1x256xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c6_two_dtypes(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c6] ori_kv is float16 and q is bfloat16}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c7_heads(%q: tensor<2x3x128x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<128xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c7] on a2, query heads N1 is 128, not 64}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "a2", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x128x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<128xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c8_key_heads(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x2x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c8] key heads N2 is 2, not 1}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x2x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c9_layout(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c9] layout_q is 'BNSD', not BSND or TND}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, layout_q = "BNSD", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c10_layout(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c10] layout_kv is 'PA_BBND', not PA_ND}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c11_no_table(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c11] ori_block_table missing}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %seqused_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c12_no_compressed_table(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c12] cmp_kv is given without cmp_block_table}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %cmp_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 128 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c13_no_length(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c13] seqused_kv missing}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c14_no_sinks(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c14] on a3, sinks missing}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c15_no_plan(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>) {
  // expected-error@below {{[c15] on a3, metadata missing (sparse_attn_sharedkv_metadata makes it)}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c16_ratio(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c16] on a3, cmp_ratio is 8 with cmp_kv, not 4 or 128}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %cmp_kv, %ori_block_table, %cmp_block_table, %seqused_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c17_no_ratio(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c17] cmp_ratio is 0 with cmp_kv}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %cmp_kv, %ori_block_table, %cmp_block_table, %seqused_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c19_mask(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c19] ori_mask_mode is 3, not 4}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, ori_mask_mode = 3 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c20_mask(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c20] cmp_mask_mode is 0, not 3}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, cmp_mask_mode = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c21_window(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c21] on a3, ori_win_left is 128, not 127}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, ori_win_left = 128 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c22_window(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c22] on a3, ori_win_right is 1, not 0}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, ori_win_right = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c23_window(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c23] ori_win_left is -1, outside at least 0}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, ori_win_left = -1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c24_window(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c24] ori_win_right is -1, outside at least 0}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, ori_win_right = -1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c25_lse(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c25] on a3, return_softmax_lse is True, not False}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, return_softmax_lse = true, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c27_reserved_sums(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %cu_seqlens_cmp_kv: tensor<3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c27] on a3, cu_seqlens_cmp_kv given though reserved for packed keys}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %cu_seqlens_cmp_kv, %seqused_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c28_no_sums(%q: tensor<6x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c28] cu_seqlens_q missing with layout_q TND}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, layout_q = "TND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<6x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c29_sums(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %cu_seqlens_q: tensor<3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c29] cu_seqlens_q given without layout_q TND}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %cu_seqlens_q, %seqused_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c30_list_alone(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_sparse_indices: tensor<2x3x1x512xi32>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c30] cmp_sparse_indices given without cmp_kv}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %cmp_sparse_indices, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3x1x512xi32>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}
