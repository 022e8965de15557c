// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_ascend950
// CHECK: "npu.indexer_compress_epilog_v2"
// CHECK-SAME: target = "ascend950"
func.func @example_ascend950(%indexer_compress_cache: tensor<9x16x1x132xui8>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  %r:1 = "npu.indexer_compress_epilog_v2"(%indexer_compress_cache, %x, %slot_mapping) {target = "ascend950"}
    : (tensor<9x16x1x132xui8>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<9x16x1x132xui8>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.indexer_compress_epilog_v2"
// CHECK-SAME: target = "host"
func.func @example_host(%indexer_compress_cache: tensor<9x16x1x132xui8>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  %r:1 = "npu.indexer_compress_epilog_v2"(%indexer_compress_cache, %x, %slot_mapping) {target = "host"}
    : (tensor<9x16x1x132xui8>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<9x16x1x132xui8>)
  return
}

// CHECK-LABEL: @two_groups
// CHECK: "npu.indexer_compress_epilog_v2"
// CHECK-SAME: target = "ascend950"
func.func @two_groups(%indexer_compress_cache: tensor<9x16x1x200xui8>, %x: tensor<5x192xf16>, %slot_mapping: tensor<5xi32>) {
  %r:1 = "npu.indexer_compress_epilog_v2"(%indexer_compress_cache, %x, %slot_mapping) {target = "ascend950"}
    : (tensor<9x16x1x200xui8>, tensor<5x192xf16>, tensor<5xi32>) -> (tensor<9x16x1x200xui8>)
  return
}

// CHECK-LABEL: @blocks_apart
// CHECK: "npu.indexer_compress_epilog_v2"
// CHECK-SAME: target = "ascend950"
func.func @blocks_apart(%indexer_compress_cache: tensor<9x16x1x132xui8>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  %r:1 = "npu.indexer_compress_epilog_v2"(%indexer_compress_cache, %x, %slot_mapping) {target = "ascend950"}
    : (tensor<9x16x1x132xui8>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<9x16x1x132xui8>)
  return
}
