"""The torch operators of the same names have the definitions' schemas and, on random calls, the references' answers."""

import numpy as np
import pytest
import torch

import sparse_attn.ops  # noqa: F401  registers the operators
from sparse_attn.dialect.sparse_attn import OPS

RANDOM = np.random.default_rng(5)
B, S, T, H, D = 2, 5, 11, 3, 8


def draw(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def operator(op):
    return getattr(torch.ops.sparse_attn, op.DEFINITION.name).default


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.DEFINITION.name)
def test_schemas_agree(op):
    ours = torch._C.parse_schema(f"sparse_attn::{op.DEFINITION.torch_schema()}")
    assert str(operator(op)._schema) == str(ours)


COUNTS = RANDOM.integers(-1, T + 2, (1, S)).astype(np.int32)
PICKS = np.stack([[RANDOM.permutation(T)[:4] for _ in range(S)] for _ in range(B)]).astype(np.int32)
PICKS[:, 0, 2:] = -1
INDEXER = {"query": draw(B, S, H, D), "key": draw(B, T, D)}
FULL = {"weights": draw(B, S, H), "query_scale": draw(B, S, H), "key_scale": draw(B, T)}
ATTEND = {"query": draw(B, S, 4, D), "ori_kv": draw(B, T, 2, D), "cmp_kv": draw(B, T, 2, D)}
POOL = {"kv": draw(B, T, D), "gate": draw(B, T, D), "bias": draw(4, D)}
CALLS = [
    ("index_scores", INDEXER | FULL | {"scale": 0.3}),
    ("index_scores", INDEXER | {"reduce": "sum", "activation": "none"}),
    ("index_scores", INDEXER | {"reduce": "none", "key_scale": FULL["key_scale"]}),
    ("topk", {"scores": draw(B, S, T), "k": 4}),
    ("topk", {"scores": draw(B, S, T), "k": 40, "mask_mode": "causal", "mask": RANDOM.random((S, T)) < 0.7}),
    ("topk", {"scores": draw(B, S, T), "k": 4, "mask_mode": "prefix", "visible": COUNTS, "mask": draw(B, 1, T)}),
    ("topk", {"scores": np.maximum(draw(B, S, 400), 0), "k": 5, "mask_mode": "causal"}),
    ("topk", {"scores": np.maximum(draw(B, S, 400), 0), "k": 300}),
    ("topk", {"scores": draw(B, S, T), "k": 3, "mask_mode": "causal", "block": 2, "local_blocks": 1}),
    ("topk", {"scores": draw(B, S, T), "k": 3, "local_blocks": 2}),
    ("lightning_indexer", INDEXER | FULL | {"k": 4, "mask_mode": "prefix", "visible": COUNTS, "ratio": 4}),
    ("lightning_indexer", INDEXER | {"k": 4, "reduce": "sum", "mask_mode": "causal", "scale": 0.5}),
    ("selection", {"indices": PICKS, "extent": T}),
    ("selection", {"indices": PICKS.astype(np.int64), "extent": 5}),
    ("attention", ATTEND | {"return_lse": True, "ori_mask": "band", "ori_left": 3, "ori_right": 0}),
    ("attention", ATTEND | {"ori_indices": PICKS, "cmp_indices": PICKS[:1], "sinks": draw(4), "scale": 0.4}),
    ("attention", ATTEND | {"visible": COUNTS, "ori_mask": "causal", "cmp_mask": "prefix", "cmp_ratio": 4}),
    ("attention", ATTEND | {"cmp_visible": COUNTS, "cmp_mask": "prefix", "value_width": 5, "mask": draw(S, 2 * T)}),
    *[
        ("attention", {"query": ATTEND["query"], "cmp_kv": ATTEND["cmp_kv"], "cmp_visible": COUNTS, "return_lse": True}
         | {"cmp_mask": "prefix", "empty_rows": rule})
        for rule in ("zero", "mean", "nan")
    ],
    ("attention", ATTEND | {"cmp_kv": None, "ori_value": draw(B, T, 2, 3), "mask": RANDOM.random((B, 4, S, T)) < 0.5}),
    ("compress", POOL | {"ratio": 4}),
    ("compress", POOL | {"ratio": 4, "overlap": True}),
    ("compress", {"kv": POOL["kv"], "gate": POOL["gate"], "ratio": 12}),
    ("paged_write", {"cache": draw(3, 4, 2), "rows": draw(5, 2), "slots": np.array([11, -1, 0, 7, 0])}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "call"), CALLS, ids=[f"{n}-{name}" for n, (name, _) in enumerate(CALLS)])
def test_answers_agree(name, call):
    op = next(each for each in OPS if each.DEFINITION.name == name)
    tensors = {key: torch.from_numpy(value) if isinstance(value, np.ndarray) else value for key, value in call.items()}
    found, wanted = operator(op)(**tensors), op.reference(**call)
    if len(op.DEFINITION.results) == 1:
        found, wanted = [found], [wanted]
    for ours, theirs in zip(wanted, found, strict=True):
        assert str(theirs.dtype).removeprefix("torch.") == str(ours.dtype) and theirs.shape == ours.shape
        np.testing.assert_allclose(theirs.numpy(), ours, rtol=1e-4, atol=1e-5)
