// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_extent(%i: tensor<1x2x4xi32>) {
  // expected-error@below {{[c1] attribute `extent` must be at least 0, got -1}}
  %s = "sparse_attn.selection"(%i) {extent = -1 : i64} : (tensor<1x2x4xi32>) -> tensor<1x2x9xi1>
  return
}

// -----

func.func @c1_form(%i: tensor<1x2x4xi32>) {
  // expected-error@below {{[c1] attribute `form` must be one of 'mask', got 'gather'}}
  %s = "sparse_attn.selection"(%i) {extent = 9 : i64, form = "gather"} : (tensor<1x2x4xi32>) -> tensor<1x2x9xi1>
  return
}

// -----

func.func @c2_indices(%i: tensor<1x2x4xf32>) {
  // expected-error@below {{[c2] operand `indices` must have element type i32 or i64, has f32}}
  %s = "sparse_attn.selection"(%i) {extent = 9 : i64} : (tensor<1x2x4xf32>) -> tensor<1x2x9xi1>
  return
}

// -----

func.func @c2_no_operand() {
  // expected-error@below {{[c2] has 0 operands, expected 1}}
  %s = "sparse_attn.selection"() {extent = 9 : i64} : () -> tensor<1x2x9xi1>
  return
}

// -----

func.func @c2_not_a_tensor(%i: !torch.vtensor<[1,2,4],si32>) {
  // expected-error@below {{[c2] `indices` must be a ranked tensor, is !torch.vtensor<[1,2,4],si32>}}
  %s = "sparse_attn.selection"(%i) {extent = 9 : i64} : (!torch.vtensor<[1,2,4],si32>) -> tensor<1x2x9xi1>
  return
}

// -----

// Each dimension of the only operand has a name of its own, so c3 cannot fail here; the result still follows it.
func.func @c4_rows(%i: tensor<1x2x4xi32>) {
  // expected-error@below {{[c4] result `selected` must be tensor<1x2x9xi1>, is tensor<1x3x9xi1>}}
  %s = "sparse_attn.selection"(%i) {extent = 9 : i64} : (tensor<1x2x4xi32>) -> tensor<1x3x9xi1>
  return
}

// -----

func.func @c4_unranked(%i: tensor<1x2x4xi32>) {
  // expected-error@below {{[c4] `selected` must be a ranked tensor, is tensor<*xi1>}}
  %s = "sparse_attn.selection"(%i) {extent = 9 : i64} : (tensor<1x2x4xi32>) -> tensor<*xi1>
  return
}
