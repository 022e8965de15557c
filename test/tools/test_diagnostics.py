"""Collecting and printing diagnostics."""

import pytest
from torch_mlir import ir

from sparse_attn.tools.diagnostics import Diagnostic, Sink, printable

SOURCE = ["first", "\tsecond line"]


@pytest.mark.parametrize(
    ("diagnostic", "text"),
    [
        (Diagnostic("error", "a.mlir", 2, 5, "bad"), "a.mlir:2:5: error: bad\n\tsecond line\n\t   ^"),
        (Diagnostic("remark", "a.mlir", 1, 1, "so"), "a.mlir:1:1: remark: so\nfirst\n^"),
        (Diagnostic("error", "a.mlir", 9, 1, "bad"), "a.mlir:9:1: error: bad"),
        (Diagnostic("error", "a.mlir", 0, 0, "bad"), "a.mlir: error: bad"),
        (Diagnostic("error", "a.mlir", 1, 0, "bad"), "a.mlir:1:0: error: bad\nfirst\n^"),
    ],
)
def test_text(diagnostic, text):
    assert diagnostic.text(SOURCE) == text


def test_text_cannot_steer_a_terminal():
    assert printable("a\x1b[31m\x07b\tc\nd\u202e") == "a\ufffd[31m\ufffdb\tc\nd\ufffd"
    assert "\x1b" not in Diagnostic("error", "a\x1b", 1, 1, "b\x1b").text(["c\x1b"])


@pytest.fixture
def sink():
    context = ir.Context()
    sink = Sink(context, "a.mlir")
    yield sink, context
    sink.close()


def test_errors_of_mlir_arrive(sink):
    sink, context = sink
    with pytest.raises(ir.MLIRError):
        ir.Module.parse("func.func @f(", context)
    [found] = sink.found
    assert (found.severity, found.file, found.line, found.column) == ("error", "a.mlir", 1, 13)
    assert sink.failed


def test_notes_arrive_but_not_the_operation_once_more(sink):
    sink, context = sink
    with pytest.raises(ir.MLIRError):
        ir.Module.parse("func.func private @f()\nfunc.func private @f()", context)
    assert [each.severity for each in sink.found] == ["error", "note"]
    assert sink.found[1].message == "see existing symbol definition here" and sink.found[1].line == 1


def test_own_messages(sink):
    sink, context = sink
    with context:
        inside = ir.Location.name("x", ir.Location.file("model.py", 7, 2))
        sink.add("remark", ir.Location.fused([ir.Location.unknown(), inside]), "not fused")
        sink.add("remark", ir.Location.unknown(), "nowhere")
        sink.add("remark", None, "no place")
    places = [(each.file, each.line, each.column) for each in sink.found]
    assert places == [("model.py", 7, 2), ("a.mlir", 0, 0), ("a.mlir", 0, 0)]
    assert not sink.failed


def test_a_closed_sink_hears_nothing(capfd):
    context = ir.Context()
    sink = Sink(context, "a.mlir")
    sink.close()
    with pytest.raises(ir.MLIRError):
        ir.Module.parse("func.func @f(", context)
    assert sink.found == []
    capfd.readouterr()
