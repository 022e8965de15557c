// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_ratio(%kv: tensor<2x8x8xf32>) {
  // expected-error@below {{[c1] attribute `ratio` must be at least 1, got 0}}
  %r = "sparse_attn.compress"(%kv, %kv) {ratio = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0>}
    : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x2x8xf32>
  return
}

// -----

func.func @c1_overlap_is_bool(%kv: tensor<2x8x8xf32>) {
  // expected-error@below {{[c1] attribute `overlap` must be bool / i1, got 1 : i64}}
  %r = "sparse_attn.compress"(%kv, %kv) {ratio = 4 : i64, overlap = 1, operandSegmentSizes = array<i32: 1, 1, 0>}
    : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x2x4xf32>
  return
}

// -----

func.func @c2_kv_is_float(%kv: tensor<2x8x8xi8>, %g: tensor<2x8x8xf32>) {
  // expected-error@below {{[c2] operand `kv` must have element type f32 or bf16 or f16, has i8}}
  %r = "sparse_attn.compress"(%kv, %g) {ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 0>}
    : (tensor<2x8x8xi8>, tensor<2x8x8xf32>) -> tensor<2x2x8xi8>
  return
}

// -----

func.func @c3_gate(%kv: tensor<2x8x8xf32>, %g: tensor<2x7x8xf32>) {
  // expected-error@below {{[c3] operand `gate`: dimension S is 7, expected 8}}
  %r = "sparse_attn.compress"(%kv, %g) {ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 0>}
    : (tensor<2x8x8xf32>, tensor<2x7x8xf32>) -> tensor<2x2x8xf32>
  return
}

// -----

func.func @c4_halved_by_overlap(%kv: tensor<2x8x8xf32>) {
  // expected-error@below {{[c4] result `rows` must be tensor<2x2x4xf32>, is tensor<2x2x8xf32>}}
  %r = "sparse_attn.compress"(%kv, %kv) {ratio = 4 : i64, overlap = true, operandSegmentSizes = array<i32: 1, 1, 0>}
    : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x2x8xf32>
  return
}

// -----

func.func @c5_bias_rows(%kv: tensor<2x8x8xf32>, %b: tensor<8x8xf32>) {
  // expected-error@below {{[c5] `bias` has 8 rows, expected ratio = 4}}
  %r = "sparse_attn.compress"(%kv, %kv, %b) {ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 1>}
    : (tensor<2x8x8xf32>, tensor<2x8x8xf32>, tensor<8x8xf32>) -> tensor<2x2x8xf32>
  return
}

// -----

func.func @c6_odd_width(%kv: tensor<2x8x7xf32>) {
  // expected-error@below {{[c6] overlap needs an even width, `kv` has 7}}
  %r = "sparse_attn.compress"(%kv, %kv) {ratio = 4 : i64, overlap = true, operandSegmentSizes = array<i32: 1, 1, 0>}
    : (tensor<2x8x7xf32>, tensor<2x8x7xf32>) -> tensor<2x2x3xf32>
  return
}
