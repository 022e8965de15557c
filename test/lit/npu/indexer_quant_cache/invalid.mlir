// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_other_chip(%cache: tensor<9x16x1x128xf8E4M3FN>, %cache_scale: tensor<9x16x1x1xf32>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c1] target a2 (Atlas A2 training and inference products) has no such kernel}}
  %r:2 = "npu.indexer_quant_cache"(%cache, %cache_scale, %x, %slot_mapping) {target = "a2"}
    : (tensor<9x16x1x128xf8E4M3FN>, tensor<9x16x1x1xf32>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c2_slots(%cache: tensor<9x16x1x128xf8E4M3FN>, %cache_scale: tensor<9x16x1x1xf32>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<4xi32>) {
  // expected-error@below {{[c2] slot_mapping has shape [4]: axis 0 is 4 where n = 5 asks for 5 in [n]}}
  %r:2 = "npu.indexer_quant_cache"(%cache, %cache_scale, %x, %slot_mapping) {target = "host"}
    : (tensor<9x16x1x128xf8E4M3FN>, tensor<9x16x1x1xf32>, tensor<5x128xbf16>, tensor<4xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c3_long_slots(%cache: tensor<9x16x1x128xf8E4M3FN>, %cache_scale: tensor<9x16x1x1xf32>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi64>) {
  // expected-error@below {{[c3] slot_mapping is int64 where int32 is read}}
  %r:2 = "npu.indexer_quant_cache"(%cache, %cache_scale, %x, %slot_mapping) {target = "host"}
    : (tensor<9x16x1x128xf8E4M3FN>, tensor<9x16x1x1xf32>, tensor<5x128xbf16>, tensor<5xi64>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c4_mode(%cache: tensor<9x16x1x128xf8E4M3FN>, %cache_scale: tensor<9x16x1x1xf32>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c4] quant_mode is 'fp4', not mxfp8 or fp8 or hifloat8 or mxfp4}}
  %r:2 = "npu.indexer_quant_cache"(%cache, %cache_scale, %x, %slot_mapping) {target = "host", quant_mode = "fp4"}
    : (tensor<9x16x1x128xf8E4M3FN>, tensor<9x16x1x1xf32>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c5_scale(%cache: tensor<9x16x1x128xf8E4M3FN>, %cache_scale: tensor<9x16x1x1xf32>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c5] x_scale is inf}}
  %r:2 = "npu.indexer_quant_cache"(%cache, %cache_scale, %x, %slot_mapping) {target = "host", x_scale = 0x7FF0000000000000 : f64}
    : (tensor<9x16x1x128xf8E4M3FN>, tensor<9x16x1x1xf32>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c6_narrow(%cache: tensor<9x16x1x64xf8E4M3FN>, %cache_scale: tensor<9x16x1x1xf32>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c6] cache has rows of 64, keys need 128}}
  %r:2 = "npu.indexer_quant_cache"(%cache, %cache_scale, %x, %slot_mapping) {target = "host"}
    : (tensor<9x16x1x64xf8E4M3FN>, tensor<9x16x1x1xf32>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c7_scales(%cache: tensor<9x16x1x128xf8E4M3FN>, %cache_scale: tensor<9x16x1x1x2xf8E8M0FNU>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c7] cache_scale has 2 columns, mxfp8 of 128 needs 4}}
  %r:2 = "npu.indexer_quant_cache"(%cache, %cache_scale, %x, %slot_mapping) {target = "host", quant_mode = "mxfp8"}
    : (tensor<9x16x1x128xf8E4M3FN>, tensor<9x16x1x1x2xf8E8M0FNU>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c9_empty(%cache: tensor<9x16x1x128xf8E4M3FN>, %cache_scale: tensor<9x16x1x1xf32>, %x: tensor<0x128xbf16>, %slot_mapping: tensor<0xi32>) {
  // expected-error@below {{[c9] on ascend950, x is empty, its shape is [0, 128]}}
  %r:2 = "npu.indexer_quant_cache"(%cache, %cache_scale, %x, %slot_mapping) {target = "ascend950"}
    : (tensor<9x16x1x128xf8E4M3FN>, tensor<9x16x1x1xf32>, tensor<0x128xbf16>, tensor<0xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c1_a3(%cache: tensor<9x16x1x128xf8E4M3FN>, %cache_scale: tensor<9x16x1x1xf32>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c1] target a3 (Atlas A3 training and inference products) has no such kernel}}
  %r:2 = "npu.indexer_quant_cache"(%cache, %cache_scale, %x, %slot_mapping) {target = "a3"}
    : (tensor<9x16x1x128xf8E4M3FN>, tensor<9x16x1x1xf32>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}
