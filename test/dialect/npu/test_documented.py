"""What the four operators' documents say, line by line in our words: each is a numbered constraint, or is recorded."""

import re

import pytest
from npu_cases import make_call

from sparse_attn.dialect.npu import SPECS

MLA, INDEXER = "quant_sparse_flash_mla", "quant_lightning_indexer"
FLAT, SHARED = "sparse_compress_flash_attention", "kv_quant_sparse_attn_sharedkv"

# operator -> what its document says -> (number of the constraint, words of its sentence or note)
LIMITS = {
    MLA: {
        "one product": ("c1", "Ascend 950PR / Ascend 950DT"),
        "the metadata is always passed": ("c12", "metadata"),
        "quant_mode 1 is per token": ("c9", "calls mode 1 per token"),
        "ori_kv and descales are optional": ("c10", "calls them optional"),
        "sinks are optional": ("c11", "calls sinks optional"),
        "cmp_residual_kv is optional": ("c21", "calls it optional"),
        "seqused_cmp_kv is optional in every layout": ("c28", "calls it optional"),
        "one key head": ("c6", "N2 (key heads) is 1"),
        "head size 512": ("c5", "is 512"),
        "cmp_ratio 1 to 128": ("c15", "1 to 128"),
        "cmp_ratio stays 1 with ori_kv alone": ("c14", "`cmp_ratio` 1"),
        "ori_mask_mode 0, 3, 4": ("c16", "0 or 3 or 4"),
        "cmp_mask_mode 0, 3": ("c17", "0 or 3"),
        "ori_win_left -1 or more": ("c18", "at least -1"),
        "ori_win_right -1 or more": ("c19", "at least -1"),
        "windows only with mode 4": ("c20", "unless `ori_mask_mode` is 4"),
        "four pairs of layouts": ("c8", "BSND/PA_BBND, TND/PA_BBND"),
        "blocks of 1 to 1024 original rows": ("c34", "1 to 1024"),
        "blocks of 1 to 1024 compressed rows": ("c35", "1 to 1024"),
        "non-empty tensors are unsupported": ("c4", '"non-empty"'),
        "TND needs cu_seqlens_q": ("c29", "layout_q TND"),
        "it starts with 0 and never decreases": ("c40", "starts with 0, never decreases"),
        "TND needs cu_seqlens_ori_kv, which alone tells the length": ("c30", "original length from it alone"),
        "TND with cmp_kv needs cu_seqlens_cmp_kv": ("c31", "layout_kv TND and cmp_kv"),
        "pages need ori_block_table": ("c24", "ori_block_table"),
        "pages need seqused_ori_kv": ("c27", "asks for it always"),
        "the tables cover the original keys": ("c36", "ceil"),
        "the tables cover the compressed keys": ("c37", "ceil"),
        "topk_value_mode": ("c38", "topk_value_mode"),
        "invalid list entries are -1": ("c47", "-1 the rest"),
        "shapes of q, keys, lists": ("c2", "shape of its table row"),
    },
    INDEXER: {
        "three products": ("c1", "Atlas A3"),
        "types of each mode": ("c3", "dtype"),
        "D is a multiple of 64 in modes 3 and 5": ("c5", "multiple of 64"),
        "one key head": ("c6", "N2 (key heads) is 1"),
        "1 to 64 query heads on 950": ("c7", "1 to 64"),
        "64 query heads on A3 and A2": ("c8", "is 64"),
        "modes 1 to 5": ("c9", "1 or 2 or 3 or 4 or 5"),
        "mode 2 only on A3 and A2": ("c10", "is 2"),
        "topk defaults to 2048": ("c11", "default of 2048"),
        "topk 1 to 8192 on 950": ("c12", "1 to 8192"),
        "topk 1 to 2048 on A3 and A2": ("c13", "1 to 2048"),
        "layouts": ("c16", "PA_BBND"),
        "no output_idx_offset on A3 and A2": ("c18", "output_idx_offset"),
        "no return_value on A3 and A2": ("c19", "return_value"),
        "mask_mode": ("c20", "0 or 3"),
        "max_seqlen_q -1 is any": ("c22", "at least -1"),
        "block_table holds positive numbers": ("c25", "positive table values"),
        "TND needs cu_seqlens_q": ("c27", "layout_q TND"),
        "BSND takes none": ("c28", "without layout_q TND"),
        "TND needs cu_seqlens_k": ("c29", "layout_k TND"),
        "BSND and pages take none": ("c30", "without layout_k TND"),
        "seqused_q is for BSND, and for TND": ("c31", "seqused_q to BSND only"),
        "0 <= cmp_residual_k < cmp_ratio": ("c36", "< `cmp_ratio`"),
        "used query lengths fit their slots": ("c39", "at most the slot"),
        "400 million filled entries": ("c43", "400000000"),
        "query, weights and query scale are contiguous, keys on axis 0 not": ("c44", "stride on axis 0"),
    },
    FLAT: {
        "three products": ("c1", "Atlas A2"),
        "bf16, one dtype": ("c3", "dtype"),
        "head size 512": ("c5", "is 512"),
        "64 heads": ("c6", "is 64"),
        "heads and tokens on one axis": ("c7", "T1 * N1"),
        "512 picks": ("c8", "is 512"),
        "window 128": ("c9", "is 128"),
        "ratio 4": ("c10", "is 4"),
        "blocks of 128 original rows": ("c13", "128"),
        "blocks of 128 compressed rows": ("c14", "128"),
        "tables cover the keys": ("c15", "block of 128"),
        "running sums": ("c16", "never decreases"),
        "all tokens take part without seqused_kv, which is required": ("c17", "all tokens take part"),
        "contiguous query, keys and lists": ("c19", "contiguous"),
    },
    SHARED: {
        "one product": ("c1", "Ascend 950PR / Ascend 950DT"),
        "head size 512": ("c5", "is 512"),
        "rows of 640 bytes": ("c6", "is 640"),
        "64 or 128 heads": ("c7", "64 or 128"),
        "one key head": ("c8", "is 1"),
        "kv_quant_mode 1": ("c9", "is 1"),
        "tile_size 64": ("c10", "is 64"),
        "rope_head_dim 64": ("c11", "is 64"),
        "layout_q": ("c12", "BSND or TND"),
        "layout_kv PA_ND": ("c13", "PA_ND"),
        "ori_kv is optional": ("c14", "optional"),
        "seqused_kv is optional": ("c16", "optional"),
        "sinks must be passed": ("c17", "sinks"),
        "the metadata": ("c18", "metadata"),
        "ratio 4 or 128 with compression": ("c19", "4 or 128"),
        "ratio 1 without": ("c21", "only 1"),
        "ori_mask_mode 4": ("c22", "is 4"),
        "cmp_mask_mode 3": ("c23", "is 3"),
        "window 127 to the left": ("c24", "is 127"),
        "window 0 to the right": ("c25", "is 0"),
        "lse is reserved, and sums over original keys": ("c28", "sums over original keys only"),
        "reserved arguments": ("c29", "ori_sparse_indices"),
        "reserved lengths": ("c30", "cu_seqlens_ori_kv"),
        "running sums of queries": ("c40", "never decreases"),
        "lists of 512 or 1024 blocks taken at once": ("c34", "counts blocks taken at once"),
        "original lists of 512 or 1024": ("c35", "512 or 1024"),
        "blocks in steps of 16 up to 1024": ("c36", "in steps of 16"),
        "compressed blocks too": ("c37", "in steps of 16"),
        "the original table covers S2": ("c38", "ceil"),
        "the compressed table covers floor(S2 / ratio)": ("c39", "floor"),
        "valid entries first": ("c42", "fill the front"),
        "one dtype of both keys": ("c43", "one dtype"),
        "contiguous queries and keys": ("c44", "asks for contiguous keys"),
        "softmax_scale must be passed": ("c45", "must be passed"),
    },
}
RECORDED = {  # operator -> words of its recorded disagreements and facts
    MLA: ("dtype of q", r"\[1\] zeros", "defaults are softmax_scale 1.0", "original length 0", "aclgraph", "Inference"),
    INDEXER: ("relu after", "1/1024", "implies sorted", "bf16 -inf", "aclgraph"),
    FLAT: ("formula", "equal for one query token", "aclgraph", "Inference", "TND"),
    SHARED: ("last dim 1", "bf16 scales", "keyword-only", "aclgraph", "Inference"),
}


