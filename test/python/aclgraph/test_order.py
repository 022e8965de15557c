"""Plans move in front, never past what they must follow."""

import torch
from capture import graph
from capture_ops import ops

from sparse_attn.aclgraph.order import plans_first


def order(function, *args):
    """(names of the operators after moving, how many plans moved)."""
    module = graph(function, *args)
    expected = module(*[a.clone() for a in args])
    moved = plans_first(module)
    module.graph.lint()
    result = module(*[a.clone() for a in args])
    assert all(map(torch.equal, result, expected))
    return [n.target._opname for n in module.graph.nodes if n.op == "call_function"], moved


X, N = torch.ones(3), torch.ones(3)


def test_a_plan_of_inputs_goes_to_the_front():
    assert order(lambda x, n: (x.exp(), ops.plan_metadata(n)), X, N) == (["plan_metadata", "exp"], 1)


def test_a_plan_stays_behind_what_computes_its_lengths():
    names, moved = order(lambda x, n: (x.exp(), x.sin(), ops.plan_metadata((n + 1).view(3))), X, N)
    assert names == ["exp", "sin", "add", "view", "plan_metadata"] and moved == 0


def test_a_plan_stays_behind_a_write_into_its_lengths_even_through_another_view():
    names, moved = order(lambda x, n: (n[1:].add_(1), x.exp(), ops.plan_metadata(n[:2]))[1:], X, N)
    assert names.index("plan_metadata") > names.index("add_")
    assert moved in (0, 1)


def test_two_plans_keep_their_order_and_nothing_moves_twice():
    names, moved = order(lambda x, n: (ops.plan_metadata(n), ops.plan_metadata(x), x.exp()), X, N)
    assert names == ["plan_metadata", "plan_metadata", "exp"] and moved == 0
