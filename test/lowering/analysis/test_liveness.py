"""What still matters: what results and effects depend on, a whole op at a time."""

import torch
from terms import Captured

from sparse_attn.lowering.analysis.liveness import live, live_uses


def graph():
    def function(x):
        values = x.topk(2)[0]
        return values + 1, (x * 3).relu().shape[0] * x

    return Captured(function, torch.randn(4, 5)).graph


def by_op(found, name):
    return [v for v in found.values if v.op == f"torch.aten.{name}"]


def test_results_keep_what_they_are_made_from():
    found = graph()
    alive = live(found)
    assert {v.order for v in found.results} <= alive
    assert all(v.order in alive for v in by_op(found, "topk")), "both results of an op live together"
    assert all(v.order not in alive for v in by_op(found, "relu")), "a value nobody needs is dead"


def test_ignoring_an_op_frees_what_only_it_needs():
    found = graph()
    topk = by_op(found, "topk")[0]
    amount = topk.operands[1]
    assert [user.op for user, _ in amount.uses] == ["torch.aten.topk"]
    without = live(found, ignoring=topk.siblings[1])
    assert topk.order in without, "the op itself stays"
    assert amount.order in live(found) and amount.order not in without


def test_dead_users_are_no_uses():
    found = graph()
    argument = found.arguments[0]
    alive = live(found)
    users = {user.op for user, _ in live_uses(argument, alive)}
    assert "torch.aten.topk" in users
    result = found.results[0]
    assert live_uses(result, alive) == [(None, 0)]
