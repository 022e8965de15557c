"""Calls on CPU tensors: constraints by target, results, fakes with symbolic shapes, opcheck."""

import warnings

import pytest
import torch
from kernel_inputs import call, example
from torch._dynamo.testing import CompileCounterWithBackend
from torch._subclasses.fake_tensor import FakeTensorMode

from sparse_attn.lowering.host import library
from sparse_attn.ops import kernel, kernel_call

QLI = "cann_ops_transformer::quant_lightning_indexer"
MLA = "cann_ops_transformer::quant_sparse_flash_mla"


def lengths(*values):
    return torch.tensor(values, dtype=torch.int32)


def test_a_call_a_chip_would_refuse_runs_on_host():
    arguments = example("quant_lightning_indexer", return_value=1, seqused_k=lengths(40, 13))
    indices, values = call(QLI, arguments)
    assert indices.shape == values.shape == (2, 3, 1, 512)
    with (
        kernel.target("a2"),
        pytest.raises(ValueError, match=r"quant_lightning_indexer \[c19\] on a2, return_value is 1"),
    ):
        call(QLI, arguments)
    call(QLI, arguments)


def test_what_the_mathematics_needs_is_checked_everywhere():
    arguments = example("quant_lightning_indexer", seqused_k=lengths(40, 65))
    for name in ("host", "ascend950", "a3"):
        with kernel.target(name), pytest.raises(ValueError, match=r"\[c41\] block_table has 4 columns, 65 rows"):
            call(QLI, arguments)


def test_values_are_looked_at_in_a_real_call_only():
    arguments = example("quant_lightning_indexer", seqused_k=lengths(40, 65))
    with FakeTensorMode(allow_non_fake_inputs=True):
        indices, values = call(QLI, arguments)
    assert indices.shape == (2, 3, 1, 512) and values.shape == (0,)


def test_strides_are_looked_at():
    wide = torch.zeros(2, 3, 64, 256, dtype=torch.int8)
    arguments = example("quant_lightning_indexer", seqused_k=lengths(40, 13)) | {"query": wide[..., ::2]}
    call(QLI, arguments)
    with kernel.target("a3"), pytest.raises(ValueError, match=r"\[c45\] on a3, query has strides"):
        call(QLI, arguments)


def test_an_unknown_target_is_refused_by_name():
    says = "Atlas training products, which no kernel here supports"
    with pytest.raises(ValueError, match=says), kernel.target("atlas_training"):
        pass


def test_the_target_is_left_with_the_block():
    with pytest.raises(RuntimeError), kernel.target("a3"):
        raise RuntimeError
    assert kernel_call._TARGET.get() == "host"


