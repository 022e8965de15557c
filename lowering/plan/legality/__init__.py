"""What may not be captured: one rule a file, one line here. A graph that breaks none records and replays safely."""

from __future__ import annotations

from ..program import Program
from . import (
    data_branch,
    host_list,
    host_read,
    nested_capture,
    random_numbers,
    stream_budget,
    synchronise,
    unjoined_stream,
    unstable_output,
    weak_buffer,
)
from .refusal import Refusal

RULES = [
    nested_capture,
    host_read,
    host_list,
    data_branch,
    unstable_output,
    synchronise,
    random_numbers,
    unjoined_stream,
    stream_budget,
    weak_buffer,
]


def refusals(program: Program) -> list[Refusal]:
    """Everything that stands against capturing `program`, by rule and then in task order; empty when nothing does."""
    return [refusal for rule in RULES for refusal in rule.check(program)]
