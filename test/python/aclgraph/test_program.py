"""Torch graphs in the planner's words."""

import pytest
import torch
from capture import decode, graph, step
from capture_ops import ops

from sparse_attn.aclgraph.program import describe, place, roots, written
from sparse_attn.lowering.plan.legality import refusals


def launches(module):
    return [node for node in module.graph.nodes if node.op == "call_function"]


def tasks(function, *args, **settings):
    return describe(graph(function, *args, **settings)).tasks


def only(function, *args, **settings):
    (task,) = tasks(function, *args, **settings)
    return task


def refused(function, *args, **settings):
    return [refusal.rule for refusal in refusals(describe(graph(function, *args, **settings)))]


def test_a_decode_step():
    cache = torch.zeros(2, 16, 8)
    program = describe(graph(decode, cache, *step(2, 0, seed=0)))
    lives = {b.name: (b.life, b.mutated, b.shape) for b in program.buffers.values() if b.life != "scratch"}
    assert lives == {
        "cache_1": ("init_once", True, (2, 16, 8)),
        "query_1": ("rewritten", False, (2, 8)),
        "row_1": ("rewritten", False, (2, 8)),
        "lengths_1": ("rewritten", False, (2,)),
    }
    (write,) = [task for task in program.tasks if task.writes]
    assert write.writes == ("cache_1",) and write.results == ()
    order = [task.name for task in program.tasks]
    readers = [task for task in program.tasks if "cache_1" in task.reads and task is not write]
    assert readers and all(order.index(write.name) < order.index(task.name) for task in readers)
    assert refusals(program) == []


def test_placeholders_named_static_stay():
    program = describe(graph(lambda w, x: (w * x,), torch.ones(2), torch.ones(2)), static=[0])
    assert [b.life for b in program.buffers.values()] == ["init_once", "rewritten", "scratch"]


def test_views_and_numbers_are_no_tasks_and_reads_look_through_them():
    task = only(lambda x: (x.view(2, 3).t()[1] + x.shape[0],), torch.randn(6))
    assert task.operator == "aten.add" and task.reads == ("x_1",)


def test_a_write_through_a_view_is_a_write_into_the_memory_behind_it():
    module = graph(lambda x: (x[1].add_(1), x.sum())[1:], torch.randn(2, 3))
    assert [node.name for node in written(module)] == ["x_1"]
    assert describe(module).tasks[0].writes == ("x_1",)


def test_host_lists_are_told_by_the_schema():
    x = torch.ones(3)
    assert only(lambda x: ops.attend(x, [1, 2]), x).host_lists == ("actual_seq_lengths",)
    assert refused(lambda x: ops.attend(x, [1, 2], [3]), x) == ["host_list"]
    assert only(lambda x: x.sum([0]), x).host_lists == (), "axes and sizes of ATen describe no data"


def test_plans_are_told_by_their_name():
    assert only(ops.plan_metadata, torch.ones(3)).plans and not only(lambda x: x + 1, torch.ones(3)).plans


@pytest.mark.parametrize(
    ("function", "rules"),
    [
        (lambda x: x + torch.rand_like(x), ["random_numbers"]),
        (lambda x: x[x > 0], ["unstable_output"]),
        (torch.nonzero, ["unstable_output"]),
        (lambda x: x.max().item() * x, ["host_read"]),
        (lambda x: x[torch.tensor([0, 1])] + x.max(), []),
        (lambda x: torch.where(x > 0, x, 0.0), []),
    ],
)
def test_what_capture_refuses(function, rules):
    assert refused(function, torch.tensor([1.0, -1.0, 2.0]), mode="symbolic") == rules


def test_reads_by_the_host_are_told_by_the_schema():
    module = graph(lambda x: (x + 1,), torch.ones(3))
    (add,) = launches(module)
    with module.graph.inserting_after(add):
        module.graph.call_function(ops.read.default, (add,)).meta["val"] = 1.0
    assert [refusal.rule for refusal in refusals(describe(module))] == ["host_read"]


def test_copies_between_devices():
    module = graph(lambda x: (x.clone(),), torch.ones(3))
    (clone,) = launches(module)
    with torch._subclasses.FakeTensorMode():
        clone.meta["val"] = torch.empty(3, device="cuda")
    assert [refusal.rule for refusal in refusals(describe(module))] == ["synchronise"]


def test_a_place_is_the_users_innermost_line():
    module = graph(lambda x: (x + 1,), torch.ones(1))
    (add,) = launches(module)
    add.stack_trace = (
        'File "src/run.py", line 3, in main\nFile "src/model.py", line 9, in forward\n'
        'File "lib/torch/nn/functional.py", line 77, in linear'
    )
    assert place(add) == "model.py:9"
    add.stack_trace = None
    assert place(add) == "unknown place"


def test_the_result_of_a_write_lies_in_what_was_written_only():
    module = graph(lambda cache, x: (cache.add_(x), cache.mul_(x)), torch.ones(2), torch.ones(2))
    add, mul = launches(module)
    assert [node.name for node in roots(add)] == ["cache_1"] == [node.name for node in roots(mul)]


def test_an_assertion_is_a_task_without_a_result():
    def work(x):
        torch.ops.aten._assert_async.msg((x < 3).all(), "too long")
        return (x + 1,)

    check = next(task for task in tasks(work, torch.ones(2)) if task.operator == "aten._assert_async")
    assert check.results == () and len(check.reads) == 1


@pytest.mark.parametrize(("dropout", "random"), [(0.0, False), (0.5, True)])
def test_attention_is_random_by_its_dropout_only(dropout, random):
    module = graph(lambda x: (x.clone(),), torch.ones(1, 1, 2, 4))
    (node,) = launches(module)
    node.target = torch.ops.aten.scaled_dot_product_attention.default
    node.args = (*node.args, *node.args, *node.args)
    node.kwargs = {"dropout_p": dropout} if dropout else {}
    (task,) = describe(module).tasks
    assert task.random == random
    node.args, node.kwargs = (*node.args, None, dropout), {}
    assert describe(module).tasks[0].random == random
