// RUN: not sparse-attn-opt %s --pass-pipeline="cse" 2>&1 | filecheck %s --check-prefix=ANCHOR
// RUN: not sparse-attn-opt %s --pass-pipeline="builtin.module(cse" 2>&1 | filecheck %s --check-prefix=PAREN
// RUN: not sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-lost)" 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not sparse-attn-opt %s --pass-pipeline="builtin.module(func.func(sparse-attn-verify))" 2>&1 | filecheck %s --check-prefix=NEST
// RUN: not sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-verify{deep=1})" 2>&1 | filecheck %s --check-prefix=OPTION

// The pipeline is checked whole, before the input is read: this file is no MLIR.
// ANCHOR: --pass-pipeline:1:1: error: a pipeline is written builtin.module(...); 'cse' is outside of it
// PAREN: --pass-pipeline:1:19: error: missing ) after builtin.module(...
// NAME: --pass-pipeline:1:16: error: 'sparse-attn-lost' does not refer to a registered pass
// NEST: --pass-pipeline:1:26: error: sparse-attn-verify runs on builtin.module, not on func.func
// OPTION: --pass-pipeline:1:16: error: sparse-attn-verify: unknown option 'deep'; known are none
this is no MLIR
