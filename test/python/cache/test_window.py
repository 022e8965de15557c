"""A ring of keys against a plain list: each token sees itself and the W - 1 tokens before it, and nothing else."""

import pytest
import torch

from sparse_attn.cache import masks
from sparse_attn.cache.requests import Requests
from sparse_attn.cache.window import Window

CALLS = {
    "one by one": [[1, 1]] * 12,
    "prefill": [[9, 9], [1, 1], [1, 1]],
    "pairs": [[2, 2]] * 7,
    "longer than the window at once": [[3, 3], [11, 11], [2, 2], [1, 1]],
    "ragged": [[3, 1], [0, 2], [5, 0], [1, 1], [0, 0], [1, 0], [7, 4], [1, 1]],
}


@pytest.mark.parametrize("left", [True, False], ids=["left", "right"])
@pytest.mark.parametrize("size", [1, 2, 4, 5])
@pytest.mark.parametrize("calls", CALLS.values(), ids=CALLS)
def test_a_token_sees_its_window(calls, size, left):
    requests = Requests(2, 64, torch.device("cpu"))
    window = Window(requests, size, 1, torch.float32, torch.device("cpu"))
    done = [0, 0]
    for counts in calls:
        width = max(*counts, 1)
        columns = [[width - n + i if left else i for i in range(n)] for n in counts]
        keys, valid = torch.full((2, width, 1), -1.0), torch.zeros(2, width, dtype=torch.bool)
        for b in range(2):
            for i, column in enumerate(columns[b]):
                keys[b, column], valid[b, column] = done[b] + i, True
        step = requests.begin(width, None if valid.all() else valid)
        held, seen = window.update(keys)[..., 0], masks.of_window(step, size)[:, 0]
        assert held.shape[1] == size - 1 + width == seen.shape[2]
        for b in range(2):
            for i, column in enumerate(columns[b]):
                position = done[b] + i
                assert sorted(held[b, seen[b, column]].tolist()) == list(
                    range(max(0, position - size + 1), position + 1)
                )
            done[b] += counts[b]
        assert seen.any(-1).all(), "a row without keys has no softmax"
        requests.end()
