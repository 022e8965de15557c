// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(sparse-attn-select{target=a3})"

// Kernels read half precision.
func.func @full(%arg0: tensor<1x3x64x512xf32>, %arg1: tensor<1x130x1x512xf32>, %arg2: tensor<64xf32>) -> tensor<1x3x64x512xf32> {
  // expected-remark@+2 {{attention not fused: }}
  // expected-error@+1 {{no kernel of a3 takes this op: cann_ops_transformer::sparse_flash_mla on a3: query is f32; the kernel takes bf16 or fp16: run the model in one of these}}
  %0:2 = "sparse_attn.attention"(%arg0, %arg1, %arg2) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 1, 0, 0, 0>, ori_left = 127 : i64, ori_mask = "band", ori_right = 0 : i64, scale = 4.400000e-02 : f64} : (tensor<1x3x64x512xf32>, tensor<1x130x1x512xf32>, tensor<64xf32>) -> (tensor<1x3x64x512xf32>, tensor<0xf32>)
  return %0#0 : tensor<1x3x64x512xf32>
}

// -----

// The window of this chip is 128 tokens.
func.func @window(%arg0: tensor<1x3x64x512xbf16>, %arg1: tensor<1x300x1x512xbf16>, %arg2: tensor<64xf32>) -> tensor<1x3x64x512xbf16> {
  // expected-remark@+2 {{attention not fused: }}
  // expected-error@+1 {{ori_win_left/right are 63/0, not 127/0}}
  %0:2 = "sparse_attn.attention"(%arg0, %arg1, %arg2) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 1, 0, 0, 0>, ori_left = 63 : i64, ori_mask = "band", ori_right = 0 : i64, scale = 4.400000e-02 : f64} : (tensor<1x3x64x512xbf16>, tensor<1x300x1x512xbf16>, tensor<64xf32>) -> (tensor<1x3x64x512xbf16>, tensor<0xf32>)
  return %0#0 : tensor<1x3x64x512xbf16>
}

// -----

// Every kernel tried says why.
func.func @heads(%arg0: tensor<1x3x2x512xbf16>, %arg1: tensor<1x130x1x512xbf16>, %arg2: tensor<2xf32>) -> tensor<1x3x2x512xbf16> {
  // expected-remark@+2 {{attention not fused: }}
  // expected-error@+1 {{custom::npu_sparse_attn_sharedkv on a3: [c7] on a3, query heads N1 is 2, not 64}}
  %0:2 = "sparse_attn.attention"(%arg0, %arg1, %arg2) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 1, 0, 0, 0>, ori_left = 63 : i64, ori_mask = "band", ori_right = 0 : i64, scale = 4.400000e-02 : f64} : (tensor<1x3x2x512xbf16>, tensor<1x130x1x512xbf16>, tensor<2xf32>) -> (tensor<1x3x2x512xbf16>, tensor<0xf32>)
  return %0#0 : tensor<1x3x2x512xbf16>
}

// -----

// Several tokens at runtime positions need the promise.
func.func @promise(%arg0: tensor<1x3x64x512xbf16>, %arg1: tensor<1x130x1x512xbf16>, %arg2: tensor<64xf32>, %arg3: tensor<1x32x1x512xbf16>, %arg4: !torch.vtensor<[1,3],si64>, %arg5: tensor<1x3x64x128xbf16>, %arg6: tensor<1x32x128xbf16>, %arg7: tensor<1x3x64xbf16>) -> tensor<1x3x64x512xbf16> {
  %int3 = torch.constant.int 3
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int4 = torch.constant.int 4
  %none = torch.constant.none
  %false = torch.constant.bool false
  %int3_0 = torch.constant.int 3
  %int0_1 = torch.constant.int 0
  %0 = torch.aten.add.Scalar %arg4, %int1, %int1 : !torch.vtensor<[1,3],si64>, !torch.int, !torch.int -> !torch.vtensor<[1,3],si64>
  %1 = torch.aten.floor_divide.Scalar %0, %int4 : !torch.vtensor<[1,3],si64>, !torch.int -> !torch.vtensor<[1,3],si64>
  %2 = torch.aten._to_copy %1, %int3_0, %none, %none, %none, %false, %none : !torch.vtensor<[1,3],si64>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none -> !torch.vtensor<[1,3],si32>
  %3 = torch_c.to_builtin_tensor %2 : !torch.vtensor<[1,3],si32> -> tensor<1x3xi32>
  // expected-remark@+2 {{indexer not fused: }}
  // expected-error@+1 {{consecutive: pass options}}
  %4:2 = "sparse_attn.lightning_indexer"(%arg5, %arg6, %arg7, %3) {k = 512 : i64, mask_mode = "prefix", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 0>, ratio = 4 : i64, scale = 5.000000e-01 : f64} : (tensor<1x3x64x128xbf16>, tensor<1x32x128xbf16>, tensor<1x3x64xbf16>, tensor<1x3xi32>) -> (tensor<1x3x32xi32>, tensor<1x3x32xf32>)
  %5:2 = "sparse_attn.attention"(%arg0, %arg1, %arg3, %4#0, %arg2, %3) {cmp_mask = "prefix", cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 1, 1, 0, 1, 0>, ori_left = 127 : i64, ori_mask = "band", ori_right = 0 : i64, scale = 4.400000e-02 : f64} : (tensor<1x3x64x512xbf16>, tensor<1x130x1x512xbf16>, tensor<1x32x1x512xbf16>, tensor<1x3x32xi32>, tensor<64xf32>, tensor<1x3xi32>) -> (tensor<1x3x64x512xbf16>, tensor<0xf32>)
  return %5#0 : tensor<1x3x64x512xbf16>
}
