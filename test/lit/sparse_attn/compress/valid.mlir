// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @incomplete_window_is_left_out
func.func @incomplete_window_is_left_out(%kv: tensor<2x7x8xbf16>, %g: tensor<2x7x8xf32>) -> tensor<2x1x8xbf16> {
  // CHECK: {operandSegmentSizes = array<i32: 1, 1, 0>, ratio = 4 : i64}
  %r = "sparse_attn.compress"(%kv, %g) {ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 0>}
    : (tensor<2x7x8xbf16>, tensor<2x7x8xf32>) -> tensor<2x1x8xbf16>
  return %r : tensor<2x1x8xbf16>
}

// CHECK-LABEL: @overlap
// CHECK: -> tensor<?x?x4xf32>
func.func @overlap(%kv: tensor<?x?x8xf32>, %g: tensor<?x?x8xf32>, %b: tensor<4x8xf32>) {
  %r = "sparse_attn.compress"(%kv, %g, %b) {
    ratio = 4 : i64, overlap = true, operandSegmentSizes = array<i32: 1, 1, 1>
  } : (tensor<?x?x8xf32>, tensor<?x?x8xf32>, tensor<4x8xf32>) -> tensor<?x?x4xf32>
  return
}
