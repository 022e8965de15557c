"""Explanations as text."""

from reports import EVIL, explanation, fused, refused, report

from sparse_attn.tools import report_text


def test_every_graph_and_candidate_is_shown():
    text = report_text.text(explanation(report(fused(), refused()), report(whole_graph="why not"), target="a2"))
    assert text.startswith("target a2: 2 graphs with candidates, 1 of 2 candidates fused\n\ngraph 1 of 2 (0.50 s")
    assert "  indexer at model.py:7: fused: sparse_attn.lightning_indexer\n    found: scores relu; top-k of 4\n" in text
    assert "  attention at model.py:9: not fused: its mask is not proven\n" in text
    assert text.endswith("graph 2 of 2 (0.50 s in this compiler)\n  why not\n")


def test_nothing_found_is_said():
    assert "no graph holds a candidate" in report_text.text(explanation())
    assert report_text.summary([report(fused())]) == "1 graph with candidates, 1 of 1 candidates fused"


def test_control_characters_do_not_reach_the_terminal():
    text = report_text.text(explanation(report(refused(reason=EVIL))))
    assert "\x1b" not in text and "\u202e" not in text and "\ufffd[31m" in text


def test_equal_candidates_are_gathered():
    lines = report_text.gathered([fused("a"), refused("b"), fused("c"), refused("d", reason="other"), refused("e", "")])
    assert lines == [
        "2 x indexer at model.py:7: became sparse_attn.lightning_indexer",
        "1 x attention at model.py:9: not fused: its mask is not proven",
        "1 x attention at model.py:9: not fused: other",
        "1 x attention at model.py:9: not fused: no reason recorded",
    ]
