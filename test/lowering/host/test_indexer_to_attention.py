"""The list of the indexer fed to the attention is the operation the two make together, in every layout.

The whole is computed from its meaning, in float64, without tiles, layouts or lists: the best visible groups of each row
by score, then one softmax over the window and those groups.
"""

import numpy as np
import pytest
from attention import host, results_like
from attention_cases import LAYOUTS, lay_out, random_problem, take_rows

from sparse_attn.dialect.npu.formats import hifloat8, row640
from sparse_attn.dialect.npu.reference.lightning_indexer import lightning_indexer

RATIO, TOPK, LEFT = 4, 12, 31
VALUES = {"hif8": hifloat8.decode, "bf16": row640.bf16_values, "row640": row640.unpack, "fp16": np.float64}


def indexer_problem(problem, seed):
    """Indexer queries [S,H,128], weights [S,H] and keys [groups,128] for the batches of an attention problem."""
    rng = np.random.default_rng(seed)
    q = [rng.standard_normal((len(part), 3, 128)).astype(np.float16) for part in problem.q]
    k = [rng.standard_normal((len(part), 128)).astype(np.float16) for part in problem.cmp]
    return q, k, [rng.uniform(0.1, 1, (len(part), 3)).astype(np.float32) for part in problem.q]


def whole_row(problem, batch, row, indexer):
    """Output [N,512] of one row, from the meaning of the two operators."""
    q, k, w = (part[batch].astype(np.float64) for part in indexer)
    tokens = len(problem.ori[batch])
    position = tokens - len(problem.q[batch]) + row + 1
    scores = w[row] @ np.maximum(q[row] @ k.T, 0)
    best = np.argsort(-scores[: position // RATIO], kind="stable")[:TOPK]
    window = np.arange(max(position - LEFT - 1, 0), position)
    keys = np.concatenate([VALUES[problem.key_kind](problem.ori[batch][window]).astype(np.float64),
                           VALUES[problem.key_kind](problem.cmp[batch][best]).astype(np.float64)])  # fmt: skip
    logits = VALUES[problem.kind](problem.q[batch][row]).astype(np.float64) @ keys.T * 512**-0.5
    weights = np.exp(logits)
    return (weights @ keys) / (weights.sum(-1) + np.exp(problem.arguments["sinks"].astype(np.float64)))[:, None]


def indexed_call(problem, indexer, layouts, paged):
    """The call of the attention whose list the indexer made from its own tensors in the same layout."""
    q, k, w = indexer
    spare = 0 if paged == "PA_ND" else 1
    problem.cmp_list = [np.zeros((len(part), TOPK), np.int32) for part in problem.q]
    call = lay_out(problem, *layouts, paged=paged, spare=spare)
    inner = type(problem)("fp16", "fp16", q, k, arguments={})
    shapes = lay_out(inner, *layouts, spare=spare)
    weights = lay_out(type(problem)("fp16", "fp16", [part[..., None] for part in w], k), *layouts, spare=spare)["q"][
        ..., 0
    ]
    call["cmp_sparse_indices"], _ = lightning_indexer(
        shapes["q"], shapes["ori_kv"], weights, TOPK, cu_seqlens_q=call.get("cu_seqlens_q"),
        cu_seqlens_k=shapes.get("cu_seqlens_ori_kv"), seqused_q=shapes["seqused_q"], seqused_k=shapes["seqused_ori_kv"],
        cmp_residual_k=call["cmp_residual_kv"], block_table=shapes.get("ori_block_table"), layout_q=layouts[0],
        layout_k="PA_BBND" if layouts[1] == "PA" else layouts[1], mask_mode=3, cmp_ratio=RATIO,
    )  # fmt: skip
    return call


OPERATORS = {
    "quant_sparse_flash_mla": ("hif8", "hif8", LAYOUTS, "PA_BBND"),
    "sparse_flash_mla": ("fp16", "fp16", LAYOUTS, "PA_BBND"),
    "sparse_attn_sharedkv": ("bf16", "bf16", LAYOUTS[2:], "PA_ND"),
    "kv_quant_sparse_attn_sharedkv": ("bf16", "row640", LAYOUTS[2:], "PA_ND"),
}
CASES = [(name, layouts) for name, facts in OPERATORS.items() for layouts in facts[2]]


@pytest.mark.parametrize(("name", "layouts"), CASES, ids=["-".join((n, *ls)) for n, ls in CASES])
def test_the_chain_is_the_whole(name, layouts):
    kind, key_kind, _, paged = OPERATORS[name]
    problem = random_problem(5, kind, key_kind, window=(LEFT, 0), rows=(3, 3, 3), tokens=(140, 9, 61), spread=0.1)
    indexer = indexer_problem(problem, 6)
    call = indexed_call(problem, indexer, layouts, paged)
    ones = dict.fromkeys(("q_descale", "ori_kv_descale", "cmp_kv_descale"), np.ones(1, np.float32))
    call |= ones | {"quant_mode": 1, "kv_quant_mode": 1, "tile_size": 64, "rope_head_dim": 64}
    call["seqused_kv"] = call["seqused_ori_kv"]
    dtype = np.float16 if kind == "fp16" else np.uint16
    shape = call["q"].shape
    statistics = np.empty((shape[0], 1, *shape[1:3]) if len(shape) == 4 else (1, *shape[:2]), np.float32)
    out = host(name, call, results_like((np.empty(shape, dtype), statistics)))[0]
    for batch, rows in enumerate(take_rows(problem, call, out)):
        for row, got in enumerate(rows):
            expected = whole_row(problem, batch, row, indexer)
            values = row640.bf16_values(got) if dtype == np.uint16 else got.astype(np.float64)
            np.testing.assert_allclose(values, expected, rtol=0.05, atol=0.02 if kind == "hif8" else 0.004)


def test_another_list_is_not_the_whole():
    """What the comparison above would not accept: the second best groups instead of the best."""
    problem = random_problem(5, "fp16", window=(LEFT, 0), rows=(1,), tokens=(140,), spread=0.1)
    indexer = indexer_problem(problem, 6)
    call = indexed_call(problem, indexer, ("BSND", "BSND"), "PA_BBND")
    unlisted = np.setdiff1d(np.arange(35), call["cmp_sparse_indices"][0, 0, 0])[:TOPK]
    call["cmp_sparse_indices"][0, 0, 0] = unlisted
    statistics = np.empty((1, 1, *call["q"].shape[1:3]), np.float32)
    out = host("sparse_flash_mla", call, results_like((call["q"], statistics)))[0]
    expected = whole_row(problem, 0, 0, indexer)
    assert np.abs(out[0, 0].astype(np.float64) - expected).max() > 0.05
