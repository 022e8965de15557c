"""quant_sparse_flash_mla: the call of sparse_flash_mla with codes, a scale of one for each operand."""

import contracts
import pytest
from contracts import draft, refusal, v4
from torch_mlir import ir

from sparse_attn.lowering.quantize.mark import MARK

KERNEL, PLAIN = "cann_ops_transformer::quant_sparse_flash_mla", "cann_ops_transformer::sparse_flash_mla"


def decided(text, mark="hif8", kernel=KERNEL, target="ascend950", **options):
    """The kernel's answer for the attention of a module that is to be quantised to `mark`."""
    attribute = f'{MARK} = "{mark}", ori_mask' if mark else "ori_mask"
    return contracts.decided(text.replace("ori_mask", attribute), kernel, target, **options)


def sizes(piece):
    return tuple(d.const for d in piece.dims)


@pytest.mark.parametrize("mode", ["SWA", "HCA", "CSA"])
def test_the_call_is_the_plain_one_with_codes(mode):
    text = v4(mode, keys=300)
    found, plain = draft(decided(text)), draft(decided(text, kernel=PLAIN))
    names = ["q", "ori_kv", *(["cmp_kv"] if mode != "SWA" else [])]
    assert set(found.tensors) == set(plain.tensors) | {f"{name}_descale" for name in names}
    assert next(iter(found.tensors)) == "q", "a plan reads its sizes off the first tensor"
    assert found.scalars == {**plain.scalars, "quant_mode": 1}
    for name in names:
        assert sizes(found.tensors[name]) == sizes(plain.tensors[name]) and found.tensors[name].dtype == "i8"
        assert sizes(found.tensors[f"{name}_descale"]) == (1,) and found.tensors[f"{name}_descale"].dtype == "f32"
    assert "quantised to hif8" in found.notes


def test_not_without_the_mark_and_not_for_another():
    assert refusal(decided(v4("SWA"), mark="")) == "the graph is not quantised: pass options={'quantize': ...}"
    assert refusal(decided(v4("SWA"), mark="kv_fp8")) == "it is to be quantised to kv_fp8; the kernel reads hif8"


REFUSED = {
    "sinks": ({"drop": ("sinks",)}, "it has no sinks; the kernel requires them"),
    "width": ({"width": 256}, "head size D is 256, not 512"),
    "heads": ({"heads": 192}, "query heads N1 is 192, not 1 to 128"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_limits_are_those_of_the_spec(name):
    changes, reason = REFUSED[name]
    assert reason in refusal(decided(v4("SWA", **changes)))


def test_a_marked_module_is_valid():
    case = contracts.Case(v4("SWA").replace("ori_mask", f'{MARK} = "hif8", ori_mask'))
    assert isinstance(case.ops("attention")[0].operation.attributes[MARK], ir.StringAttr)