@pytest.mark.parametrize(("operator", "says"), [(name, says) for name in LIMITS for says in LIMITS[name]])
def test_a_documented_limit_is_a_numbered_constraint(operator, says):
    number, words = LIMITS[operator][says]
    constraint = SPECS[operator].constraints[number]
    assert words in f"{constraint.says} {constraint.note}"


@pytest.mark.parametrize("operator", RECORDED)
def test_what_is_no_limit_is_recorded(operator):
    text = " ".join((*SPECS[operator].disagreements, *SPECS[operator].facts))
    missing = [words for words in RECORDED[operator] if not re.search(words, text)]
    assert missing == []


@pytest.mark.parametrize("operator", LIMITS)
def test_every_argument_is_described(operator):
    spec = SPECS[operator]
    described = {**{n: row.about for n, row in spec.tensors.items()}, **spec.attributes}
    assert set(described) == set(spec.schema.by_name) and all(described.values())


@pytest.mark.parametrize("name", SPECS)
def test_products_without_the_kernels_are_refused_by_name(name):
    for word, product in (
        ("atlas_200i_500_a2", "Atlas 200I/500 A2 inference products"),
        ("atlas_inference", "Atlas inference products"),
        ("atlas_training", "Atlas training products"),
    ):
        (finding,) = SPECS[name].check(make_call(SPECS[name], word, SPECS[name].example))
        assert finding.number == "c1" and product in finding.message
