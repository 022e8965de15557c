// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_other_product(%seqused_k: tensor<2xi32>) {
  // expected-error@below {{[c1] target is Atlas inference products, which no kernel here supports}}
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "atlas_inference", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c2_batches_differ(%seqused_q: tensor<2xi32>, %seqused_k: tensor<3xi32>) {
  // expected-error@below {{[c2] seqused_k has shape [3]: axis 0 is 3 where B = 2 asks for 2 in [B]}}
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_q, %seqused_k) {target = "host", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 0, 0, 1, 1, 0>}
    : (tensor<2xi32>, tensor<3xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c3_long_lengths(%seqused_k: tensor<2xi64>) {
  // expected-error@below {{[c3] seqused_k is int64 where int32 is read}}
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "host", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<2xi64>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c4_heads(%seqused_k: tensor<2xi32>) {
  // expected-error@below {{[c4] on ascend950, num_heads_q is 65, outside 1 to 64}}
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "ascend950", num_heads_q = 65 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c5_heads(%seqused_k: tensor<2xi32>) {
  // expected-error@below {{[c5] on a3, num_heads_q is 32, not 64}}
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "a3", num_heads_q = 32 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c6_key_heads(%seqused_k: tensor<2xi32>) {
  // expected-error@below {{[c6] num_heads_k is 2, not 1}}
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "host", num_heads_q = 64 : i64, num_heads_k = 2 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c7_head_size(%seqused_k: tensor<2xi32>) {
  // expected-error@below {{[c7] on a2, head_dim is 64, not 128}}
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "a2", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 64 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c8_topk(%seqused_k: tensor<2xi32>) {
  // expected-error@below {{[c8] topk is 0, outside at least 1}}
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "host", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 0 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c9_longest(%seqused_k: tensor<2xi32>) {
  // expected-error@below {{[c9] on a2, max_seqlen_q is -2, outside at least -1}}
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "a2", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = -2 : i64, max_seqlen_k = 64 : i64, layout_q = "TND", layout_k = "PA_BBND", operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c10_topk(%seqused_k: tensor<2xi32>) {
  // expected-error@below {{[c10] on ascend950, topk is 8193, outside 1 to 8192}}
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "ascend950", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 8193 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c11_topk(%seqused_k: tensor<2xi32>) {
  // expected-error@below {{[c11] on a3, topk is 2049, outside 1 to 2048}}
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "a3", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 2049 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c12_layouts(%seqused_k: tensor<2xi32>) {
  // expected-error@below {{[c12] layout_q/layout_k is BSND/TND}}
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "host", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "TND", operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c13_pages(%seqused_k: tensor<2xi32>) {
  // expected-error@below {{[c13] on a3, layout_k is 'BSND', not PA_BBND}}
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "a3", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c14_mask(%seqused_k: tensor<2xi32>) {
  // expected-error@below {{[c14] mask_mode is 1, not 0 or 3}}
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "host", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", mask_mode = 1 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c15_ratio(%seqused_k: tensor<2xi32>) {
  // expected-error@below {{[c15] cmp_ratio is 0, outside 1 to 128}}
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "host", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", cmp_ratio = 0 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c16_ratio(%seqused_k: tensor<2xi32>, %cmp_residual_k: tensor<2xi32>) {
  // expected-error@below {{[c16] on a2, cmp_ratio is 12, no power of two from 1 to 128}}
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k, %cmp_residual_k) {target = "a2", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", mask_mode = 3 : i64, cmp_ratio = 12 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 1, 1>}
    : (tensor<2xi32>, tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c17_no_batch(%seqused_k: tensor<2xi32>) {
  // expected-error@below {{[c17] on a3, batch_size not given with layout_q BSND}}
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "a3", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c18_no_residual(%seqused_k: tensor<2xi32>) {
  // expected-error@below {{[c18] cmp_residual_k missing with cmp_ratio above 1 and mask_mode 3}}
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "host", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", mask_mode = 3 : i64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c19_sums(%cu_seqlens_q: tensor<3xi32>, %seqused_k: tensor<2xi32>) {
  // expected-error@below {{[c19] cu_seqlens_q given without layout_q TND}}
  %r:1 = "npu.lightning_indexer_metadata"(%cu_seqlens_q, %seqused_k) {target = "host", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 0, 0, 1, 0>}
    : (tensor<3xi32>, tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c21_batches(%seqused_k: tensor<65536xi32>) {
  // expected-error@below {{[c21] on a3, batches B is 65536, not 1 to 65535}}
  %r:1 = "npu.lightning_indexer_metadata"(%seqused_k) {target = "a3", num_heads_q = 64 : i64, num_heads_k = 1 : i64, head_dim = 128 : i64, topk = 512 : i64, batch_size = 2 : i64, max_seqlen_q = 3 : i64, max_seqlen_k = 64 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 0, 0, 0, 1, 0>}
    : (tensor<65536xi32>) -> (tensor<1xf32>)
  return
}