def test_a_warning_is_a_python_warning():
    arguments = example("kv_quant_sparse_attn_sharedkv", seqused_q="int32 2")
    with pytest.warns(UserWarning, match=r"\[c29\] seqused_q given though reserved"):
        call("custom::npu_kv_quant_sparse_attn_sharedkv", arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        call("custom::npu_kv_quant_sparse_attn_sharedkv", example("kv_quant_sparse_attn_sharedkv"))


def test_what_the_kernel_refuses_is_a_value_error():
    arguments = example("sparse_attn_sharedkv", seqused_kv=lengths(3, 4))
    arguments["ori_block_table"] = torch.full((2, 3), 9, dtype=torch.int32)
    with pytest.raises(ValueError, match="sparse_attn_sharedkv"):
        call("custom::npu_sparse_attn_sharedkv", arguments)


def test_a_refused_cache_write_writes_nothing():
    arguments = example("kv_compress_epilog", slot_mapping=lengths(0, 1, 2, 3, 144))
    before = arguments["cache"].clone()
    with pytest.raises(ValueError, match=r"\[c9\] slot_mapping holds 144"):
        call("cann_ops_transformer::kv_compress_epilog", arguments)
    assert torch.equal(arguments["cache"], before)


def test_a_cache_is_written_in_place():
    arguments = example("kv_compress_epilog", slot_mapping=lengths(5, -1, 2, 3, 143))
    before, pointer = arguments["cache"].clone(), arguments["cache"].data_ptr()
    assert call("cann_ops_transformer::kv_compress_epilog", arguments) is None
    changed = (arguments["cache"] != before).reshape(144, 640).any(dim=1).nonzero().flatten()
    assert changed.tolist() == [2, 3, 5, 143] and arguments["cache"].data_ptr() == pointer


def test_the_earlier_form_writes_the_same_row():
    slots = lengths(5, -1, 2, 3, 143)
    new = example("kv_compress_epilog", slot_mapping=slots)
    old = {"kv_compress_cache": new["cache"].reshape(144, 640).view(torch.float8_e4m3fn).clone(), "x": new["x"]}
    call("cann_ops_transformer::kv_compress_epilog", new)
    torch.ops.custom.kv_compress_epilog(old["kv_compress_cache"], old["x"], slots)
    assert torch.equal(old["kv_compress_cache"].view(torch.uint8), new["cache"].reshape(144, 640))


def test_a_cache_of_the_wide_range_fp8_holds_it():
    slots, made = lengths(0, 1, 2, 3, 4), {}
    for dtype in (torch.float8_e4m3fn, torch.float8_e5m2):
        arguments = example("indexer_quant_cache", slot_mapping=slots)
        arguments["cache"] = torch.zeros(arguments["cache"].shape, dtype=dtype)
        call("cann_ops_transformer::indexer_quant_cache", arguments)
        made[dtype] = arguments["cache"].flatten(0, 2)[:5].float() * arguments["cache_scale"].flatten(0, 2)[:5].float()
        wanted = arguments["x"].float()
        assert (made[dtype][:, : wanted.shape[1]] - wanted).abs().max() < 0.3 * wanted.abs().max()
    assert not torch.equal(*made.values()), "the same number in two formats is another one"


def test_a_plan_from_numbers_alone_is_on_the_cpu():
    plan = torch.ops.cann_ops_transformer.quant_lightning_indexer_metadata(
        64, 1, 128, 512, 2, batch_size=2, max_seqlen_q=3, max_seqlen_k=64
    )
    assert plan.shape == (1024,) and plan.dtype == torch.int32 and plan.device.type == "cpu"


def test_the_published_default_of_a_plan_means_no_compression():
    given = (64, 1, 512)
    operator = torch.ops.custom.npu_sparse_attn_sharedkv_metadata
    kept = {"seqused_kv": lengths(40, 13), "batch_size": 2, "max_seqlen_q": 1, "max_seqlen_kv": 40}
    assert torch.equal(operator(*given, **kept), operator(*given, **kept, cmp_ratio=1))


def test_a_plan_for_another_device_needs_its_package():
    lengths_elsewhere = torch.zeros(2, dtype=torch.int32, device="meta")
    spec = kernel.status()["custom::npu_sparse_attn_sharedkv_metadata"]
    with pytest.raises(NotImplementedError, match="no implementation for meta: install the package"):
        kernel_call.without_device(spec.spec, spec.variant, 64, 1, 512, seqused_kv=lengths_elsewhere)


def test_without_the_library_plans_are_zeros_and_kernels_say_what_to_do(monkeypatch):
    def missing(*args):
        raise library.HostLibraryError("the host kernels are not built")

    monkeypatch.setattr(library, "load", missing)
    plan = call("custom::npu_sparse_attn_sharedkv_metadata", example("sparse_attn_sharedkv_metadata"))
    assert not plan.any()
    with pytest.raises(library.HostLibraryError, match="not built"):
        call("custom::npu_sparse_attn_sharedkv", example("sparse_attn_sharedkv"))


PICK = ("query", "key", "weights", "query_dequant_scale", "key_dequant_scale", "seqused_k", "block_table")


def pick(query, key, weights, query_scale, key_scale, used, table):
    """An indexer call between plain operators."""
    operator = torch.ops.cann_ops_transformer.quant_lightning_indexer
    scales = (query_scale, key_scale, 16, 2)
    indices, _ = operator(query, key, weights, *scales, seqused_k=used, block_table=table, layout_k="PA_BBND")
    return indices + 1


def of_batch(batch):
    """Arguments of `pick` for a batch size, with 40 keys each."""
    rows = {"query": "int8 {} 3 64 128", "weights": "float16 {} 3 64", "query_dequant_scale": "float16 {} 3 64"}
    rows |= {"seqused_k": "int32 {}", "block_table": "int32 {} 4"}
    arguments = example("quant_lightning_indexer", **{name: text.format(batch) for name, text in rows.items()})
    arguments["seqused_k"] += 40
    return [arguments[name] for name in PICK]


@pytest.mark.parametrize("dynamic", [False, True])
def test_compiled_graphs_trace_the_fake(dynamic):
    """One graph serves both batch sizes when dynamic: no constraint specialises a size."""
    torch._dynamo.reset()
    counter = CompileCounterWithBackend("aot_eager")
    compiled = torch.compile(pick, backend=counter, fullgraph=True, dynamic=dynamic)
    for batch in (2, 5):
        assert torch.equal(compiled(*of_batch(batch)), pick(*of_batch(batch)))
    assert counter.frame_count == (1 if dynamic else 2)
