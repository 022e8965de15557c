// RUN: sparse-attn-opt %s --mlir-print-debuginfo | filecheck %s --check-prefix=LOC
// RUN: sparse-attn-opt %s --mlir-print-op-generic -o %t.mlir && sparse-attn-opt < %t.mlir | filecheck %s --check-prefix=ROUND
// RUN: filecheck %s --check-prefix=GENERIC --input-file=%t.mlir

// LOC: loc("{{.*}}printing.mlir":10:1)
// GENERIC: "func.func"() <{function_type = (i32) -> i32, sym_name = "f"}> ({
// ROUND: func.func @f(%arg0: i32) -> i32 {


func.func @f(%a: i32) -> i32 { return %a : i32 }
