// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(sparse-attn-npu-to-call)"

// A result of unknown size cannot be allocated.
func.func @dynamic(%q: tensor<1x?x64x128xbf16>, %k: tensor<1x40x1x128xbf16>, %w: tensor<1x?x64xbf16>) {
  // expected-error@+1 {{npu.npu_lightning_indexer: result tensor<1x?x1x16xi32> has dynamic sizes: compile with static shapes}}
  %0:2 = "npu.npu_lightning_indexer"(%q, %k, %w) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, sparse_count = 16 : i64, target = "host"}
    : (tensor<1x?x64x128xbf16>, tensor<1x40x1x128xbf16>, tensor<1x?x64xbf16>) -> (tensor<1x?x1x16xi32>, tensor<0xbf16>)
  return
}

// -----

// Packed elements of our own have no buffer.
func.func @packed(%q: tensor<2x3x8x512x!npu.hif8>, %kv: tensor<2x40x1x512x!npu.hif8>, %s: tensor<1xf32>, %sinks: tensor<8xf32>) {
  // expected-error@+1 {{npu.quant_sparse_flash_mla: operand tensor<2x3x8x512x!npu.hif8> has no buffer: pass its bytes as i8 or ui8}}
  %0:2 = "npu.quant_sparse_flash_mla"(%q, %kv, %s, %s, %sinks) {cmp_ratio = 1 : i64, quant_mode = 1 : i64, softmax_scale = 0.05 : f64,
      operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0>, target = "host"}
    : (tensor<2x3x8x512x!npu.hif8>, tensor<2x40x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<8xf32>) -> (tensor<2x3x8x512xbf16>, tensor<0xf32>)
  return
}
