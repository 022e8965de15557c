// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_ascend950
// CHECK: "npu.indexer_compress_epilog"
// CHECK-SAME: target = "ascend950"
func.func @example_ascend950(%indexer_compress_cache: tensor<144x128xf8E4M3FN>, %indexer_compress_scale: tensor<144x1xf32>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  %r:2 = "npu.indexer_compress_epilog"(%indexer_compress_cache, %indexer_compress_scale, %x, %slot_mapping) {target = "ascend950"}
    : (tensor<144x128xf8E4M3FN>, tensor<144x1xf32>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<144x128xf8E4M3FN>, tensor<144x1xf32>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.indexer_compress_epilog"
// CHECK-SAME: target = "host"
func.func @example_host(%indexer_compress_cache: tensor<144x128xf8E4M3FN>, %indexer_compress_scale: tensor<144x1xf32>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  %r:2 = "npu.indexer_compress_epilog"(%indexer_compress_cache, %indexer_compress_scale, %x, %slot_mapping) {target = "host"}
    : (tensor<144x128xf8E4M3FN>, tensor<144x1xf32>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<144x128xf8E4M3FN>, tensor<144x1xf32>)
  return
}

// CHECK-LABEL: @mx
// CHECK: "npu.indexer_compress_epilog"
// CHECK-SAME: target = "ascend950"
func.func @mx(%indexer_compress_cache: tensor<144x128xf8E4M3FN>, %indexer_compress_scale: tensor<144x4xf8E8M0FNU>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  %r:2 = "npu.indexer_compress_epilog"(%indexer_compress_cache, %indexer_compress_scale, %x, %slot_mapping) {target = "ascend950", quant_mode = 0 : i64}
    : (tensor<144x128xf8E4M3FN>, tensor<144x4xf8E8M0FNU>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<144x128xf8E4M3FN>, tensor<144x4xf8E8M0FNU>)
  return
}

// CHECK-LABEL: @hifloat8
// CHECK: "npu.indexer_compress_epilog"
// CHECK-SAME: target = "ascend950"
func.func @hifloat8(%indexer_compress_cache: tensor<144x128xui8>, %indexer_compress_scale: tensor<144x1xf32>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  %r:2 = "npu.indexer_compress_epilog"(%indexer_compress_cache, %indexer_compress_scale, %x, %slot_mapping) {target = "ascend950", quant_mode = 2 : i64}
    : (tensor<144x128xui8>, tensor<144x1xf32>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<144x128xui8>, tensor<144x1xf32>)
  return
}

// CHECK-LABEL: @long_slots
// CHECK: "npu.indexer_compress_epilog"
// CHECK-SAME: target = "ascend950"
func.func @long_slots(%indexer_compress_cache: tensor<144x128xf8E4M3FN>, %indexer_compress_scale: tensor<144x1xf32>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi64>) {
  %r:2 = "npu.indexer_compress_epilog"(%indexer_compress_cache, %indexer_compress_scale, %x, %slot_mapping) {target = "ascend950"}
    : (tensor<144x128xf8E4M3FN>, tensor<144x1xf32>, tensor<5x128xbf16>, tensor<5xi64>) -> (tensor<144x128xf8E4M3FN>, tensor<144x1xf32>)
  return
}
