"""Registration of the meaning-level operators: opcheck, fakes, autograd, torch.compile and torch.export of each."""

import subprocess
import sys

import pytest
import torch
from meaning_cases import draw, integers, operator, picks

from sparse_attn.ops import meaning

B, S, T, C, H, D = 2, 5, 9, 7, 4, 8

INDEXER = (draw(B, S, H, D), draw(B, T, D, seed=1), draw(B, S, H, seed=2))
SCORES, KV, GATE = draw(B, S, T), draw(B, T, D), draw(B, T, D, seed=1)
ATTENTION = {
    "ori_kv": draw(B, T, 2, D),
    "cmp_kv": draw(B, C, 2, D, seed=1),
    "cmp_indices": picks(B, S, 3, C),
    "sinks": draw(H),
    "ori_mask": "causal",
}

CALLS = {
    "index_scores": [(INDEXER, {"scale": 0.5}), (INDEXER[:2], {"reduce": "none", "key_scale": draw(B, T)})],
    "topk": [
        ((SCORES,), {"k": 4, "mask_mode": "causal"}),
        ((SCORES,), {"k": 40, "block": 2, "local_blocks": 1, "mask": SCORES > 0}),
    ],
    "lightning_indexer": [
        (INDEXER, {"k": 4, "mask_mode": "prefix", "visible": integers(0, T, B, S), "ratio": 4}),
        (INDEXER, {"k": 40}),
    ],
    "selection": [((picks(B, S, 4, T),), {"extent": T})],
    "attention": [
        ((draw(B, S, H, D),), ATTENTION | {"return_lse": True, "value_width": 4}),
        ((draw(B, S, H, D),), {"ori_kv": draw(B, T, 1, D), "ori_value": draw(B, T, 1, 3)}),
    ],
    "compress": [((KV, GATE, draw(4, D)), {"ratio": 4}), ((KV, GATE), {"ratio": 4, "overlap": True})],
    "paged_write": [((draw(3, 4, 2), draw(3, 2), torch.tensor([0, -1, 11])), {})],
}
EACH = [pytest.param(name, *call, id=f"{name}-{n}") for name, calls in CALLS.items() for n, call in enumerate(calls)]


def test_every_operator_is_tried():
    assert set(CALLS) == set(meaning.OPERATORS)


def outputs(result):
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize(("name", "args", "kwargs"), EACH)
def test_opcheck(implementation, name, args, kwargs):
    torch.library.opcheck(operator(name).default, args, kwargs)


@pytest.mark.parametrize(("name", "args", "kwargs"), EACH)
def test_fakes_have_the_shapes_of_results(name, args, kwargs):
    with torch._subclasses.FakeTensorMode() as mode:
        fake = outputs(operator(name)(*_converted(mode, args), **_converted(mode, kwargs)))
    for found, real in zip(fake, outputs(operator(name)(*args, **kwargs)), strict=True):
        assert (found.shape, found.dtype, found.stride()) == (real.shape, real.dtype, real.stride())


def _converted(mode, values):
    def convert(value):
        return mode.from_tensor(value) if isinstance(value, torch.Tensor) else value

    return {k: convert(v) for k, v in values.items()} if isinstance(values, dict) else [convert(v) for v in values]


@pytest.mark.parametrize(("name", "args", "kwargs"), EACH)
@pytest.mark.parametrize("dynamic", [False, True])
def test_compile(name, args, kwargs, dynamic):
    def model(*tensors):
        return operator(name)(*tensors, **kwargs)

    with torch.no_grad():
        compiled = torch.compile(model, backend="aot_eager", fullgraph=True, dynamic=dynamic)
        for found, wanted in zip(outputs(compiled(*args)), outputs(model(*args)), strict=True):
            torch.testing.assert_close(found, wanted, rtol=0, atol=0, equal_nan=True)
    torch._dynamo.reset()


@pytest.mark.parametrize(("name", "args", "kwargs"), EACH)
def test_export(name, args, kwargs):
    class Model(torch.nn.Module):
        def forward(self, *tensors):
            return operator(name)(*tensors, **kwargs)

    with torch.no_grad():
        exported = torch.export.export(Model(), args)
        targets = [node.target for node in exported.graph.nodes if node.op == "call_function"]
        assert operator(name).default in targets
        for found, wanted in zip(outputs(exported.module()(*args)), outputs(Model()(*args)), strict=True):
            assert torch.equal(found, wanted)


class Indexed(torch.nn.Module):
    """Indexer and attention over T keys; how many there are is known when it runs."""

    def forward(self, query, key, weights, kv):
        ops = torch.ops.sparse_attn
        indices, _ = ops.lightning_indexer(query, key, weights, k=6, mask_mode="causal")
        return ops.attention(query, ori_kv=kv, ori_indices=indices, ori_mask="causal")[0], indices


def test_one_graph_serves_fewer_and_more_keys_than_k():
    """The width min(k, T) stays symbolic, also through torch.export."""
    keys = torch.export.Dim("keys", min=2, max=64)
    shapes = ({}, {1: keys}, {}, {1: keys})
    arguments = lambda t: (draw(B, 2, H, D), draw(B, t, D, seed=1), draw(B, 2, H, seed=2), draw(B, t, 1, D, seed=3))  # noqa: E731
    with torch.no_grad():
        exported = torch.export.export(Indexed(), arguments(9), dynamic_shapes=shapes).module()
        counter = torch._dynamo.testing.CompileCounterWithBackend("aot_eager")
        compiled = torch.compile(Indexed(), backend=counter, fullgraph=True, dynamic=True)
        for size in (3, 5, 6, 7, 20):
            wanted = Indexed()(*arguments(size))
            assert wanted[1].shape[-1] == min(6, size)
            for module in (exported, compiled):
                for found, ours in zip(module(*arguments(size)), wanted, strict=True):
                    assert torch.equal(found, ours)
        assert counter.frame_count == 1
    torch._dynamo.reset()


def test_a_wrong_shape_is_refused_while_tracing():
    with torch.no_grad(), pytest.raises(Exception, match=r"\[c3\].*dimension d is 7"):
        torch.compile(operator("index_scores"), backend="aot_eager", fullgraph=True)(
            INDEXER[0], draw(B, T, 7), INDEXER[2]
        )
    torch._dynamo.reset()


@pytest.mark.parametrize(
    ("name", "args", "kwargs"), [case for case in EACH if case.values[0] not in ("selection", "paged_write")]
)
def test_autograd_is_refused_and_says_what_to_do(name, args, kwargs):
    wanting = (args[0].clone().requires_grad_(), *args[1:])
    with pytest.raises(
        RuntimeError, match=rf"sparse_attn.{name} has no derivative.*no_grad\(\) or torch.inference_mode"
    ):
        operator(name)(*wanting, **kwargs)
    for mode in (torch.no_grad, torch.inference_mode):
        with mode():
            assert not any(found.requires_grad for found in outputs(operator(name)(*wanting, **kwargs)))
    operator(name)(wanting[0].detach(), *wanting[1:], **kwargs)


def test_gradients_through_keyword_tensors_are_refused():
    kv = ATTENTION["ori_kv"].clone().requires_grad_()
    with pytest.raises(RuntimeError, match="requires grad"):
        operator("attention")(draw(B, S, H, D), ori_kv=kv)


def test_importing_twice_and_registering_again_change_nothing():
    assert meaning.register() is meaning.register()
    code = "import sparse_attn.ops, torch; print(torch.ops.sparse_attn.attention.default._schema.name)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "sparse_attn::attention"
