"""How single calls are repeated: by their C function, into `out=`, or by a copy; always with the same bits."""

import functools

import pytest
import torch

import sparse_attn.ops  # noqa: F401  registers the operators
from sparse_attn.aclgraph import calls
from sparse_attn.ops import meaning_host

aten = torch.ops.aten


def way(target, *args, **kwargs):
    """(how the call is repeated, its results, the repetition)."""
    result = target(*args, **kwargs)
    run = calls.replayed(target, args, kwargs, result)
    if isinstance(run, calls._KernelCall):
        return "kernel", result, run
    return ("copy" if run.func is calls._copied else "out"), result, run


@pytest.mark.parametrize("target", [aten.exp.default, aten.softmax.int, aten.sum.dim_IntList, aten.clone.default])
def test_operators_with_an_out_form_use_it(target):
    x = torch.randn(3, 4)
    args = {aten.softmax.int: (1,), aten.sum.dim_IntList: ([0],)}.get(target, ())
    how, result, run = way(target, x, *args)
    assert how == "out"
    x.mul_(-2)
    run()
    assert torch.equal(result, target(x, *args))


def test_an_operator_without_an_out_form_is_copied():
    x = torch.randn(3, 4)
    how, result, run = way(aten.layer_norm.default, x, [4])
    assert how == "copy"
    x.mul_(3)
    run()
    assert torch.equal(result, aten.layer_norm.default(x, [4]))


def test_strides_of_the_first_result_stay():
    x = torch.randn(2, 3, 4).permute(2, 0, 1)
    _, result, run = way(aten.mul.Tensor, x, 2.0)
    stride = result.stride()
    x.neg_()
    run()
    assert result.stride() == stride and torch.equal(result, x * 2)


def test_nan_compares_equal_to_itself():
    how, result, _ = way(aten.log.default, torch.tensor([-1.0, 1.0]))
    assert how == "out" and result.isnan().tolist() == [True, False]


def test_a_form_with_other_bits_is_not_used_and_leaves_the_result():
    """`_verified` compares: a form that only comes close is turned down, and what was there comes back."""
    made = torch.ones(4)
    assert calls._verified(functools.partial(made.mul_, 1.0001), [made]) is None
    assert torch.equal(made, torch.ones(4))
    grown = torch.ones(4)
    assert calls._verified(functools.partial(grown.resize_, 9), [grown]) is None
    assert torch.equal(grown, torch.ones(4))

    def fails():
        raise RuntimeError("no such form")

    assert calls._verified(fails, [made]) is None
    same = functools.partial(made.mul_, 1)
    assert calls._verified(same, [made]) is same


def indexer(seed=0):
    draw = torch.Generator().manual_seed(seed)
    return torch.randn(2, 3, 4, 16, generator=draw), torch.randn(2, 40, 16, generator=draw)


def test_meaning_level_operators_call_their_c_function():
    assert meaning_host.implementation("lightning_indexer") == "host"
    query, key = indexer()
    visible = torch.full((2, 3), 9, dtype=torch.int32)
    settings = {"visible": visible, "k": 8, "mask_mode": "prefix", "reduce": "sum"}
    target = torch.ops.sparse_attn.lightning_indexer.default
    how, result, run = way(target, query, key, **settings)
    assert how == "kernel"
    for seed, length in ((1, 0), (2, 4), (3, 40), (4, 8)):
        for old, new in zip((query, key), indexer(seed), strict=True):
            old.copy_(new)
        visible.fill_(length)
        run()
        for out, expected in zip(result, target(query, key, **settings), strict=True):
            assert torch.equal(out, expected)


def test_a_kernel_that_refuses_at_replay_raises_with_its_name():
    cache, rows = torch.zeros(2, 4, 8), torch.randn(3, 8)
    slots = torch.tensor([0, -1, 7])
    how, _, run = way(torch.ops.sparse_attn.paged_write.default, cache, rows, slots)
    assert how == "kernel"
    slots[0] = 8
    with pytest.raises(ValueError, match=r"sparse_attn\.paged_write.*8"):
        run()


def test_tensors_that_no_kernel_takes_go_another_way():
    query, key = (t.double() for t in indexer())
    how, *_ = way(torch.ops.sparse_attn.index_scores.default, query.float(), key.float(), reduce="sum")
    assert how == "kernel"
    slots, cache = torch.tensor([0]), torch.zeros(2, 8, 4).transpose(1, 2)
    how, *_ = way(torch.ops.sparse_attn.paged_write.default, cache, torch.randn(1, 8), slots)
    assert how == "copy"


def test_a_factor_by_place_is_not_read_as_an_old_signature(recwarn):
    x = torch.ones(3)
    how, result, run = way(aten.add.Scalar, x, 2, 3)
    x.fill_(5)
    run()
    assert how == "out" and result.tolist() == [11.0] * 3
    assert not [warning for warning in recwarn if "signature" in str(warning.message)]
