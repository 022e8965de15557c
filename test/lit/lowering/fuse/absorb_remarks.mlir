// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-absorb{absorb=on})" --verify-diagnostics

func.func @keys_of_their_own(%query: tensor<1x3x4x40xf32>, %key: tensor<1x40x4x40xf32>, %value: tensor<1x40x4x24xf32>, %picks: tensor<1x3x8xi32>)
    -> tensor<1x3x4x24xf32> {
  // expected-remark@below {{projections are not absorbed: its keys come from an input %arg1, no product of a latent with weights}}
  %out, %lse = "sparse_attn.attention"(%query, %key, %value, %picks) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0, 0, 0, 0, 0>, scale = 0.5 : f64}
    : (tensor<1x3x4x40xf32>, tensor<1x40x4x40xf32>, tensor<1x40x4x24xf32>, tensor<1x3x8xi32>) -> (tensor<1x3x4x24xf32>, tensor<0xf32>)
  return %out : tensor<1x3x4x24xf32>
}
