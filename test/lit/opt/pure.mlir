// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(func.func(cse, canonicalize))" | filecheck %s

// Operations have no effects: equal ones become one, unused ones go.
// CHECK-LABEL: @f
// CHECK-NEXT: %[[S:.*]] = "sparse_attn.selection"
// CHECK-NEXT: return %[[S]], %[[S]]
func.func @f(%i: tensor<1x2x3xi32>) -> (tensor<1x2x8xi1>, tensor<1x2x8xi1>) {
  %0 = "sparse_attn.selection"(%i) {extent = 8 : i64} : (tensor<1x2x3xi32>) -> tensor<1x2x8xi1>
  %1 = "sparse_attn.selection"(%i) {extent = 8 : i64} : (tensor<1x2x3xi32>) -> tensor<1x2x8xi1>
  %2 = "sparse_attn.selection"(%i) {extent = 9 : i64} : (tensor<1x2x3xi32>) -> tensor<1x2x9xi1>
  return %0, %1 : tensor<1x2x8xi1>, tensor<1x2x8xi1>
}
