// RUN: sparse-attn-opt --list-passes | filecheck %s

// CHECK-DAG: sparse-attn-verify: check every operation against the constraints of its dialect
// CHECK-DAG: sparse-attn-strip-facts: remove what was proven about values
