"""Explanations as JSON: there and back unchanged; what is not one is refused with the place."""

import json

import pytest
from reports import EVIL, explanation, fused, refused, report

from sparse_attn.tools.report_json import NotAReport, from_json, to_json

WHOLE = explanation(
    report(fused(notes=["one"]), refused(reason=EVIL), assumed=("contiguous_positions",)),
    report(whole_graph="the graph could not be imported: x"),
    target="a3",
)


def test_there_and_back():
    text = to_json(WHOLE)
    again = from_json(text)
    assert again.target == "a3" and len(again.reports) == 2
    for made, wanted in zip(again.reports, WHOLE.reports, strict=True):
        assert vars(made) == vars(wanted)
    assert to_json(again) == text


def test_the_text_is_plain_ascii_and_says_fused():
    text = to_json(WHOLE)
    assert text.isascii() and "\x1b" not in text
    assert [f["fused"] for f in json.loads(text)["graphs"][0]["findings"]] == [True, False]


def edited(change):
    document = json.loads(to_json(WHOLE))
    change(document)
    return json.dumps(document)


def finding(document):
    return document["graphs"][0]["findings"][0]


WRONG = {
    "format is 2": lambda d: d.update(format=2),
    "target is no str": lambda d: d.update(target=1),
    "graphs is no list": lambda d: d.update(graphs={}),
    r"graphs\[1\] is no dict": lambda d: d["graphs"].__setitem__(1, "x"),
    r"graphs\[0\].whole_graph is no str": lambda d: d["graphs"][0].pop("whole_graph"),
    r"graphs\[0\].seconds.total is no time": lambda d: d["graphs"][0]["seconds"].update(total=-1),
    r"graphs\[0\].seconds.ingest is no time": lambda d: d["graphs"][0]["seconds"].update(ingest=True),
    r"findings\[0\].site is no str": lambda d: finding(d).update(site=None),
    r"findings\[0\].kind is none of indexer, attention": lambda d: finding(d).update(kind="other"),
    r"findings\[0\].pieces\[1\] is no str": lambda d: finding(d).update(pieces=["a", 2]),
    r"findings\[0\].notes is no list": lambda d: finding(d).update(notes="a"),
    r"findings\[0\].fused does not agree": lambda d: finding(d).update(fused=False),
    r"findings\[1\].node is there twice": lambda d: d["graphs"][0]["findings"][1].update(node="topk"),
}


@pytest.mark.parametrize("reason", WRONG)
def test_a_wrong_document_is_refused_with_the_place(reason):
    with pytest.raises(NotAReport, match=reason):
        from_json(edited(WRONG[reason]))


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "[]", "3", "null", '{"format": 1}'])
def test_other_text_is_refused(text):
    with pytest.raises(NotAReport):
        from_json(text)
