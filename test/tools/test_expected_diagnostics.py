"""Expectations in comments against what was found."""

import pytest

from sparse_attn.tools.diagnostics import Diagnostic
from sparse_attn.tools.expected_diagnostics import expectations, mismatches


def error(line, message, severity="error"):
    return Diagnostic(severity, "a.mlir", line, 1, message)


@pytest.mark.parametrize(
    ("place", "line"), [("", 3), ("@+2", 5), ("@-1", 2), ("@above", 2), ("@below", 4), ("@unknown", 0), (" @+1", 4)]
)
def test_places(place, line):
    lines = ["", "", f"op // expected-error{place} {{{{bad}}}}"]
    assert [each.line for each in expectations(lines)] == [line]
    assert mismatches(lines, [error(line, "a bad thing")], "a.mlir") == []
    assert len(mismatches(lines, [error(line + 7, "a bad thing")], "a.mlir")) == 2


@pytest.mark.parametrize("severity", ["error", "warning", "remark", "note"])
def test_severities(severity):
    lines = [f"// expected-{severity} {{{{x}}}}"]
    assert mismatches(lines, [error(1, "x", severity)], "a.mlir") == []
    other = "note" if severity != "note" else "error"
    problems = mismatches(lines, [error(1, "x", other)], "a.mlir")
    assert [each.message for each in problems] == [
        f"unexpected {other}: x",
        f'expected {severity} "x" was not produced',
    ]


def test_text_is_literal_unless_it_says_re():
    assert mismatches(["// expected-error {{a.c [1]}}"], [error(1, "has a.c [1] in it")], "a") == []
    assert mismatches(["// expected-error {{a.c}}"], [error(1, "abc")], "a") != []
    pattern = ["// expected-error-re {{dim {{[0-9]+}} of (x)}}"]
    assert mismatches(pattern, [error(1, "dim 42 of (x)")], "a") == []
    assert mismatches(pattern, [error(1, "dim two of (x)")], "a") != []


def test_each_expectation_is_met_once():
    lines = ["// expected-error {{x}}"]
    [problem] = mismatches(lines, [error(1, "x"), error(1, "x")], "a.mlir")
    assert problem.message == "unexpected error: x"
    twice = ["// expected-error@+2 {{x}}", "// expected-error@+1 {{x}}", ""]
    assert mismatches(twice, [error(3, "x"), error(3, "x")], "a.mlir") == []
    [problem] = mismatches(twice, [error(3, "x")], "a.mlir")
    assert (problem.line, problem.message) == (2, 'expected error "x" was not produced')


def test_other_comments_expect_nothing():
    assert expectations(["// error expected", "// expected-errors {{x}}", "// expected-error without braces"]) == []
