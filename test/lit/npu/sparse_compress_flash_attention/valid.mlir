// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_ascend950
// CHECK: "npu.sparse_compress_flash_attention"
// CHECK-SAME: target = "ascend950"
func.func @example_ascend950(%query_npu: tensor<192x512xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x512xbf16>, %cmp_kv_npu: tensor<256x512xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<3x512xi32>) {
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 128 : i64, cmp_ratio = 4 : i64}
    : (tensor<192x512xbf16>, tensor<3xi32>, tensor<512x512xbf16>, tensor<256x512xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<2xi32>, tensor<3x512xi32>) -> (tensor<192x512xbf16>)
  return
}

// CHECK-LABEL: @example_a3
// CHECK: "npu.sparse_compress_flash_attention"
// CHECK-SAME: target = "a3"
func.func @example_a3(%query_npu: tensor<192x512xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x512xbf16>, %cmp_kv_npu: tensor<256x512xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<3x512xi32>) {
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 128 : i64, cmp_ratio = 4 : i64}
    : (tensor<192x512xbf16>, tensor<3xi32>, tensor<512x512xbf16>, tensor<256x512xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<2xi32>, tensor<3x512xi32>) -> (tensor<192x512xbf16>)
  return
}

// CHECK-LABEL: @example_a2
// CHECK: "npu.sparse_compress_flash_attention"
// CHECK-SAME: target = "a2"
func.func @example_a2(%query_npu: tensor<192x512xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x512xbf16>, %cmp_kv_npu: tensor<256x512xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<3x512xi32>) {
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "a2", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 128 : i64, cmp_ratio = 4 : i64}
    : (tensor<192x512xbf16>, tensor<3xi32>, tensor<512x512xbf16>, tensor<256x512xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<2xi32>, tensor<3x512xi32>) -> (tensor<192x512xbf16>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.sparse_compress_flash_attention"
// CHECK-SAME: target = "host"
func.func @example_host(%query_npu: tensor<192x512xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x512xbf16>, %cmp_kv_npu: tensor<256x512xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<3x512xi32>) {
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 128 : i64, cmp_ratio = 4 : i64}
    : (tensor<192x512xbf16>, tensor<3xi32>, tensor<512x512xbf16>, tensor<256x512xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<2xi32>, tensor<3x512xi32>) -> (tensor<192x512xbf16>)
  return
}

// CHECK-LABEL: @long_table
// CHECK: "npu.sparse_compress_flash_attention"
// CHECK-SAME: target = "ascend950"
func.func @long_table(%query_npu: tensor<192x512xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x512xbf16>, %cmp_kv_npu: tensor<256x512xbf16>, %ori_block_table_npu: tensor<2x9xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<3x512xi32>) {
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 128 : i64, cmp_ratio = 4 : i64}
    : (tensor<192x512xbf16>, tensor<3xi32>, tensor<512x512xbf16>, tensor<256x512xbf16>, tensor<2x9xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<2xi32>, tensor<3x512xi32>) -> (tensor<192x512xbf16>)
  return
}

// CHECK-LABEL: @dynamic
// CHECK: "npu.sparse_compress_flash_attention"
// CHECK-SAME: target = "ascend950"
func.func @dynamic(%query_npu: tensor<?x512xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x512xbf16>, %cmp_kv_npu: tensor<256x512xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<?x512xi32>) {
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 128 : i64, cmp_ratio = 4 : i64}
    : (tensor<?x512xbf16>, tensor<3xi32>, tensor<512x512xbf16>, tensor<256x512xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<2xi32>, tensor<?x512xi32>) -> (tensor<?x512xbf16>)
  return
}

// CHECK-LABEL: @other_sizes
// CHECK: "npu.sparse_compress_flash_attention"
// CHECK-SAME: target = "host"
func.func @other_sizes(%query_npu: tensor<192x512xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x512xbf16>, %cmp_kv_npu: tensor<256x512xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<3x8xi32>) {
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 16 : i64, cmp_ratio = 2 : i64}
    : (tensor<192x512xbf16>, tensor<3xi32>, tensor<512x512xbf16>, tensor<256x512xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<2xi32>, tensor<3x8xi32>) -> (tensor<192x512xbf16>)
  return
}
