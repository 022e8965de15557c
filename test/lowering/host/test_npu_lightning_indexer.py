import indexer_cases as cases
import numpy as np
import pytest

from sparse_attn.dialect.npu.reference.npu_lightning_indexer import UNBOUNDED, npu_lightning_indexer
from sparse_attn.lowering.host.library import HostKernelError, call

NAME = "npu_lightning_indexer"
LENGTHS = ("actual_seq_lengths_query", "actual_seq_lengths_key", "block_table")


def make(seed, layouts, mask, topk=20):
    """A case of the newer operator with its lengths said the older way."""
    case = cases.random_case(seed, None, layouts, mask, topk=topk)
    inputs = case.inputs
    query = inputs["cu_seqlens_q"][1:] if layouts[0] == "TND" else inputs["seqused_q"]
    key = inputs["cu_seqlens_k"][1:] if layouts[1] == "TND" else inputs["seqused_k"]
    return case, dict(zip(LENGTHS, (query, key, inputs["block_table"]), strict=True))


def run(case, lengths, layouts, mask, topk=20, tokens=UNBOUNDED, return_value=True, **changes):
    layout_key = "PA_BSND" if layouts[1] == "PA" else layouts[1]
    lengths = lengths | changes
    operands = [case.tensors[name] for name in ("q", "k", "w")]
    scalars = [layouts[0], layout_key, topk, mask, tokens, UNBOUNDED, return_value]
    results = case.results()
    call(NAME, [*operands, *(lengths[name] for name in LENGTHS), *scalars], list(results))
    return results


@pytest.mark.parametrize("layouts", cases.LAYOUTS, ids="-".join)
@pytest.mark.parametrize("mask", [0, 3])
@pytest.mark.parametrize("seed", [1, 2])
def test_random_calls_equal_the_reference_bit_for_bit(layouts, mask, seed):
    case, lengths = make(seed, layouts, mask)
    operands = [case.inputs[name] for name in ("q", "k", "w")]
    layout_key = "PA_BSND" if layouts[1] == "PA" else layouts[1]
    expected = npu_lightning_indexer(
        *operands, **lengths, layout_query=layouts[0], layout_key=layout_key, sparse_count=20, sparse_mode=mask,
        return_value=True,
    )  # fmt: skip
    indices, values = run(case, lengths, layouts, mask)
    assert np.array_equal(indices, expected[0])
    assert np.array_equal(values, expected[1])


def test_it_equals_the_newer_operator_at_ratio_one():
    case = cases.random_case(3, None, ("TND", "TND"), 3)
    case.tensors |= {"seqused_q": None, "seqused_k": None, "output_idx_offset": None}
    expected = case.results()
    call("lightning_indexer", cases.arguments(case.tensors, case.attrs), list(expected))
    lengths = dict(zip(LENGTHS, (case.inputs["cu_seqlens_q"][1:], case.inputs["cu_seqlens_k"][1:], None), strict=True))
    assert all(np.array_equal(a, b) for a, b in zip(run(case, lengths, ("TND", "TND"), 3), expected, strict=True))


def test_values_are_left_alone_when_not_wanted():
    case, lengths = make(4, ("BSND", "BSND"), 3)
    assert (run(case, lengths, ("BSND", "BSND"), 3, return_value=False)[1] == 7).all()


def test_prefix_sums_with_a_leading_zero_are_refused():
    """The newer convention in the older operator: one entry too many, and the packed keys then do not fit."""
    case, lengths = make(5, ("TND", "TND"), 3)
    with pytest.raises(HostKernelError, match=r"actual_seq_lengths_key has shape \[3\], must be \[4\]"):
        run(case, lengths, ("TND", "TND"), 3, actual_seq_lengths_query=case.inputs["cu_seqlens_q"])


@pytest.mark.parametrize(
    ("layouts", "changes", "text"),
    [
        (("TND", "TND"), {"actual_seq_lengths_query": None}, "actual_seq_lengths_query is missing: the TND layout"),
        (("TND", "PA"), {"actual_seq_lengths_key": None}, "actual_seq_lengths_key is missing: a paged key needs it"),
        (("BSND", "PA"), {"block_table": None}, "block_table is missing"),
        (
            ("BSND", "BSND"),
            {"actual_seq_lengths_key": np.array([1, 999, 3], np.int32)},
            r"key at \[1\] is 999, must be",
        ),
        (("BSND", "BSND"), {"tokens": 5}, "pre_tokens is 5, must be 9223372036854775807"),
        (("BSND", "BSND"), {"topk": 0}, "sparse_count is 0"),
    ],
)
def test_bad_calls_are_refused(layouts, changes, text):
    case, lengths = make(6, layouts, 3)
    with pytest.raises(HostKernelError, match=text):
        run(case, lengths, layouts, 3, **changes)
