// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @fewer_keys_than_k
// CHECK: k = 512 : i64
func.func @fewer_keys_than_k(%s: tensor<1x2x16xf32>) -> tensor<1x2x16xi32> {
  %i, %v = "sparse_attn.topk"(%s) {k = 512 : i64, operandSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<1x2x16xf32>) -> (tensor<1x2x16xi32>, tensor<1x2x16xf32>)
  return %i : tensor<1x2x16xi32>
}

// A dynamic number of keys leaves the number of picks dynamic; a static one is accepted as a promise.
// CHECK-LABEL: @dynamic
func.func @dynamic(%s: tensor<?x?x?xbf16>, %n: tensor<?x?xi32>) -> (tensor<?x?x?xi32>, tensor<?x?x8xi32>) {
  %i, %v = "sparse_attn.topk"(%s, %n) {
    k = 8 : i64, mask_mode = "prefix", ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 0>
  } : (tensor<?x?x?xbf16>, tensor<?x?xi32>) -> (tensor<?x?x?xi32>, tensor<?x?x?xf32>)
  %j, %w = "sparse_attn.topk"(%s) {k = 8 : i64, operandSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<?x?x?xbf16>) -> (tensor<?x?x8xi32>, tensor<?x?x8xf32>)
  return %i, %j : tensor<?x?x?xi32>, tensor<?x?x8xi32>
}

// One row of counts and a mask of fewer dimensions serve every batch.
// CHECK-LABEL: @shared_counts_and_mask
func.func @shared_counts_and_mask(%s: tensor<3x2x16xf32>, %n: tensor<1x2xi32>, %m: tensor<2x16xi1>) {
  %i, %v = "sparse_attn.topk"(%s, %n, %m) {
    k = 4 : i64, mask_mode = "causal", sorted = false, operandSegmentSizes = array<i32: 1, 1, 1>
  } : (tensor<3x2x16xf32>, tensor<1x2xi32>, tensor<2x16xi1>) -> (tensor<3x2x4xi32>, tensor<3x2x4xf32>)
  return
}

// 17 keys make 3 blocks of 8.
// CHECK-LABEL: @blocks
// CHECK: -> (tensor<1x2x3xi32>, tensor<1x2x3xf32>)
func.func @blocks(%s: tensor<1x2x17xf32>) {
  %i, %v = "sparse_attn.topk"(%s) {
    k = 4 : i64, block = 8 : i64, local_blocks = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 0>
  } : (tensor<1x2x17xf32>) -> (tensor<1x2x3xi32>, tensor<1x2x3xf32>)
  return
}
