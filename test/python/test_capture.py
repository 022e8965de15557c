"""Composites stay whole while the compiler captures, and only then."""

import pytest
import torch
from terms import captured, captured_whole

from sparse_attn.capture import COMPOSITES, composites_kept

A, B = torch.randn(3, 4), torch.randn(5, 4)
CASES = {
    "matmul": lambda a, b: torch.matmul(a, b.t()),
    "linear": torch.nn.functional.linear,
    "einsum": lambda a, b: torch.einsum("ik,jk->ij", a, b),
    "layer_norm": lambda a, b: torch.nn.functional.layer_norm(a, (4,), b[0]),
    "scaled_dot_product_attention": lambda a, b: torch.nn.functional.scaled_dot_product_attention(
        a[None, None], b[None, None], b[None, None]
    ),
}


def targets(graph):
    return {n.target for n in graph.graph.nodes if n.op == "call_function"}


def test_every_composite_has_a_case():
    assert {getattr(torch.ops.aten, name).default for name in CASES} == set(COMPOSITES)


@pytest.mark.parametrize("name", CASES)
def test_kept_inside_and_taken_apart_outside(name):
    composite = getattr(torch.ops.aten, name).default
    assert composite in targets(captured_whole(CASES[name], A, B))
    assert composite not in targets(captured(CASES[name], A, B))


def test_dispatch_is_as_before_after_an_error():
    with pytest.raises(KeyError), composites_kept():
        raise KeyError
    assert torch.ops.aten.einsum.default not in targets(captured(CASES["einsum"], A, B))
    torch.testing.assert_close(CASES["einsum"](A, B), A @ B.t())
