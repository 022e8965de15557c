"""The progress bar: redrawn on a terminal, a single line elsewhere."""

import io

import pytest

from sparse_attn.tools.progress import WIDTH, Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(stream, steps=4, done=2):
    with Progress("work", steps, stream) as progress:
        for each in range(done):
            progress.step(f"step {each}")
    return stream.getvalue()


def test_elsewhere_it_is_one_line_without_carriage_returns():
    text = shown(io.StringIO())
    assert text.startswith("work: 2 of 4 steps, done in ") and text.count("\n") == 1 and "\r" not in text


def test_on_a_terminal_it_is_redrawn():
    text = shown(Terminal())
    assert text.count("\r") == 4 and text.count("\n") == 1
    assert f"[{'#' * (WIDTH // 2)}{'.' * (WIDTH // 2)}] 2/4 step 1" in text


def test_a_shorter_line_covers_the_longer_one():
    stream = Terminal()
    with Progress("w", 2, stream) as progress:
        progress.step("a long note")
        progress.step("x")
    _, _, long, short, _ = stream.getvalue().split("\r")
    assert len(short) >= len(long)


def test_more_steps_than_planned_do_not_overflow():
    assert "2/2" in shown(Terminal(), steps=2, done=5) and "5/2" not in shown(Terminal(), steps=2, done=5)


def test_an_error_is_told():
    stream = io.StringIO()
    with pytest.raises(KeyError), Progress("work", 1, stream):
        raise KeyError
    assert "0 of 1 steps, stopped in" in stream.getvalue()
