// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_no_attributes(%c: tensor<4x16x8xf32>, %r: tensor<3x8xf32>, %s: tensor<3xi32>) {
  // expected-error@below {{[c1] unknown attribute `block_size`; declared are none}}
  %0 = "sparse_attn.paged_write"(%c, %r, %s) {block_size = 16 : i64}
    : (tensor<4x16x8xf32>, tensor<3x8xf32>, tensor<3xi32>) -> tensor<4x16x8xf32>
  return
}

// -----

func.func @c2_slots(%c: tensor<4x16x8xf32>, %r: tensor<3x8xf32>, %s: tensor<3x1xi32>) {
  // expected-error@below {{[c2] operand `slots` must have rank 1 ([n]), has rank 2}}
  %0 = "sparse_attn.paged_write"(%c, %r, %s)
    : (tensor<4x16x8xf32>, tensor<3x8xf32>, tensor<3x1xi32>) -> tensor<4x16x8xf32>
  return
}

// -----

func.func @c2_cache_has_blocks(%c: tensor<4xf32>, %r: tensor<3xf32>, %s: tensor<3xi32>) {
  // expected-error@below {{[c2] operand `cache` must have rank 2 or more ([blocks, block_size, row...]), has rank 1}}
  %0 = "sparse_attn.paged_write"(%c, %r, %s) : (tensor<4xf32>, tensor<3xf32>, tensor<3xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @c3_row(%c: tensor<4x16x8xf32>, %r: tensor<3x9xf32>, %s: tensor<3xi32>) {
  // expected-error@below {{[c3] operand `rows`: dimensions row... are [9], expected [8]}}
  %0 = "sparse_attn.paged_write"(%c, %r, %s)
    : (tensor<4x16x8xf32>, tensor<3x9xf32>, tensor<3xi32>) -> tensor<4x16x8xf32>
  return
}

// -----

func.func @c3_count(%c: tensor<4x16x8xf32>, %r: tensor<3x8xf32>, %s: tensor<4xi32>) {
  // expected-error@below {{[c3] operand `slots`: dimension n is 4, expected 3}}
  %0 = "sparse_attn.paged_write"(%c, %r, %s)
    : (tensor<4x16x8xf32>, tensor<3x8xf32>, tensor<4xi32>) -> tensor<4x16x8xf32>
  return
}

// -----

func.func @c4_cache(%c: tensor<4x16x8xf32>, %r: tensor<3x8xf32>, %s: tensor<3xi32>) {
  // expected-error@below {{[c4] result `written` must be tensor<4x16x8xf32>, is tensor<5x16x8xf32>}}
  %0 = "sparse_attn.paged_write"(%c, %r, %s)
    : (tensor<4x16x8xf32>, tensor<3x8xf32>, tensor<3xi32>) -> tensor<5x16x8xf32>
  return
}

// -----

func.func @c5_element_type(%c: tensor<4x16x8xbf16>, %r: tensor<3x8xf32>, %s: tensor<3xi32>) {
  // expected-error@below {{[c5] `rows` has element type f32, `cache` has bf16}}
  %0 = "sparse_attn.paged_write"(%c, %r, %s)
    : (tensor<4x16x8xbf16>, tensor<3x8xf32>, tensor<3xi32>) -> tensor<4x16x8xbf16>
  return
}
