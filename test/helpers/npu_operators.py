"""One call of torch for each aclnn operator of the simulator's table; `t` makes tensors of a device."""

from collections.abc import Callable
from typing import Any

import torch

Make = Callable[..., torch.Tensor]


class Tensors:
    """Small tensors with the same values on every device."""

    def __init__(self, device: str):
        generator = torch.Generator().manual_seed(3)
        self.x = torch.randn(4, 6, generator=generator).to(device)
        self.y = torch.randn(4, 6, generator=generator).to(device)
        self.p = (torch.rand(4, 6, generator=generator) + 0.5).to(device)
        self.q = (torch.rand(4, 6, generator=generator) + 0.5).to(device)
        self.i = torch.randint(0, 4, (4, 6), generator=generator).to(device)
        self.j = torch.randint(1, 4, (4, 6), generator=generator).to(device)
        self.b = (self.i.cpu() > 1).to(device)
        self.c = (self.j.cpu() > 2).to(device)
        self.m = torch.randn(2, 3, 4, generator=generator).to(device)
        self.n = torch.randn(2, 4, 5, generator=generator).to(device)
        self.rows = torch.tensor([2, 0], device="cpu").to(device)
        self.device = device


BINARY: dict[str, Any] = {
    "Add": lambda t: torch.add(t.x, t.y, alpha=2),
    "Adds": lambda t: t.x + 2,
    "InplaceAdd": lambda t: t.x.clone().add_(t.y),
    "InplaceAdds": lambda t: t.x.clone().add_(3),
    "Sub": lambda t: t.x - t.y,
    "Subs": lambda t: t.x - 2,
    "InplaceSub": lambda t: t.x.clone().sub_(t.y),
    "InplaceSubs": lambda t: t.x.clone().sub_(3),
    "Rsub": lambda t: torch.rsub(t.x, t.y),
    "Rsubs": lambda t: 1 - t.x,
    "Mul": lambda t: t.x * t.y,
    "Muls": lambda t: t.x * 3,
    "InplaceMul": lambda t: t.x.clone().mul_(t.y),
    "InplaceMuls": lambda t: t.x.clone().mul_(3),
    "Div": lambda t: t.x / t.p,
    "Divs": lambda t: t.x / 3,
    "InplaceDiv": lambda t: t.x.clone().div_(t.p),
    "InplaceDivs": lambda t: t.x.clone().div_(3),
    "FloorDivide": lambda t: t.i // t.j,
    "FloorDivides": lambda t: t.i // 2,
    "InplaceFloorDivide": lambda t: t.i.clone().floor_divide_(t.j),
    "InplaceFloorDivides": lambda t: t.i.clone().floor_divide_(2),
    "RemainderTensorTensor": lambda t: t.i % t.j,
    "RemainderTensorScalar": lambda t: t.i % 3,
    "FmodScalar": lambda t: torch.fmod(t.x, 2),
    "PowTensorScalar": lambda t: t.x**3,
    "PowTensorTensor": lambda t: t.p**t.q,
    "PowScalarTensor": lambda t: 2**t.x,
    "InplacePowTensorScalar": lambda t: t.x.clone().pow_(3),
    "Maximum": lambda t: torch.maximum(t.x, t.y),
    "Minimum": lambda t: torch.minimum(t.x, t.y),
    "EqTensor": lambda t: t.i == t.j,
    "EqScalar": lambda t: t.i == 2,
    "NeTensor": lambda t: t.i != t.j,
    "NeScalar": lambda t: t.i != 2,
    "LtTensor": lambda t: t.i < t.j,
    "LtScalar": lambda t: t.i < 2,
    "LeTensor": lambda t: t.i <= t.j,
    "LeScalar": lambda t: t.i <= 2,
    "GtTensor": lambda t: t.i > t.j,
    "GtScalar": lambda t: t.i > 2,
    "GeTensor": lambda t: t.i >= t.j,
    "GeScalar": lambda t: t.i >= 2,
    "LogicalAnd": lambda t: torch.logical_and(t.b, t.c),
    "LogicalOr": lambda t: torch.logical_or(t.b, t.c),
    "LogicalXor": lambda t: torch.logical_xor(t.b, t.c),
    "LogicalNot": lambda t: torch.logical_not(t.b),
    "BitwiseAndTensor": lambda t: t.i & t.j,
    "BitwiseAndScalar": lambda t: t.i & 1,
    "BitwiseOrTensor": lambda t: t.i | t.j,
    "BitwiseOrScalar": lambda t: t.i | 1,
    "BitwiseXorTensor": lambda t: t.i ^ t.j,
    "BitwiseXorScalar": lambda t: t.i ^ 1,
    "BitwiseNot": lambda t: ~t.i,
    "InplaceBitwiseAndTensor": lambda t: t.i.clone().bitwise_and_(t.j),
    "InplaceBitwiseAndScalar": lambda t: t.i.clone().bitwise_and_(1),
    "InplaceLogicalAnd": lambda t: t.b.clone().logical_and_(t.c),
    "InplaceLogicalOr": lambda t: t.b.clone().logical_or_(t.c),
    "InplaceLogicalNot": lambda t: t.b.clone().logical_not_(),
    "SWhere": lambda t: torch.where(t.b, t.x, t.y),
}

