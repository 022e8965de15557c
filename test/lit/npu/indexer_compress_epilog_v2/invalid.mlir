// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_other_chip(%indexer_compress_cache: tensor<9x16x1x132xui8>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c1] target a2 (Atlas A2 training and inference products) has no such kernel}}
  %r:1 = "npu.indexer_compress_epilog_v2"(%indexer_compress_cache, %x, %slot_mapping) {target = "a2"}
    : (tensor<9x16x1x132xui8>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c2_slots(%indexer_compress_cache: tensor<9x16x1x132xui8>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<4xi32>) {
  // expected-error@below {{[c2] slot_mapping has shape [4]: axis 0 is 4 where n = 5 asks for 5 in [n]}}
  %r:1 = "npu.indexer_compress_epilog_v2"(%indexer_compress_cache, %x, %slot_mapping) {target = "host"}
    : (tensor<9x16x1x132xui8>, tensor<5x128xbf16>, tensor<4xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c3_slots(%indexer_compress_cache: tensor<9x16x1x132xui8>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi64>) {
  // expected-error@below {{[c3] slot_mapping is int64 where int32 is read}}
  %r:1 = "npu.indexer_compress_epilog_v2"(%indexer_compress_cache, %x, %slot_mapping) {target = "host"}
    : (tensor<9x16x1x132xui8>, tensor<5x128xbf16>, tensor<5xi64>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c4_layout(%indexer_compress_cache: tensor<9x16x1x132xui8>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c4] layout is 1, not 2}}
  %r:1 = "npu.indexer_compress_epilog_v2"(%indexer_compress_cache, %x, %slot_mapping) {target = "host", layout = 1 : i64}
    : (tensor<9x16x1x132xui8>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c5_no_room_for_scales(%indexer_compress_cache: tensor<9x16x1x128xui8>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c5] indexer_compress_cache has rows of 128 bytes, keys need 132}}
  %r:1 = "npu.indexer_compress_epilog_v2"(%indexer_compress_cache, %x, %slot_mapping) {target = "host"}
    : (tensor<9x16x1x128xui8>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c6_heads(%indexer_compress_cache: tensor<9x16x2x132xui8>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c6] indexer_compress_cache has 2 heads}}
  %r:1 = "npu.indexer_compress_epilog_v2"(%indexer_compress_cache, %x, %slot_mapping) {target = "host"}
    : (tensor<9x16x2x132xui8>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c8_empty(%indexer_compress_cache: tensor<9x16x1x132xui8>, %x: tensor<0x128xbf16>, %slot_mapping: tensor<0xi32>) {
  // expected-error@below {{[c8] on ascend950, x is empty, its shape is [0, 128]}}
  %r:1 = "npu.indexer_compress_epilog_v2"(%indexer_compress_cache, %x, %slot_mapping) {target = "ascend950"}
    : (tensor<9x16x1x132xui8>, tensor<0x128xbf16>, tensor<0xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c1_a3(%indexer_compress_cache: tensor<9x16x1x132xui8>, %x: tensor<5x128xbf16>, %slot_mapping: tensor<5xi32>) {
  // expected-error@below {{[c1] target a3 (Atlas A3 training and inference products) has no such kernel}}
  %r:1 = "npu.indexer_compress_epilog_v2"(%indexer_compress_cache, %x, %slot_mapping) {target = "a3"}
    : (tensor<9x16x1x132xui8>, tensor<5x128xbf16>, tensor<5xi32>) -> (tensor<1xf32>)
  return
}
