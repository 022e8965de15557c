// RUN: sparse-attn-opt %s | filecheck %s

func.func @decode(%cache: tensor<4x128xf32> {aclgraph.life = "init_once"}, %n: tensor<4xi32> {aclgraph.life = "rewritten"}) {
  return
}

func.func @nothing() {
  return
}

// CHECK-LABEL: @setup
// CHECK: "aclgraph.capture"() {batch = 4 : i64, callee = @decode, context = 128 : i64} : () -> ()
// CHECK: "aclgraph.capture"() {callee = @nothing, streams = 1984 : i64} : () -> ()
func.func @setup() {
  "aclgraph.capture"() {callee = @decode, batch = 4 : i64, context = 128 : i64} : () -> ()
  "aclgraph.capture"() {callee = @nothing, streams = 1984 : i64} : () -> ()
  return
}
