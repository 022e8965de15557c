// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-strip-facts)" --allow-unregistered-dialect | filecheck %s

// Facts of arguments, results and operations go, at every depth; what others wrote stays.
// CHECK: module attributes {other.kept} {
// CHECK: func.func @f(%arg0: i32 {other.kept}, %arg1: i32) -> (i32 {other.kept}) {
// CHECK-NOT: sparse_attn.
// CHECK: "some.region"() ({
// CHECK: "some.op"() {other.kept} : () -> ()
module attributes {sparse_attn.symbols = "s0", other.kept} {
  func.func @f(%a: i32 {sparse_attn.dims = "s0", other.kept}, %b: i32 {sparse_attn.dims = "s1"})
      -> (i32 {sparse_attn.dims = "s0", other.kept}) {
    "some.region"() ({
      "some.op"() {sparse_attn.dims = "s0", other.kept} : () -> ()
    }) : () -> ()
    return %a : i32
  }
}
