"""What is too much is not tried."""

from sparse_attn.tools.bench.peers import Cost


def test_too_much_memory():
    assert Cost(1.0, 9e9).too_much(1e12) == "needs about 9 GB at once, more than 8 GB"


def test_too_much_time():
    assert Cost(1e12, 0).too_much(1e10) == "would take about 100 s, more than 30 s"


def test_a_modest_call_may_be_tried():
    assert Cost(1e10, 1e9).too_much(1e10) == ""


def test_temporaries_cost_time_too():
    assert Cost(0, 4e9).seconds(1e10) == 2.0
