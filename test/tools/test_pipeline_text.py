"""Reading pipelines and options."""

import pytest

from sparse_attn.tools.pipeline_text import PipelineError, parse, parse_options


def steps(text):
    return [("/".join(step.anchors), step.name, step.options) for step in parse(text)]


def test_steps_in_order_with_nesting_and_options():
    text = "builtin.module(a, func.func(b{x=1 y={z=2}},c) , d{pipeline=func.func(e,f)})"
    assert steps(text) == [
        ("builtin.module", "a", ""),
        ("builtin.module/func.func", "b", "x=1 y={z=2}"),
        ("builtin.module/func.func", "c", ""),
        ("builtin.module", "d", "pipeline=func.func(e,f)"),
    ]


def test_an_empty_pipeline():
    assert steps("builtin.module()") == []
    assert steps(" builtin.module( ) ") == []
    assert steps("builtin.module(func.func())") == []


def test_a_step_is_a_pipeline_of_its_own():
    [step] = parse("builtin.module(func.func(scf.for(canonicalize{top-down=true})))")
    assert step.text == "builtin.module(func.func(scf.for(canonicalize{top-down=true})))"
    assert step.column == 34


@pytest.mark.parametrize(
    ("text", "reason", "column"),
    [
        ("", "expected the name of a pass", 1),
        ("cse", "a pipeline is written builtin.module(...); 'cse' is outside of it", 1),
        ("func.func(cse)", "'cse' is outside of it", 11),
        ("builtin.module(cse", "missing ) after builtin.module(...", 19),
        ("builtin.module(cse))", "unexpected ')'", 20),
        ("builtin.module(a,,b)", "expected the name of a pass", 18),
        ("builtin.module(a,)", "expected the name of a pass", 18),
        ("builtin.module(,a)", "expected the name of a pass", 16),
        ("builtin.module(a{x=1)", "missing } after options", 17),
        ("builtin.module(a}b)", "missing ) after builtin.module(...", 17),
        ("builtin.module(a{x}b)", "missing ) after builtin.module(...", 20),
        ("builtin.module(a),cse", "'cse' is outside of it", 19),
    ],
)
def test_malformed_pipelines(text, reason, column):
    with pytest.raises(PipelineError) as caught:
        parse(text)
    assert reason in str(caught.value)
    assert caught.value.column == column


DECLARED = {"limit": 10, "scale": 1.0, "deep": False, "target": "host", "path": None}


def test_options_have_the_type_of_their_default():
    assert parse_options("", DECLARED) == DECLARED
    found = parse_options("limit=3 scale=2 deep target=a3 path=x/y", DECLARED)
    assert found == {"limit": 3, "scale": 2.0, "deep": True, "target": "a3", "path": "x/y"}
    assert parse_options("deep=false", {"deep": True}) == {"deep": False}
    assert DECLARED["limit"] == 10


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("depth=1", "unknown option 'depth'; known are limit, scale, deep, target, path"),
        ("limit=many", "option 'limit' must be int, got 'many'"),
        ("scale=x", "option 'scale' must be float, got 'x'"),
        ("deep=yes", "option 'deep' must be true or false, got 'yes'"),
        ("limit", "option 'limit' must be int, got 'true'"),
    ],
)
def test_wrong_options(text, reason):
    with pytest.raises(ValueError, match=reason):
        parse_options(text, DECLARED)


def test_options_of_a_pass_without_any():
    with pytest.raises(ValueError, match="known are none"):
        parse_options("x=1", {})
