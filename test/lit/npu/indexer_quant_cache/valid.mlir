// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_ascend950
// CHECK: "npu.indexer_quant_cache"
// CHECK-SAME: target = "ascend950"
func.func @example_ascend950(%cache: tensor<9x16x1x128xf8E4M3FN>, %cache_scale: tensor<9x16x1x1xf32>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  %r:2 = "npu.indexer_quant_cache"(%cache, %cache_scale, %x, %slot_mapping) {target = "ascend950"}
    : (tensor<9x16x1x128xf8E4M3FN>, tensor<9x16x1x1xf32>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<9x16x1x128xf8E4M3FN>, tensor<9x16x1x1xf32>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.indexer_quant_cache"
// CHECK-SAME: target = "host"
func.func @example_host(%cache: tensor<9x16x1x128xf8E4M3FN>, %cache_scale: tensor<9x16x1x1xf32>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  %r:2 = "npu.indexer_quant_cache"(%cache, %cache_scale, %x, %slot_mapping) {target = "host"}
    : (tensor<9x16x1x128xf8E4M3FN>, tensor<9x16x1x1xf32>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<9x16x1x128xf8E4M3FN>, tensor<9x16x1x1xf32>)
  return
}

// CHECK-LABEL: @mxfp8
// CHECK: "npu.indexer_quant_cache"
// CHECK-SAME: target = "ascend950"
func.func @mxfp8(%cache: tensor<9x16x1x128xf8E4M3FN>, %cache_scale: tensor<9x16x1x2x2xf8E8M0FNU>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  %r:2 = "npu.indexer_quant_cache"(%cache, %cache_scale, %x, %slot_mapping) {target = "ascend950", quant_mode = "mxfp8"}
    : (tensor<9x16x1x128xf8E4M3FN>, tensor<9x16x1x2x2xf8E8M0FNU>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<9x16x1x128xf8E4M3FN>, tensor<9x16x1x2x2xf8E8M0FNU>)
  return
}

// CHECK-LABEL: @mxfp8_flat_scales
// CHECK: "npu.indexer_quant_cache"
// CHECK-SAME: target = "ascend950"
func.func @mxfp8_flat_scales(%cache: tensor<9x16x1x128xf8E4M3FN>, %cache_scale: tensor<9x16x1x4xf8E8M0FNU>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  %r:2 = "npu.indexer_quant_cache"(%cache, %cache_scale, %x, %slot_mapping) {target = "ascend950", quant_mode = "mxfp8"}
    : (tensor<9x16x1x128xf8E4M3FN>, tensor<9x16x1x4xf8E8M0FNU>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<9x16x1x128xf8E4M3FN>, tensor<9x16x1x4xf8E8M0FNU>)
  return
}

// CHECK-LABEL: @mxfp4
// CHECK: "npu.indexer_quant_cache"
// CHECK-SAME: target = "ascend950"
func.func @mxfp4(%cache: tensor<9x16x1x64x!npu.fp4x2>, %cache_scale: tensor<9x16x1x4xf8E8M0FNU>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  %r:2 = "npu.indexer_quant_cache"(%cache, %cache_scale, %x, %slot_mapping) {target = "ascend950", quant_mode = "mxfp4"}
    : (tensor<9x16x1x64x!npu.fp4x2>, tensor<9x16x1x4xf8E8M0FNU>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<9x16x1x64x!npu.fp4x2>, tensor<9x16x1x4xf8E8M0FNU>)
  return
}

// CHECK-LABEL: @hifloat8
// CHECK: "npu.indexer_quant_cache"
// CHECK-SAME: target = "ascend950"
func.func @hifloat8(%cache: tensor<9x16x1x128xui8>, %cache_scale: tensor<9x16x1x1xf32>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  %r:2 = "npu.indexer_quant_cache"(%cache, %cache_scale, %x, %slot_mapping) {target = "ascend950", quant_mode = "hifloat8"}
    : (tensor<9x16x1x128xui8>, tensor<9x16x1x1xf32>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<9x16x1x128xui8>, tensor<9x16x1x1xf32>)
  return
}

// CHECK-LABEL: @half
// CHECK: "npu.indexer_quant_cache"
// CHECK-SAME: target = "ascend950"
func.func @half(%cache: tensor<9x16x1x128xf8E4M3FN>, %cache_scale: tensor<9x16x1x1xf32>, %x: tensor<5x128xf16>, %slot_mapping: tensor<5xi32>) {
  %r:2 = "npu.indexer_quant_cache"(%cache, %cache_scale, %x, %slot_mapping) {target = "ascend950"}
    : (tensor<9x16x1x128xf8E4M3FN>, tensor<9x16x1x1xf32>, tensor<5x128xf16>, tensor<5xi32>) -> (tensor<9x16x1x128xf8E4M3FN>, tensor<9x16x1x1xf32>)
  return
}
