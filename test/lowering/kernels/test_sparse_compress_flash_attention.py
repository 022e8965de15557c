"""sparse_compress_flash_attention: one query token a request, where its own way of counting is everybody's."""

import pytest
from contracts import decided, draft, refusal, v4

KERNEL = "pypto::sparse_compress_flash_attention"


def pypto(**changes):
    return decided(v4(**{"tokens": 1, "keys": 256} | changes), KERNEL, "a3")


def test_everything_is_packed():
    found = draft(pypto(batch=2))
    sizes = {name: [d.const for d in piece.dims] for name, piece in found.tensors.items()}
    assert sizes["query_npu"] == [128, 512] and sizes["q_act_seqs_npu"] == [3]
    assert sizes["ori_kv_npu"] == [512, 512] and sizes["cmp_kv_npu"] == [256, 512]
    assert sizes["ori_block_table_npu"] == [2, 2] and sizes["cmp_sparse_indices_npu"] == [2, 512]
    assert found.scalars == {"softmax_scale": 0.044, "win_size": 128, "cmp_ratio": 4}


REFUSED = {
    "tokens": ({"tokens": 2}, "it has 2 query tokens a request"),
    "no list": ({"mode": "HCA"}, "it lists no compressed keys"),
    "no proof of a key": ({"runtime": True}, "is not proven to be"),
    "window": ({"left": 63}, "its window is not the 128 tokens"),
    "heads": ({"heads": 128}, "query heads N1 is 128, not 64"),
    "list": ({"k": 16}, "list width K is 16, not 512"),
    "half": ({"dtype": "f16"}, "query_npu is float16 where bfloat16 is read"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name):
    changes, reason = REFUSED[name]
    assert reason in refusal(pypto(**changes))


def test_a_row_without_compressed_keys_is_undefined():
    """Three tokens make no compressed key of four; the row is whole without it, the kernel's is not."""
    reason = refusal(pypto(keys=64, start=2, compressed=16))
    assert "is not proven to be" in reason
