// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-verify, func.func(cse, canonicalize{max-iterations=3}), sparse-attn-strip-facts, symbol-dce)" | filecheck %s

// Passes written in C++ and in Python, nested and with options, in the order written: cse cannot join the two operations
// before their facts are gone, so both stay.
// CHECK-LABEL: @f
// CHECK-COUNT-2: "sparse_attn.selection"(%{{.*}}) {extent = 8 : i64} :
// CHECK-NOT: sparse_attn.dims
// CHECK-NOT: @unused
func.func @f(%i: tensor<1x2x3xi32> {sparse_attn.dims = "s"}) -> (tensor<1x2x8xi1>, tensor<1x2x8xi1>) {
  %0 = "sparse_attn.selection"(%i) {extent = 8 : i64, sparse_attn.dims = "a"} : (tensor<1x2x3xi32>) -> tensor<1x2x8xi1>
  %1 = "sparse_attn.selection"(%i) {extent = 8 : i64, sparse_attn.dims = "b"} : (tensor<1x2x3xi32>) -> tensor<1x2x8xi1>
  return %0, %1 : tensor<1x2x8xi1>, tensor<1x2x8xi1>
}

func.func private @unused()
