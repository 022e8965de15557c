// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_other_chip(%cache: tensor<9x16x1x640xui8>, %x: tensor<5x512xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c1] target a3 (Atlas A3 training and inference products) has no such kernel}}
  %r:1 = "npu.kv_compress_epilog"(%cache, %x, %slot_mapping) {target = "a3"}
    : (tensor<9x16x1x640xui8>, tensor<5x512xbf16>, tensor<5xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c2_slots(%cache: tensor<9x16x1x640xui8>, %x: tensor<5x512xbf16>, %slot_mapping: tensor<4xi32>) {
  // expected-error@below {{[c2] slot_mapping has shape [4]}}
  %r:1 = "npu.kv_compress_epilog"(%cache, %x, %slot_mapping) {target = "host"}
    : (tensor<9x16x1x640xui8>, tensor<5x512xbf16>, tensor<4xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c3_rows(%cache: tensor<9x16x1x640xui8>, %x: tensor<5x512xf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c3] x is float16 where bfloat16 is read}}
  %r:1 = "npu.kv_compress_epilog"(%cache, %x, %slot_mapping) {target = "host"}
    : (tensor<9x16x1x640xui8>, tensor<5x512xf16>, tensor<5xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c4_mode(%cache: tensor<9x16x1x640xui8>, %x: tensor<5x512xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c4] quant_mode is 'mxfp8', not fp8_bf16 or fp8_e8m0 or hifloat8_fp4}}
  %r:1 = "npu.kv_compress_epilog"(%cache, %x, %slot_mapping) {target = "host", quant_mode = "mxfp8"}
    : (tensor<9x16x1x640xui8>, tensor<5x512xbf16>, tensor<5xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c5_group(%cache: tensor<9x16x1x640xui8>, %x: tensor<5x512xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c5] quant_group_size is 48, in fp8_e8m0 it is 64}}
  %r:1 = "npu.kv_compress_epilog"(%cache, %x, %slot_mapping) {target = "host", quant_group_size = 48 : i64}
    : (tensor<9x16x1x640xui8>, tensor<5x512xbf16>, tensor<5xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c6_no_rotary(%cache: tensor<9x16x1x640xui8>, %x: tensor<5x64xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c6] x has 64 columns}}
  %r:1 = "npu.kv_compress_epilog"(%cache, %x, %slot_mapping) {target = "host"}
    : (tensor<9x16x1x640xui8>, tensor<5x64xbf16>, tensor<5xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c7_narrow(%cache: tensor<9x16x1x582xui8>, %x: tensor<5x512xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c7] cache has rows of 582 bytes, fp8_e8m0 of 512 columns needs 583}}
  %r:1 = "npu.kv_compress_epilog"(%cache, %x, %slot_mapping) {target = "host"}
    : (tensor<9x16x1x582xui8>, tensor<5x512xbf16>, tensor<5xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c8_groups(%cache: tensor<9x16x1x640xui8>, %x: tensor<5x504xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c8] d - 64 = 440 is no multiple of quant_group_size 64}}
  %r:1 = "npu.kv_compress_epilog"(%cache, %x, %slot_mapping) {target = "host", quant_mode = "hifloat8_fp4"}
    : (tensor<9x16x1x640xui8>, tensor<5x504xbf16>, tensor<5xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c10_empty(%cache: tensor<9x16x1x640xui8>, %x: tensor<0x512xbf16>, %slot_mapping: tensor<0xi32>) {
  // expected-error@below {{[c10] on ascend950, x is empty, its shape is [0, 512]}}
  %r:1 = "npu.kv_compress_epilog"(%cache, %x, %slot_mapping) {target = "ascend950"}
    : (tensor<9x16x1x640xui8>, tensor<0x512xbf16>, tensor<0xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c12_columns(%cache: tensor<9x16x1x640xui8>, %x: tensor<5x500xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c12] on ascend950, columns d is 500, not 128 to 8192 in steps of 64}}
  %r:1 = "npu.kv_compress_epilog"(%cache, %x, %slot_mapping) {target = "ascend950"}
    : (tensor<9x16x1x640xui8>, tensor<5x500xbf16>, tensor<5xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c1_a2(%cache: tensor<9x16x1x640xui8>, %x: tensor<5x512xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c1] target a2 (Atlas A2 training and inference products) has no such kernel}}
  %r:1 = "npu.kv_compress_epilog"(%cache, %x, %slot_mapping) {target = "a2"}
    : (tensor<9x16x1x640xui8>, tensor<5x512xbf16>, tensor<5xi32>) -> (tensor<1xf32>)
  return
}
