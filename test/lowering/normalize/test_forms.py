"""Canonical forms: the same for every spelling, and what they leave out is nothing."""

import itertools

import numpy as np
import pytest
import torch
from terms import Captured, Eager, captured_whole
from values import term

from sparse_attn.lowering.normalize.forms import activation, contraction, exact, look, peel, scaled, variables
from sparse_attn.lowering.normalize.term import Apply, Elem, Lit, Sum, whole

X, Y = torch.randn(3, 4), torch.randn(5, 4)
HALF = X.bfloat16()


def last(function, *inputs, capture=None):
    it = Captured(function, *inputs, capture=capture)
    return whole(it.graph.results[0], "ij"), Eager(it, *inputs)


@pytest.mark.parametrize(
    ("source", "target", "kept"),
    [
        ("f32", "f32", True), ("bf16", "f32", True), ("f16", "f32", True), ("f32", "f64", True), ("si32", "si64", True),
        ("si32", "f64", True), ("f32", "bf16", False), ("bf16", "f16", False), ("f16", "bf16", False),
        ("si64", "f64", False), ("si32", "f32", False), ("f32", "si32", False), ("si64", "si32", False),
    ],
)  # fmt: skip
def test_which_casts_keep_every_value(source, target, kept):
    assert exact(source, target) is kept


PEELS = {
    "layout": (lambda x: x.t().contiguous().t().view(3, 4), False, True),
    "exact cast": (lambda x: x.double().t().t(), False, True),
    "rounding cast": (lambda x: x.bfloat16().float(), True, True),
    "rounding cast, exactly": (lambda x: x.bfloat16().float(), False, False),
    "through integers": (lambda x: x.long().float(), True, False),
    "through truth": (lambda x: x.bool().float(), True, False),
    "through eight bits": (lambda x: x.to(torch.float8_e4m3fn).float(), True, False),
}


@pytest.mark.parametrize("name", PEELS)
def test_what_peels_down_to_the_input(name):
    function, lossy, reaches = PEELS[name]
    elem, _ = last(function, X)
    assert (peel(elem, lossy).value.op == "") is reaches
    found = look(elem, lossy)
    assert (isinstance(found, Elem) and found.value.op == "") is reaches


SCALES = {
    "times": (lambda x: x * 3.0, 3.0),
    "number first": (lambda x: 2 * x, 2.0),
    "divided": (lambda x: x / 4, 0.25),
    "negated": (lambda x: -(x * 0.5), -0.5),
    "through layout": (lambda x: (x * 3.0).t().contiguous().t() * 2, 6.0),
    "none": (lambda x: x + 1, 1.0),
    "by zero": (lambda x: x / 0.0, 1.0),
}


@pytest.mark.parametrize("name", SCALES)
def test_constant_factors_add_up(name):
    function, factor = SCALES[name]
    elem, env = last(function, X)
    found = scaled(elem)
    assert found.coefficient == factor
    if name not in ("by zero",):
        for i, j in itertools.product(range(3), range(4)):
            at = env.at(i=i, j=j)
            assert np.isclose(found.coefficient * term(found.elem, at), function(X)[i, j].item())


CONTRACTIONS = {
    "mm": (lambda x, y: x @ y.t(), None),
    "matmul": (torch.matmul, captured_whole),
    "linear": (torch.nn.functional.linear, captured_whole),
    "einsum": (lambda x, y: torch.einsum("ik,jk->ij", x, y), captured_whole),
    "einsum taken apart": (lambda x, y: torch.einsum("ik,jk->ij", x, y), None),
    "mul and sum": (lambda x, y: (x[:, None] * y).sum(-1), None),
    "bmm": (lambda x, y: torch.bmm(x[None], y.t()[None])[0], None),
    "scaled": (lambda x, y: (x @ y.t()) * 0.5, None),
    "scaled inside": (lambda x, y: ((x[:, None] * y) * 3.0).sum(-1) / 2, None),
    "a factor that is no constant": (lambda x, y: ((x[:, None] * y) * y).sum(-1), None),
}


@pytest.mark.parametrize("name", CONTRACTIONS)
def test_a_contraction_is_its_sum(name):
    function, capture = CONTRACTIONS[name]
    given = (X, Y.t().contiguous()) if name == "matmul" else (X, Y)
    elem, env = last(function, *given, capture=capture)
    found = contraction(elem)
    assert found is not None and len(found.factors) == 2 and len(found.over) == 1
    real = function(*given)
    for i, j in itertools.product(range(3), range(5)):
        got = found.coefficient * term(Sum(found.over, found.factors), env.at(i=i, j=j))
        assert np.isclose(got, real[i, j].item(), 1e-4, 1e-5)
    assert variables(found.factors[0]) | variables(found.factors[1]) == {"i", "j", found.over[0].name}


def test_a_size_that_multiplies_is_no_part_of_a_two_factor_contraction():
    it = Captured(lambda x, y: ((x[:, None] * y) * x.shape[0]).sum(-1), X, Y, dynamic=True)
    found = contraction(whole(it.graph.results[0], "ij"))
    assert found is None or len(found.factors) == 1


@pytest.mark.parametrize(
    "function", [lambda x, y: x + 1, lambda x, y: (x @ y.t()) + 1, lambda x, y: (x @ y.t()).relu()]
)
def test_what_is_no_contraction(function):
    assert contraction(last(function, X, Y)[0]) is None


RELUS = {
    "relu": torch.relu,
    "clamp": lambda x: x.clamp(min=0),
    "clamp_min": lambda x: x.clamp_min(0.0),
    "maximum": lambda x: torch.maximum(x, torch.zeros_like(x)),
    "maximum swapped": lambda x: torch.maximum(x.new_zeros(()), x),
    "where": lambda x: torch.where(x > 0, x, 0.0),
    "where or equal": lambda x: torch.where(x.t() >= 0, x.t(), torch.zeros(4, 3)).t(),
    "where of zeros": lambda x: torch.where(x >= 0, x, torch.zeros_like(x)),
    "scaled": lambda x: torch.relu(x * 2) * 0.5,
}
NO_RELUS = {
    "clamp above zero": lambda x: x.clamp(min=0.5),
    "clamp both": lambda x: x.clamp(0, 6),
    "clamp max": lambda x: x.clamp(max=0),
    "leaky": lambda x: torch.nn.functional.leaky_relu(x) * 1,
    "gelu": torch.nn.functional.gelu,
    "minimum": lambda x: torch.minimum(x, torch.zeros_like(x)),
    "where the other way": lambda x: torch.where(x < 0, x, 0.0),
    "where of another": lambda x: torch.where(x.t().contiguous().t().abs() > 0, x, 0.0),
    "where with a bound": lambda x: torch.where(x > 1, x, 0.0),
    "square": lambda x: torch.relu(x) * torch.relu(x),
}


@pytest.mark.parametrize("name", RELUS)
def test_spellings_of_relu(name):
    elem, env = last(RELUS[name], X)
    found = activation(elem)
    assert found.name == "relu"
    for i, j in itertools.product(range(3), range(4)):
        got = found.coefficient * max(term(found.elem, env.at(i=i, j=j)), 0)
        assert np.isclose(got, RELUS[name](X)[i, j].item())


@pytest.mark.parametrize("name", NO_RELUS)
def test_what_only_looks_like_relu(name):
    assert activation(last(NO_RELUS[name], X)[0]).name == "none"


def test_look_ends_at_a_term():
    found = look(last(lambda x: (x + 1).t().t(), X)[0])
    assert isinstance(found, Apply) and found.name == "add" and found.args[1] == Lit(1)
