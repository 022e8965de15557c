// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-select{target=ascend950},sparse-attn-plan,sparse-attn-prune)" | filecheck %s --check-prefixes=CHECK,A950
// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-select{target=a3},sparse-attn-plan,sparse-attn-prune)" | filecheck %s --check-prefixes=CHECK,ATLAS
// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-select{target=a2},sparse-attn-plan,sparse-attn-prune)" | filecheck %s --check-prefixes=CHECK,ATLAS

// DeepSeek-V4, a layer with a window only: no lengths are needed, every chip has the kernel.
// CHECK-LABEL: @window
// CHECK: %[[PLAN:.*]] = "npu.sparse_flash_mla_metadata"()
// CHECK-SAME: batch_size = 1
// CHECK-SAME: has_cmp_kv = false
// CHECK-SAME: max_seqlen_ori_kv = 300
// CHECK-SAME: ori_mask_mode = 4
// CHECK: "npu.sparse_flash_mla"(%arg0, %arg1, %arg2, %[[PLAN]])
// CHECK-SAME: args = ["q", "ori_kv", "sinks", "metadata"]
// CHECK-SAME: ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64
// A950-SAME: target = "ascend950"
// ATLAS-SAME: target = "a{{[23]}}"
// CHECK-NOT: sparse_attn.attention
func.func @window(%arg0: tensor<1x3x64x512xbf16>, %arg1: tensor<1x300x1x512xbf16>, %arg2: tensor<64xf32>) -> tensor<1x3x64x512xbf16> {
  %0:2 = "sparse_attn.attention"(%arg0, %arg1, %arg2) {operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 1, 0, 0, 0>, ori_left = 127 : i64, ori_mask = "band", ori_right = 0 : i64, scale = 4.400000e-02 : f64} : (tensor<1x3x64x512xbf16>, tensor<1x300x1x512xbf16>, tensor<64xf32>) -> (tensor<1x3x64x512xbf16>, tensor<0xf32>)
  return %0#0 : tensor<1x3x64x512xbf16>
}
