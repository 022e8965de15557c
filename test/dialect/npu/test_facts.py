"""The structural rules s1 to s6 that every operation of the dialect obeys, in MLIR text."""

import pytest
from npu_cases import context, make_call, mlir_text
from torch_mlir import ir

from sparse_attn.dialect.npu import SPECS

SPEC = SPECS["sparse_compress_flash_attention"]
MLA = SPECS["quant_sparse_flash_mla"]
CALL = make_call(
    MLA,
    "host",
    {
        "q": "hifloat8 2 3 8 512",
        "ori_kv": "hifloat8 2 40 1 512",
        "q_descale": "float32 1",
        "ori_kv_descale": "float32 1",
        "quant_mode": 1,
        "softmax_scale": 0.5,
        "cmp_ratio": 1,
    },
)
TEXT = mlir_text(MLA, CALL)


def error_of(text: str) -> str | None:
    with context(), ir.Location.unknown():
        try:
            ir.Module.parse(text)
        except ir.MLIRError as error:
            return error.error_diagnostics[0].message
    return None


def changed(old: str, new: str) -> str:
    assert old in TEXT, f"{old} is not in the text"
    return TEXT.replace(old, new)


def test_the_text_is_legal():
    assert error_of(TEXT) is None


REFUSED = {
    "s1_no_segments": (changed("operandSegmentSizes", "my.sizes"), "[s1] needs operandSegmentSizes"),
    "s1_wrong_sum": (
        changed("array<i32: 1, 1, 0", "array<i32: 1, 1, 1"),
        "[s1] has 4 operands, operandSegmentSizes counts 5",
    ),
    "s1_required": (
        changed("array<i32: 1, 1, 0, 1", "array<i32: 0, 1, 1, 1"),
        "[s1] operandSegmentSizes counts 0 for `q`",
    ),
    "s2_args": (
        changed("{target", '{args = ["q", "cmp_kv"], target'),
        '[s2] args is ["q", "cmp_kv"], the operands are',
    ),
    "s3_unknown": (changed("{target", "{cmp_ratios = 4 : i64, target"), "[s3] has no argument cmp_ratios"),
    "s4_width": (
        changed("quant_mode = 1 : i64", "quant_mode = 1 : i32"),
        "[s4] quant_mode is 1 : i32: write it as i64",
    ),
    "s4_kind": (changed('layout_q = "BSND"', "layout_q = 3 : i64"), "[s4] layout_q is 3 : i64: write it as string"),
    "s5_no_target": (changed('target = "host", ', ""), "[s5] has no target"),
    "s5_no_mode": (changed("quant_mode = 1 : i64, ", ""), "[s5] has no quant_mode"),
    "s6_dtype": (
        changed("(tensor<2x3x8x512xbf16>, ", "(tensor<2x3x8x512xf32>, "),
        "[s6] result 0 is tensor<2x3x8x512xf32>",
    ),
    "s6_shape": (
        changed("tensor<0xf32>)", "tensor<1xf32>)"),
        "[s6] result 1 is tensor<1xf32>: it follows as tensor<0xf32>",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    text, says = REFUSED[case]
    error = error_of(text)
    assert error is not None and error.startswith("'npu.quant_sparse_flash_mla' op ") and says in error


LEGAL = {
    "args_may_repeat_the_names": changed("{target", '{args = ["q", "ori_kv", "q_descale", "ori_kv_descale"], target'),
    "dotted_attributes_are_free": changed("{target", '{my.note = "x", target'),
    "defaults_may_be_left_out": changed("ori_mask_mode = 0 : i64, ", ""),
    "a_static_result_may_be_dynamic": changed("(tensor<2x3x8x512xbf16>, ", "(tensor<2x?x8x512xbf16>, "),
}


@pytest.mark.parametrize("case", LEGAL)
def test_legal(case):
    assert error_of(LEGAL[case]) is None


def test_an_operator_without_optional_tensors_needs_no_segments():
    arguments = {
        "query_npu": "bfloat16 64 512",
        "q_act_seqs_npu": "int32 2",
        "ori_kv_npu": "bfloat16 128 512",
        "cmp_kv_npu": "bfloat16 128 512",
        "ori_block_table_npu": "int32 1 1",
        "cmp_block_table_npu": "int32 1 1",
        "atten_sink_npu": "float32 64",
        "seqused_kv_npu": "int32 1",
        "cmp_sparse_indices_npu": "int32 1 512",
        "softmax_scale": 0.5,
        "win_size": 128,
        "cmp_ratio": 4,
    }
    text = mlir_text(SPEC, make_call(SPEC, "a2", arguments))
    assert "operandSegmentSizes" not in text and error_of(text) is None


def test_an_attribute_the_bindings_do_not_know_is_an_error_not_a_crash():
    assert "[s3]" in error_of(changed("{target", "{odd = array<i24: 1>, target"))
    assert "[s2]" in error_of(changed("{target", "{args = array<i24: 1>, target"))
