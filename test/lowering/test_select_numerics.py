"""What selection makes of an op computes the same: the module before and after, on random tensors, for every chip."""

import pytest
import torch
from contracts import Case, absorbed, v4
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
    "a prefix at another ratio": {"mode": "HCA", "keys": 70, "ratio": 8},
    "a list at another ratio": {"mode": "CSA", "keys": 70, "ratio": 16, "tokens": 40},
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
        off, largest = (a.float() - b.float()).abs().amax(-1), b.float().abs().amax(-1)
        assert (off <= 2**-7 * largest + 1e-4).all(), (off / largest).max()
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


MLA = "cann_ops_transformer::sparse_flash_mla: not installed"
OTHERS = {
    "pages, a window": ("custom::npu_sparse_attn_sharedkv", v4("SWA", keys=150), ("a3", "a2")),
    "pages, a prefix": ("custom::npu_sparse_attn_sharedkv", v4("HCA", keys=300, tokens=50), ("a3", "a2")),
    "pages, a list": ("custom::npu_sparse_attn_sharedkv", v4("CSA", keys=256, batch=2, tokens=5), ("a3", "a2")),
    "packed": ("pypto::sparse_compress_flash_attention", v4("CSA", keys=256, batch=2, tokens=1), ("ascend950",)),
    "absorbed": ("npu::npu_sparse_flash_attention", absorbed(batch=2, tokens=40), CHIPS),
    "absorbed, a few of many": ("npu::npu_sparse_flash_attention", absorbed(tokens=3, keys=70, k=8), CHIPS),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_kernels(name):
    kernel_name, text, chips = OTHERS[name]
    for target in chips:
        case = Case(text)
        report = compare(case, target, inputs(case.module), unavailable=MLA)
        assert f"fused: {kernel_name} on {target}" in report.text()


LISTED = {"latent": 512, "rotary": 0, "heads": 8, "sinks": True}


@pytest.mark.parametrize("mask", ["causal", "none"])
def test_a_list_of_uncompressed_keys(mask):
    """The 950 lists them without a mask; rows of a causal list see as many entries as they have keys."""
    case = Case(absorbed(**LISTED, tokens=40, keys=40, k=16, batch=2, mask=mask))
    report = compare(case, "ascend950", inputs(case.module))
    assert "fused: cann_ops_transformer::sparse_flash_mla on ascend950" in report.text(), report.text()


@pytest.mark.parametrize("target", CHIPS)
@pytest.mark.parametrize("mode", ["SWA", "HCA"])
def test_the_log_sum_exp_of_rows_that_all_have_keys(mode, target):
    text = v4(mode, keys=300, tokens=5, attributes={"return_lse": True})
    text = text.replace("return %a#0 : tensor<1x5x64x512xbf16>", "return %a#1 : tensor<1x5x64xf32>")
    case = Case(text.replace("-> tensor<1x5x64x512xbf16> {", "-> tensor<1x5x64xf32> {"))
    wanted = run(case.module, inputs(case.module))
    report = selected(case, target)
    assert "fused: cann_ops_transformer::sparse_flash_mla" in report.text(), report.text()
    with kernel.target(target):
        (found,) = run(case.module, inputs(case.module))
    torch.testing.assert_close(found, wanted[0], rtol=5e-3, atol=1e-3)


def test_lists_shorter_than_k_keep_their_tail():
    """Rows of 40 tokens see 1 to 40 keys and pick 16: the first fifteen have a tail."""
    case = Case(absorbed(tokens=40))
    compare(case, "ascend950", inputs(case.module))
