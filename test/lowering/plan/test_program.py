"""Counting streams, and buffers by what becomes of them."""

from programs import step

from sparse_attn.lowering.plan.program import Buffer, Task


def test_the_capturing_stream_counts_even_when_empty():
    assert step().streams == 1 and step(Task("side", "f", stream=7)).streams == 2


def test_buffers_by_life():
    assert [b.name for b in step().of_life("rewritten")] == ["row", "lengths"]
    assert [b.name for b in step().of_life("init_once")] == ["cache"]


def test_a_buffer_prints_its_type_when_it_is_known():
    assert str(Buffer("b", "scratch")) == "b (?)"
    assert str(Buffer("b", "init_once", (2, "s0"), "int32", mutated=True)) == "b (2xs0xint32, mutated)"
