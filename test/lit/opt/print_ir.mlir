// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-strip-facts,func.func(cse))" --mlir-print-ir-after=cse --mlir-print-ir-before=sparse-attn-strip-facts 2>&1 >%t.out | filecheck %s
// RUN: filecheck %s --check-prefix=OUT --input-file=%t.out
// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-strip-facts,func.func(cse))" --mlir-print-ir-before-all --mlir-print-ir-after-all 2>&1 >%t.out | filecheck %s --check-prefix=ALL

// What is printed around passes goes to standard error, the result alone to standard output.
// CHECK: IR Dump Before sparse-attn-strip-facts
// CHECK: sparse_attn.dims
// CHECK-NOT: IR Dump After sparse-attn-strip-facts
// CHECK: IR Dump After cse
// CHECK-NOT: sparse_attn.dims
// OUT-NOT: IR Dump
// OUT: func.func @f
// ALL: IR Dump Before sparse-attn-strip-facts
// ALL: IR Dump After sparse-attn-strip-facts
// ALL: IR Dump Before cse
// ALL: IR Dump After cse
func.func @f(%a: i32 {sparse_attn.dims = "s0"}) { return }
