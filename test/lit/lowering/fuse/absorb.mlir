// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-absorb{absorb=on},sparse-attn-prune)" | filecheck %s
// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-absorb{absorb=off})" | filecheck %s --check-prefix=NEVER

// Three rows of four heads attend eight of forty keys, whose 32 plain channels come from a latent of 16.

// CHECK-LABEL: @absorbed
// CHECK-DAG: %[[PLAIN:.*]] = torch.aten.einsum %{{.*}} -> !torch.vtensor<[1,3,4,16],f32>
// CHECK-DAG: torch.prim.ListConstruct %{{.*}}, %{{.*}} : (!torch.vtensor<[1,40,1,16],f32>, !torch.vtensor<[1,40,1,8],f32>)
// CHECK: sparse_attn.attention
// CHECK-SAME: value_width = 16
// CHECK-SAME: (tensor<1x3x4x24xf32>, tensor<1x40x1x24xf32>, tensor<1x3x8xi32>)
// CHECK: torch.aten.einsum
// CHECK-NOT: torch.aten.linear

// NEVER-LABEL: @absorbed
// NEVER: torch.aten.linear
// NEVER: sparse_attn.attention
// NEVER-SAME: (tensor<1x3x4x40xf32>, tensor<1x40x4x40xf32>, tensor<1x40x4x24xf32>, tensor<1x3x8xi32>)
func.func @absorbed(%query: tensor<1x3x4x40xf32>, %latent: !torch.vtensor<[1,40,16],f32>, %rotary: !torch.vtensor<[1,40,1,8],f32>,
    %weight: !torch.vtensor<[224,16],f32>, %picks: tensor<1x3x8xi32>) -> tensor<1x3x4x24xf32> {
  %none = torch.constant.none
  %n1 = torch.constant.int 1
  %n3 = torch.constant.int 3
  %n4 = torch.constant.int 4
  %n8 = torch.constant.int 8
  %n0 = torch.constant.int 0
  %n32 = torch.constant.int 32
  %n40 = torch.constant.int 40
  %n56 = torch.constant.int 56
  %false = torch.constant.bool false
  %all = torch.aten.linear %latent, %weight, %none : !torch.vtensor<[1,40,16],f32>, !torch.vtensor<[224,16],f32>, !torch.none -> !torch.vtensor<[1,40,224],f32>
  %shape = torch.prim.ListConstruct %n1, %n40, %n4, %n56 : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %heads = torch.aten.view %all, %shape : !torch.vtensor<[1,40,224],f32>, !torch.list<int> -> !torch.vtensor<[1,40,4,56],f32>
  %nope = torch.aten.slice.Tensor %heads, %n3, %n0, %n32, %n1 : !torch.vtensor<[1,40,4,56],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[1,40,4,32],f32>
  %value = torch.aten.slice.Tensor %heads, %n3, %n32, %n56, %n1 : !torch.vtensor<[1,40,4,56],f32>, !torch.int, !torch.int, !torch.int, !torch.int -> !torch.vtensor<[1,40,4,24],f32>
  %sizes = torch.prim.ListConstruct %n1, %n40, %n4, %n8 : (!torch.int, !torch.int, !torch.int, !torch.int) -> !torch.list<int>
  %each = torch.aten.expand %rotary, %sizes, %false : !torch.vtensor<[1,40,1,8],f32>, !torch.list<int>, !torch.bool -> !torch.vtensor<[1,40,4,8],f32>
  %pair = torch.prim.ListConstruct %nope, %each : (!torch.vtensor<[1,40,4,32],f32>, !torch.vtensor<[1,40,4,8],f32>) -> !torch.list<vtensor>
  %key = torch.aten.cat %pair, %n3 : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[1,40,4,40],f32>
  %k = torch_c.to_builtin_tensor %key : !torch.vtensor<[1,40,4,40],f32> -> tensor<1x40x4x40xf32>
  %v = torch_c.to_builtin_tensor %value : !torch.vtensor<[1,40,4,24],f32> -> tensor<1x40x4x24xf32>
  %out, %lse = "sparse_attn.attention"(%query, %k, %v, %picks) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0, 0, 0, 0, 0>, scale = 0.5 : f64}
    : (tensor<1x3x4x40xf32>, tensor<1x40x4x40xf32>, tensor<1x40x4x24xf32>, tensor<1x3x8xi32>) -> (tensor<1x3x4x24xf32>, tensor<0xf32>)
  return %out : tensor<1x3x4x24xf32>
}
