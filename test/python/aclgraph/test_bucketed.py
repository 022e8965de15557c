"""Batches of any size over a few graphs."""

import pytest
import torch
from capture import decode, graph
from capture import step as rows

from sparse_attn.aclgraph import Bucketed, Captured
from sparse_attn.lowering.plan.buckets import BadBuckets

WIDTH = 64


class Serving:
    """A decode step over a flat cache of slots; request r owns the slots from r * WIDTH on, the last slot nobody."""

    def __init__(self, requests=8, tokens=1):
        self.slots = torch.zeros(requests * WIDTH + 1, 8)
        self.tokens = tokens
        self.captured = {}

    def step(self, query, row, slots, table, lengths):
        """query, row [B, q, d]; slots [B, q]; table [B, T] of slots; lengths [B], with this step's tokens."""
        self.slots.index_put_((slots,), row)
        keys = self.slots[table]
        scores = torch.einsum("bqd,btd->bqt", query, keys)
        seen = lengths[:, None] - query.shape[1] + 1 + torch.arange(query.shape[1])
        hidden = torch.arange(table.shape[1])[None, None] >= seen[..., None]
        weights = scores.masked_fill(hidden, float("-inf")).softmax(-1).nan_to_num(0.0)
        return torch.einsum("bqt,btd->bqd", weights, keys), scores.sum(), lengths + 0

    def compiled(self, **inputs):
        """What torch.compile does: one graph for each set of shapes."""
        names = tuple(inputs)
        key = tuple(tuple(value.shape) for value in inputs.values())
        if key not in self.captured:

            def flat(slots_, *values):
                other = Serving.__new__(Serving)
                other.slots = slots_
                return other.step(**dict(zip(names, values, strict=True)))

            self.captured[key] = Captured(graph(flat, self.slots.clone(), *inputs.values()))
        return self.captured[key](self.slots, *inputs.values())

    def inputs(self, lengths, seed, width=WIDTH):
        """One step for requests that have these lengths before it."""
        draw = torch.Generator().manual_seed(seed)
        batch = len(lengths)
        query, row = (torch.randn(batch, self.tokens, 8, generator=draw) for _ in range(2))
        first = torch.arange(batch) * WIDTH
        before = torch.tensor(lengths, dtype=torch.long)
        slots = (first + before)[:, None] + torch.arange(self.tokens)
        table = first[:, None] + torch.arange(width)
        return {"query": query, "row": row, "slots": slots, "table": table, "lengths": before + self.tokens}

    def bucketed(self, batch, **settings):
        nobody = len(self.slots) - 1
        values = {"query": 0, "row": 0, "slots": nobody, "table": nobody, "lengths": 0}
        values |= settings.pop("rows", {})
        return Bucketed(self.step, self.compiled, batch, values, **settings)


@pytest.mark.parametrize("tokens", [1, 2, 4])
def test_every_batch_up_to_the_bucket_equals_eager(tokens):
    served, plain = Serving(tokens=tokens), Serving(tokens=tokens)
    run = served.bucketed([2, 4])
    for seed, lengths in enumerate([[0], [4, 0], [31, 5, 32], [33, 60, 1, 59], [], [60], [7, 8, 9, 10]]):
        (out, _, after), (expected, _, _) = (
            run(**served.inputs(lengths, seed)),
            plain.step(**plain.inputs(lengths, seed)),
        )
        assert out.shape == expected.shape and after.shape[0] == len(lengths)
        torch.testing.assert_close(out, expected, rtol=1e-6, atol=1e-6)
        assert torch.equal(served.slots[:-1], plain.slots[:-1]), "dummy rows write where nobody reads"
    captures = sum(c.statistics.captures for c in served.captured.values())
    assert captures == len(run.used) == 2
    assert run.statistics.replays == 7 and not run.statistics.fallbacks


