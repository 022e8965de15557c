// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_left(%q: tensor<2x3x8x16xf32>, %k: tensor<2x5x1x16xf32>) {
  // expected-error@below {{[c1] attribute `ori_left` must be at least -1, got -2}}
  %o, %l = "sparse_attn.attention"(%q, %k) {
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0>, ori_mask = "band", ori_left = -2 : i64
  } : (tensor<2x3x8x16xf32>, tensor<2x5x1x16xf32>) -> (tensor<2x3x8x16xf32>, tensor<0xf32>)
  return
}

// -----

func.func @c1_mask_name(%q: tensor<2x3x8x16xf32>, %k: tensor<2x5x1x16xf32>) {
  // expected-error@below {{[c1] attribute `ori_mask` must be one of 'none', 'causal', 'band', got 'window'}}
  %o, %l = "sparse_attn.attention"(%q, %k) {
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0>, ori_mask = "window"
  } : (tensor<2x3x8x16xf32>, tensor<2x5x1x16xf32>) -> (tensor<2x3x8x16xf32>, tensor<0xf32>)
  return
}

// -----

func.func @c2_visible_is_i32(%q: tensor<2x3x8x16xf32>, %k: tensor<2x5x1x16xf32>, %n: tensor<2x3xi64>) {
  // expected-error@below {{[c2] operand `visible` must have element type i32, has i64}}
  %o, %l = "sparse_attn.attention"(%q, %k, %n) {
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 1, 0, 0>, ori_mask = "causal"
  } : (tensor<2x3x8x16xf32>, tensor<2x5x1x16xf32>, tensor<2x3xi64>) -> (tensor<2x3x8x16xf32>, tensor<0xf32>)
  return
}

// -----

func.func @c2_mask_is_bool_or_float(%q: tensor<2x3x8x16xf32>, %k: tensor<2x5x1x16xf32>, %m: tensor<3x5xi8>) {
  // expected-error@below {{[c2] operand `mask` must have element type i1 or f32 or bf16 or f16, has i8}}
  %o, %l = "sparse_attn.attention"(%q, %k, %m) {
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 1>
  } : (tensor<2x3x8x16xf32>, tensor<2x5x1x16xf32>, tensor<3x5xi8>) -> (tensor<2x3x8x16xf32>, tensor<0xf32>)
  return
}

// -----

func.func @c3_depth(%q: tensor<2x3x8x16xf32>, %c: tensor<2x7x1x8xf32>) {
  // expected-error@below {{[c3] operand `cmp_kv`: dimension D is 8, expected 16}}
  %o, %l = "sparse_attn.attention"(%q, %c) {
    operandSegmentSizes = array<i32: 1, 0, 0, 1, 0, 0, 0, 0, 0, 0>
  } : (tensor<2x3x8x16xf32>, tensor<2x7x1x8xf32>) -> (tensor<2x3x8x16xf32>, tensor<0xf32>)
  return
}

// -----

func.func @c3_groups(%q: tensor<2x3x8x16xf32>, %k: tensor<2x5x1x16xf32>, %c: tensor<2x7x2x16xf32>) {
  // expected-error@below {{[c3] operand `cmp_kv`: dimension G is 2, expected 1}}
  %o, %l = "sparse_attn.attention"(%q, %k, %c) {
    operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 0, 0, 0, 0>
  } : (tensor<2x3x8x16xf32>, tensor<2x5x1x16xf32>, tensor<2x7x2x16xf32>) -> (tensor<2x3x8x16xf32>, tensor<0xf32>)
  return
}

// -----

func.func @c3_list_rows(%q: tensor<2x3x8x16xf32>, %k: tensor<2x5x1x16xf32>, %oi: tensor<2x4x2xi32>) {
  // expected-error@below {{[c3] operand `ori_indices`: dimension S is 4, expected 3}}
  %o, %l = "sparse_attn.attention"(%q, %k, %oi) {
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 1, 0, 0, 0, 0, 0>
  } : (tensor<2x3x8x16xf32>, tensor<2x5x1x16xf32>, tensor<2x4x2xi32>) -> (tensor<2x3x8x16xf32>, tensor<0xf32>)
  return
}

// -----

