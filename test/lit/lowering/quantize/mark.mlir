// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-quantize{target=ascend950})" | filecheck %s --check-prefix=OFF
// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-quantize{target=ascend950 quantize=indexer=int8,attention=kv_fp8})" | filecheck %s --check-prefix=ON
// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-quantize{target=ascend950 quantize=attention=hif8})" | filecheck %s --check-prefix=HALF

// Without the option nothing is marked.
// OFF-NOT: sparse_attn.quantize
// With it each op carries the format it is to be read in; its operands stay.
// ON: "sparse_attn.lightning_indexer"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) {{.*}}sparse_attn.quantize = "int8"{{.*}} : (tensor<1x2x64x128xbf16>,
// ON: "sparse_attn.attention"({{.*}}) {{.*}}sparse_attn.quantize = "kv_fp8"{{.*}} : (tensor<1x2x64x512xbf16>,
// Either part may be left out.
// HALF: "sparse_attn.lightning_indexer"
// HALF-NOT: sparse_attn.quantize = "int8"
// HALF: sparse_attn.quantize = "hif8"
func.func @csa(%q: tensor<1x2x64x512xbf16>, %kv: tensor<1x130x1x512xbf16>, %sinks: tensor<64xf32>, %cmp: tensor<1x32x1x512xbf16>, %iq: tensor<1x2x64x128xbf16>, %ik: tensor<1x32x128xbf16>, %iw: tensor<1x2x64xbf16>) -> tensor<1x2x64x512xbf16> {
  %n = torch.constant.int 2
  %zero = torch.constant.int 0
  %one = torch.constant.int 1
  %ratio = torch.constant.int 4
  %none = torch.constant.none
  %false = torch.constant.bool false
  %code = torch.constant.int 3
  %start = torch.constant.int 128
  %iota = torch.aten.arange %n, %none, %none, %none, %none : !torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> !torch.vtensor<[2],si64>
  %row = torch.aten.unsqueeze %iota, %zero : !torch.vtensor<[2],si64>, !torch.int -> !torch.vtensor<[1,2],si64>
  %positions = torch.aten.add.Scalar %row, %start, %one : !torch.vtensor<[1,2],si64>, !torch.int, !torch.int -> !torch.vtensor<[1,2],si64>
  %next = torch.aten.add.Scalar %positions, %one, %one : !torch.vtensor<[1,2],si64>, !torch.int, !torch.int -> !torch.vtensor<[1,2],si64>
  %whole = torch.aten.floor_divide.Scalar %next, %ratio : !torch.vtensor<[1,2],si64>, !torch.int -> !torch.vtensor<[1,2],si64>
  %small = torch.aten._to_copy %whole, %code, %none, %none, %none, %false, %none : !torch.vtensor<[1,2],si64>, !torch.int, !torch.none, !torch.none, !torch.none, !torch.bool, !torch.none -> !torch.vtensor<[1,2],si32>
  %v = torch_c.to_builtin_tensor %small : !torch.vtensor<[1,2],si32> -> tensor<1x2xi32>
  %i:2 = "sparse_attn.lightning_indexer"(%iq, %ik, %iw, %v) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 0>, k = 512 : i64, mask_mode = "prefix", ratio = 4 : i64, scale = 0.5 : f64} : (tensor<1x2x64x128xbf16>, tensor<1x32x128xbf16>, tensor<1x2x64xbf16>, tensor<1x2xi32>) -> (tensor<1x2x32xi32>, tensor<1x2x32xf32>)
  %a:2 = "sparse_attn.attention"(%q, %kv, %cmp, %i#0, %sinks, %v) {operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 1, 1, 0, 1, 0>, scale = 0.044 : f64, ori_mask = "band", ori_left = 127 : i64, ori_right = 0 : i64, cmp_mask = "prefix", cmp_ratio = 4 : i64} : (tensor<1x2x64x512xbf16>, tensor<1x130x1x512xbf16>, tensor<1x32x1x512xbf16>, tensor<1x2x32xi32>, tensor<64xf32>, tensor<1x2xi32>) -> (tensor<1x2x64x512xbf16>, tensor<0xf32>)
return %a#0 : tensor<1x2x64x512xbf16>
}
