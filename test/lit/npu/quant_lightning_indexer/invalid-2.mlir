// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c34_batches(%query: tensor<65536x3x64x128xsi8>, %key: tensor<9x16x1x128xsi8>, %weights: tensor<65536x3x64xf16>, %query_dequant_scale: tensor<65536x3x64xf16>, %key_dequant_scale: tensor<9x16x1xf16>, %seqused_k: tensor<65536xi32>, %block_table: tensor<65536x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c34] on a3, batches B is 65536, not 1 to 65535}}
  %r:2 = "npu.quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %seqused_k, %block_table, %metadata) {target = "a3", topk = 512 : i64, quant_mode = 2 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<65536x3x64x128xsi8>, tensor<9x16x1x128xsi8>, tensor<65536x3x64xf16>, tensor<65536x3x64xf16>, tensor<9x16x1xf16>, tensor<65536xi32>, tensor<65536x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c35_block(%query: tensor<2x3x64x128xsi8>, %key: tensor<9x24x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<9x24x1xf16>, %seqused_k: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c35] on a3, rows of a block size is 24, not 16 to 1024 in steps of 16}}
  %r:2 = "npu.quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %seqused_k, %block_table, %metadata) {target = "a3", topk = 512 : i64, quant_mode = 2 : i64, layout_k = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<9x24x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<9x24x1xf16>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}
