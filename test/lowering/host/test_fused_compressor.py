import numpy as np
import pytest
from compressor_cases import LENGTHS, linear_table, tokens, weights

from sparse_attn.dialect.npu.formats import row640
from sparse_attn.dialect.npu.reference.fused_compressor import fused_compressor
from sparse_attn.lowering.host.library import Dtype, HostKernelError, Tensor, call

HALF = ("x", "wkv", "wgate", "norm_weight", "rope_sin", "rope_cos")
TENSORS = ("x", "wkv", "wgate", "state_cache", "ape", "norm_weight", "rope_sin", "rope_cos")


def inputs_of(rng, shape, rows, coff=2, ratio=4, width=16, rotary=6):
    given = weights(rng, ratio, coff, width) | {"x": tokens(rng, *shape, 24)}
    given |= {
        "norm_weight": tokens(rng, width),
        "rope_sin": tokens(rng, *rows, rotary),
        "rope_cos": tokens(rng, *rows, rotary),
    }
    return given | {"state_cache": rng.standard_normal((25, 4, 2 * coff * width)).astype(np.float32)}


def run(inputs, rows, ratio=4, coff=2, rotary_mode=2, eps=1e-6, rotary=6, mode=1, num_threads=0):
    inputs = {name: None if array is None else array.copy() for name, array in inputs.items()}
    result = np.full((*rows, inputs["wkv"].shape[0] // coff), 0x7FC0, np.uint16)
    passed = [Tensor.of(inputs[n], Dtype.BF16) if n in HALF else inputs[n] for n in TENSORS]
    lengths = [inputs.get(name) for name in LENGTHS]
    call(
        "fused_compressor", [*passed, rotary, ratio, *lengths, coff, eps, rotary_mode, mode],
        [Tensor.of(result, Dtype.BF16)], num_threads,
    )  # fmt: skip
    return row640.bf16_values(result), inputs["state_cache"]


def check(inputs, rows, **options):
    names = {"ratio": "cmp_ratio", "eps": "norm_eps", "rotary": "rope_head_dim", "mode": "cache_mode"}
    said = {"cmp_ratio": 4, "coff": 2, "rotary_mode": 2, "rope_head_dim": 6}
    said |= {names.get(name, name): value for name, value in options.items()}
    expected, state = fused_compressor(**inputs, **said)
    result, after = run(inputs, rows, **options)
    np.testing.assert_allclose(result, expected, rtol=2.0**-7, atol=1e-3)
    np.testing.assert_allclose(after, state, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("rotary_mode", [1, 2])
@pytest.mark.parametrize("coff", [1, 2])
def test_batched_calls_equal_the_reference(rotary_mode, coff):
    rng = np.random.default_rng(coff)
    inputs = inputs_of(rng, (3, 13), (3, 4), coff)
    inputs |= {"state_block_table": linear_table(3, 32, 4)[:, :8], "start_pos": np.array([0, 1, 9], np.int32)}
    check(inputs, (3, 4), coff=coff, rotary_mode=rotary_mode)
    check(inputs | {"seqused": np.array([13, 0, 6], np.int32)}, (3, 4), coff=coff, rotary_mode=rotary_mode, eps=0.5)


@pytest.mark.parametrize("rotary_mode", [1, 2])
def test_packed_calls_equal_the_reference(rotary_mode):
    rng = np.random.default_rng(1)
    inputs = inputs_of(rng, (19,), (8,))
    inputs |= {"cu_seqlens": np.array([0, 5, 5, 7, 19], np.int32), "state_block_table": linear_table(4, 24, 4)}
    check(inputs | {"start_pos": np.array([3, 0, 2, 8], np.int32)}, (8,), rotary_mode=rotary_mode)


def test_rows_no_group_fills_are_zero():
    inputs = inputs_of(np.random.default_rng(2), (2, 3), (2, 1))
    assert not run(inputs, (2, 1))[0].any()


def test_errors_name_the_tensor_and_the_shape():
    rng = np.random.default_rng(3)
    inputs = inputs_of(rng, (2, 8), (2, 2))
    with pytest.raises(HostKernelError, match="rotary_mode is 3, must be 1 or 2"):
        run(inputs, (2, 2), rotary_mode=3)
    with pytest.raises(HostKernelError, match=r"rope_head_dim is 5, must be even and in 2..16"):
        run(inputs, (2, 2), rotary=5)
    with pytest.raises(HostKernelError, match=r"rope_cos has shape \[2,1,6\], must be \[2,2,6\]"):
        run(inputs | {"rope_cos": inputs["rope_cos"][:, :1]}, (2, 2))
    with pytest.raises(HostKernelError, match=r"norm_weight has shape \[15\]"):
        run(inputs | {"norm_weight": inputs["norm_weight"][:15]}, (2, 2))
