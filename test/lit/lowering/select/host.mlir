// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-lift,sparse-attn-fuse,sparse-attn-settle,sparse-attn-select{target=host})" | filecheck %s

// The host takes every type and size.
// CHECK-LABEL: @host
// CHECK: sparse_attn.lightning_indexer
// CHECK-SAME: sparse_attn.kernel = "sparse_attn::lightning_indexer"
func.func @host(%query: !torch.vtensor<[1,6,64,128],f32>, %key: !torch.vtensor<[1,9,128],f32>,
    %weights: !torch.vtensor<[1,6,64],f32>) -> !torch.vtensor<[1,6,4],si64> {
  %equation = torch.constant.str "bshd,btd->bsht"
  %second = torch.constant.str "bsht,bsh->bst"
  %none = torch.constant.none
  %pair = torch.prim.ListConstruct %query, %key : (!torch.vtensor<[1,6,64,128],f32>, !torch.vtensor<[1,9,128],f32>) -> !torch.list<vtensor>
  %dots = torch.aten.einsum %equation, %pair, %none : !torch.str, !torch.list<vtensor>, !torch.none -> !torch.vtensor<[1,6,64,9],f32>
  %act = torch.aten.relu %dots : !torch.vtensor<[1,6,64,9],f32> -> !torch.vtensor<[1,6,64,9],f32>
  %both = torch.prim.ListConstruct %act, %weights : (!torch.vtensor<[1,6,64,9],f32>, !torch.vtensor<[1,6,64],f32>) -> !torch.list<vtensor>
  %scores = torch.aten.einsum %second, %both, %none : !torch.str, !torch.list<vtensor>, !torch.none -> !torch.vtensor<[1,6,9],f32>
  %k = torch.constant.int 4
  %last = torch.constant.int -1
  %largest = torch.constant.bool true
  %sorted = torch.constant.bool true
  %values, %indices = torch.aten.topk %scores, %k, %last, %largest, %sorted : !torch.vtensor<[1,6,9],f32>, !torch.int, !torch.int, !torch.bool, !torch.bool
    -> !torch.vtensor<[1,6,4],f32>, !torch.vtensor<[1,6,4],si64>
  return %indices : !torch.vtensor<[1,6,4],si64>
}

// CHECK-LABEL: @host_dynamic
// CHECK: sparse_attn.kernel = "sparse_attn::lightning_indexer"
func.func @host_dynamic(%query: !torch.vtensor<[1,?,64,128],f32> {sparse_attn.dims = "1, s0, 64, 128"}, %key: !torch.vtensor<[1,?,128],f32> {sparse_attn.dims = "1, s1, 128"},
    %weights: !torch.vtensor<[1,?,64],f32> {sparse_attn.dims = "1, s0, 64"}) -> !torch.vtensor<[1,?,4],si64> attributes {sparse_attn.symbols = ["s0>=2", "s1>=4"]} {
  %equation = torch.constant.str "bshd,btd->bsht"
  %second = torch.constant.str "bsht,bsh->bst"
  %none = torch.constant.none
  %pair = torch.prim.ListConstruct %query, %key : (!torch.vtensor<[1,?,64,128],f32>, !torch.vtensor<[1,?,128],f32>) -> !torch.list<vtensor>
  %dots = torch.aten.einsum %equation, %pair, %none {sparse_attn.dims = ["1, s0, 64, s1"]} : !torch.str, !torch.list<vtensor>, !torch.none -> !torch.vtensor<[1,?,64,?],f32>
  %act = torch.aten.relu %dots {sparse_attn.dims = ["1, s0, 64, s1"]} : !torch.vtensor<[1,?,64,?],f32> -> !torch.vtensor<[1,?,64,?],f32>
  %both = torch.prim.ListConstruct %act, %weights : (!torch.vtensor<[1,?,64,?],f32>, !torch.vtensor<[1,?,64],f32>) -> !torch.list<vtensor>
  %scores = torch.aten.einsum %second, %both, %none {sparse_attn.dims = ["1, s0, s1"]} : !torch.str, !torch.list<vtensor>, !torch.none -> !torch.vtensor<[1,?,?],f32>
  %k = torch.constant.int 4
  %last = torch.constant.int -1
  %largest = torch.constant.bool true
  %sorted = torch.constant.bool true
  %values, %indices = torch.aten.topk %scores, %k, %last, %largest, %sorted {sparse_attn.dims = ["1, s0, 4", "1, s0, 4"]} : !torch.vtensor<[1,?,?],f32>, !torch.int, !torch.int, !torch.bool, !torch.bool
    -> !torch.vtensor<[1,?,4],f32>, !torch.vtensor<[1,?,4],si64>
  return %indices : !torch.vtensor<[1,?,4],si64>
}
