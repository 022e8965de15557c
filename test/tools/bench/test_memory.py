"""Memory of a call: what is freed again counts, what the result keeps does not."""

import time

import torch

from sparse_attn.tools.bench import memory

MEGABYTES = 1e6


def touched(megabytes: int) -> torch.Tensor:
    made = torch.ones(int(megabytes * MEGABYTES / 4))
    time.sleep(10 * memory.SECONDS_BETWEEN)
    return made


def test_a_moment_of_much_memory_is_seen():
    def call() -> torch.Tensor:
        touched(200)
        return torch.ones(1)

    assert memory.extra(call) > 150 * MEGABYTES


def test_what_the_result_keeps_does_not_count():
    assert memory.extra(lambda: touched(200)) < 50 * MEGABYTES
    assert memory.extra(lambda: (touched(200), None)) < 50 * MEGABYTES


def test_resident_memory_is_in_bytes():
    assert 10 * MEGABYTES < memory.resident() < 1e13


def test_an_error_passes_and_the_watcher_ends():
    def call() -> None:
        raise ValueError("no")

    for _ in range(3):
        try:
            memory.extra(call)
        except ValueError as error:
            assert str(error) == "no"
        else:
            raise AssertionError("the error was lost")
