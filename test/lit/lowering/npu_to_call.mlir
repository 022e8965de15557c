// RUN: sparse-attn-opt %s --pass-pipeline="builtin.module(sparse-attn-npu-to-call{threads=2})" | filecheck %s

// One function for each kernel, in the order of its schema: pointers, i64, f64, results, threads, error.
// CHECK-DAG: func.func private @sa_npu_lightning_indexer(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i32, !llvm.ptr) -> i32
// CHECK-DAG: llvm.mlir.global internal constant @sa_text_BSND("BSND\00")

// CHECK-LABEL: @indexer
// CHECK-SAME: %[[Q:.*]]: tensor<1x2x64x128xbf16>
// CHECK: %[[INDICES:.*]] = memref.alloc() : memref<1x2x1x16xi32>
// CHECK: bufferization.to_buffer %[[Q]] read_only
// CHECK: memref.extract_strided_metadata
// CHECK: llvm.insertvalue {{.*}}[0] : !llvm.struct<(ptr, i32, i32, array<8 x i64>, array<8 x i64>)>
// Absent tensors are null.
// CHECK: %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK: llvm.mlir.addressof @sa_text_BSND
// CHECK: arith.constant 2 : i32
// CHECK: %[[STATUS:.*]] = call @sa_npu_lightning_indexer(
// CHECK: %[[FAILED:.*]] = arith.cmpi ne, %[[STATUS]]
// CHECK: scf.if %[[FAILED]]
// CHECK: func.call @abort()
// CHECK: bufferization.to_tensor %[[INDICES]] restrict
// CHECK-NOT: npu.
func.func @indexer(%q: tensor<1x2x64x128xbf16>, %k: tensor<1x40x1x128xbf16>, %w: tensor<1x2x64xbf16>) -> tensor<1x2x1x16xi32> {
  %0:2 = "npu.npu_lightning_indexer"(%q, %k, %w) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, sparse_count = 16 : i64, target = "host"}
    : (tensor<1x2x64x128xbf16>, tensor<1x40x1x128xbf16>, tensor<1x2x64xbf16>) -> (tensor<1x2x1x16xi32>, tensor<0xbf16>)
  return %0#0 : tensor<1x2x1x16xi32>
}

// A cache that is written in place in the library is copied: the tensor stays what it was.
// CHECK-LABEL: @writer
// CHECK: %[[COPY:.*]] = memref.alloc() : memref<4x16x1x583xui8>
// CHECK: memref.copy %{{.*}}, %[[COPY]]
// CHECK: call @sa_kv_compress_epilog(
// CHECK: bufferization.to_tensor %[[COPY]] restrict
func.func @writer(%cache: tensor<4x16x1x583xui8>, %x: tensor<3x512xbf16>, %slots: tensor<3xi32>) -> tensor<4x16x1x583xui8> {
  %0 = "npu.kv_compress_epilog"(%cache, %x, %slots) {target = "host"}
    : (tensor<4x16x1x583xui8>, tensor<3x512xbf16>, tensor<3xi32>) -> tensor<4x16x1x583xui8>
  return %0 : tensor<4x16x1x583xui8>
}

// Bytes that carry HIFLOAT8 are described as such: 14, where plain bytes are 6.
// CHECK-LABEL: @packed
// CHECK: bufferization.to_buffer %{{.*}} read_only : tensor<2x3x8x512xui8>
// CHECK: arith.constant 14 : i32
// CHECK: call @sa_quant_sparse_flash_mla(
func.func @packed(%q: tensor<2x3x8x512xui8>, %kv: tensor<2x40x1x512xui8>, %s: tensor<1xf32>, %sinks: tensor<8xf32>) -> tensor<2x3x8x512xbf16> {
  %0:2 = "npu.quant_sparse_flash_mla"(%q, %kv, %s, %s, %sinks) {cmp_ratio = 1 : i64, quant_mode = 1 : i64, softmax_scale = 0.05 : f64,
      operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0>, target = "host"}
    : (tensor<2x3x8x512xui8>, tensor<2x40x1x512xui8>, tensor<1xf32>, tensor<1xf32>, tensor<8xf32>) -> (tensor<2x3x8x512xbf16>, tensor<0xf32>)
  return %0#0 : tensor<2x3x8x512xbf16>
}
