"""The command `report`: reads what explain writes, gives text, JSON or a page."""

import io
import pathlib

import pytest
from reports import explanation, fused, refused, report

from sparse_attn.tools import cli
from sparse_attn.tools.report_json import to_json


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "found.json"
    path.write_text(to_json(explanation(report(fused(), refused()))))
    return str(path)


BEGINNINGS = {"text": "target host: 1 graph", "json": '{\n  "format": 1', "html": "<!DOCTYPE html>"}


@pytest.mark.parametrize("form", BEGINNINGS)
def test_forms(form, source, tmp_path, capsys):
    assert cli.main(["report", source, "--format", form]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(BEGINNINGS[form]) and shown.endswith("\n")
    output = tmp_path / "out"
    assert cli.main(["report", source, "--format", form, "-o", str(output)]) == 0
    assert output.read_text() == shown and capsys.readouterr().out == ""


def test_standard_input(source, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO(pathlib.Path(source).read_text()))
    assert cli.main(["report", "-"]) == 0
    assert "1 of 2 candidates fused" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"{}", "its format is None"), (b"\xff\xfe", "is no text in UTF-8"), (b"[", "it is no JSON")],
)
def test_what_is_no_report_is_a_user_error(content, reason, tmp_path, capsys):
    path = tmp_path / "x.json"
    path.write_bytes(content)
    assert cli.main(["report", str(path)]) == 1
    assert reason in capsys.readouterr().err


def test_an_output_that_cannot_be_written_is_a_user_error(source, tmp_path, capsys):
    assert cli.main(["report", source, "-o", str(tmp_path / "absent" / "x")]) == 1
    assert "cannot write" in capsys.readouterr().err
