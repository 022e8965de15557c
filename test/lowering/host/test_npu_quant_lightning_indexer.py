import indexer_cases as cases
import numpy as np
import pytest
from storage import tagged

from sparse_attn.dialect.npu.reference.npu_lightning_indexer import UNBOUNDED
from sparse_attn.dialect.npu.reference.npu_quant_lightning_indexer import npu_quant_lightning_indexer
from sparse_attn.lowering.host.library import NONE_INT, HostKernelError, call

OPERANDS = ("query", "key", "weights", "query_dequant_scale", "key_dequant_scale")
LENGTHS = ("actual_seq_lengths_query", "actual_seq_lengths_key", "block_table")
TAGS = {"int8": "int8", "fp8_e4m3": "float8_e4m3fn", "hif8": "hifloat8"}


def make(seed, storage, layouts, ratio=1, weights=None):
    """Operands with one scale per token and head, lengths said the older way (keys in uncompressed tokens)."""
    case = cases.random_case(seed, 2 if storage == "int8" else 1, layouts, 3)
    rng = np.random.default_rng(seed)
    for name in ("query", "key"):
        case.inputs[name] = cases.random_storage(rng, TAGS[storage], case.inputs[name].shape)
        case.tensors[name] = tagged(case.inputs[name], TAGS[storage])
    if weights:
        case.inputs["weights"] = cases.random_storage(rng, weights, case.inputs["weights"].shape)
        case.tensors["weights"] = tagged(case.inputs["weights"], weights)
    inputs = case.inputs
    query = inputs["cu_seqlens_q"][1:] if layouts[0] == "TND" else inputs["seqused_q"]
    key = inputs["cu_seqlens_k"][1:] if layouts[1] == "TND" else inputs["seqused_k"]
    if ratio > 1 and key is not None:
        key = key * ratio + rng.integers(0, ratio, key.size).astype(np.int32)
    return case, dict(zip(LENGTHS, (query, key, inputs["block_table"]), strict=True))


def run(case, lengths, layouts, mask=3, topk=20, modes=(0, 0), ratio=None, **changes):
    layout_key = "PA_BSND" if layouts[1] == "PA" else layouts[1]
    tensors = case.tensors | changes
    head = [*(tensors[name] for name in OPERANDS), *modes, *(lengths[name] for name in LENGTHS)]
    scalars = [layouts[0], layout_key, topk, mask, UNBOUNDED, UNBOUNDED]
    indices, values = case.results()
    if ratio is None:
        call("npu_quant_lightning_indexer", [*head, *scalars, NONE_INT, NONE_INT], [indices])
    else:
        call("npu_vllm_quant_lightning_indexer", [*head, None, *scalars, ratio, True], [indices, values])
    return indices, values


def reference(case, lengths, storage, layouts, mask=3, ratio=1):
    operands = [case.inputs[name] for name in OPERANDS]
    return npu_quant_lightning_indexer(
        *operands, **lengths, layout_query=layouts[0], layout_key=layouts[1], sparse_count=20, sparse_mode=mask,
        storage=storage, cmp_ratio=ratio,
    )  # fmt: skip


@pytest.mark.parametrize("layouts", cases.LAYOUTS, ids="-".join)
@pytest.mark.parametrize("storage", TAGS)
@pytest.mark.parametrize("mask", [0, 3])
def test_random_calls_equal_the_reference(storage, layouts, mask):
    case, lengths = make(len(storage) + mask, storage, layouts)
    expected = reference(case, lengths, storage, layouts, mask)
    assert np.array_equal(run(case, lengths, layouts, mask)[0], expected[0])


@pytest.mark.parametrize("layouts", [("BSND", "BSND"), ("BSND", "PA"), ("TND", "PA")], ids="-".join)
@pytest.mark.parametrize("storage", TAGS)
@pytest.mark.parametrize("ratio", [1, 4, 128])
def test_compressed_keys_take_uncompressed_lengths(storage, layouts, ratio):
    case, lengths = make(ratio + len(storage), storage, layouts, ratio)
    expected = reference(case, lengths, storage, layouts, 3, ratio)
    indices, values = run(case, lengths, layouts, ratio=ratio)
    assert np.array_equal(indices, expected[0])
    assert np.array_equal(values, expected[1])


def test_bfloat16_weights():
    case, lengths = make(3, "fp8_e4m3", ("TND", "PA"), weights="bfloat16")
    expected = reference(case, lengths, "fp8_e4m3", ("TND", "PA"))
    assert np.array_equal(run(case, lengths, ("TND", "PA"))[0], expected[0])


def test_plain_uint8_is_hifloat8():
    case, lengths = make(4, "hif8", ("BSND", "BSND"))
    raw = {name: case.inputs[name] for name in ("query", "key")}
    assert np.array_equal(run(case, lengths, ("BSND", "BSND"), **raw)[0], run(case, lengths, ("BSND", "BSND"))[0])


def test_it_equals_the_newer_operator():
    """Same numbers, lengths said both ways: ratio 4 with length 4 n + r against n and residual r."""
    case = cases.random_case(6, 1, ("TND", "PA"), 3, 4)
    case.tensors |= {"seqused_q": None, "output_idx_offset": None}
    expected = case.results()
    call("quant_lightning_indexer", cases.arguments(case.tensors, case.attrs), list(expected))
    tokens = case.inputs["seqused_k"] * 4 + case.inputs["cmp_residual_k"]
    lengths = dict(zip(LENGTHS, (case.inputs["cu_seqlens_q"][1:], tokens, case.inputs["block_table"]), strict=True))
    assert all(np.array_equal(a, b) for a, b in zip(run(case, lengths, ("TND", "PA"), ratio=4), expected, strict=True))


@pytest.mark.parametrize(
    ("layouts", "changes", "text"),
    [
        (("BSND", "BSND"), {"modes": (1, 0)}, "query_quant_mode is 1, must be 0"),
        (("BSND", "BSND"), {"modes": (0, 2)}, "key_quant_mode is 2, must be 0"),
        (("BSND", "BSND"), {"mask": 4}, "sparse_mode is 4, must be 0 or 3"),
        (("TND", "TND"), {"ratio": 4}, "uncompressed prefix sums do not say where compressed keys lie"),
        (("BSND", "BSND"), {"ratio": 0}, "cmp_ratio is 0"),
        (("BSND", "BSND"), {"query_dequant_scale": np.zeros(1, np.float16)}, "query_dequant_scale has shape"),
        (("BSND", "BSND"), {"weights": np.zeros((3, 5, 6), np.float32)}, "weights is fp32, must be fp16 or bf16"),
    ],
)
def test_bad_calls_are_refused(layouts, changes, text):
    case, lengths = make(7, "int8", layouts)
    with pytest.raises(HostKernelError, match=text):
        run(case, lengths, layouts, **changes)


def test_a_bad_block_is_refused():
    case, lengths = make(7, "int8", ("TND", "PA"), 4)
    table = lengths["block_table"].copy()
    batch = int(np.argmax(lengths["actual_seq_lengths_key"]))
    table[batch, 0] = -7
    with pytest.raises(HostKernelError, match=rf"block_table at \[{batch},0\] is -7"):
        run(case, lengths | {"block_table": table}, ("TND", "PA"), ratio=4)