func.func @c4_value_width(%q: tensor<2x3x8x16xf32>, %k: tensor<2x5x1x16xf32>) {
  // expected-error@below {{[c4] result `out` must be tensor<2x3x8x12xf32>, is tensor<2x3x8x16xf32>}}
  %o, %l = "sparse_attn.attention"(%q, %k) {
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0>, value_width = 12 : i64
  } : (tensor<2x3x8x16xf32>, tensor<2x5x1x16xf32>) -> (tensor<2x3x8x16xf32>, tensor<0xf32>)
  return
}

// -----

func.func @c4_lse_not_requested(%q: tensor<2x3x8x16xf32>, %k: tensor<2x5x1x16xf32>) {
  // expected-error@below {{[c4] result `lse` must be tensor<0xf32>, is tensor<2x3x8xf32>}}
  %o, %l = "sparse_attn.attention"(%q, %k) {
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0>
  } : (tensor<2x3x8x16xf32>, tensor<2x5x1x16xf32>) -> (tensor<2x3x8x16xf32>, tensor<2x3x8xf32>)
  return
}

// -----

func.func @c5_no_keys(%q: tensor<2x3x8x16xf32>) {
  // expected-error@below {{[c5] needs `ori_kv`, `cmp_kv` or both}}
  %o, %l = "sparse_attn.attention"(%q) {
    operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0>
  } : (tensor<2x3x8x16xf32>) -> (tensor<2x3x8x16xf32>, tensor<0xf32>)
  return
}

// -----

func.func @c6_heads(%q: tensor<2x3x8x16xf32>, %k: tensor<2x5x3x16xf32>) {
  // expected-error@below {{[c6] 8 query heads do not divide over 3 key heads}}
  %o, %l = "sparse_attn.attention"(%q, %k) {
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0>
  } : (tensor<2x3x8x16xf32>, tensor<2x5x3x16xf32>) -> (tensor<2x3x8x16xf32>, tensor<0xf32>)
  return
}

// -----

func.func @c7_width_said_twice(%q: tensor<2x3x8x16xf32>, %k: tensor<2x5x1x16xf32>, %v: tensor<2x5x1x4xf32>) {
  // expected-error@below {{[c7] `ori_value` already says the width; value_width = 4 must be -1}}
  %o, %l = "sparse_attn.attention"(%q, %k, %v) {
    operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0>, value_width = 4 : i64
  } : (tensor<2x3x8x16xf32>, tensor<2x5x1x16xf32>, tensor<2x5x1x4xf32>) -> (tensor<2x3x8x4xf32>, tensor<0xf32>)
  return
}

// -----

func.func @c7_wider_than_key(%q: tensor<2x3x8x16xf32>, %k: tensor<2x5x1x16xf32>) {
  // expected-error@below {{[c7] values of width 17 do not fit in key rows of width 16}}
  %o, %l = "sparse_attn.attention"(%q, %k) {
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0>, value_width = 17 : i64
  } : (tensor<2x3x8x16xf32>, tensor<2x5x1x16xf32>) -> (tensor<2x3x8x17xf32>, tensor<0xf32>)
  return
}

// -----

func.func @c7_compressed_rows_too_short(%q: tensor<2x3x8x16xf32>, %k: tensor<2x5x1x16xf32>, %v: tensor<2x5x1x32xf32>, %c: tensor<2x7x1x16xf32>) {
  // expected-error@below {{[c7] values of width 32 do not fit in key rows of width 16}}
  %o, %l = "sparse_attn.attention"(%q, %k, %v, %c) {
    operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0, 0>
  } : (tensor<2x3x8x16xf32>, tensor<2x5x1x16xf32>, tensor<2x5x1x32xf32>, tensor<2x7x1x16xf32>) -> (tensor<2x3x8x32xf32>, tensor<0xf32>)
  return
}

// -----

func.func @c8_list_without_segment(%q: tensor<2x3x8x16xf32>, %k: tensor<2x5x1x16xf32>, %ci: tensor<2x3x4xi32>) {
  // expected-error@below {{[c8] operands and masks named `cmp_` need `cmp_kv`}}
  %o, %l = "sparse_attn.attention"(%q, %k, %ci) {
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0>
  } : (tensor<2x3x8x16xf32>, tensor<2x5x1x16xf32>, tensor<2x3x4xi32>) -> (tensor<2x3x8x16xf32>, tensor<0xf32>)
  return
}

// -----

