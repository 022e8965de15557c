"""Options: defaults, and every bad value named with what is allowed."""

import dataclasses
import pathlib

import pytest

from sparse_attn.errors import BadOption, SparseAttnError
from sparse_attn.options import INNER, PROMISES, TARGETS, Options


def test_defaults():
    made = Options.of(None)
    assert made == Options() == Options.of({})
    assert (made.target, made.inner, made.strict, made.lift, made.explain) == ("auto", "eager", False, True, False)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("inner", INNER)
def test_every_documented_value_is_taken(target, inner):
    made = Options.of({"target": target, "inner": inner, "assume": list(PROMISES), "accept_ranking": "bf16"})
    assert (made.target, made.inner, made.assume) == (target, inner, PROMISES)


@pytest.mark.parametrize("explain", [True, False, "report.txt", pathlib.Path("report.txt")])
def test_explain_is_a_switch_or_a_path(explain):
    assert Options.of({"explain": explain}).explain == explain


BAD = {
    "target": ({"target": "a4"}, "target is 'a4'; it can be 'auto', 'host', 'ascend950', 'a3', 'a2'"),
    "target of another type": ({"target": None}, "target is None"),
    "inner": ({"inner": "aot_eager"}, "inner is 'aot_eager'; it can be"),
    "ranking": ({"accept_ranking": "fp16"}, "accept_ranking is 'fp16'; it can be 'exact', 'bf16'"),
    "absorption": ({"absorb": "always"}, "absorb is 'always'; it can be 'auto', 'on', 'off'"),
    "strict": ({"strict": "yes"}, "strict is 'yes'; it can be True, False"),
    "strict by number": ({"strict": 1}, "strict is 1; it can be True, False"),
    "lift": ({"lift": "no"}, "lift is 'no'; it can be True, False"),
    "lift by number": ({"lift": 0}, "lift is 0; it can be True, False"),
    "explain": ({"explain": 3}, "explain is 3; give True, False or a path"),
    "promise": ({"assume": ("sorted",)}, 'assume holds "sorted"; promises are contiguous_positions'),
    "promise as text": ({"assume": "contiguous_positions"}, "assume is 'contiguous_positions'; give a tuple"),
    "promise as number": ({"assume": 4}, "assume is 4; give a tuple of promises"),
    "unknown": ({"targets": "a3"}, "unknown option targets; the options are absorb, accept_ranking"),
    "two unknown": ({"b": 1, "a": 2}, "unknown option a, b"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_value_is_named_with_what_is_allowed(name):
    given, message = BAD[name]
    with pytest.raises(BadOption) as raised:
        Options.of(given)
    assert message in str(raised.value) and isinstance(raised.value, SparseAttnError)


def test_options_do_not_change_and_their_source_is_not_changed():
    given = {"assume": ["contiguous_positions"]}
    made = Options.of(given)
    assert given == {"assume": ["contiguous_positions"]} and made.assume == ("contiguous_positions",)
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.target = "host"


def test_capture_options_are_checked_together():
    made = Options.of({"aclgraph": True, "piecewise": True, "clone_outputs": False, "graph_limit": 3})
    assert (made.aclgraph, made.piecewise, made.clone_outputs, made.graph_limit) == (True, True, False, 3)
    assert not Options.of({}).aclgraph
    for given in ({"piecewise": True}, {"clone_outputs": False}, {"graph_limit": 2}):
        with pytest.raises(BadOption, match=f"{next(iter(given))} is about captured graphs: pass aclgraph=True"):
            Options.of(given)


@pytest.mark.parametrize("limit", [0, -1, True, 1.5])
def test_a_graph_limit_is_a_number_of_graphs(limit):
    with pytest.raises(BadOption, match="graph_limit is .*; give a number of graphs, at least 1"):  # noqa: RUF043
        Options.of({"aclgraph": True, "graph_limit": limit})


def test_capture_needs_the_eager_inner_backend():
    with pytest.raises(BadOption, match='use inner="eager"'):
        Options.of({"aclgraph": True, "inner": "inductor"})
