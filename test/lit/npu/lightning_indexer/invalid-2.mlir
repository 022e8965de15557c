// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c30_sums(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %cu_seqlens_k: tensor<3xi32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c30] cu_seqlens_k given without layout_k TND}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %cu_seqlens_k, %seqused_k, %block_table, %metadata) {target = "host", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<3xi32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c31_used(%q: tensor<6x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<6x64xf32>, %cu_seqlens_q: tensor<3xi32>, %seqused_q: tensor<2xi32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c31] on a3, seqused_q given with layout_q TND}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %cu_seqlens_q, %seqused_q, %seqused_k, %block_table, %metadata) {target = "a3", topk = 512 : i64, layout_q = "TND", layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1, 1, 0, 1, 0, 1>}
    : (tensor<6x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<6x64xf32>, tensor<3xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c33_no_plan(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>) {
  // expected-error@below {{[c33] on a2, metadata missing (the metadata operator makes it)}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table) {target = "a2", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 0>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c34_batches(%q: tensor<65536x3x64x128xbf16>, %k: tensor<9x16x1x128xbf16>, %w: tensor<65536x3x64xf32>, %seqused_k: tensor<65536xi32>, %block_table: tensor<65536x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c34] on a3, batches B is 65536, not 1 to 65535}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "a3", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<65536x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<65536x3x64xf32>, tensor<65536xi32>, tensor<65536x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c35_block(%q: tensor<2x3x64x128xbf16>, %k: tensor<9x24x1x128xbf16>, %w: tensor<2x3x64xf32>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c35] on a3, rows of a block size is 24, not 16 to 1024 in steps of 16}}
  %r:2 = "npu.lightning_indexer"(%q, %k, %w, %seqused_k, %block_table, %metadata) {target = "a3", topk = 512 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x24x1x128xbf16>, tensor<2x3x64xf32>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}