func.func @c8_mask_without_segment(%q: tensor<2x3x8x16xf32>, %c: tensor<2x7x1x16xf32>) {
  // expected-error@below {{[c8] operands and masks named `ori_` need `ori_kv`}}
  %o, %l = "sparse_attn.attention"(%q, %c) {
    operandSegmentSizes = array<i32: 1, 0, 0, 1, 0, 0, 0, 0, 0, 0>, ori_mask = "causal"
  } : (tensor<2x3x8x16xf32>, tensor<2x7x1x16xf32>) -> (tensor<2x3x8x16xf32>, tensor<0xf32>)
  return
}

// -----

func.func @c9_band_limits(%q: tensor<2x3x8x16xf32>, %k: tensor<2x5x1x16xf32>) {
  // expected-error@below {{[c9] ori_left and ori_right need ori_mask = "band", got "causal"}}
  %o, %l = "sparse_attn.attention"(%q, %k) {
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0>, ori_mask = "causal", ori_left = 127 : i64
  } : (tensor<2x3x8x16xf32>, tensor<2x5x1x16xf32>) -> (tensor<2x3x8x16xf32>, tensor<0xf32>)
  return
}

// -----

func.func @c9_ratio(%q: tensor<2x3x8x16xf32>, %c: tensor<2x7x1x16xf32>) {
  // expected-error@below {{[c9] `cmp_visible` and cmp_ratio need cmp_mask = "prefix", got "none"}}
  %o, %l = "sparse_attn.attention"(%q, %c) {
    operandSegmentSizes = array<i32: 1, 0, 0, 1, 0, 0, 0, 0, 0, 0>, cmp_ratio = 4 : i64
  } : (tensor<2x3x8x16xf32>, tensor<2x7x1x16xf32>) -> (tensor<2x3x8x16xf32>, tensor<0xf32>)
  return
}

// -----

func.func @c10_visible_unread(%q: tensor<2x3x8x16xf32>, %k: tensor<2x5x1x16xf32>, %n: tensor<2x3xi32>) {
  // expected-error@below {{[c10] `visible` is given but no mask reads it}}
  %o, %l = "sparse_attn.attention"(%q, %k, %n) {
    operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 1, 0, 0>
  } : (tensor<2x3x8x16xf32>, tensor<2x5x1x16xf32>, tensor<2x3xi32>) -> (tensor<2x3x8x16xf32>, tensor<0xf32>)
  return
}

// -----

func.func @c10_visible_unread_by_prefix(%q: tensor<2x3x8x16xf32>, %c: tensor<2x7x1x16xf32>, %n: tensor<2x3xi32>, %cn: tensor<2x3xi32>) {
  // expected-error@below {{[c10] `visible` is given but no mask reads it}}
  %o, %l = "sparse_attn.attention"(%q, %c, %n, %cn) {
    operandSegmentSizes = array<i32: 1, 0, 0, 1, 0, 0, 0, 1, 1, 0>, cmp_mask = "prefix"
  } : (tensor<2x3x8x16xf32>, tensor<2x7x1x16xf32>, tensor<2x3xi32>, tensor<2x3xi32>) -> (tensor<2x3x8x16xf32>, tensor<0xf32>)
  return
}

// -----

func.func @c10_nothing_to_count(%q: tensor<2x3x8x16xf32>, %c: tensor<2x7x1x16xf32>) {
  // expected-error@below {{[c10] cmp_mask = "prefix" needs `cmp_visible` or `visible` when there is no `ori_kv`}}
  %o, %l = "sparse_attn.attention"(%q, %c) {
    operandSegmentSizes = array<i32: 1, 0, 0, 1, 0, 0, 0, 0, 0, 0>, cmp_mask = "prefix"
  } : (tensor<2x3x8x16xf32>, tensor<2x7x1x16xf32>) -> (tensor<2x3x8x16xf32>, tensor<0xf32>)
  return
}

// -----

func.func @c11_mask_covers_both_segments(%q: tensor<2x3x8x16xf32>, %k: tensor<2x5x1x16xf32>, %c: tensor<2x7x1x16xf32>, %m: tensor<3x5xf32>) {
  // expected-error@below {{[c11] `mask` is [3, 5], which does not broadcast to [2, 8, 3, 12]}}
  %o, %l = "sparse_attn.attention"(%q, %k, %c, %m) {
    operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 0, 0, 0, 1>
  } : (tensor<2x3x8x16xf32>, tensor<2x5x1x16xf32>, tensor<2x7x1x16xf32>, tensor<3x5xf32>) -> (tensor<2x3x8x16xf32>, tensor<0xf32>)
  return
}
