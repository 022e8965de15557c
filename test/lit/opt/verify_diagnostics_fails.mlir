// RUN: not sparse-attn-opt %S/Inputs/wrong_expectations.mlir --split-input-file --verify-diagnostics 2>&1 | filecheck %s

// The text, the absence and the severity of a diagnostic all matter.
// CHECK: wrong_expectations.mlir:2:56: error: unexpected error: operation being parsed with an unregistered dialect
// CHECK: wrong_expectations.mlir:1:1: error: expected error "another message" was not produced
// CHECK: wrong_expectations.mlir:6:1: error: expected error "nothing is wrong here" was not produced
// CHECK: wrong_expectations.mlir:12:12: error: unexpected error: operation being parsed
// CHECK: wrong_expectations.mlir:11:1: error: expected remark "operation being parsed with an unregistered dialect" was not
