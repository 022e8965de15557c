// RUN: sparse-attn-opt %s | filecheck %s

// Segments order of operands: query, ori_kv, ori_value, cmp_kv, ori_indices, cmp_indices, sinks, visible, cmp_visible, mask.

// CHECK-LABEL: @causal_grouped_heads
// CHECK: -> (tensor<2x3x8x4xf32>, tensor<2x3x8xf32>)
func.func @causal_grouped_heads(%q: tensor<2x3x8x16xf32>, %k: tensor<2x5x2x16xf32>, %v: tensor<2x5x2x4xf32>) {
  %o, %l = "sparse_attn.attention"(%q, %k, %v) {
    operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0>, ori_mask = "causal", return_lse = true
  } : (tensor<2x3x8x16xf32>, tensor<2x5x2x16xf32>, tensor<2x5x2x4xf32>) -> (tensor<2x3x8x4xf32>, tensor<2x3x8xf32>)
  return
}

// A row of the cache is key and value at once; its value is the first 12 channels.
// CHECK-LABEL: @latent
// CHECK: value_width = 12 : i64
func.func @latent(%q: tensor<?x?x8x16xbf16>, %k: tensor<?x?x1x16xbf16>, %i: tensor<?x?x4xi64>) {
  %o, %l = "sparse_attn.attention"(%q, %k, %i) {
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 1, 0, 0, 0, 0, 0>, value_width = 12 : i64
  } : (tensor<?x?x8x16xbf16>, tensor<?x?x1x16xbf16>, tensor<?x?x4xi64>) -> (tensor<?x?x8x12xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @two_segments
// CHECK: cmp_ratio = 4 : i64
func.func @two_segments(%q: tensor<2x3x8x16xf16>, %k: tensor<2x5x1x16xf16>, %c: tensor<2x?x1x16xf16>,
                        %i: tensor<2x3x4xi32>, %s: tensor<8xf32>, %n: tensor<1x3xi32>) {
  %o, %l = "sparse_attn.attention"(%q, %k, %c, %i, %s, %n) {
    operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 1, 1, 1, 0, 0>, ori_mask = "band", ori_left = 127 : i64,
    ori_right = 0 : i64, cmp_mask = "prefix", cmp_ratio = 4 : i64
  } : (tensor<2x3x8x16xf16>, tensor<2x5x1x16xf16>, tensor<2x?x1x16xf16>, tensor<2x3x4xi32>, tensor<8xf32>,
       tensor<1x3xi32>) -> (tensor<2x3x8x16xf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @compressed_alone
// CHECK: empty_rows = "mean"
func.func @compressed_alone(%q: tensor<2x3x8x16xf32>, %c: tensor<2x7x1x16xf32>, %n: tensor<2x3xi32>,
                            %m: tensor<3x7xi1>) {
  %o, %l = "sparse_attn.attention"(%q, %c, %n, %m) {
    operandSegmentSizes = array<i32: 1, 0, 0, 1, 0, 0, 0, 0, 1, 1>, cmp_mask = "prefix", empty_rows = "mean"
  } : (tensor<2x3x8x16xf32>, tensor<2x7x1x16xf32>, tensor<2x3xi32>, tensor<3x7xi1>)
    -> (tensor<2x3x8x16xf32>, tensor<0xf32>)
  return
}
