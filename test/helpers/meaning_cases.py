"""What the tests of the meaning-level operators share: random tensors, tolerances, calls of both implementations."""

from typing import Any

import torch

from sparse_attn.ops import meaning
from sparse_attn.ops.meaning_check import DEFINITIONS

FLOATS = (torch.float32, torch.bfloat16, torch.float16)
NONE = float("-inf")


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def draw(*shape: int, dtype: torch.dtype = torch.float32, seed: int = 0) -> torch.Tensor:
    """Normal values; another seed for every tensor of one test."""
    return torch.randn(shape, generator=generator(seed)).to(dtype)


def integers(low: int, high: int, *shape: int, seed: int = 0) -> torch.Tensor:
    """int32 values of [low, high)."""
    return torch.randint(low, high, shape, generator=generator(seed), dtype=torch.int32)


def picks(batch: int, rows: int, count: int, keys: int, seed: int = 0) -> torch.Tensor:
    """Distinct keys per row, int32 [batch, rows, count]; every row but the first ends in some -1."""
    order = torch.rand(batch, rows, max(keys, count), generator=generator(seed)).argsort(-1)[..., :count]
    order = torch.where(order < keys, order, -1).to(torch.int32)
    tail = torch.arange(rows)[:, None] % (count + 1) > torch.arange(count - 1, -1, -1)
    return order.masked_fill(tail, -1)


def operator(name: str) -> Any:
    return getattr(torch.ops.sparse_attn, name)


def numpy_reference(name: str, *args: Any, **kwargs: Any) -> tuple:
    """The dialect's reference on the same values as fp32; every result as a tensor."""
    from sparse_attn.dialect.sparse_attn import OPS

    operation = next(op for op in OPS if op.DEFINITION.name == name)
    results = operation.reference(*(_array(a) for a in args), **{key: _array(a) for key, a in kwargs.items()})
    return tuple(torch.from_numpy(r) for r in (results if isinstance(results, tuple) else (results,)))


def _array(value: Any) -> Any:
    if not isinstance(value, torch.Tensor):
        return value
    return (value.float() if value.is_floating_point() else value).numpy()


def close(found: torch.Tensor, wanted: torch.Tensor) -> None:
    """fp32 within 1e-5; bf16 and fp16 rows within 2^-7 of their largest value and 1e-4."""
    assert found.shape == wanted.shape
    if found.dtype == torch.float32:
        torch.testing.assert_close(found, wanted.float(), rtol=1e-5, atol=1e-5, equal_nan=True)
        return
    found, wanted = found.float(), wanted.float()
    assert torch.equal(found.isnan(), wanted.isnan())
    limit = wanted.nan_to_num().abs().amax(-1, keepdim=True) * 2**-7 + 1e-4
    worst = ((found - wanted).nan_to_num().abs() - limit).max() if found.numel() else torch.tensor(0.0)
    assert worst <= 0, f"{worst} beyond the tolerance"


def torch_reference(name: str, *args: Any, **kwargs: Any) -> Any:
    return meaning.OPERATORS[name].reference(*args, **kwargs)


def schema(name: str) -> str:
    return DEFINITIONS[name].torch_schema()
