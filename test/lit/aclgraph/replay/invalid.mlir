// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_no_callee() {
  // expected-error@below {{'aclgraph.replay'}}
  "aclgraph.replay"() : () -> ()
  return
}

// -----

func.func @c5_no_function() {
  // expected-error@below {{[c5] `callee` names @decode, and the module has no such function}}
  "aclgraph.replay"() {callee = @decode} : () -> ()
  return
}

// -----

func.func @decode() {
  return
}
func.func @c6_never_captured() {
  // expected-error@below {{[c6] @decode is not captured before this: put an aclgraph.capture in front}}
  "aclgraph.replay"() {callee = @decode} : () -> ()
  return
}

// -----

func.func @decode() {
  return
}
func.func @other() {
  return
}
func.func @c6_order() {
  "aclgraph.capture"() {callee = @other} : () -> ()
  // expected-error@below {{[c6] @decode is not captured before this}}
  "aclgraph.replay"() {callee = @decode} : () -> ()
  "aclgraph.capture"() {callee = @decode} : () -> ()
  return
}
