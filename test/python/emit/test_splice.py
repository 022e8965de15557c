"""The emitted graph is the captured one but for the fused sites."""

import pytest
import torch
from sites import K, attend, inputs, listed, scores
from terms import captured

from sparse_attn import emit, ingest
from sparse_attn.backend import optimize
from sparse_attn.options import Options


def site(iq, ik, w, q, k, v):
    before = q * 2
    indices = scores(iq, ik, w).topk(K, -1)[1]
    return attend(before, k, v, listed(indices)) + 1, before


def test_nothing_lifted_is_the_same_graph_node_for_node():
    module = captured(site, *inputs())
    made = emit.splice(ingest.ingest(module).module, module)
    assert made is not module and len(made.graph.nodes) == len(module.graph.nodes)
    for old, new in zip(module.graph.nodes, made.graph.nodes, strict=True):
        assert (old.name, old.op, old.target, str(old.args), str(old.kwargs)) == (
            new.name, new.op, new.target, str(new.args), str(new.kwargs)
        )  # fmt: skip
        assert old.meta == new.meta and old.meta is not new.meta


def test_lift_off_gives_the_graph_itself():
    module = captured(site, *inputs())
    assert optimize(module, Options(lift=False)) is module


def test_surviving_nodes_keep_names_and_meta_and_new_ones_have_values():
    module = captured(site, *inputs())
    made = optimize(module, Options())
    olds = {n.name: n for n in module.graph.nodes}
    new = [n for n in made.graph.nodes if n.name not in olds]
    assert {str(n.target) for n in new} >= {"sparse_attn.lightning_indexer.default", "sparse_attn.attention.default"}
    for node in made.graph.nodes:
        if node.name in olds:
            assert node.target == olds[node.name].target and node.meta.get("val") is olds[node.name].meta.get("val")
        elif node.op == "call_function":
            assert "val" in node.meta
    assert [n.name for n in made.graph.nodes if n.op == "placeholder"] == [
        n.name for n in module.graph.nodes if n.op == "placeholder"
    ]


def test_the_original_is_untouched_and_both_compute_the_same():
    module = captured(site, *inputs())
    before = str(module.graph)
    made = optimize(module, Options())
    assert str(module.graph) == before
    for got, wanted in zip(made(*inputs()), module(*inputs()), strict=True):
        torch.testing.assert_close(got, wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("function", [lambda x: x + 1, lambda x: torch.relu(x)[0]])
def test_a_graph_without_an_anchor_is_not_imported(function):
    module = captured(function, torch.zeros(3, 3))
    imports = ingest.imports
    assert optimize(module, Options()) is module and ingest.imports == imports
