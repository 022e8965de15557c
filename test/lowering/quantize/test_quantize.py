"""The pass: nothing without the option, a mark where a kernel may read the format, a sentence where none does."""

import pytest
from contracts import v4
from quantised_ir import lowered

from sparse_attn.lowering.passes import PassFailed
from sparse_attn.lowering.quantize import parsed
from sparse_attn.lowering.quantize.formats import READERS

BOTH = "indexer=fp8,attention=hif8"


def marks(text, quantize=BOTH, target="ascend950"):
    return lowered(text, "quantize", quantize=quantize, target=target)


def test_off_changes_nothing():
    before = lowered(v4("CSA"), "verify")
    after = marks(v4("CSA"), "")
    assert str(after.module) == str(before.module) and not list(after.report)


def test_marks_what_was_asked_for():
    assert marks(v4("CSA")).marks == ["fp8", "hif8"]
    assert marks(v4("CSA"), "indexer=mxfp4").marks == ["mxfp4", None]
    assert marks(v4("CSA"), "attention=kv_fp8").marks == [None, "kv_fp8"]
    assert not marks(v4("CSA")).notes


def test_only_the_mark_is_new():
    """Operands stay as they are, for the other kernels when the marked one refuses."""
    text = str(marks(v4("CSA")).module)
    for name in ("fp8", "hif8"):
        text = text.replace(f', sparse_attn.quantize = "{name}"', "").replace(f'sparse_attn.quantize = "{name}", ', "")
    assert text == str(lowered(v4("CSA"), "verify").module)


def test_an_unused_op_is_not_marked():
    text = v4("CSA").replace("return %a#0", "return %q")
    assert marks(text).marks == [None, None]


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in READERS for name in READERS[kind]])
@pytest.mark.parametrize("target", ["host", "ascend950", "a3", "a2"])
def test_a_chip_without_such_a_kernel_says_what_it_has(kind, name, target):
    found = marks(v4("CSA"), f"{kind}={name}", target)
    if target in READERS[kind][name].chips:
        assert name in found.marks and not found.notes
        return
    others = "there it can be int8" if (kind, target) in (("indexer", "a3"), ("indexer", "a2")) else "compile for "
    (note,) = found.notes
    assert found.marks == [None, None]
    assert note.startswith(f"not quantised to {name}: {target} has no {kind} kernel that reads {name}; {others}")


REFUSED = {
    "head size": (v4("SWA", width=256), "attention=hif8", "its rows have 256 elements; the kernel takes 512"),
    "fp16": (v4("SWA", dtype="f16"), "attention=kv_fp8", "its output is f16 and the kernel's bf16: run the model in"),
    "fp32": (v4("SWA", dtype="f32"), "attention=hif8", "its output is f32 and the kernel's bf16: run the model in"),
    "index head size": (
        v4("CSA").replace("x128xbf16>", "x64xbf16>"), "indexer=fp8", "its rows have 64 elements; the kernel takes 128",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_an_op_that_no_kernel_reads_quantised_says_why(name):
    text, quantize, reason = REFUSED[name]
    found = marks(text, quantize)
    assert set(found.marks) == {None}
    assert len(found.notes) == 1 and f"not quantised to {quantize.partition('=')[2]}: {reason}" in found.notes[0]


def test_an_indexer_in_fp32_can_be_quantised():
    assert marks(v4("CSA", dtype="f32"), "indexer=fp8").marks == ["fp8", None]


BAD = {
    "kv=fp8": "quantize names `kv`; what can be quantised is indexer, attention",
    "indexer": "quantize asks for indexer=; the formats are int8, fp8, hif8, mxfp8, mxfp4",
    "attention=fp8": "quantize asks for attention=fp8; the formats are hif8, kv_fp8",
}


@pytest.mark.parametrize("text", BAD)
def test_a_wrong_option_names_what_is_allowed(text):
    with pytest.raises(PassFailed) as raised:
        marks(v4("SWA"), text)
    assert str(raised.value) == BAD[text]


def test_the_option_is_kinds_and_formats():
    assert parsed("") == {} and parsed("attention=kv_fp8,indexer=int8") == {"attention": "kv_fp8", "indexer": "int8"}


def test_a_kernel_that_refuses_leaves_the_op_to_the_others():
    """A list of 20 entries, which the kernel of packed rows does not take: attention is as without the option."""
    text = v4("CSA", keys=130, k=20)
    found = lowered(text, quantize="attention=kv_fp8", target="ascend950")
    assert found.became[1] == "cann_ops_transformer::sparse_flash_mla on ascend950"
    refused = [n for n in found.notes if n.startswith("custom::npu_kv_quant_sparse_attn_sharedkv on ascend950: ")]
    assert len(refused) == 1 and not found.values("torch.sparse_attn.quantise")


def test_the_kernel_asked_for_comes_first():
    found = lowered(v4("CSA"), quantize=BOTH, target="ascend950")
    assert found.became == [
        "cann_ops_transformer::quant_lightning_indexer on ascend950",
        "cann_ops_transformer::quant_sparse_flash_mla on ascend950",
    ]
    assert not [note for note in found.notes if " on ascend950: " in note]
    plain = lowered(v4("CSA"), target="ascend950")
    assert all("quant" not in became for became in plain.became)
