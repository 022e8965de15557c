// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_unknown_activation(%q: tensor<2x3x4x8xf32>, %k: tensor<2x5x8xf32>) {
  // expected-error@below {{[c1] attribute `activation` must be one of 'relu', 'none', got 'gelu'}}
  %s = "sparse_attn.index_scores"(%q, %k) {
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, activation = "gelu", reduce = "sum"
  } : (tensor<2x3x4x8xf32>, tensor<2x5x8xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @c1_scale_is_f64(%q: tensor<2x3x4x8xf32>, %k: tensor<2x5x8xf32>) {
  // expected-error@below {{[c1] attribute `scale` must be float / f64, got 5.000000e-01 : f32}}
  %s = "sparse_attn.index_scores"(%q, %k) {
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, scale = 0.5 : f32, reduce = "sum"
  } : (tensor<2x3x4x8xf32>, tensor<2x5x8xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @c2_rank(%q: tensor<2x3x8xf32>, %k: tensor<2x5x8xf32>) {
  // expected-error@below {{[c2] operand `query` must have rank 4 ([B, S, H, d]), has rank 3}}
  %s = "sparse_attn.index_scores"(%q, %k) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, reduce = "sum"}
    : (tensor<2x3x8xf32>, tensor<2x5x8xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @c3_depth(%q: tensor<2x3x4x8xf32>, %k: tensor<2x5x16xf32>) {
  // expected-error@below {{[c3] operand `key`: dimension d is 16, expected 8}}
  %s = "sparse_attn.index_scores"(%q, %k) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, reduce = "sum"}
    : (tensor<2x3x4x8xf32>, tensor<2x5x16xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @c4_heads_summed(%q: tensor<2x3x4x8xf32>, %k: tensor<2x5x8xf32>) {
  // expected-error@below {{[c4] result `scores` must be tensor<2x3x5xf32>, is tensor<2x3x4x5xf32>}}
  %s = "sparse_attn.index_scores"(%q, %k) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, reduce = "sum"}
    : (tensor<2x3x4x8xf32>, tensor<2x5x8xf32>) -> tensor<2x3x4x5xf32>
  return
}

// -----

func.func @c4_heads_apart(%q: tensor<2x3x4x8xf32>, %k: tensor<2x5x8xf32>) {
  // expected-error@below {{[c4] result `scores` must be tensor<2x3x4x5xf32>, is tensor<2x3x5xf32>}}
  %s = "sparse_attn.index_scores"(%q, %k) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, reduce = "none"}
    : (tensor<2x3x4x8xf32>, tensor<2x5x8xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @c5_weights_missing(%q: tensor<2x3x4x8xf32>, %k: tensor<2x5x8xf32>) {
  // expected-error@below {{[c5] reduce = "weighted" needs the operand `weights`}}
  %s = "sparse_attn.index_scores"(%q, %k) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}
    : (tensor<2x3x4x8xf32>, tensor<2x5x8xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @c5_weights_unused(%q: tensor<2x3x4x8xf32>, %k: tensor<2x5x8xf32>, %w: tensor<2x3x4xf32>) {
  // expected-error@below {{[c5] reduce = "sum" takes no `weights`}}
  %s = "sparse_attn.index_scores"(%q, %k, %w) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, reduce = "sum"}
    : (tensor<2x3x4x8xf32>, tensor<2x5x8xf32>, tensor<2x3x4xf32>) -> tensor<2x3x5xf32>
  return
}
