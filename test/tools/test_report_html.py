"""Explanations as a page: whole, escaped, and needing nothing else."""

import re
from html.parser import HTMLParser

from reports import EVIL, explanation, fused, refused, report

from sparse_attn.lowering.report import Finding
from sparse_attn.tools import report_html

VOID = ("meta",)


class Reader(HTMLParser):
    """Tags with their attributes, the text, and whether every tag is closed in order."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.texts, self.open = [], [], []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)

    def cards(self):
        return [a["class"] for tag, a in self.tags if tag == "article"]


def test_one_card_for_every_candidate():
    first = report(fused(), refused(notes=["and more"]), assumed=("contiguous_positions",))
    reader = Reader(report_html.page(explanation(first, report(fused()))))
    assert reader.open == [] and reader.cards() == ["card fused", "card", "card fused"]
    text = " ".join(reader.texts)
    for piece in ("its mask is not proven", "and more", "top-k of 4", "model.py:9", "contiguous_positions", "2 of 3"):
        assert piece in text


def test_every_text_is_escaped():
    evil = Finding(EVIL, EVIL, EVIL, (EVIL,), "", EVIL, [EVIL])
    became = Finding(EVIL, EVIL, "other", (), EVIL)
    page = report_html.page(
        explanation(report(evil, became, whole_graph=EVIL, assumed=(EVIL,), seconds=1), target=EVIL)
    )
    reader = Reader(page)
    assert reader.open == [] and "script" not in {tag for tag, _ in reader.tags}
    assert "\x1b" not in page and "\u202e" not in page
    assert sum("<script>alert('x')</script>&\"" in text for text in reader.texts) == 12


def test_nothing_is_loaded_from_elsewhere():
    page = report_html.page(explanation(report(fused())))
    tags = Reader(page).tags
    assert not re.search(r"https?:|//|url\(|@import", page)
    assert not {"link", "img", "iframe", "script", "object", "form"} & {tag for tag, _ in tags}
    assert not [a for _, attributes in tags for a in attributes if a in ("src", "href", "style") or a.startswith("on")]
    assert report_html.POLICY.startswith("default-src 'none'")


def test_an_empty_explanation_is_a_page_too():
    reader = Reader(report_html.page(explanation()))
    assert reader.open == [] and reader.cards() == [] and "no graph holds a candidate" in " ".join(reader.texts)
