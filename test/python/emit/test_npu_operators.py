"""Kernel ops as published calls: every argument spelled out, the namespace by who registered it."""

import dataclasses

import pytest
import torch
from contracts import Case

from sparse_attn.dialect.npu import SPECS
from sparse_attn.dialect.npu.facts import result_facts
from sparse_attn.dialect.npu.text import function_text, make_call
from sparse_attn.dialect.tensors import TensorInfo
from sparse_attn.emit import npu_operators
from sparse_attn.lowering.analysis.graph import Value
from sparse_attn.ops import kernel

CALLED = [spec for spec in SPECS.values() if not spec.schema.mutated]
CPU = torch.device("cpu")


def example(spec) -> tuple[Case, Value]:
    """The spec's example as IR."""
    call = make_call(spec, spec.chips[0], spec.example)
    assert not [f for f in spec.check(call) if not f.warning]
    results = [f"tensor<{TensorInfo(*fact)}>" for fact in result_facts(spec, call)]
    case = Case(function_text(spec, call, results))
    (value,) = [v for v in case.graph.values if v.op == spec.op and v.result == 0]
    return case, value


@pytest.mark.parametrize("spec", CALLED, ids=lambda spec: spec.name)
def test_every_argument_is_spelled_out(spec):
    """Defaults differ between the packages that publish an operator, and the dispatcher fills in none for us."""
    _case, value = example(spec)
    names = [f"<{n}>" for n in range(len(value.operands))]
    overload, args, kwargs = npu_operators.call_of(value, names, CPU)
    variant = npu_operators.provider(spec)
    assert str(overload) == f"{variant.qualified.replace('::', '.')}.default"
    passed = [x for x in (*args, *kwargs.values()) if isinstance(x, str) and x.startswith("<")]
    assert sorted(passed) == sorted(names)
    back = spec.from_variant(variant, dict(zip([p.name for p in variant.schema.params], args, strict=False)) | kwargs)
    scalars = {k: v for k, v in spec.scalars(spec.example).items() if v is not None and k != "device"}
    assert {k: v for k, v in back.items() if k in scalars} == scalars


def test_plans_go_to_the_device_of_the_graph():
    _case, value = example(SPECS["sparse_attn_sharedkv_metadata"])
    _, _, kwargs = npu_operators.call_of(value, ["<seqused>"], torch.device("meta"))
    assert kwargs["device"] == "meta"


def test_a_vendors_operator_is_preferred(monkeypatch):
    spec = SPECS["sparse_attn_sharedkv"]
    ours, theirs = spec.published
    assert npu_operators.provider(spec) is ours
    status = kernel.status()
    status[theirs.qualified] = dataclasses.replace(status[theirs.qualified], origin="vendor")
    monkeypatch.setattr(kernel, "status", lambda: status)
    assert npu_operators.provider(spec) is theirs


def test_an_operator_with_another_schema_is_not_called(monkeypatch):
    spec = SPECS["sparse_flash_mla"]
    status, name = kernel.status(), spec.published[0].qualified
    assert npu_operators.unavailable() == ""
    status[name] = dataclasses.replace(status[name], origin="vendor", refusal="it has another schema")
    monkeypatch.setattr(kernel, "status", lambda: status)
    assert npu_operators.unavailable() == f"{name}: it has another schema"
    with pytest.raises(ValueError, match="sparse_flash_mla cannot be called: it has another schema"):
        npu_operators.provider(spec)
