// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_callee() {
  // expected-error@below {{[c1] attribute `callee` must be str / symbol, got "decode"}}
  "aclgraph.capture"() {callee = "decode"} : () -> ()
  return
}

// -----

func.func @c1_batch() {
  // expected-error@below {{[c1] attribute `batch` must be at least 0, got -1}}
  "aclgraph.capture"() {callee = @c1_batch, batch = -1 : i64} : () -> ()
  return
}

// -----

// No operands and no results: c2, c3 and c4 can only fail by count.
func.func @c2_operand(%x: tensor<1xf32>) {
  // expected-error@below {{[c2] has 1 operands, expected 0}}
  "aclgraph.capture"(%x) {callee = @c2_operand} : (tensor<1xf32>) -> ()
  return
}

// -----

func.func @c5_no_function() {
  // expected-error@below {{[c5] `callee` names @decode, and the module has no such function}}
  "aclgraph.capture"() {callee = @decode} : () -> ()
  return
}

// -----

func.func @decode(%x: tensor<?xf32> {aclgraph.life = "rewritten"}) {
  return
}
func.func @c6_dynamic() {
  // expected-error@below {{[c6] argument 0 of @decode is tensor<?xf32>, which has no fixed size: capture one function for each bucket}}
  "aclgraph.capture"() {callee = @decode} : () -> ()
  return
}

// -----

func.func @decode(%x: i64 {aclgraph.life = "rewritten"}) {
  return
}
func.func @c6_number() {
  // expected-error@below {{[c6] argument 0 of @decode is no tensor}}
  "aclgraph.capture"() {callee = @decode} : () -> ()
  return
}

// -----

func.func @decode(%x: tensor<1xf32> {aclgraph.life = "rewritten"}, %y: tensor<1xf32>) {
  return
}
func.func @c7_no_life() {
  // expected-error@below {{[c7] argument 1 of @decode has aclgraph.life None, expected one of init_once, rewritten}}
  "aclgraph.capture"() {callee = @decode} : () -> ()
  return
}

// -----

func.func @decode(%x: tensor<1xf32> {aclgraph.life = "scratch"}) {
  return
}
func.func @c7_other_life() {
  // expected-error@below {{[c7] argument 0 of @decode has aclgraph.life 'scratch'}}
  "aclgraph.capture"() {callee = @decode} : () -> ()
  return
}

// -----

func.func @inner() {
  return
}
func.func @outer() {
  "aclgraph.capture"() {callee = @inner} : () -> ()
  return
}
func.func @c8_nested() {
  // expected-error@below {{[c8] @outer holds aclgraph.capture: a capture holds no capture}}
  "aclgraph.capture"() {callee = @outer} : () -> ()
  return
}

// -----

func.func @decode() {
  return
}
func.func @c9_streams() {
  // expected-error@below {{[c9] `streams` is 1985, a device has 1984}}
  "aclgraph.capture"() {callee = @decode, streams = 1985 : i64} : () -> ()
  return
}
