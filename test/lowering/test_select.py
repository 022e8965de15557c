"""Choosing kernels: what is recorded, what goes back, and what is an error."""

import pytest
from contracts import Case, absorbed, v4
from torch_mlir import ir

from sparse_attn.lowering.passes import PASSES, PassFailed, all_passes, listening
from sparse_attn.lowering.report import Report, reporting

MLA = "cann_ops_transformer::sparse_flash_mla"


def select(text, target, **options):
    all_passes()
    case, report, heard = Case(text), Report(), []
    chosen = PASSES["sparse-attn-select"]
    with case.context, reporting(report), listening(lambda location, remark: heard.append(remark)):
        chosen.run(case.module, {**chosen.options, "target": target, **options})
    assert case.module.operation.verify()
    return case, report, heard


def test_kernels_tried_before_the_chosen_one_say_why():
    _, report, heard = select(v4("CSA"), "a3")
    indexer, attention = report
    assert indexer.became == "cann_ops_transformer::lightning_indexer on a3"
    assert indexer.notes[0].startswith("npu::npu_lightning_indexer on a3: its keys stand for 4 tokens each")
    assert attention.became == f"{MLA} on a3" and attention.fused
    assert f"attention fused: {MLA} on a3" in heard


def test_no_op_of_ours_is_left_for_a_chip():
    case, _, _ = select(v4("CSA"), "ascend950")
    with case.context:
        PASSES["sparse-attn-prune"].run(case.module, {})
    text = str(case.module)
    assert '"sparse_attn.' not in text and text.count('"npu.') == 4
    assert f'sparse_attn.kernel = "{MLA}"' in text


def test_the_host_keeps_the_ops_and_marks_them():
    case, report, _ = select(v4("CSA"), "host")
    assert str(case.module).count('sparse_attn.kernel = "sparse_attn::') == 2
    assert not any(f.notes for f in report)


def test_torch_types_do_not_cross_kernel_ops():
    case, _, _ = select(v4("CSA", runtime=True, tokens=1), "a2")
    (function,) = case.module.body.operations
    kernels = [v.operation for v in function.operation.regions[0].blocks[0].operations if "npu." in v.operation.name]
    assert kernels
    for op in kernels:
        assert all(isinstance(v.type, ir.RankedTensorType) for v in (*op.operands, *op.results))


def test_a_kernel_that_cannot_be_called_here_is_passed_over():
    missing = f"{MLA}: it is registered with another schema"
    _, report, _ = select(v4("SWA"), "a3", unavailable=missing)
    (attention,) = report
    assert attention.became == "custom::npu_sparse_attn_sharedkv on a3"
    assert f"{MLA} on a3: it is registered with another schema" in attention.notes


def test_a_list_shared_by_attentions_stays_one_call():
    text = absorbed(tokens=3)
    line = next(x for x in text.splitlines() if "%a:2" in x)
    twice = text.replace(line, line + "\n" + line.replace("%a:2", "%b:2")).replace("return %a#0", "return %b#0")
    case, _, _ = select(twice, "a3")
    assert str(case.module).count('"npu.npu_lightning_indexer"') == 1


def test_an_op_that_stands_for_nothing_cannot_go_back():
    """Written by hand, without a torch op behind it."""
    case = Case(v4("SWA", dtype="f32"))
    chosen = PASSES["sparse-attn-select"]
    with pytest.raises(PassFailed):
        chosen.run(case.module, {**chosen.options, "target": "a3"})


def test_a_target_that_does_not_exist():
    case = Case(v4("SWA"))
    chosen = PASSES["sparse-attn-select"]
    with pytest.raises(PassFailed, match="target `a5` is none of host, ascend950, a3, a2"):
        chosen.run(case.module, {**chosen.options, "target": "a5"})
