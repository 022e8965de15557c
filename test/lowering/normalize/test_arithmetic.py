"""Element-wise functions and contractions: each spelling's term is torch's value, element by element."""

import pytest
import torch
from terms import captured_whole, check

A = torch.tensor([[-3, -1, 0, 2], [5, -2, 1, 0], [4, 3, -4, -1]])
B = torch.tensor([[2, 1, 3, -2], [1, -3, 2, 4], [-1, 2, 2, 3]])
F, G = A.double() / 4, B.double() / 8
P, Q = A > 0, B > 1

INTEGERS = {
    "add": lambda a, b: a + b,
    "add scaled": lambda a, b: torch.add(a, b, alpha=3),
    "add number": lambda a, b: a + 2,
    "sub": lambda a, b: a - b,
    "sub scaled": lambda a, b: torch.sub(a, b, alpha=-2),
    "rsub": lambda a, b: 7 - a,
    "rsub scaled": lambda a, b: torch.rsub(a, b, alpha=2),
    "mul": lambda a, b: a * b,
    "mul broadcast": lambda a, b: a * b[:1] * b[:, :1],
    "floor divide": lambda a, b: a // b,
    "floor divide number": lambda a, b: a // -2,
    "div floor": lambda a, b: torch.div(a, b, rounding_mode="floor"),
    "remainder": lambda a, b: a % b,
    "remainder number": lambda a, b: a % -3,
    "maximum": torch.maximum,
    "minimum": torch.minimum,
    "max other": torch.max,
    "min other": torch.min,
    "neg": lambda a, b: -a,
    "relu": lambda a, b: torch.relu(a),
    "clamp below": lambda a, b: a.clamp(min=0),
    "clamp above": lambda a, b: a.clamp(max=1),
    "clamp both": lambda a, b: a.clamp(-1, 2),
    "clamp tensors": lambda a, b: torch.clamp(a, b, b + 1),
    "clamp_min": lambda a, b: a.clamp_min(-1),
    "clamp_max": lambda a, b: a.clamp_max(-1),
    "clamp_min tensor": lambda a, b: a.clamp_min(b),
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= 1,
    "gt": lambda a, b: a > b[:, :1],
    "ge": lambda a, b: a >= b,
    "sum of one": lambda a, b: a.sum(1),
    "sum kept": lambda a, b: (a * b).sum(0, keepdim=True),
    "sum of both": lambda a, b: a.sum((0, 1)),
    "sum of all": lambda a, b: a.sum(),
    "sum negative": lambda a, b: a.view(3, 2, 2).sum((-1, 0)),
}


@pytest.mark.parametrize("name", INTEGERS)
def test_integers(name):
    check(INTEGERS[name], A, B)


BOOLS = {
    "and": lambda p, q: p & q,
    "or": lambda p, q: p | q,
    "xor": lambda p, q: p ^ q,
    "not": lambda p, q: ~p,
    "logical and": torch.logical_and,
    "logical or": torch.logical_or,
    "logical xor": torch.logical_xor,
    "logical not": lambda p, q: torch.logical_not(q),
    "equal": lambda p, q: p == q,
    "to number": lambda p, q: p.to(torch.int64) + q.to(torch.int64),
}


@pytest.mark.parametrize("name", BOOLS)
def test_truth_values(name):
    check(BOOLS[name], P, Q)


