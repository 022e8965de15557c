// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_other_chip(%indexer_compress_cache: tensor<144x128xf8E4M3FN>, %indexer_compress_scale: tensor<144x1xf32>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c1] target a3 (Atlas A3 training and inference products) has no such kernel}}
  %r:2 = "npu.indexer_compress_epilog"(%indexer_compress_cache, %indexer_compress_scale, %x, %slot_mapping) {target = "a3"}
    : (tensor<144x128xf8E4M3FN>, tensor<144x1xf32>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c2_rows_differ(%indexer_compress_cache: tensor<144x128xf8E4M3FN>, %indexer_compress_scale: tensor<100x1xf32>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c2] indexer_compress_scale has shape [100, 1]: axis 0 is 100 where slots = 144 asks for 144 in [slots, scales]}}
  %r:2 = "npu.indexer_compress_epilog"(%indexer_compress_cache, %indexer_compress_scale, %x, %slot_mapping) {target = "host"}
    : (tensor<144x128xf8E4M3FN>, tensor<100x1xf32>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c3_scale(%indexer_compress_cache: tensor<144x128xf8E4M3FN>, %indexer_compress_scale: tensor<144x1xf8E8M0FNU>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c3] indexer_compress_scale is float8_e8m0fnu where float32 is read}}
  %r:2 = "npu.indexer_compress_epilog"(%indexer_compress_cache, %indexer_compress_scale, %x, %slot_mapping) {target = "host"}
    : (tensor<144x128xf8E4M3FN>, tensor<144x1xf8E8M0FNU>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c4_mode(%indexer_compress_cache: tensor<144x128xf8E4M3FN>, %indexer_compress_scale: tensor<144x1xf32>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c4] quant_mode is 3, not 0 or 1 or 2}}
  %r:2 = "npu.indexer_compress_epilog"(%indexer_compress_cache, %indexer_compress_scale, %x, %slot_mapping) {target = "host", quant_mode = 3 : i64}
    : (tensor<144x128xf8E4M3FN>, tensor<144x1xf32>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c5_scale(%indexer_compress_cache: tensor<144x128xf8E4M3FN>, %indexer_compress_scale: tensor<144x1xf32>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c5] scale is inf}}
  %r:2 = "npu.indexer_compress_epilog"(%indexer_compress_cache, %indexer_compress_scale, %x, %slot_mapping) {target = "host", scale = 0x7FF0000000000000 : f64}
    : (tensor<144x128xf8E4M3FN>, tensor<144x1xf32>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c6_narrow(%indexer_compress_cache: tensor<144x64xf8E4M3FN>, %indexer_compress_scale: tensor<144x1xf32>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c6] indexer_compress_cache has rows of 64, keys need 128}}
  %r:2 = "npu.indexer_compress_epilog"(%indexer_compress_cache, %indexer_compress_scale, %x, %slot_mapping) {target = "host"}
    : (tensor<144x64xf8E4M3FN>, tensor<144x1xf32>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c8_empty(%indexer_compress_cache: tensor<144x128xf8E4M3FN>, %indexer_compress_scale: tensor<144x1xf32>, %x: tensor<0x128xbf16>, %slot_mapping: tensor<0xi32>) {
  // expected-error@below {{[c8] on ascend950, x is empty, its shape is [0, 128]}}
  %r:2 = "npu.indexer_compress_epilog"(%indexer_compress_cache, %indexer_compress_scale, %x, %slot_mapping) {target = "ascend950"}
    : (tensor<144x128xf8E4M3FN>, tensor<144x1xf32>, tensor<0x128xbf16>, tensor<0xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c1_a2(%indexer_compress_cache: tensor<144x128xf8E4M3FN>, %indexer_compress_scale: tensor<144x1xf32>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c1] target a2 (Atlas A2 training and inference products) has no such kernel}}
  %r:2 = "npu.indexer_compress_epilog"(%indexer_compress_cache, %indexer_compress_scale, %x, %slot_mapping) {target = "a2"}
    : (tensor<144x128xf8E4M3FN>, tensor<144x1xf32>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}
