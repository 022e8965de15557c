// RUN: not sparse-attn-opt %s 2>&1 | filecheck %s
// RUN: not sparse-attn-opt < %s 2>&1 | filecheck %s --check-prefix=STDIN
// RUN: %python -c "print('func.func @f(%a: ' + 'tuple<' * 300000 + 'i32' + '>' * 300000 + ') { return }')" > %t.deep.mlir
// RUN: not sparse-attn-opt %t.deep.mlir 2>&1 | filecheck %s --check-prefix=CRASH
// RUN: %python -c "import sys; sys.stdout.buffer.write(b'\x1b[31m\x00\xff\xfe {')" > %t.bytes.mlir
// RUN: not sparse-attn-opt %t.bytes.mlir 2>&1 | filecheck %s --check-prefix=BYTES
// RUN: not sparse-attn-opt %t.absent.mlir 2>&1 | filecheck %s --check-prefix=ABSENT

// CHECK: malformed.mlir:18:21: error: expected ')'
// CHECK-NEXT: func.func @f(%a: i32 %b: i32) { return }
// CHECK-NEXT: {{^ {20}\^}}
// CHECK-NOT: Traceback
// STDIN: <stdin>:{{[0-9]+}}:{{[0-9]+}}: error: expected
// CRASH: .deep.mlir: error: MLIR crashed (SIG{{[A-Z]+}}) while parsing the input; the input may be malformed
// BYTES-NOT: [31m{{.}}
// BYTES: error:
// ABSENT: .absent.mlir: error: cannot be read: No such file or directory
func.func @f(%a: i32 %b: i32) { return }
