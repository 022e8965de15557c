// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-quantize{target=a2 quantize=indexer=fp8,attention=hif8})" 2>&1 | filecheck %s --check-prefix=CHIP
// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-quantize{target=host quantize=attention=kv_fp8})" 2>&1 | filecheck %s --check-prefix=HOST
// RUN: not sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-quantize{target=ascend950 quantize=indexer=fp4})" 2>&1 | filecheck %s --check-prefix=WORD

// CHIP: remark: indexer not quantised to fp8: a2 has no indexer kernel that reads fp8; there it can be int8
// CHIP: remark: attention not quantised to hif8: a2 has no attention kernel that reads hif8; compile for ascend950
// CHIP-NOT: sparse_attn.quantize
// HOST: remark: attention not quantised to kv_fp8: host has no attention kernel that reads kv_fp8; compile for ascend950
// HOST-NOT: sparse_attn.quantize
// WORD: quantize asks for indexer=fp4; the formats are int8, fp8, hif8, mxfp8, mxfp4
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
