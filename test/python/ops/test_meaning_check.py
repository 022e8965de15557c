"""Arguments of a call by name, and the dialect's constraints on them."""

import pytest
import torch
from meaning_cases import draw
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv

from sparse_attn.ops import meaning_check


def test_arguments_come_in_schema_order_with_defaults():
    query, key = draw(1, 2, 3, 4), draw(1, 5, 4)
    values = meaning_check.arguments("index_scores", (query, key), {"reduce": "sum"})
    names = ["query", "key", "weights", "query_scale", "key_scale", "scale", "activation", "reduce"]
    assert list(values) == names
    assert values["weights"] is None and values["scale"] == 1.0 and values["reduce"] == "sum"


def test_the_number_of_the_broken_constraint_is_in_the_text():
    values = meaning_check.arguments("topk", (draw(1, 2, 3),), {"k": 0})
    with pytest.raises(ValueError, match=r"^sparse_attn.topk: \[c1\] attribute `k` must be at least 1, got 0$"):
        meaning_check.check("topk", values)
    meaning_check.check("topk", values | {"k": 1})


def test_a_symbolic_size_may_be_anything():
    """Inside a trace a constraint judges what is known and installs no guard for the rest."""
    shapes = ShapeEnv()
    with FakeTensorMode(shape_env=shapes):
        query, key = torch.empty(3, 2, 3, 4), torch.empty(shapes.create_unbacked_symint(), 5, 4)
        values = meaning_check.arguments("index_scores", (query, key), {"reduce": "sum"})
        meaning_check.check("index_scores", values, symbolic=True)
        with pytest.raises(ValueError, match=r"\[c3\].*dimension d is 7"):
            meaning_check.check("index_scores", values | {"key": key.new_empty(3, 5, 7)}, symbolic=True)
    assert not shapes.guards


def test_a_missing_operand_is_refused():
    values = meaning_check.arguments("index_scores", (draw(1, 2, 3, 4), draw(1, 5, 4)), {})
    with pytest.raises(ValueError, match=r"\[c5\]"):
        meaning_check.check("index_scores", values)
