"""Shapes in named dims: what fits, what is learned, what is said when it does not fit."""

import pytest

from sparse_attn.dialect.npu import SPECS
from sparse_attn.dialect.npu.shapes import bind


@pytest.mark.parametrize(
    ("text", "shape", "learned"),
    [
        ("B S D", (2, 3, 4), {"B": 2, "S": 3, "D": 4}),
        ("B+1", (3,), {"B": 2}),
        ("D/2 2", (64, 2), {"D": 128}),
        ("_ D", (9, 4), {"D": 4}),
        ("B S", (None, 3), {"S": 3}),
    ],
)
def test_names_are_learned(text, shape, learned):
    dims = {}
    assert bind(text, shape, dims) is None
    assert dims == learned


@pytest.mark.parametrize(
    ("text", "shape", "says"),
    [
        ("B S", (2,), "it has 1 axes where [B, S] has 2"),
        ("B S", (3, 1), "axis 0 is 3 where B = 2 asks for 2 in [B, S]"),
        ("B+1", (4,), "axis 0 is 4 where B = 2 asks for 3"),
        ("D/64 2", (3, 2), "axis 0 is 3 where D = 128 asks for 2"),
        ("1024", (1,), "axis 0 is 1, not 1024, in [1024]"),
    ],
)
def test_what_does_not_fit_is_said(text, shape, says):
    assert says in bind(text, shape, {"B": 2, "D": 128})


def test_an_unknown_size_fits_everything():
    assert bind("B+1 1024 D", (None, None, None), {"B": 2}) is None


def test_an_unreadable_shape_text_is_an_error_of_the_spec():
    with pytest.raises(ValueError, match=r"unreadable dim 'B\*2'"):
        bind("B*2", (4,), {})


@pytest.mark.parametrize("name", SPECS)
def test_every_shape_text_is_readable(name):
    for row in SPECS[name].tensors.values():
        for text in row.shapes.values():
            bind(text, (None,) * len(text.split()), {})