FLOATS = {
    "div": lambda f, g: f / g,
    "div number": lambda f, g: f / 4,
    "exp": lambda f, g: f.exp(),
    "relu": lambda f, g: f.relu(),
    "hardtanh": lambda f, g: torch.nn.functional.hardtanh(f, -0.5, 0.25),
    "max with zeros": lambda f, g: torch.maximum(f, torch.zeros_like(f)),
    "cast": lambda f, g: f.to(torch.int64),
    "cast and back": lambda f, g: f.to(torch.int32).double(),
    "mm": lambda f, g: f @ g.t(),
    "matmul batched": lambda f, g: f.view(1, 3, 4).expand(2, 3, 4) @ g.t().expand(2, 4, 3),
    "matmul broadcast": lambda f, g: f.view(3, 1, 1, 4) @ g.view(1, 3, 4, 1),
    "bmm": lambda f, g: torch.bmm(f.view(3, 2, 2), g.view(3, 2, 2)),
    "linear": torch.nn.functional.linear,
    "einsum": lambda f, g: torch.einsum("ik,jk->ij", f, g),
    "einsum transposed": lambda f, g: torch.einsum("ik,jk->ji", f, g),
    "einsum broadcast sum": lambda f, g: torch.einsum("ik,ik->i", f[:, :1], g),
    "einsum broadcast second": lambda f, g: torch.einsum("ik,ik->i", f, g[:, :1]),
    "einsum broadcast row": lambda f, g: torch.einsum("ik,ik->ik", f[:1], g),
    "mul and sum": lambda f, g: (f.unsqueeze(1) * g).sum(-1),
}


@pytest.mark.parametrize("name", FLOATS)
def test_floats(name):
    check(FLOATS[name], F, G, exact=False)


WHOLE = {
    "matmul vector": lambda f, g: f @ g[0],
    "vector matmul": lambda f, g: f[:, 0] @ g,
    "dot": lambda f, g: torch.matmul(f[0], g[1]),
    "matmul batched": lambda f, g: f.view(1, 3, 4).expand(2, 3, 4) @ g.t().expand(2, 4, 3),
    "matmul broadcast": lambda f, g: f.view(3, 1, 1, 4) @ g.view(1, 3, 4, 1),
    "bmm": lambda f, g: torch.bmm(f.view(3, 2, 2), g.view(3, 2, 2)),
    "linear": torch.nn.functional.linear,
    "einsum": lambda f, g: torch.einsum("ik,jk->ij", f, g),
    "einsum transposed": lambda f, g: torch.einsum("ik,jk->ji", f, g),
    "einsum implicit": lambda f, g: torch.einsum("ba,ca", f, g),
    "einsum sums alone": lambda f, g: torch.einsum("ik,jl->ij", f, g),
    "einsum diagonal": lambda f, g: torch.einsum("ii,jk->ijk", f[:, :3], g),
    "einsum scalar": lambda f, g: torch.einsum("ik,ik->", f, g),
    "einsum broadcast sum": lambda f, g: torch.einsum("ik,ik->i", f[:, :1], g),
    "einsum broadcast second": lambda f, g: torch.einsum("ik,ik->i", f, g[:, :1]),
    "einsum broadcast row": lambda f, g: torch.einsum("ik,ik->ik", f[:1], g),
    "einsum one size": lambda f, g: torch.einsum("ik,jk->ij", f[:, :1], g[:, :1]),
    "einsum three": lambda f, g: torch.einsum("ik,jk,k->ij", f, g, g[0]),
}


@pytest.mark.parametrize("name", WHOLE)
def test_composites_kept_whole(name):
    check(WHOLE[name], F, G, exact=False, capture=captured_whole)


def test_an_einsum_with_dots_has_no_term():
    check(lambda f, g: torch.einsum("...k,...k->...", f, g), F, G, capture=captured_whole, opaque=True)


NO_TERM = {
    "leaky relu": lambda f, g: torch.nn.functional.leaky_relu(f),
    "gelu": lambda f, g: torch.nn.functional.gelu(f),
    "div towards zero": lambda f, g: torch.div(f, g, rounding_mode="trunc"),
    "fmod": torch.fmod,
    "mean": lambda f, g: f.mean(0),
    "amax": lambda f, g: f.amax(0),
    "linear with bias": lambda f, g: torch.nn.functional.linear(f, g, g[0, :3]),
    "addmm": lambda f, g: torch.addmm(f[:, :3], f, g.t()),
    "mv": lambda f, g: torch.mv(f, g[0]),
    "tanh": lambda f, g: f.tanh(),
    "prod": lambda f, g: f.prod(0),
}


@pytest.mark.parametrize("name", NO_TERM)
def test_what_has_no_rule_stays_opaque(name):
    check(NO_TERM[name], F, G, opaque=True)
