"""What selection makes of an op computes the same: the module before and after, on random tensors, for every chip."""

import pytest
import torch
from contracts import Case, v4
from run_ir import inputs, run

from sparse_attn.lowering.passes import PASSES, all_passes
from sparse_attn.lowering.report import Report, reporting
from sparse_attn.ops import kernel

CHIPS = ("ascend950", "a3", "a2")
MODES = {
    "a window": {"mode": "SWA"},
    "a window over more keys than it holds": {"mode": "SWA", "keys": 150},
    "a shorter window": {"mode": "SWA", "keys": 20, "left": 19},
    "a compressed prefix": {"mode": "HCA", "keys": 300},
    "a list of compressed keys": {"mode": "CSA", "keys": 130, "tokens": 9},
    "two batches": {"mode": "CSA", "keys": 131, "batch": 2, "tokens": 6},
    "one token of a trimmed window": {"mode": "CSA", "keys": 128, "compressed": 64, "start": 255, "tokens": 1},
    "one token of a trimmed window, prefix": {"mode": "HCA", "keys": 128, "compressed": 3, "start": 400, "tokens": 1},
    "more than half of the keys invisible": {"mode": "CSA", "keys": 128, "compressed": 60, "start": 100, "tokens": 1},
    "many heads' worth": {"mode": "HCA", "keys": 257, "tokens": 257, "heads": 2},
}
RUNTIME = {
    "one token a request": ({"mode": "CSA", "tokens": 1, "batch": 3, "keys": 128, "compressed": 40}, [[0], [7], [159]]),
    "a prefix for each request": (
        {"mode": "HCA", "tokens": 1, "batch": 3, "keys": 128, "compressed": 4},
        [[5], [300], [511]],
    ),
    "tokens that do not follow each other": (
        {"mode": "HCA", "tokens": 3, "keys": 128, "compressed": 4},
        [[130, 511, 7]],
    ),
    "beyond what is compressed": ({"mode": "CSA", "tokens": 1, "batch": 1, "keys": 128, "compressed": 8}, [[900]]),
}


def selected(case, target, **options):
    """The module after selection, and the report."""
    all_passes()
    report = Report()
    with case.context, reporting(report):
        PASSES["sparse-attn-select"].run(
            case.module, PASSES["sparse-attn-select"].options | {"target": target} | options
        )
        PASSES["sparse-attn-plan"].run(case.module, {})
    assert case.module.operation.verify()
    return report


def compare(case, target, values, **options):
    wanted = run(case.module, values)
    report = selected(case, target, **options)
    assert '"npu.' in str(case.module), report.text()
    with kernel.target(target):
        found = run(case.module, values)
    for a, b in zip(found, wanted, strict=True):
        torch.testing.assert_close(a.float(), b.float(), rtol=2**-7, atol=2e-3)
    return report


@pytest.mark.parametrize("target", CHIPS)
@pytest.mark.parametrize("name", MODES)
def test_known_positions(name, target):
    case = Case(v4(**MODES[name]))
    report = compare(case, target, inputs(case.module))
    assert all(f.became for f in report), report.text()


@pytest.mark.parametrize("target", CHIPS)
@pytest.mark.parametrize("name", RUNTIME)
def test_positions_known_at_run_time(name, target):
    sizes, positions = RUNTIME[name]
    case = Case(v4(runtime=True, **sizes))
    report = compare(case, target, inputs(case.module, arg4=torch.tensor(positions)))
    assert all(f.became for f in report), report.text()


@pytest.mark.parametrize("target", CHIPS)
def test_promised_positions(target):
    case = Case(v4("CSA", runtime=True, tokens=5, keys=128, compressed=40))
    values = inputs(case.module, arg4=torch.arange(151, 156)[None])
    report = compare(case, target, values, assume="contiguous_positions")
    assert all(f.became for f in report), report.text()
    assert "as promised" in report.text()