def test_a_wrong_dummy_value_is_seen():
    """Without the slot that nobody reads, dummy rows overwrite a request: the value is what keeps it safe."""
    served, plain = Serving(), Serving()
    run = served.bucketed([4], rows={"slots": 0})
    run(**served.inputs([0, 0], 1))
    plain.step(**plain.inputs([0, 0], 1))
    assert not torch.equal(served.slots[:-1], plain.slots[:-1])


def test_dummy_rows_are_rewritten_at_every_step():
    """An idle step after a long one must not see its lengths: no visible count is left from before."""
    served = Serving()
    run = served.bucketed([4])
    run(**served.inputs([50, 60, 40, 30], 0))
    run(**served.inputs([], 1))
    (padded,) = run._padded.values()
    assert padded["lengths"].tolist() == [0] * 4 and padded["query"].eq(0).all()
    assert padded["slots"].eq(len(served.slots) - 1).all()


def test_beyond_the_largest_bucket_runs_eagerly_and_unpadded():
    served, plain = Serving(), Serving()
    run = served.bucketed([2, 4])
    inputs = served.inputs([3] * 5, 1)
    assert torch.equal(run(**inputs)[0], plain.step(**inputs)[0])
    assert dict(run.statistics.fallbacks) == {"5 rows are beyond the largest bucket": 1}
    assert not served.captured and not run.used


def test_buckets_of_the_context_keep_short_steps_short():
    served, plain = Serving(), Serving()
    nobody = len(served.slots) - 1
    run = served.bucketed([4], context=[8, 32], columns={"table": nobody})
    for seed, (length, width) in enumerate([(3, 4), (6, 8), (20, 21), (31, 32), (5, 6), (40, 41)]):
        inputs = served.inputs([length, 1], seed, width)
        torch.testing.assert_close(run(**inputs)[0], plain.step(**inputs)[0], rtol=1e-6, atol=1e-6)
    assert run.used == {(4, 8), (4, 32)}
    assert dict(run.statistics.fallbacks) == {"2 rows of 41 columns are beyond the largest bucket": 1}
    assert {padded["table"].shape[1] for padded in run._padded.values()} == {8, 32}


def test_warming_up_captures_every_bucket_and_touches_no_cache():
    served = Serving()
    served.slots.normal_()
    before = served.slots.clone()
    run = served.bucketed([1, 2, 4])
    run.warm_up(**served.inputs([3, 4], 0))
    assert torch.equal(served.slots, before)
    run(**served.inputs([3, 4, 5], 1))
    assert sum(c.statistics.captures for c in served.captured.values()) == len(run.used) == 3


def test_positional_and_other_arguments_are_passed_on():
    def step(x, scale, note=None):
        return x * scale, note

    run = Bucketed(step, step, [4], {"x": 1})
    out, note = run(torch.ones(3), 2, note="kept")
    assert out.tolist() == [2.0] * 3 and note == "kept"


def decode_step(query, row, lengths):
    return decode(torch.zeros(query.shape[0], 8, 8), query, row, lengths)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"rows": {}}, "rows is empty: name the inputs"),
        ({"context": [8]}, "context and columns belong together"),
        ({"context": [8], "columns": {"tables": 0}}, "columns names tables, which rows does not"),
        ({"batch": []}, "batch buckets are"),
    ],
)
def test_settings_that_do_not_fit_together(settings, reason):
    chosen = {"batch": [2], "rows": {"query": 0}, **settings}
    with pytest.raises(BadBuckets, match=reason):
        Bucketed(decode_step, decode_step, **chosen)


def test_inputs_that_do_not_fit_together():
    run = Bucketed(decode_step, decode_step, [4], {"query": 0, "row": 0, "lengths": 0})
    query, row, lengths = rows(2, 0, seed=1)
    with pytest.raises(BadBuckets, match="different numbers of rows"):
        run(query, row, lengths[:1])
    with pytest.raises(BadBuckets, match="lengths must be a tensor"):
        run(query, row)
    run(query, row, lengths)
    with pytest.raises(BadBuckets, match="rows must keep their shape"):
        run(query.double(), row, lengths)
