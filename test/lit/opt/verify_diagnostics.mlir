// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect | filecheck %s

// Good inputs are printed, one after the other; bad ones are left out.
// CHECK: func.func @good()
// CHECK-NOT: @bad
// CHECK: // -----
// CHECK: func.func @also_good()
func.func @good() { return }

// -----

func.func @bad(%i: tensor<1x2x4xi32>) {
  %s = "sparse_attn.selection"(%i) {extent = 9 : i64} : (tensor<1x2x4xi32>) -> tensor<1x2x8xi1>  // expected-error {{[c4]}}
  return
}

// -----

// expected-note@+1 {{prior use here}}
func.func @notes_count_too(%a: i32) {
  "some.op"(%a) : (i32) -> ()
  // expected-error@+1 {{expects different type than prior uses: 'i64' vs 'i32'}}
  "some.op"(%a) : (i64) -> ()
  return
}

// -----

func.func @syntax(%a: i32) {
  // expected-note@+2 {{Available dialects: }}
  // expected-error-re@+1 {{Dialect `{{[a-z]+}}' not found for custom op}}
  some.op %a
  return
}

// -----

func.func @also_good() { return }
