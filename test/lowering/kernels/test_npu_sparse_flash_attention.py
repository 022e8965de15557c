"""npu_sparse_flash_attention: absorbed latent attention, keys and queries split into latent and rotary parts."""

import pytest
from contracts import absorbed, decided, draft, refusal, v4

KERNEL = "npu::npu_sparse_flash_attention"


def flash(text, target="a3"):
    return decided(text, KERNEL, target)


def test_the_parts():
    found = draft(flash(absorbed()))
    sizes = {name: [d.const for d in piece.dims] for name, piece in found.tensors.items()}
    assert sizes["query"] == [1, 3, 4, 512] and sizes["query_rope"] == [1, 3, 4, 64]
    assert sizes["key"] == sizes["value"] == [1, 40, 1, 512] and sizes["key_rope"] == [1, 40, 1, 64]
    assert found.tensors["key"] is found.tensors["value"]  # the kernel wants one storage
    assert found.scalars == {"scale_value": 0.1, "sparse_mode": 3, "attention_mode": 2}


def test_without_a_mask():
    assert draft(flash(absorbed(mask="none", tokens=1))).scalars["sparse_mode"] == 0


REFUSED = {
    "own keys": (absorbed(groups=4), "it has 4 key heads; the kernel reads one latent key for all of them"),
    "widths": (absorbed(latent=448), "its key rows are 512 channels with 448 of value"),
    "no list": (v4("SWA"), "it lists no keys"),
    "compressed": (v4("CSA"), "it has compressed keys"),
    "window": (absorbed(mask="band", attributes={"ori_left": 7, "ori_right": 0}), "it has a window"),
    "heads": (absorbed(heads=3), "query heads N1 is 3, not 1 or 2"),
    "dtype": (absorbed(dtype="f32"), "query is f32"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name):
    text, reason = REFUSED[name]
    assert reason in refusal(flash(text))


def test_rows_without_keys():
    """Zero in the kernel: the graph must say so too, or have none."""
    mean = {"empty_rows": "mean"}
    assert draft(flash(absorbed(attributes=mean)))
    assert "a row without keys is `mean` in the graph" in refusal(flash(absorbed(attributes=mean, tokens=41)))
    assert draft(flash(absorbed(tokens=41)))
