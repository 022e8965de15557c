"""What the demo calls wrong."""

import pytest
from reports import fused, refused, report

from sparse_attn.tools import tiny_models
from sparse_attn.tools.demo_cases import CASES, Case, case_of

CASE = Case("x", "X", "deepseek_v32", 1, "dynamic", 2, 2)
EAGER = {"tokens": [1, 2, 3]}


def ours(*graphs, tokens=(1, 2, 3)):
    return {"tokens": list(tokens), "graphs": list(graphs)}


FULL = report(fused("a"), fused("b"))


def test_all_well():
    assert CASE.problems(EAGER, ours(FULL, FULL)) == []


WRONG = {
    "the tokens differ from eager's at 1": ours(FULL, tokens=(1, 5, 3)),
    "the tokens differ from eager's at the end": ours(FULL, tokens=(1, 2)),
    "no graph was compiled": ours(),
    "the prompt's graph has 1 fused candidates, 2 are expected": ours(report(fused("a"), refused("b"))),
    "1 not fused in graphs of single tokens, 0 are expected: attention at model.py:9": ours(
        FULL, report(fused("a"), refused("b"))
    ),
    "could not be imported": ours(FULL, report(whole_graph="could not be imported")),
}


@pytest.mark.parametrize("problem", WRONG)
def test_a_problem_is_found(problem):
    assert CASE.problems(EAGER, WRONG[problem]) == [problem]


def test_single_tokens_may_be_excused():
    excused = Case("x", "X", "deepseek_v32", 1, "dynamic", 2, 2, refused=1)
    assert excused.problems(EAGER, ours(FULL, report(refused("b")))) == []
    (problem,) = excused.problems(EAGER, ours(FULL, report(refused("b")), report(refused("c"))))
    assert problem.startswith("2 not fused in graphs of single tokens, 1 are expected")


def test_cases_are_found_by_name():
    assert [case_of(case.name) for case in CASES] == list(CASES)
    assert all(callable(getattr(tiny_models, case.model)) for case in CASES)
    assert any(case.cache == "static" for case in CASES)
