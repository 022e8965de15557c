"""Preparing and running steps."""

import pytest
from torch_mlir import ir

from sparse_attn.dialect import registry
from sparse_attn.lowering import passes
from sparse_attn.tools.diagnostics import Sink
from sparse_attn.tools.pass_steps import prepare, run_all
from sparse_attn.tools.pipeline_text import PipelineError, parse

TEXT = "func.func @f(%a: i32) { return }"


@pytest.fixture
def bench(monkeypatch):
    """Runs a pipeline with passes of this test: (succeeded, sink, what was watched)."""
    monkeypatch.setattr(passes, "PASSES", dict(passes.all_passes()))
    context = registry.new_context()
    module = ir.Module.parse(TEXT, context)
    sink = Sink(context, "a.mlir")
    watched = []

    def run(pipeline):
        runnables = prepare(parse(pipeline), context)
        ok = run_all(runnables, module, sink, lambda when, name, _: watched.append(f"{when} {name}"))
        return ok, [(each.severity, each.message) for each in sink.found], watched

    yield run
    sink.close()


def enter(name, run, **options):
    passes.register_pass(name, "for a test", options)(run)


def test_python_and_cpp_passes_follow_each_other(bench):
    seen = []
    enter("sparse-attn-see", lambda module, options: seen.append(options), depth=1)
    ok, found, watched = bench("builtin.module(sparse-attn-see{depth=4},func.func(cse),sparse-attn-see)")
    assert ok and found == [] and seen == [{"depth": 4}, {"depth": 1}]
    wanted = ["before sparse-attn-see", "after sparse-attn-see", "before cse", "after cse"]
    assert watched == [*wanted, "before sparse-attn-see", "after sparse-attn-see"]


def fail(module, options):
    raise passes.PassFailed


def fail_with_text(module, options):
    raise passes.PassFailed("no plan for these sizes")


def fail_after_an_error(module, options):
    module.body.operations[0].location.emit_error("bad function")
    raise passes.PassFailed


def emit_only(module, options):
    module.body.operations[0].location.emit_error("bad function")


def crash(module, options):
    raise KeyError("lost")


def break_ir(module, options):
    with module.context:
        module.body.operations[0].attributes["function_type"] = ir.TypeAttr.get(ir.Type.parse("() -> ()"))


@pytest.mark.parametrize(
    ("run", "messages"),
    [
        (fail, ["sparse-attn-try: failed"]),
        (fail_with_text, ["sparse-attn-try: no plan for these sizes"]),
        (fail_after_an_error, ["bad function"]),
        (emit_only, ["bad function"]),
        (crash, ["sparse-attn-try: internal error, KeyError: 'lost'"]),
    ],
)
def test_every_failure_stops_and_is_one_error(bench, run, messages):
    enter("sparse-attn-try", run)
    ok, found, watched = bench("builtin.module(sparse-attn-try,func.func(cse))")
    assert not ok and found == [("error", message) for message in messages]
    assert watched == ["before sparse-attn-try"]


def test_the_ir_is_verified_after_a_python_pass(bench):
    enter("sparse-attn-try", break_ir)
    ok, found, _ = bench("builtin.module(sparse-attn-try)")
    assert not ok and "entry block" in found[0][1]


def test_remarks_are_no_failure(bench):
    enter("sparse-attn-try", lambda module, options: passes.remark(module.operation.location, "not fused"))
    ok, found, _ = bench("builtin.module(sparse-attn-try)")
    assert ok and found == [("remark", "not fused")]


def test_a_failing_cpp_pass_stops(bench):
    ok, found, watched = bench("builtin.module(func.func(inline),cse)")
    assert not ok and "does not define a symbol table" in found[0][1]
    assert watched == ["before inline"]


@pytest.mark.parametrize(
    ("pipeline", "reason"),
    [
        ("builtin.module(sparse-attn-lost)", "'sparse-attn-lost' does not refer to a registered pass"),
        ("builtin.module(func.func(sparse-attn-verify))", "runs on builtin.module, not on func.func"),
        ("builtin.module(sparse-attn-verify{x=1})", "sparse-attn-verify: unknown option 'x'"),
        ("builtin.module(canonicalize{no-such-option=1})", "canonicalize: .*no such option no-such-option"),
    ],
)
def test_a_wrong_step_stops_before_any_runs(bench, pipeline, reason, capfd):
    seen = []
    enter("sparse-attn-see", lambda module, options: seen.append(1))
    with pytest.raises(PipelineError, match=reason):
        bench(pipeline.replace("(", "(sparse-attn-see,", 1))
    assert seen == []
    capfd.readouterr()
