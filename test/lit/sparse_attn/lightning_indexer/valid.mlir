// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @prefix
// CHECK: "sparse_attn.lightning_indexer"
// CHECK-SAME: mask_mode = "prefix"
func.func @prefix(%q: tensor<1x2x4x8xbf16>, %k: tensor<1x?x8xbf16>, %w: tensor<1x2x4xbf16>, %n: tensor<1x2xi32>) {
  %i, %v = "sparse_attn.lightning_indexer"(%q, %k, %w, %n) {
    k = 4 : i64, mask_mode = "prefix", ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 0>
  } : (tensor<1x2x4x8xbf16>, tensor<1x?x8xbf16>, tensor<1x2x4xbf16>, tensor<1x2xi32>)
    -> (tensor<1x2x?xi32>, tensor<1x2x?xf32>)
  return
}

// CHECK-LABEL: @sum_of_heads
// CHECK-SAME: tensor<1x2x4x8xf32>
func.func @sum_of_heads(%q: tensor<1x2x4x8xf32>, %k: tensor<1x3x8xf32>, %m: tensor<1x1x3xf32>) {
  %i, %v = "sparse_attn.lightning_indexer"(%q, %k, %m) {
    k = 4 : i64, reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 1>
  } : (tensor<1x2x4x8xf32>, tensor<1x3x8xf32>, tensor<1x1x3xf32>) -> (tensor<1x2x3xi32>, tensor<1x2x3xf32>)
  return
}
