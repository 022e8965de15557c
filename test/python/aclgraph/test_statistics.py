"""Counting and printing."""

from collections import Counter

from sparse_attn.aclgraph.statistics import Statistics


def test_counts_add_up_and_reasons_are_printed():
    total = Statistics(captures=1, replays=2)
    total.add(Statistics(1, 3, Counter({"cache moved": 1}), Counter({"too many rows": 2})))
    total.add(Statistics(fallbacks=Counter({"too many rows": 1, "illegal": 1})))
    assert total.text().splitlines() == [
        "2 captures, 5 replays, 4 calls without a graph",
        "  recaptured 1 times: cache moved",
        "  not replayed 3 times: too many rows",
        "  not replayed 1 times: illegal",
    ]
