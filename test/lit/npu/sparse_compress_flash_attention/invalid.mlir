// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_other_product(%query_npu: tensor<192x512xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x512xbf16>, %cmp_kv_npu: tensor<256x512xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<3x512xi32>) {
  // expected-error@below {{[c1] target is Atlas 200I/500 A2 inference products, which no kernel here supports}}
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "atlas_200i_500_a2", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 128 : i64, cmp_ratio = 4 : i64}
    : (tensor<192x512xbf16>, tensor<3xi32>, tensor<512x512xbf16>, tensor<256x512xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<2xi32>, tensor<3x512xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c2_batches_differ(%query_npu: tensor<192x512xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x512xbf16>, %cmp_kv_npu: tensor<256x512xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<3xi32>, %cmp_sparse_indices_npu: tensor<3x512xi32>) {
  // expected-error@below {{[c2] seqused_kv_npu has shape [3]}}
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 128 : i64, cmp_ratio = 4 : i64}
    : (tensor<192x512xbf16>, tensor<3xi32>, tensor<512x512xbf16>, tensor<256x512xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<3xi32>, tensor<3x512xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c3_half(%query_npu: tensor<192x512xf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x512xbf16>, %cmp_kv_npu: tensor<256x512xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<3x512xi32>) {
  // expected-error@below {{[c3] query_npu is float16 where bfloat16 is read}}
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 128 : i64, cmp_ratio = 4 : i64}
    : (tensor<192x512xf16>, tensor<3xi32>, tensor<512x512xbf16>, tensor<256x512xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<2xi32>, tensor<3x512xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c4_empty(%query_npu: tensor<192x512xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x512xbf16>, %cmp_kv_npu: tensor<0x512xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<3x512xi32>) {
  // expected-error@below {{[c4] on a3, cmp_kv_npu is empty, its shape is [0, 512]}}
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 128 : i64, cmp_ratio = 4 : i64}
    : (tensor<192x512xbf16>, tensor<3xi32>, tensor<512x512xbf16>, tensor<0x512xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<2xi32>, tensor<3x512xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c5_head_size(%query_npu: tensor<192x256xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x256xbf16>, %cmp_kv_npu: tensor<256x256xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<3x512xi32>) {
  // expected-error@below {{[c5] head size D is 256, not 512}}
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "a2", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 128 : i64, cmp_ratio = 4 : i64}
    : (tensor<192x256xbf16>, tensor<3xi32>, tensor<512x256xbf16>, tensor<256x256xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<2xi32>, tensor<3x512xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c6_heads(%query_npu: tensor<96x512xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x512xbf16>, %cmp_kv_npu: tensor<256x512xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<32xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<3x512xi32>) {
  // expected-error@below {{[c6] on a3, query heads N1 is 32, not 64}}
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 128 : i64, cmp_ratio = 4 : i64}
    : (tensor<96x512xbf16>, tensor<3xi32>, tensor<512x512xbf16>, tensor<256x512xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<32xf32>, tensor<2xi32>, tensor<3x512xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c7_rows(%query_npu: tensor<191x512xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x512xbf16>, %cmp_kv_npu: tensor<256x512xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<3x512xi32>) {
  // expected-error@below {{[c7] query_npu has 191 rows, 3 tokens of 64 heads have 192}}
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 128 : i64, cmp_ratio = 4 : i64}
    : (tensor<191x512xbf16>, tensor<3xi32>, tensor<512x512xbf16>, tensor<256x512xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<2xi32>, tensor<3x512xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c8_width(%query_npu: tensor<192x512xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x512xbf16>, %cmp_kv_npu: tensor<256x512xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<3x256xi32>) {
  // expected-error@below {{[c8] on a2, list width K is 256, not 512}}
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "a2", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 128 : i64, cmp_ratio = 4 : i64}
    : (tensor<192x512xbf16>, tensor<3xi32>, tensor<512x512xbf16>, tensor<256x512xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<2xi32>, tensor<3x256xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c9_window(%query_npu: tensor<192x512xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x512xbf16>, %cmp_kv_npu: tensor<256x512xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<3x512xi32>) {
  // expected-error@below {{[c9] on ascend950, win_size is 64, not 128}}
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 64 : i64, cmp_ratio = 4 : i64}
    : (tensor<192x512xbf16>, tensor<3xi32>, tensor<512x512xbf16>, tensor<256x512xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<2xi32>, tensor<3x512xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c10_ratio(%query_npu: tensor<192x512xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x512xbf16>, %cmp_kv_npu: tensor<256x512xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<3x512xi32>) {
  // expected-error@below {{[c10] on ascend950, cmp_ratio is 128, not 4}}
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 128 : i64, cmp_ratio = 128 : i64}
    : (tensor<192x512xbf16>, tensor<3xi32>, tensor<512x512xbf16>, tensor<256x512xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<2xi32>, tensor<3x512xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c11_window(%query_npu: tensor<192x512xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x512xbf16>, %cmp_kv_npu: tensor<256x512xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<3x512xi32>) {
  // expected-error@below {{[c11] win_size is 0, outside at least 1}}
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 0 : i64, cmp_ratio = 4 : i64}
    : (tensor<192x512xbf16>, tensor<3xi32>, tensor<512x512xbf16>, tensor<256x512xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<2xi32>, tensor<3x512xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c12_ratio(%query_npu: tensor<192x512xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x512xbf16>, %cmp_kv_npu: tensor<256x512xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<3x512xi32>) {
  // expected-error@below {{[c12] cmp_ratio is 0, outside at least 1}}
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 128 : i64, cmp_ratio = 0 : i64}
    : (tensor<192x512xbf16>, tensor<3xi32>, tensor<512x512xbf16>, tensor<256x512xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<2xi32>, tensor<3x512xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c13_blocks(%query_npu: tensor<192x512xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<500x512xbf16>, %cmp_kv_npu: tensor<256x512xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<3x512xi32>) {
  // expected-error@below {{[c13] ori_kv_npu has 500 rows, not whole blocks of 128}}
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 128 : i64, cmp_ratio = 4 : i64}
    : (tensor<192x512xbf16>, tensor<3xi32>, tensor<500x512xbf16>, tensor<256x512xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<2xi32>, tensor<3x512xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c14_blocks(%query_npu: tensor<192x512xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x512xbf16>, %cmp_kv_npu: tensor<200x512xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<3x512xi32>) {
  // expected-error@below {{[c14] cmp_kv_npu has 200 rows, not whole blocks of 128}}
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, win_size = 128 : i64, cmp_ratio = 4 : i64}
    : (tensor<192x512xbf16>, tensor<3xi32>, tensor<512x512xbf16>, tensor<200x512xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<2xi32>, tensor<3x512xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c18_scale(%query_npu: tensor<192x512xbf16>, %q_act_seqs_npu: tensor<3xi32>, %ori_kv_npu: tensor<512x512xbf16>, %cmp_kv_npu: tensor<256x512xbf16>, %ori_block_table_npu: tensor<2x2xi32>, %cmp_block_table_npu: tensor<2x1xi32>, %atten_sink_npu: tensor<64xf32>, %seqused_kv_npu: tensor<2xi32>, %cmp_sparse_indices_npu: tensor<3x512xi32>) {
  // expected-error@below {{[c18] softmax_scale is inf}}
  %r:1 = "npu.sparse_compress_flash_attention"(%query_npu, %q_act_seqs_npu, %ori_kv_npu, %cmp_kv_npu, %ori_block_table_npu, %cmp_block_table_npu, %atten_sink_npu, %seqused_kv_npu, %cmp_sparse_indices_npu) {target = "host", softmax_scale = 0x7FF0000000000000 : f64, win_size = 128 : i64, cmp_ratio = 4 : i64}
    : (tensor<192x512xbf16>, tensor<3xi32>, tensor<512x512xbf16>, tensor<256x512xbf16>, tensor<2x2xi32>, tensor<2x1xi32>, tensor<64xf32>, tensor<2xi32>, tensor<3x512xi32>) -> (tensor<1xf32>)
  return
}
