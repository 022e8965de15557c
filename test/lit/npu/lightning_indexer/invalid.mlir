// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_other_product(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c1] target is Atlas training products, which no kernel here supports}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "atlas_training", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c2_weights(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x32xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c2] w has shape [2, 3, 32]: axis 2 is 32 where N1 = 64 asks for 64 in [B, S1, N1]}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "host", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x32xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c3_weights(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xbf16>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c3] w is bfloat16 where float32 is read}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "host", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xbf16>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c4_empty(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x0xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c4] on a3, block_table is empty, its shape is [2, 0]}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "a3", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x0xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c5_head_size(%q: tensor<2x3x64x64xbf16>, %k: tensor<9x16x1x64xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c5] head size D is 64, not 128}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "a2", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x64xbf16>, tensor<9x16x1x64xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c6_key_heads(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x2x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c6] key heads N2 is 2, not 1}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "host", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x2x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c7_heads(%q: tensor<2x3x65x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x65xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c7] on ascend950, query heads N1 is 65, not 1 to 64}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "ascend950", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x65x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x65xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c8_heads(%q: tensor<2x3x32x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x32xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c8] on a3, query heads N1 is 32, not 64}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "a3", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x32x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x32xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c9_two_dtypes(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c9] q is bfloat16 and k is float16}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "host", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c11_topk(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c11] topk is 0, outside at least 1}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "host", topk = 0 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c12_topk(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c12] on ascend950, topk is 8193, outside 1 to 8192}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "ascend950", topk = 8193 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c13_topk(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c13] on a3, topk is 2049, outside 1 to 2048}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "a3", topk = 2049 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c14_ratio(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %cmp_residual_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c14] cmp_ratio is 129, outside 1 to 128}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %cmp_residual_k, %block_table, %metadata) {target = "host", topk = 512 : i64, layout_k = "PA_BBND", mask_mode = 3 : i64, cmp_ratio = 129 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c15_ratio(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %cmp_residual_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c15] on a2, cmp_ratio is 3, no power of two from 1 to 128}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %cmp_residual_k, %block_table, %metadata) {target = "a2", topk = 512 : i64, layout_k = "PA_BBND", mask_mode = 3 : i64, cmp_ratio = 3 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c16_layouts(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c16] layout_q/layout_k is BSND/PA_BSND}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "host", topk = 512 : i64, layout_k = "PA_BSND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c17_pages_only(%q: tensor<2x3x64x128xbf16>, %k: tensor<2x40x1x128xbf16>, %w: tensor<2x3x64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c17] on a3, layout_k is 'BSND', not PA_BBND}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %metadata) {target = "a3", topk = 512 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xbf16>, tensor<2x3x64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c18_offset(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %output_idx_offset: tensor<2x3x1xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c18] on a2, output_idx_offset given on this chip}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %output_idx_offset, %metadata) {target = "a2", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 1, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<2x3x1xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c19_values(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c19] on a3, return_value is 1, not 0}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "a3", topk = 512 : i64, layout_k = "PA_BBND", return_value = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c20_mask(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c20] mask_mode is 4, not 0 or 3}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "host", topk = 512 : i64, layout_k = "PA_BBND", mask_mode = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c21_values(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c21] return_value is 2, not 0 or 1}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "host", topk = 512 : i64, layout_k = "PA_BBND", return_value = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c22_longest(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c22] max_seqlen_q is -2, outside at least -1}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "host", topk = 512 : i64, max_seqlen_q = -2 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c23_no_residual(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c23] cmp_residual_k missing with cmp_ratio above 1 and mask_mode 3}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "host", topk = 512 : i64, layout_k = "PA_BBND", mask_mode = 3 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c24_residual(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %cmp_residual_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c24] on a2, cmp_residual_k given with cmp_ratio 1 or mask_mode 0}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %cmp_residual_k, %block_table, %metadata) {target = "a2", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c25_no_table(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c25] block_table missing with layout_k PA_BBND}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %metadata) {target = "host", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c26_table(%q: tensor<2x3x64x128xbf16>, %k: tensor<2x40x1x128xbf16>, %w: tensor<2x3x64xf32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c26] block_table given without layout_k PA_BBND}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %block_table, %metadata) {target = "host", topk = 512 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xbf16>, tensor<2x3x64xf32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c27_no_sums(%q: tensor<6x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<6x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c27] cu_seqlens_q missing with layout_q TND}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "host", topk = 512 : i64, layout_q = "TND", layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<6x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<6x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c28_sums(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %cu_seqlens_q: tensor<3xi32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c28] cu_seqlens_q given without layout_q TND}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %cu_seqlens_q, %seqused_k, %block_table, %metadata) {target = "host", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<3xi32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c29_no_sums(%q: tensor<6x64x128xbf16>, %k: tensor<80x1x128xbf16>, %w: tensor<6x64xf32>, %cu_seqlens_q: tensor<3xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c29] cu_seqlens_k missing with layout_k TND}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %cu_seqlens_q, %metadata) {target = "host", topk = 512 : i64, layout_q = "TND", layout_k = "TND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1>}
    : (tensor<6x64x128xbf16>, tensor<80x1x128xbf16>, tensor<6x64xf32>, tensor<3xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}
