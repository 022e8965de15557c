// RUN: sparse-attn-opt %s | filecheck %s

func.func @decode(%n: tensor<4xi32> {aclgraph.life = "rewritten"}) {
  return
}

// CHECK-LABEL: @serve
// CHECK: "aclgraph.capture"() {callee = @decode}
// CHECK-NEXT: "aclgraph.replay"() {callee = @decode} : () -> ()
// CHECK-NEXT: "aclgraph.replay"() {callee = @decode} : () -> ()
func.func @serve() {
  "aclgraph.capture"() {callee = @decode} : () -> ()
  "aclgraph.replay"() {callee = @decode} : () -> ()
  "aclgraph.replay"() {callee = @decode} : () -> ()
  return
}
