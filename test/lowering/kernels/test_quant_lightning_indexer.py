"""quant_lightning_indexer: five modes, only where asked for, and the same rules about masks as its plain sibling."""

import pytest
import torch
from contracts import Case, draft, refusal, v4
from quantised_ir import lowered
from run_ir import inputs
from torch_mlir import ir

from sparse_attn.lowering.quantize.formats import FORMATS, READERS
from sparse_attn.lowering.quantize.mark import MARK

KERNEL = "cann_ops_transformer::quant_lightning_indexer"
MODES = READERS["indexer"]


def decided(name, target="ascend950", text=None, **options):
    case = Case(text or v4("CSA"))
    (value,) = case.ops("lightning_indexer")
    if name:
        with case.context:
            value.operation.attributes[MARK] = ir.StringAttr.get(name)
    found = case.decide(value, KERNEL, target, **options)
    if not isinstance(found, str):
        found.case = case
    return found


def sizes(piece):
    return tuple(d.const for d in piece.dims)


@pytest.mark.parametrize("name", MODES)
def test_codes_and_scales_are_laid_out_for_the_mode(name):
    found, made = draft(decided(name)), FORMATS[name]
    assert found.scalars["quant_mode"] == MODES[name].mode
    assert sizes(found.tensors["query"]) == made.codes_shape((1, 3, 64, 128))
    assert sizes(found.tensors["key"]) == made.codes_shape((1, 32, 1, 128))
    assert sizes(found.tensors["query_dequant_scale"]) == made.scale_shape((1, 3, 64, 128))
    assert sizes(found.tensors["key_dequant_scale"]) == made.scale_shape((1, 32, 1, 128))
    assert found.tensors["weights"].dtype == ("f16" if name == "int8" else "f32")
    assert f"quantised to {name}, ranked in bf16" in found.notes


@pytest.mark.parametrize("target", ["a3", "a2"])
def test_the_older_chips_read_int8_pages(target):
    found = draft(decided("int8", target))
    assert sizes(found.tensors["key"]) == (1, 32, 1, 128) and found.scalars["layout_k"] == "PA_BBND"
    assert sizes(found.tensors["key_dequant_scale"]) == (1, 32, 1)
    assert {"block_table", "seqused_k"} <= set(found.tensors)
    assert "quant_mode is 1" in refusal(decided("fp8", target))


def test_a_list_of_all_keys_is_as_wide_as_the_plain_indexers():
    """20 picks of 20 keys: attention on A3 takes lists of 512, whose tail is -1."""
    text = v4("CSA", keys=80, k=20)
    assert draft(decided("int8", "a3", text)).scalars["topk"] == 512
    assert draft(decided("int8", "ascend950", text)).scalars["topk"] == 20


def test_without_the_option_it_is_not_taken():
    assert refusal(decided("")) == "the graph is not quantised: pass options={'quantize': ...}"


def test_fp32_operands_are_quantised_too():
    assert draft(decided("fp8", text=v4("CSA", dtype="f32")))


REFUSED = {
    "relu": ('scale = 0.5 : f64', 'scale = 0.5 : f64, activation = "none"', "the scores have no ReLU"),
    "sign": ("scale = 0.5 : f64", "scale = -0.5 : f64", "the scores are scaled by -0.5 before ReLU"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_plain_kernel_refuses_for_its_meaning_is_refused_here(name):
    old, new, reason = REFUSED[name]
    assert reason in refusal(decided("fp8", text=v4("CSA").replace(old, new)))


def test_ranking_in_bf16_needs_no_second_permission():
    assert draft(decided("mxfp8", accept_ranking="exact"))


@pytest.mark.parametrize("size", [1.0, 1e-5, 1e4])
def test_small_and_large_head_weights_keep_their_order_in_fp16(size):
    """Mode 2 multiplies in fp16: weights of 1e-5 times scales of 1e-2 would vanish, of 1e4 overflow."""
    text = v4("CSA", keys=600, tokens=8, k=16)
    plain = lowered(text, "select", target="host")
    values = inputs(plain.module)
    weights = next(n for n, v in values.items() if v.shape == (1, 8, 64))
    values[weights] = values[weights] * size
    found = lowered(text, quantize="indexer=int8", target="ascend950")
    assert found.values("npu.quant_lightning_indexer")
    wanted, got = plain.results(values)[0].float(), found.results(values)[0].float()
    assert torch.nn.functional.cosine_similarity(wanted.flatten(), got.flatten(), 0) > 0.99
