// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-quantize{target=ascend950 quantize=indexer=mxfp4,attention=hif8},sparse-attn-select{target=ascend950},sparse-attn-prune)" | filecheck %s --check-prefix=MX
// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-quantize{target=a3 quantize=indexer=int8},sparse-attn-select{target=a3},sparse-attn-prune)" | filecheck %s --check-prefix=A3
// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-quantize{target=ascend950 quantize=attention=kv_fp8},sparse-attn-select{target=ascend950},sparse-attn-prune)" | filecheck %s --check-prefix=ROWS

// Pairs of 4-bit codes and a scale for 32 of them; the plan is told the 128 elements, not the 64 bytes.
// MX: torch.operator "torch.sparse_attn.quantise"{{.*}} -> (!torch.vtensor<[1,2,64,64],ui8>, !torch.vtensor<[1,2,64,2,2],f8E8M0FNU>)
// MX: torch.operator "torch.sparse_attn.quantise"{{.*}} -> (!torch.vtensor<[1,32,1,64],ui8>, !torch.vtensor<[1,32,1,2,2],f8E8M0FNU>)
// MX: "npu.quant_lightning_indexer_metadata"{{.*}}head_dim = 128
// MX: "npu.quant_lightning_indexer"{{.*}}quant_mode = 5{{.*}} : (tensor<1x2x64x64xi8>, tensor<1x32x1x64xi8>, tensor<1x2x64xf32>, tensor<1x2x64x2x2xf8E8M0FNU>, tensor<1x32x1x2x2xf8E8M0FNU>,
// MX-COUNT-3: torch.operator "torch.sparse_attn.quantise"{{.*}}ui8>, !torch.vtensor<[1],f32>)
// MX: "npu.quant_sparse_flash_mla"{{.*}}quant_mode = 1
// MX-NOT: "sparse_attn.

// int8 pages on A3, weights and query scales in fp16 over the largest of their row; attention is not quantised.
// A3-COUNT-2: torch.operator "torch.sparse_attn.quantise"{{.*}}si8>, !torch.vtensor<[{{.*}}],f16>)
// A3-COUNT-2: torch.aten.amax
// A3: "npu.quant_lightning_indexer"{{.*}}layout_k = "PA_BBND"{{.*}}quant_mode = 2
// A3-NOT: torch.sparse_attn.quantise
// A3: "npu.sparse_flash_mla"

// Packed rows: the query stays bf16.
// ROWS: "npu.lightning_indexer"
// ROWS-COUNT-2: torch.operator "torch.sparse_attn.quantise"{{.*}},1,640],f8E4M3FN>, !torch.vtensor<[0],f32>)
// ROWS: "npu.kv_quant_sparse_attn_sharedkv"{{.*}}kv_quant_mode = 1{{.*}} : (tensor<1x2x64x512xbf16>, tensor<{{.*}}x1x640xf8E4M3FN>, tensor<{{.*}}x1x640xf8E4M3FN>,
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
