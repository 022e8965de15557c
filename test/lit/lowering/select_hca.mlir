// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-select{target=ascend950},sparse-attn-plan,sparse-attn-prune)" | filecheck %s --check-prefixes=CHECK,A950
// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-select{target=a3},sparse-attn-plan,sparse-attn-prune)" | filecheck %s --check-prefixes=CHECK,ATLAS
// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-select{target=a2},sparse-attn-plan,sparse-attn-prune)" | filecheck %s --check-prefixes=CHECK,ATLAS

// DeepSeek-V4, a prefix of heavily compressed keys: 300 tokens are two compressed keys and 44 more.
// CHECK-LABEL: @prefix
// CHECK: %[[REST:.*]] = torch_c.to_builtin_tensor
// CHECK: %[[PLAN:.*]] = "npu.sparse_flash_mla_metadata"(%[[REST]])
// CHECK-SAME: cmp_mask_mode = 3 : i64, cmp_ratio = 128
// CHECK: "npu.sparse_flash_mla"(%arg0, %arg1, %arg3, %[[REST]], %arg2, %[[PLAN]])
// CHECK-SAME: args = ["q", "ori_kv", "cmp_kv", "cmp_residual_kv", "sinks", "metadata"]
// CHECK-SAME: cmp_mask_mode = 3 : i64, cmp_ratio = 128 : i64
func.func @prefix(%arg0: tensor<1x3x64x512xbf16>, %arg1: tensor<1x300x1x512xbf16>, %arg2: tensor<64xf32>, %arg3: tensor<1x2x1x512xbf16>) -> tensor<1x3x64x512xbf16> {
  %int3 = torch.constant.int 3
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int128 = torch.constant.int 128
  %none = torch.constant.none
  %false = torch.constant.bool false
  %int3_0 = torch.constant.int 3
  %int297 = torch.constant.int 297
  %0 = torch.aten.arange %int3, %none, %none, %none, %none : !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[3],si64>
  %1 = torch.aten.unsqueeze %0, %int0 : !torch.vtensor<[3],si64>, !torch.int -> !torch.vtensor<[1,3],si64>
  %2 = torch.aten.add.Scalar %1, %int297, %int1 : !torch.vtensor<[1,3],si64>, !torch.int, !torch.int -> !torch.vtensor<[1,3],si64>
  %3 = torch.aten.add.Scalar %2, %int1, %int1 : !torch.vtensor<[1,3],si64>, !torch.int, !torch.int -> !torch.vtensor<[1,3],si64>
  %4 = torch.aten.floor_divide.Scalar %3, %int128 : !torch.vtensor<[1,3],si64>, !torch.int -> !torch.vtensor<[1,3],si64>
  %5 = torch.aten._to_copy %4, %int3_0, %none, %none, %none, %false, %none : !torch.vtensor<[1,3],si64>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none -> !torch.vtensor<[1,3],si32>
  %6 = torch_c.to_builtin_tensor %5 : !torch.vtensor<[1,3],si32> -> tensor<1x3xi32>
  %7:2 = "sparse_attn.attention"(%arg0, %arg1, %arg3, %arg2, %6) {cmp_mask = "prefix", cmp_ratio = 128 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 1, 0, 1, 0>, ori_left = 127 : i64, ori_mask = "band", ori_right = 0 : i64, scale = 4.400000e-02 : f64} : (tensor<1x3x64x512xbf16>, tensor<1x300x1x512xbf16>, tensor<1x2x1x512xbf16>, tensor<64xf32>, tensor<1x3xi32>) -> (tensor<1x3x64x512xbf16>, tensor<0xf32>)
  return %7#0 : tensor<1x3x64x512xbf16>
}

