"""The steps in order, and what each may leave behind."""

import pytest
from torch_mlir import ir

from sparse_attn.dialect import registry
from sparse_attn.lowering import pipeline
from sparse_attn.lowering.passes import PASSES, Pass, PassFailed
from sparse_attn.lowering.report import Report

MODULE = """
func.func @main(%x: !torch.vtensor<[?,4],f32>) -> !torch.vtensor<[?,4],f32>
    attributes {arg_attrs = [{sparse_attn.dims = "s0, 4"}], sparse_attn.symbols = ["s0>=2"]} {
  %y = torch.aten.relu %x {sparse_attn.dims = ["s0, 4"]} : !torch.vtensor<[?,4],f32> -> !torch.vtensor<[?,4],f32>
  return %y : !torch.vtensor<[?,4],f32>
}
"""


@pytest.fixture
def module():
    with registry.new_context(), ir.Location.unknown():
        yield ir.Module.parse(MODULE.replace("arg_attrs = [", "arg_attrs_text = ["))


@pytest.fixture
def step(monkeypatch):
    """A pipeline of one step that runs the given function."""

    def make(function, leaves=frozenset()):
        monkeypatch.setitem(PASSES, "test-step", Pass("test-step", "a step of a test", function))
        return (pipeline.Step("test-step", frozenset(leaves)),)

    return make


def test_steps_run_in_the_order_of_the_design(module):
    seen = []
    pipeline.run(module, {"target": "host"}, Report(), on_step=lambda name, seconds: seen.append((name, seconds >= 0)))
    names = [name.removeprefix("sparse-attn-") for name, _ in seen]
    assert names[:3] == ["lift", "fuse", "settle"] and names.index("settle") < names.index("select")
    assert all(timed for _, timed in seen)


def test_a_leftover_that_may_not_exist_is_an_error(module, step):
    def leave(module, options):
        block = module.body.operations[0].regions[0].blocks[0]
        with ir.InsertionPoint.at_block_begin(block):
            kind = ir.Type.parse("tensor<1x2x4xi32>")
            indices = ir.Operation.create("test.list", [kind]).result
            ir.Operation.create("sparse_attn.selection", [ir.Type.parse("tensor<1x2x8xi1>")], [indices])

    module.context.allow_unregistered_dialects = True
    with pytest.raises(PassFailed, match=r"left a sparse_attn\.selection"):
        pipeline.run(module, {}, Report(), step(leave))
    pipeline.run(module, {}, Report(), step(lambda module, options: None, {"selection"}))


def test_a_dynamic_tensor_must_say_its_sizes(module, step):
    def forget(module, options):
        operation = module.body.operations[0].regions[0].blocks[0].operations[0].operation
        del operation.attributes["sparse_attn.dims"]

    with pytest.raises(PassFailed, match=r"made a torch\.aten\.relu of dynamic size without saying which size"):
        pipeline.run(module, {}, Report(), step(forget))


def test_options_reach_only_the_step_that_knows_them(module, monkeypatch):
    seen = {}
    monkeypatch.setitem(
        PASSES, "test-step", Pass("test-step", "", lambda module, options: seen.update(options), {"target": "a"})
    )
    steps = (pipeline.Step("test-step", frozenset()),)
    pipeline.run(module, {"target": "b", "other": 1}, Report(), steps)
    assert seen == {"target": "b"}
