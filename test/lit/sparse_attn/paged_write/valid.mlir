// RUN: sparse-attn-opt %s | filecheck %s

// A cache of flat rows, and one of heads; any element type moves.
// CHECK-LABEL: @rows
// CHECK: "sparse_attn.paged_write"
// CHECK: "sparse_attn.paged_write"
func.func @rows(%flat: tensor<4x16xf8E4M3FN>, %f: tensor<3xf8E4M3FN>, %deep: tensor<?x16x2x8xbf16>,
                %d: tensor<3x2x8xbf16>, %s: tensor<3xi64>) {
  %0 = "sparse_attn.paged_write"(%flat, %f, %s)
    : (tensor<4x16xf8E4M3FN>, tensor<3xf8E4M3FN>, tensor<3xi64>) -> tensor<4x16xf8E4M3FN>
  %1 = "sparse_attn.paged_write"(%deep, %d, %s)
    : (tensor<?x16x2x8xbf16>, tensor<3x2x8xbf16>, tensor<3xi64>) -> tensor<?x16x2x8xbf16>
  return
}
