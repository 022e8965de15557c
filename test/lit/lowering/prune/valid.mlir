// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-prune)" | filecheck %s

// What only computes and has no user goes; an operation that acts stays.
// CHECK-LABEL: @dead
// CHECK-NOT: torch.aten.relu
// CHECK: torch.aten.add_.Tensor
func.func @dead(%x: !torch.vtensor<[3],f32>, %y: !torch.tensor) -> !torch.vtensor<[3],f32> {
  %one = torch.constant.int 1
  %dead = torch.aten.relu %x : !torch.vtensor<[3],f32> -> !torch.vtensor<[3],f32>
  %deader = torch.aten.relu %dead : !torch.vtensor<[3],f32> -> !torch.vtensor<[3],f32>
  %kept = torch.aten.add_.Tensor %y, %y, %one : !torch.tensor, !torch.tensor, !torch.int -> !torch.tensor
  return %x : !torch.vtensor<[3],f32>
}
