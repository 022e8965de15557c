"""Windows that close, one entry each, whatever the calls that brought their tokens; padding in none of them."""

import pytest
import torch

from sparse_attn.cache.pooling import Pool
from sparse_attn.cache.requests import Requests

CALLS = {
    "one by one": [[1, 1]] * 13,
    "prompts of 3, 4 and 5": [[3, 4], [5, 1], [1, 1]],
    "pairs": [[2, 2]] * 6,
    "ragged": [[3, 1], [0, 2], [6, 0], [1, 1], [0, 0], [1, 0], [9, 4], [1, 1]],
}


def pool(requests, overlap):
    made = torch.float32, torch.float32, torch.device("cpu")
    return Pool(
        requests, 4, 1, 2 if overlap else 1, lambda entries, positions: entries * 1000 + positions[..., None], *made
    )


def pooled(kept, kv, gate, count):
    """Entries as a compressor would make them: the sum of their tokens, with the overlap that of two windows."""
    if kept.overlap_kv is None:
        return kv.unflatten(1, (count, 4)).sum(2)
    kv, gate = kv.unflatten(1, (count, 4)), gate.unflatten(1, (count, 4))
    before, gate_before = kept.overlap(kv, gate, 1)
    first = torch.cat([torch.where(gate_before.isinf(), 0, before)[:, None], kv[:, :-1, :, :1]], 1)
    return kv[..., 1:].sum(2) + first.sum(2)


@pytest.mark.parametrize("overlap", [False, True], ids=["apart", "overlapping"])
@pytest.mark.parametrize("left", [True, False], ids=["left", "right"])
@pytest.mark.parametrize("calls", CALLS.values(), ids=CALLS)
def test_entries_are_those_of_the_tokens_alone(calls, left, overlap):
    requests = Requests(2, 32, torch.device("cpu"))
    kept, done = pool(requests, overlap), [0, 0]
    for counts in calls:
        width = max(*counts, 1)
        kv, valid = torch.full((2, width, 2 if overlap else 1), 500.0), torch.zeros(2, width, dtype=torch.bool)
        for b, n in enumerate(counts):
            at = slice(width - n, width) if left else slice(0, n)
            kv[b, at], valid[b, at] = torch.arange(done[b], done[b] + n, dtype=torch.float32)[:, None], True
            done[b] += n
        requests.begin(width, None if valid.all() else valid)
        chunk, gate, first = kept.store(kv, kv)
        count = chunk.shape[1] // 4
        assert torch.equal(torch.arange(count) * 4 + first, torch.zeros(count)), "the rotation is not the identity"
        entries = kept.append(pooled(kept, chunk, gate, count))
        requests.end()
        for b in range(2):
            expected = [sum(range(4 * w, 4 * w + 4)) * 1000 + 4 * w for w in range(done[b] // 4)]
            if overlap:
                expected = [e + 1000 * sum(range(4 * w - 4, 4 * w)) * (w > 0) for w, e in enumerate(expected)]
            assert entries[b, : done[b] // 4, 0].tolist() == expected
            assert not entries[b, done[b] // 4 :].any(), "an entry of an open window was stored"


def test_a_full_cache_keeps_its_entries():
    """Windows that could close beyond the last entry take no slot of another."""
    requests = Requests(1, 8, torch.device("cpu"))
    kept = pool(requests, False)
    for n in (7, 1):
        requests.begin(n, None)
        chunk, _, _ = kept.store(torch.ones(1, n, 1), torch.ones(1, n, 1))
        entries = kept.append(chunk.unflatten(1, (-1, 4)).sum(2))
        requests.end()
    assert entries.flatten().tolist() == [4000, 4004]
    requests.begin(2, torch.zeros(1, 2, dtype=torch.bool))
    chunk, _, _ = kept.store(torch.ones(1, 2, 1), torch.ones(1, 2, 1))
    assert kept.append(chunk.unflatten(1, (-1, 4)).sum(2)).flatten().tolist() == [4000, 4004]
