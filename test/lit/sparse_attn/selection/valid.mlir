// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @mask
// CHECK: "sparse_attn.selection"(%{{.*}}) {extent = 9 : i64} : (tensor<?x2x4xi64>) -> tensor<?x2x9xi1>
func.func @mask(%i: tensor<?x2x4xi64>) -> tensor<?x2x9xi1> {
  %s = "sparse_attn.selection"(%i) {extent = 9 : i64} : (tensor<?x2x4xi64>) -> tensor<?x2x9xi1>
  return %s : tensor<?x2x9xi1>
}

// Names with a dot belong to somebody else and are left alone.
// CHECK-LABEL: @no_keys
// CHECK: extent = 0 : i64, somebody.note = "kept"
func.func @no_keys(%i: tensor<1x2x0xi32>) {
  %s = "sparse_attn.selection"(%i) {extent = 0 : i64, somebody.note = "kept"} : (tensor<1x2x0xi32>) -> tensor<1x2x0xi1>
  return
}
