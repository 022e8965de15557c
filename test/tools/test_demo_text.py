"""What the demo says of a case."""

from reports import EVIL, fused, refused, report

from sparse_attn.tools import demo_text
from sparse_attn.tools.demo_cases import CASES, Case

CASE = Case("x", "X", "deepseek_v32", 1, "dynamic", 2, 1)
NPU = "ascend950"


def outcome(graphs, tokens=(1, 2, 3), seconds=(1.0, 0.5, 0.004), after=(1, 2, 2)):
    return {
        "tokens": list(tokens), "seconds": list(seconds), "graphs_after": list(after), "memory": 7.4, "graphs": graphs
    }  # fmt: skip


def said(ours, wrong=(), most=2):
    eager = outcome([], seconds=(1.0, 0.002, 0.004), after=(0, 0, 0))
    return demo_text.outcome(
        CASE, {"eager": eager, "sparse_attn": ours, NPU: outcome([report(refused())])}, wrong, NPU, most
    )


def test_tokens_times_and_memory():
    text = said(outcome([report(fused()), report(fused())]))
    assert "3 greedy tokens equal to eager's" in text
    assert "prompt: 1 graph with candidates, 1 of 1 candidates fused" in text
    assert "1.5 s with 2 compilations, of which 1.0 s are ours" in text
    assert "one step: 3 ms in eager, 4 ms compiled" in text
    assert "peak grew by 7 MiB in eager" in text and "WRONG" not in text


def test_other_tokens_and_problems_are_shouted():
    text = said(outcome([report(fused())], tokens=(1, 2, 4)), wrong=["the tokens differ"])
    assert "NOT EQUAL" in text and "WRONG     the tokens differ" in text


def test_no_settled_step_is_said():
    assert "every compiled one made another graph" in said(outcome([report(fused())], after=(1, 2, 3)))
    assert demo_text.settled([9.0, 1.0, 2.0, 3.0], [1, 2, 2, 2]) == [2.0, 3.0]


def test_refusals_come_first_and_the_rest_is_counted():
    text = said(outcome([report(fused("a"), refused("b"), refused("c", reason="other"))]))
    host = text.split("on host:\n")[1].splitlines()
    assert "its mask is not proven" in host[0] and "other" in host[1] and host[2] == "    ... and 1 more"
    assert f"for {NPU}, the prompt's graph (compiled and explained, not run):" in text


def test_control_characters_are_not_printed():
    assert "\x1b" not in said(outcome([report(refused(reason=EVIL))]))
    assert "\x1b" not in demo_text.verdict([EVIL], 1.0)


def test_the_introduction_says_what_is_left_out():
    text = demo_text.introduction(CASES, 3)
    assert all(case.title in text for case in CASES) and "Seed 3" in text


def test_verdict():
    assert demo_text.verdict([], 12.3).endswith("in 12 s.")
    assert demo_text.verdict(["a: b"], 1).splitlines()[1] == "  a: b"