UNARY: dict[str, Any] = {
    **{name.capitalize(): (lambda t, name=name: getattr(torch, name)(t.p)) for name in (
        "abs", "neg", "exp", "exp2", "log", "log2", "log1p", "sqrt", "rsqrt", "reciprocal", "sin", "cos", "tanh",
        "erf", "sigmoid", "relu", "floor", "ceil", "round", "trunc", "sign",
    )},
    "IsFinite": lambda t: torch.isfinite(t.x),
    "InplaceRsqrt": lambda t: t.p.clone().rsqrt_(),
    "InplaceSqrt": lambda t: t.p.clone().sqrt_(),
    "InplaceSigmoid": lambda t: t.x.clone().sigmoid_(),
    "InplaceRelu": lambda t: t.x.clone().relu_(),
    "Silu": lambda t: torch.nn.functional.silu(t.x),
    "GeluV2": lambda t: torch.nn.functional.gelu(t.x),
    "Softplus": lambda t: torch.nn.functional.softplus(t.x),
    "Clamp": lambda t: t.x.clamp(-1, 1),
    "ClampMax": lambda t: t.x.clamp_max(0),
    "ClampTensor": lambda t: torch.clamp(t.x, -t.p, t.p),
    "ClampMaxTensor": lambda t: torch.clamp_max(t.x, t.y),
    "InplaceClampMax": lambda t: t.x.clone().clamp_max_(0),
}  # fmt: skip

MAKING: dict[str, Any] = {
    "Cast": lambda t: t.x.bfloat16().softmax(-1, dtype=torch.float32),
    "InplaceCopy": lambda t: torch.zeros(4, 6, device=t.device).t().copy_(t.x.t()),
    "InplaceFillScalar": lambda t: t.x.clone().fill_(3),
    "InplaceFillTensor": lambda t: t.x.clone().fill_(t.y[0, 0]),
    "InplaceZero": lambda t: t.x.clone().zero_(),
    "InplaceOne": lambda t: torch.ones(3, device=t.device),
    "InplaceMaskedFillScalar": lambda t: t.x.clone().masked_fill_(t.b, -1),
    "InplaceMaskedFillTensor": lambda t: t.x.masked_fill(t.b, t.y[0, 0]),
    "Arange": lambda t: torch.arange(2, 11, 3, device=t.device),
    "Range": lambda t: torch.range(2, 11, 3, device=t.device),
    "Eye": lambda t: torch.eye(3, 4, device=t.device),
    "Tril": lambda t: t.x.tril(1),
    "Triu": lambda t: t.x.triu(1),
    "Cat": lambda t: torch.cat([t.x, t.y], 1),
    "Stack": lambda t: torch.stack([t.x, t.y], 1),
    "Repeat": lambda t: t.x.repeat(2, 3),
    "RepeatInterleaveIntWithDim": lambda t: t.x.repeat_interleave(2, 1),
    "ConstantPadNd": lambda t: torch.nn.functional.pad(t.x, (1, 2), value=5.0),
    "Flip": lambda t: t.x.flip(0),
    "Roll": lambda t: t.x.roll(1, 0),
}

