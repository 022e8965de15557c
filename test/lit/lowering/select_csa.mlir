// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-select{target=ascend950},sparse-attn-plan,sparse-attn-prune)" | filecheck %s --check-prefixes=CHECK,A950
// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-select{target=a3},sparse-attn-plan,sparse-attn-prune)" | filecheck %s --check-prefixes=CHECK,ATLAS
// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-select{target=a2},sparse-attn-plan,sparse-attn-prune)" | filecheck %s --check-prefixes=CHECK,ATLAS

// DeepSeek-V4, a list of compressed keys: the attention reads the indexer's own list of 512, whose tail is -1. A3 and A2
// read the indexer's keys in pages, which here are a view.
// CHECK-LABEL: @list
// A950: %[[LIST:.*]]:2 = "npu.lightning_indexer"
// A950-SAME: args = ["q", "k", "w", "cmp_residual_k", "metadata"]
// A950-SAME: tensor<1x64x1x128xbf16>
// ATLAS: torch.aten.view
// ATLAS: %[[LIST:.*]]:2 = "npu.lightning_indexer"
// ATLAS-SAME: args = ["q", "k", "w", "seqused_k", "cmp_residual_k", "block_table", "metadata"]
// ATLAS-SAME: layout_k = "PA_BBND"
// CHECK-SAME: -> (tensor<1x3x1x512xi32>, tensor<0xf32>)
// CHECK: "npu.sparse_flash_mla"({{.*}}, %[[LIST]]#0,
// CHECK-SAME: args = ["q", "ori_kv", "cmp_kv", "cmp_sparse_indices", "cmp_residual_kv", "sinks", "metadata"]
// CHECK-SAME: cmp_mask_mode = 3 : i64, cmp_ratio = 4 : i64
func.func @list(%arg0: tensor<1x3x64x512xbf16>, %arg1: tensor<1x256x1x512xbf16>, %arg2: tensor<64xf32>, %arg3: tensor<1x64x1x512xbf16>, %arg4: tensor<1x3x64x128xbf16>, %arg5: tensor<1x64x128xbf16>, %arg6: tensor<1x3x64xbf16>) -> tensor<1x3x64x512xbf16> {
  %int3 = torch.constant.int 3
  %int0 = torch.constant.int 0
  %int1 = torch.constant.int 1
  %int4 = torch.constant.int 4
  %none = torch.constant.none
  %false = torch.constant.bool false
  %int3_0 = torch.constant.int 3
  %int253 = torch.constant.int 253
  %0 = torch.aten.arange %int3, %none, %none, %none, %none : !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[3],si64>
  %1 = torch.aten.unsqueeze %0, %int0 : !torch.vtensor<[3],si64>, !torch.int -> !torch.vtensor<[1,3],si64>
  %2 = torch.aten.add.Scalar %1, %int253, %int1 : !torch.vtensor<[1,3],si64>, !torch.int, !torch.int -> !torch.vtensor<[1,3],si64>
  %3 = torch.aten.add.Scalar %2, %int1, %int1 : !torch.vtensor<[1,3],si64>, !torch.int, !torch.int -> !torch.vtensor<[1,3],si64>
  %4 = torch.aten.floor_divide.Scalar %3, %int4 : !torch.vtensor<[1,3],si64>, !torch.int -> !torch.vtensor<[1,3],si64>
  %5 = torch.aten._to_copy %4, %int3_0, %none, %none, %none, %false, %none : !torch.vtensor<[1,3],si64>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none -> !torch.vtensor<[1,3],si32>
  %6 = torch_c.to_builtin_tensor %5 : !torch.vtensor<[1,3],si32> -> tensor<1x3xi32>
  %7:2 = "sparse_attn.lightning_indexer"(%arg4, %arg5, %arg6, %6) {k = 512 : i64, mask_mode = "prefix", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 0>, ratio = 4 : i64, scale = 5.000000e-01 : f64} : (tensor<1x3x64x128xbf16>, tensor<1x64x128xbf16>, tensor<1x3x64xbf16>, tensor<1x3xi32>) -> (tensor<1x3x64xi32>, tensor<1x3x64xf32>)
  %8:2 = "sparse_attn.attention"(%arg0, %arg1, %arg3, %7#0, %arg2, %6) {cmp_mask = "prefix", cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 1, 1, 0, 1, 0>, ori_left = 127 : i64, ori_mask = "band", ori_right = 0 : i64, scale = 4.400000e-02 : f64} : (tensor<1x3x64x512xbf16>, tensor<1x256x1x512xbf16>, tensor<1x64x1x512xbf16>, tensor<1x3x64xi32>, tensor<64xf32>, tensor<1x3xi32>) -> (tensor<1x3x64x512xbf16>, tensor<0xf32>)
  return %8#0 : tensor<1x3x64x512xbf16>
}

// One token whose window is trimmed: 128 tokens are not what 64 compressed keys count, so the list has its length.
// CHECK-LABEL: @trimmed
// CHECK: "npu.sparse_flash_mla"
// CHECK-SAME: args = ["q", "ori_kv", "cmp_kv", "cmp_sparse_indices", "cmp_topk_length", "sinks", "metadata"]
func.func @trimmed(%arg0: tensor<1x1x64x512xbf16>, %arg1: tensor<1x128x1x512xbf16>, %arg2: tensor<64xf32>, %arg3: tensor<1x64x1x512xbf16>, %arg4: tensor<1x1x64x128xbf16>, %arg5: tensor<1x64x128xbf16>, %arg6: tensor<1x1x64xbf16>) -> tensor<1x1x64x512xbf16> {
  %int1 = torch.constant.int 1
  %int0 = torch.constant.int 0
  %int1_0 = torch.constant.int 1
  %int4 = torch.constant.int 4
  %none = torch.constant.none
  %false = torch.constant.bool false
  %int3 = torch.constant.int 3
  %int255 = torch.constant.int 255
  %0 = torch.aten.arange %int1, %none, %none, %none, %none : !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[1],si64>
  %1 = torch.aten.unsqueeze %0, %int0 : !torch.vtensor<[1],si64>, !torch.int -> !torch.vtensor<[1,1],si64>
  %2 = torch.aten.add.Scalar %1, %int255, %int1_0 : !torch.vtensor<[1,1],si64>, !torch.int, !torch.int -> !torch.vtensor<[1,1],si64>
  %3 = torch.aten.add.Scalar %2, %int1_0, %int1_0 : !torch.vtensor<[1,1],si64>, !torch.int, !torch.int -> !torch.vtensor<[1,1],si64>
  %4 = torch.aten.floor_divide.Scalar %3, %int4 : !torch.vtensor<[1,1],si64>, !torch.int -> !torch.vtensor<[1,1],si64>
  %5 = torch.aten._to_copy %4, %int3, %none, %none, %none, %false, %none : !torch.vtensor<[1,1],si64>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none -> !torch.vtensor<[1,1],si32>
  %6 = torch_c.to_builtin_tensor %5 : !torch.vtensor<[1,1],si32> -> tensor<1x1xi32>
  %7:2 = "sparse_attn.lightning_indexer"(%arg4, %arg5, %arg6, %6) {k = 512 : i64, mask_mode = "prefix", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 0>, ratio = 4 : i64, scale = 5.000000e-01 : f64} : (tensor<1x1x64x128xbf16>, tensor<1x64x128xbf16>, tensor<1x1x64xbf16>, tensor<1x1xi32>) -> (tensor<1x1x64xi32>, tensor<1x1x64xf32>)
  %8:2 = "sparse_attn.attention"(%arg0, %arg1, %arg3, %7#0, %arg2, %6) {cmp_mask = "prefix", cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 1, 1, 0, 1, 0>, ori_left = 127 : i64, ori_mask = "band", ori_right = 0 : i64, scale = 4.400000e-02 : f64} : (tensor<1x1x64x512xbf16>, tensor<1x128x1x512xbf16>, tensor<1x64x1x512xbf16>, tensor<1x1x64xi32>, tensor<64xf32>, tensor<1x1xi32>) -> (tensor<1x1x64x512xbf16>, tensor<0xf32>)
  return %8#0 : tensor<1x1x64x512xbf16>
}
