"""Numbers read on the host."""

from programs import fault, step

from sparse_attn.lowering.plan.legality import host_read


def test_a_host_read_is_refused_with_place_and_advice():
    text = str(fault(host_read, reads_host=True))
    assert text.startswith("model.py:15: cannot be captured: aten.extra reads a device value on the host")
    assert "largest size of the bucket" in text and text.endswith("[host_read]")


def test_a_step_that_reads_nothing_is_legal():
    assert list(host_read.check(step())) == []