REDUCING: dict[str, Any] = {
    "Matmul": lambda t: t.x @ t.y.t(),
    "BatchMatMul": lambda t: torch.bmm(t.m, t.n),
    "Mm": lambda t: torch.mm(t.x, t.y.t()),
    "Mv": lambda t: torch.mv(t.x, t.y[0]),
    "Addmm": lambda t: torch.addmm(t.x[:, 0], t.x, t.y.t()),
    "Baddbmm": lambda t: torch.baddbmm(t.n[:, :3], t.m, t.n),
    "Softmax": lambda t: t.x.softmax(-1),
    "LogSoftmax": lambda t: t.x.log_softmax(-1),
    "ReduceSum": lambda t: t.x.sum(1, keepdim=True),
    "Mean": lambda t: t.x.mean(-1),
    "Prod": lambda t: t.p.prod(),
    "ProdDim": lambda t: t.p.prod(1),
    "Amax": lambda t: t.x.amax(1),
    "Amin": lambda t: t.x.amin(1),
    "Max": lambda t: t.x.max(),
    "Min": lambda t: t.x.min(),
    "MaxDim": lambda t: t.x.max(1),
    "MinDim": lambda t: t.x.min(1),
    "ArgMax": lambda t: t.x.argmax(-1),
    "ArgMin": lambda t: t.x.argmin(-1),
    "Any": lambda t: t.b.any(1),
    "All": lambda t: t.b.all(1),
    "Cumsum": lambda t: t.x.cumsum(1),
    "Topk": lambda t: t.x.topk(3, -1),
    "Sort": lambda t: t.x.sort(dim=-1, stable=True),
}

INDEXING: dict[str, Any] = {
    "Gather": lambda t: t.x.gather(1, t.i),
    "IndexSelect": lambda t: t.x.index_select(0, t.rows),
    "Index": lambda t: t.x[t.rows],
    "IndexPutImpl": lambda t: t.x.clone().index_put_((t.rows,), t.y[:2]),
    "InplaceIndexCopy": lambda t: t.x.clone().index_copy_(0, t.rows, t.y[:2]),
    "IndexCopy": lambda t: torch.index_copy(t.x, 0, t.rows, t.y[:2]),
    "IndexAdd": lambda t: t.x.index_add(0, t.rows, t.y[:2]),
    "Scatter": lambda t: torch.scatter(t.x, 1, t.rows.expand(4, 2), t.y),
    "ScatterValue": lambda t: torch.scatter(t.x, 1, t.rows.expand(4, 2), 2.5),
    "InplaceScatter": lambda t: t.x.clone().scatter_(1, t.rows.expand(4, 2), t.y),
    "InplaceScatterValue": lambda t: t.x.clone().scatter_(1, t.rows.expand(4, 2), 2.5),
    "ScatterAdd": lambda t: t.x.scatter_add(1, t.i, t.y),
    "Embedding": lambda t: torch.nn.functional.embedding(t.i, t.x),
    "LayerNorm": lambda t: torch.nn.functional.layer_norm(t.x, (6,), t.p[0], t.y[0]),
}

CASES: dict[str, Any] = BINARY | UNARY | MAKING | REDUCING | INDEXING


def results(name: str, device: str) -> list[torch.Tensor]:
    """What the case of an operator gives on a device."""
    found = CASES[name](Tensors(device))
    return [found] if isinstance(found, torch.Tensor) else list(found)
