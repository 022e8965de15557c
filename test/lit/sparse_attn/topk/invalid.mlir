// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_k_required(%s: tensor<1x2x16xf32>) {
  // expected-error@below {{[c1] attribute `k` is required}}
  %i, %v = "sparse_attn.topk"(%s) {operandSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<1x2x16xf32>) -> (tensor<1x2x4xi32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @c1_k_positive(%s: tensor<1x2x16xf32>) {
  // expected-error@below {{[c1] attribute `k` must be at least 1, got 0}}
  %i, %v = "sparse_attn.topk"(%s) {k = 0 : i64, operandSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<1x2x16xf32>) -> (tensor<1x2x4xi32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @c1_k_is_i64(%s: tensor<1x2x16xf32>) {
  // expected-error@below {{[c1] attribute `k` must be int / i64, got 4 : i32}}
  %i, %v = "sparse_attn.topk"(%s) {k = 4 : i32, operandSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<1x2x16xf32>) -> (tensor<1x2x4xi32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @c1_unknown_name(%s: tensor<1x2x16xf32>) {
  // expected-error@below {{[c1] unknown attribute `largest`; declared are k, mask_mode}}
  %i, %v = "sparse_attn.topk"(%s) {k = 4 : i64, largest = true, operandSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<1x2x16xf32>) -> (tensor<1x2x4xi32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @c2_segments_missing(%s: tensor<1x2x16xf32>) {
  // expected-error@below {{[c2] needs operandSegmentSizes = array<i32: ...>}}
  %i, %v = "sparse_attn.topk"(%s) {k = 4 : i64} : (tensor<1x2x16xf32>) -> (tensor<1x2x4xi32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @c2_visible_is_i32(%s: tensor<1x2x16xf32>, %n: tensor<1x2xi64>) {
  // expected-error@below {{[c2] operand `visible` must have element type i32, has i64}}
  %i, %v = "sparse_attn.topk"(%s, %n) {k = 4 : i64, mask_mode = "causal", operandSegmentSizes = array<i32: 1, 1, 0>}
    : (tensor<1x2x16xf32>, tensor<1x2xi64>) -> (tensor<1x2x4xi32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @c3_visible_batch(%s: tensor<3x2x16xf32>, %n: tensor<2x2xi32>) {
  // expected-error@below {{[c3] operand `visible`: dimension B is 2, expected 3 or 1}}
  %i, %v = "sparse_attn.topk"(%s, %n) {k = 4 : i64, mask_mode = "causal", operandSegmentSizes = array<i32: 1, 1, 0>}
    : (tensor<3x2x16xf32>, tensor<2x2xi32>) -> (tensor<3x2x4xi32>, tensor<3x2x4xf32>)
  return
}

// -----

func.func @c4_width(%s: tensor<1x2x16xf32>) {
  // expected-error@below {{[c4] result `indices` must be tensor<1x2x16xi32>, is tensor<1x2x512xi32>}}
  %i, %v = "sparse_attn.topk"(%s) {k = 512 : i64, operandSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<1x2x16xf32>) -> (tensor<1x2x512xi32>, tensor<1x2x512xf32>)
  return
}

// -----

func.func @c4_one_result(%s: tensor<1x2x16xf32>) {
  // expected-error@below {{[c4] has 1 results, expected 2}}
  %i = "sparse_attn.topk"(%s) {k = 4 : i64, operandSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<1x2x16xf32>) -> tensor<1x2x4xi32>
  return
}

// -----

func.func @c5_prefix_needs_counts(%s: tensor<1x2x16xf32>) {
  // expected-error@below {{[c5] mask_mode = "prefix" needs the operand `visible`}}
  %i, %v = "sparse_attn.topk"(%s) {k = 4 : i64, mask_mode = "prefix", operandSegmentSizes = array<i32: 1, 0, 0>}
    : (tensor<1x2x16xf32>) -> (tensor<1x2x4xi32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @c5_counts_without_mode(%s: tensor<1x2x16xf32>, %n: tensor<1x2xi32>) {
  // expected-error@below {{[c5] mask_mode = "none" takes no `visible`}}
  %i, %v = "sparse_attn.topk"(%s, %n) {k = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 0>}
    : (tensor<1x2x16xf32>, tensor<1x2xi32>) -> (tensor<1x2x4xi32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @c6_ratio_without_prefix(%s: tensor<1x2x16xf32>) {
  // expected-error@below {{[c6] ratio = 4 needs mask_mode = "prefix", got "causal"}}
  %i, %v = "sparse_attn.topk"(%s) {
    k = 4 : i64, ratio = 4 : i64, mask_mode = "causal", operandSegmentSizes = array<i32: 1, 0, 0>
  } : (tensor<1x2x16xf32>) -> (tensor<1x2x4xi32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @c7_mask_shape(%s: tensor<1x2x16xf32>, %m: tensor<3x16xi1>) {
  // expected-error@below {{[c7] `mask` is [3, 16], which does not broadcast to [1, 2, 16]}}
  %i, %v = "sparse_attn.topk"(%s, %m) {k = 4 : i64, operandSegmentSizes = array<i32: 1, 0, 1>}
    : (tensor<1x2x16xf32>, tensor<3x16xi1>) -> (tensor<1x2x4xi32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @c8_more_local_than_k(%s: tensor<1x2x16xf32>) {
  // expected-error@below {{[c8] local_blocks = 3 exceeds k = 2}}
  %i, %v = "sparse_attn.topk"(%s) {
    k = 2 : i64, block = 4 : i64, local_blocks = 3 : i64, operandSegmentSizes = array<i32: 1, 0, 0>
  } : (tensor<1x2x16xf32>) -> (tensor<1x2x2xi32>, tensor<1x2x2xf32>)
  return
}
