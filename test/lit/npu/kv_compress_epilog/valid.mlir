// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_ascend950
// CHECK: "npu.kv_compress_epilog"
// CHECK-SAME: target = "ascend950"
func.func @example_ascend950(%cache: tensor<9x16x1x640xui8>, %x: tensor<5x512xbf16>, %slot_mapping: tensor<5xi32>) {
  %r:1 = "npu.kv_compress_epilog"(%cache, %x, %slot_mapping) {target = "ascend950"}
    : (tensor<9x16x1x640xui8>, tensor<5x512xbf16>, tensor<5xi32>) -> (tensor<9x16x1x640xui8>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.kv_compress_epilog"
// CHECK-SAME: target = "host"
func.func @example_host(%cache: tensor<9x16x1x640xui8>, %x: tensor<5x512xbf16>, %slot_mapping: tensor<5xi32>) {
  %r:1 = "npu.kv_compress_epilog"(%cache, %x, %slot_mapping) {target = "host"}
    : (tensor<9x16x1x640xui8>, tensor<5x512xbf16>, tensor<5xi32>) -> (tensor<9x16x1x640xui8>)
  return
}

// CHECK-LABEL: @exactly_the_row
// CHECK: "npu.kv_compress_epilog"
// CHECK-SAME: target = "ascend950"
func.func @exactly_the_row(%cache: tensor<9x16x1x583xui8>, %x: tensor<5x512xbf16>, %slot_mapping: tensor<5xi32>) {
  %r:1 = "npu.kv_compress_epilog"(%cache, %x, %slot_mapping) {target = "ascend950"}
    : (tensor<9x16x1x583xui8>, tensor<5x512xbf16>, tensor<5xi32>) -> (tensor<9x16x1x583xui8>)
  return
}

// CHECK-LABEL: @fp8_bf16
// CHECK: "npu.kv_compress_epilog"
// CHECK-SAME: target = "ascend950"
func.func @fp8_bf16(%cache: tensor<9x16x1x608xui8>, %x: tensor<5x512xbf16>, %slot_mapping: tensor<5xi32>) {
  %r:1 = "npu.kv_compress_epilog"(%cache, %x, %slot_mapping) {target = "ascend950", quant_mode = "fp8_bf16"}
    : (tensor<9x16x1x608xui8>, tensor<5x512xbf16>, tensor<5xi32>) -> (tensor<9x16x1x608xui8>)
  return
}

// CHECK-LABEL: @hifloat8_fp4
// CHECK: "npu.kv_compress_epilog"
// CHECK-SAME: target = "ascend950"
func.func @hifloat8_fp4(%cache: tensor<9x16x1x512xui8>, %x: tensor<5x512xbf16>, %slot_mapping: tensor<5xi32>) {
  %r:1 = "npu.kv_compress_epilog"(%cache, %x, %slot_mapping) {target = "ascend950", quant_mode = "hifloat8_fp4"}
    : (tensor<9x16x1x512xui8>, tensor<5x512xbf16>, tensor<5xi32>) -> (tensor<9x16x1x512xui8>)
  return
}

// CHECK-LABEL: @two_axes
// CHECK: "npu.kv_compress_epilog"
// CHECK-SAME: target = "ascend950"
func.func @two_axes(%cache: tensor<144x640xf8E4M3FN>, %x: tensor<5x512xbf16>, %slot_mapping: tensor<5xi32>) {
  %r:1 = "npu.kv_compress_epilog"(%cache, %x, %slot_mapping) {target = "ascend950"}
    : (tensor<144x640xf8E4M3FN>, tensor<5x512xbf16>, tensor<5xi32>) -> (tensor<144x640xf8E4M3FN>)
  return
}

// CHECK-LABEL: @three_axes
// CHECK: "npu.kv_compress_epilog"
// CHECK-SAME: target = "ascend950"
func.func @three_axes(%cache: tensor<144x1x640xf8E4M3FN>, %x: tensor<5x512xbf16>, %slot_mapping: tensor<5xi32>) {
  %r:1 = "npu.kv_compress_epilog"(%cache, %x, %slot_mapping) {target = "ascend950"}
    : (tensor<144x1x640xf8E4M3FN>, tensor<5x512xbf16>, tensor<5xi32>) -> (tensor<144x1x640xf8E4M3FN>)
  return
}

// CHECK-LABEL: @long_slots
// CHECK: "npu.kv_compress_epilog"
// CHECK-SAME: target = "ascend950"
func.func @long_slots(%cache: tensor<9x16x1x640xui8>, %x: tensor<5x512xbf16>, %slot_mapping: tensor<5xi64>) {
  %r:1 = "npu.kv_compress_epilog"(%cache, %x, %slot_mapping) {target = "ascend950"}
    : (tensor<9x16x1x640xui8>, tensor<5x512xbf16>, tensor<5xi64>) -> (tensor<9x16x1x640xui8>)
  return
}
