"""The formats and who reads them: shapes, and that chips and modes are those of the operators' specs."""

import pytest

from sparse_attn.dialect.npu import SPECS
from sparse_attn.dialect.npu.call import Call, TensorFact
from sparse_attn.lowering.quantize.formats import FORMATS, READERS

SHAPES = {
    "int8": ((2, 3, 128), (2, 3)),
    "fp8": ((2, 3, 128), (2, 3)),
    "mxfp8": ((2, 3, 128), (2, 3, 2, 2)),
    "mxfp4": ((2, 3, 64), (2, 3, 2, 2)),
    "hif8": ((2, 3, 128), (1,)),
}


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    assert (FORMATS[name].codes_shape((2, 3, 128)), FORMATS[name].scale_shape((2, 3, 128))) == SHAPES[name]


def test_a_packed_row_holds_its_scales():
    assert FORMATS["kv_fp8"].codes_shape((5, 512)) == (5, 640) and FORMATS["kv_fp8"].scale_shape((5, 512)) == (0,)


PROBLEMS = [
    ("int8", 7, None), ("int8", 0, "0 elements"), ("mxfp8", 96, "multiples of 64"), ("mxfp4", 128, None),
    ("kv_fp8", 512, None), ("kv_fp8", 1024, "made of 512"), ("hif8", 1, None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "width", "reason"), PROBLEMS)
def test_widths(name, width, reason):
    found = FORMATS[name].problem(width)
    assert found is None if reason is None else found is not None and reason in found


def test_every_reader_reads_a_format():
    assert {name for readers in READERS.values() for name in readers} == set(FORMATS)


def indexer_call(name: str, target: str) -> Call:
    made = FORMATS[name]
    pages = target != "ascend950"
    tensors = {
        "query": TensorFact(made.codes_shape((1, 3, 64, 128)), made.codes),
        "key": TensorFact(made.codes_shape((1, 16, 1, 128)), made.codes),
        "weights": TensorFact((1, 3, 64), "float16" if name == "int8" else "float32"),
        "query_dequant_scale": TensorFact(made.scale_shape((1, 3, 64, 128)), made.scale),
        "key_dequant_scale": TensorFact(made.scale_shape((1, 16, 1, 128)), made.scale),
        "metadata": TensorFact((1024,), "int32"),
    }
    scalars = {"topk": 8, "quant_mode": READERS["indexer"][name].mode}
    if pages:
        tensors |= {"block_table": TensorFact((1, 1), "int32"), "seqused_k": TensorFact((1,), "int32")}
        scalars["layout_k"] = "PA_BBND"
    return Call(target, tensors, SPECS["quant_lightning_indexer"].scalars(scalars))


@pytest.mark.parametrize("name", READERS["indexer"])
@pytest.mark.parametrize("target", ["ascend950", "a3", "a2"])
def test_chips_and_modes_are_those_of_the_spec(name, target):
    findings = [f for f in SPECS["quant_lightning_indexer"].check(indexer_call(name, target)) if not f.warning]
    accepted = target in READERS["indexer"][name].chips
    assert (not findings) == accepted, findings
    if not accepted:
        assert "quant_mode" in findings[0].message


def test_attention_readers_are_of_one_chip():
    for reader in READERS["attention"].values():
        (spec,) = [s for s in SPECS.values() if any(v.qualified == reader.kernel for v in s.published)]
        assert spec.chips == reader.chips
