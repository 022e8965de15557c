// RUN: sparse-attn-opt %s | filecheck %s

// Attributes equal to their default may be written; they are kept as written.
// CHECK-LABEL: @weighted
// CHECK: "sparse_attn.index_scores"({{.*}}) {activation = "relu", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, scale = 5.000000e-01 : f64}
func.func @weighted(%q: tensor<2x3x4x8xf32>, %k: tensor<2x5x8xf32>, %w: tensor<2x3x4xf32>) -> tensor<2x3x5xf32> {
  %s = "sparse_attn.index_scores"(%q, %k, %w) {
    operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, activation = "relu", scale = 0.5 : f64
  } : (tensor<2x3x4x8xf32>, tensor<2x5x8xf32>, tensor<2x3x4xf32>) -> tensor<2x3x5xf32>
  return %s : tensor<2x3x5xf32>
}

// Element types may differ between operands; scores are f32.
// CHECK-LABEL: @scaled
// CHECK: -> tensor<?x3x?xf32>
func.func @scaled(%q: tensor<?x3x4x8xbf16>, %k: tensor<?x?x8xf16>, %w: tensor<?x3x4xf32>,
                  %qs: tensor<?x3x4xf32>, %ks: tensor<?x?xf32>) -> tensor<?x3x?xf32> {
  %s = "sparse_attn.index_scores"(%q, %k, %w, %qs, %ks) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}
    : (tensor<?x3x4x8xbf16>, tensor<?x?x8xf16>, tensor<?x3x4xf32>, tensor<?x3x4xf32>, tensor<?x?xf32>)
    -> tensor<?x3x?xf32>
  return %s : tensor<?x3x?xf32>
}

// CHECK-LABEL: @heads_apart
// CHECK: -> tensor<2x3x4x5xf32>
func.func @heads_apart(%q: tensor<2x3x4x8xf32>, %k: tensor<2x5x8xf32>) -> tensor<2x3x4x5xf32> {
  %s = "sparse_attn.index_scores"(%q, %k) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, reduce = "none"}
    : (tensor<2x3x4x8xf32>, tensor<2x5x8xf32>) -> tensor<2x3x4x5xf32>
  return %s : tensor<2x3x4x5xf32>
}