// Rows at positions that are known at run time only: each row's own count, beside a list of all compressed keys. Lists
// of A3 and A2 have 512 entries.
// CHECK-LABEL: @each_row
// CHECK-NOT: cmp_residual_kv
// CHECK: "npu.sparse_flash_mla"
// CHECK-SAME: args = ["q", "ori_kv", "cmp_kv", "cmp_sparse_indices", "cmp_topk_length", "sinks", "metadata"]
// A950-SAME: tensor<1x3x1x2xi32>, tensor<1x3x1xi32>
// ATLAS-SAME: tensor<1x3x1x512xi32>, tensor<1x3x1xi32>
func.func @each_row(%arg0: tensor<1x3x64x512xbf16>, %arg1: tensor<1x300x1x512xbf16>, %arg2: tensor<64xf32>, %arg3: tensor<1x2x1x512xbf16>, %arg4: !torch.vtensor<[1,3],si64>) -> tensor<1x3x64x512xbf16> {
  %int3 = torch.constant.int 3
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int128 = torch.constant.int 128
  %none = torch.constant.none
  %false = torch.constant.bool false
  %int3_0 = torch.constant.int 3
  %int0_1 = torch.constant.int 0
  %0 = torch.aten.add.Scalar %arg4, %int1, %int1 : !torch.vtensor<[1,3],si64>, !torch.int, !torch.int -> !torch.vtensor<[1,3],si64>
  %1 = torch.aten.floor_divide.Scalar %0, %int128 : !torch.vtensor<[1,3],si64>, !torch.int -> !torch.vtensor<[1,3],si64>
  %2 = torch.aten._to_copy %1, %int3_0, %none, %none, %none, %false, %none : !torch.vtensor<[1,3],si64>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none -> !torch.vtensor<[1,3],si32>
  %3 = torch_c.to_builtin_tensor %2 : !torch.vtensor<[1,3],si32> -> tensor<1x3xi32>
  %4:2 = "sparse_attn.attention"(%arg0, %arg1, %arg3, %arg2, %3) {cmp_mask = "prefix", cmp_ratio = 128 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 1, 0, 1, 0>, ori_left = 127 : i64, ori_mask = "band", ori_right = 0 : i64, scale = 4.400000e-02 : f64} : (tensor<1x3x64x512xbf16>, tensor<1x300x1x512xbf16>, tensor<1x2x1x512xbf16>, tensor<64xf32>, tensor<1x3xi32>) -> (tensor<1x3x64x512xbf16>, tensor<0xf32>)
  return %4#0 : tensor<1x3x64x512xbf16>
}

// One token: the length in use is its count.
// CHECK-LABEL: @one_token
// CHECK: "npu.sparse_flash_mla"
// CHECK-SAME: args = ["q", "ori_kv", "cmp_kv", "seqused_cmp_kv", "sinks", "metadata"]
func.func @one_token(%arg0: tensor<1x1x64x512xbf16>, %arg1: tensor<1x128x1x512xbf16>, %arg2: tensor<64xf32>, %arg3: tensor<1x4x1x512xbf16>, %arg4: !torch.vtensor<[1,1],si64>) -> tensor<1x1x64x512xbf16> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %int1_0 = torch.constant.int 1
  %int128 = torch.constant.int 128
  %none = torch.constant.none
  %false = torch.constant.bool false
  %int3 = torch.constant.int 3
  %int0_1 = torch.constant.int 0
  %0 = torch.aten.add.Scalar %arg4, %int1_0, %int1_0 : !torch.vtensor<[1,1],si64>, !torch.int, !torch.int -> !torch.vtensor<[1,1],si64>
  %1 = torch.aten.floor_divide.Scalar %0, %int128 : !torch.vtensor<[1,1],si64>, !torch.int -> !torch.vtensor<[1,1],si64>
  %2 = torch.aten._to_copy %1, %int3, %none, %none, %none, %false, %none : !torch.vtensor<[1,1],si64>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none -> !torch.vtensor<[1,1],si32>
  %3 = torch_c.to_builtin_tensor %2 : !torch.vtensor<[1,1],si32> -> tensor<1x1xi32>
  %4:2 = "sparse_attn.attention"(%arg0, %arg1, %arg3, %arg2, %3) {cmp_mask = "prefix", cmp_ratio = 128 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 1, 0, 1, 0>, ori_left = 127 : i64, ori_mask = "band", ori_right = 0 : i64, scale = 4.400000e-02 : f64} : (tensor<1x1x64x512xbf16>, tensor<1x128x1x512xbf16>, tensor<1x4x1x512xbf16>, tensor<64xf32>, tensor<1x1xi32>) -> (tensor<1x1x64x512xbf16>, tensor<0xf32>)
  return %4#0 : tensor<1x1x64x512xbf16>
}
