// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

// Heads that stay apart are another operation: it has no lightning indexer.
func.func @c1_heads_apart(%q: tensor<1x2x4x8xf32>, %k: tensor<1x9x8xf32>) {
  // expected-error@below {{[c1] attribute `reduce` must be one of 'weighted', 'sum', got 'none'}}
  %i, %v = "sparse_attn.lightning_indexer"(%q, %k) {
    k = 4 : i64, reduce = "none", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>
  } : (tensor<1x2x4x8xf32>, tensor<1x9x8xf32>) -> (tensor<1x2x4xi32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @c2_counts(%q: tensor<1x2x4x8xf32>, %k: tensor<1x9x8xf32>) {
  // expected-error@below {{[c2] has 2 operands, operandSegmentSizes counts 3}}
  %i, %v = "sparse_attn.lightning_indexer"(%q, %k) {
    k = 4 : i64, reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 1>
  } : (tensor<1x2x4x8xf32>, tensor<1x9x8xf32>) -> (tensor<1x2x4xi32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @c3_heads(%q: tensor<1x2x4x8xf32>, %k: tensor<1x9x8xf32>, %w: tensor<1x2x3xf32>) {
  // expected-error@below {{[c3] operand `weights`: dimension H is 3, expected 4}}
  %i, %v = "sparse_attn.lightning_indexer"(%q, %k, %w) {
    k = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>
  } : (tensor<1x2x4x8xf32>, tensor<1x9x8xf32>, tensor<1x2x3xf32>) -> (tensor<1x2x4xi32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @c4_indices_are_i32(%q: tensor<1x2x4x8xf32>, %k: tensor<1x9x8xf32>) {
  // expected-error@below {{[c4] result `indices` must be tensor<1x2x4xi32>, is tensor<1x2x4xi64>}}
  %i, %v = "sparse_attn.lightning_indexer"(%q, %k) {
    k = 4 : i64, reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>
  } : (tensor<1x2x4x8xf32>, tensor<1x9x8xf32>) -> (tensor<1x2x4xi64>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @c5_weights(%q: tensor<1x2x4x8xf32>, %k: tensor<1x9x8xf32>) {
  // expected-error@below {{[c5] reduce = "weighted" needs the operand `weights`}}
  %i, %v = "sparse_attn.lightning_indexer"(%q, %k) {
    k = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>
  } : (tensor<1x2x4x8xf32>, tensor<1x9x8xf32>) -> (tensor<1x2x4xi32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @c6_prefix(%q: tensor<1x2x4x8xf32>, %k: tensor<1x9x8xf32>) {
  // expected-error@below {{[c6] mask_mode = "prefix" needs the operand `visible`}}
  %i, %v = "sparse_attn.lightning_indexer"(%q, %k) {
    k = 4 : i64, reduce = "sum", mask_mode = "prefix", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>
  } : (tensor<1x2x4x8xf32>, tensor<1x9x8xf32>) -> (tensor<1x2x4xi32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @c7_ratio(%q: tensor<1x2x4x8xf32>, %k: tensor<1x9x8xf32>) {
  // expected-error@below {{[c7] ratio = 128 needs mask_mode = "prefix", got "none"}}
  %i, %v = "sparse_attn.lightning_indexer"(%q, %k) {
    k = 4 : i64, reduce = "sum", ratio = 128 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>
  } : (tensor<1x2x4x8xf32>, tensor<1x9x8xf32>) -> (tensor<1x2x4xi32>, tensor<1x2x4xf32>)
  return
}

// -----

func.func @c8_mask(%q: tensor<1x2x4x8xf32>, %k: tensor<1x9x8xf32>, %m: tensor<1x1x2x9xf32>) {
  // expected-error@below {{[c8] `mask` is [1, 1, 2, 9], which does not broadcast to [1, 2, 9]}}
  %i, %v = "sparse_attn.lightning_indexer"(%q, %k, %m) {
    k = 4 : i64, reduce = "sum", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 1>
  } : (tensor<1x2x4x8xf32>, tensor<1x9x8xf32>, tensor<1x1x2x9xf32>) -> (tensor<1x2x4xi32>, tensor<1x2x4xf32>)
  return
}
