"""What torch knows travels as attributes: sizes, strides, devices, kinds, least values."""

import torch
from terms import Captured, captured
from torch_mlir import ir

from sparse_attn import ingest
from sparse_attn.ingest import facts
from sparse_attn.lowering.lift import functions


def function_of(module, static=frozenset()):
    imported = ingest.ingest(module, static)
    return imported, functions(imported.module)[0]


def text(attribute):
    return [x.value for x in attribute] if isinstance(attribute, ir.ArrayAttr) else attribute.value


def test_every_operation_leads_to_its_node_with_sizes_and_strides():
    module = captured(lambda x: (x.t() + 1).topk(2)[0], torch.zeros(3, 4))
    imported, function = function_of(module)
    names = {n.name for n in module.graph.nodes}
    found = {}
    for view in function.regions[0].blocks[0].operations:
        if "sparse_attn.node" in view.operation.attributes:
            found[text(view.operation.attributes["sparse_attn.node"])] = view.operation.attributes
    assert set(found) <= names and {"t", "add", "topk"} <= set(found)
    assert text(found["t"]["sparse_attn.dims"]) == ["4, 3"] and text(found["t"]["sparse_attn.strides"]) == ["1, 4"]
    assert text(found["topk"]["sparse_attn.dims"]) == ["4, 2", "4, 2"]
    assert text(found["add"]["sparse_attn.device"]) == ["cpu"]
    assert text(found["topk"]["sparse_attn.results"])[0] == "getitem"
    assert imported.module.operation.verify()


def test_arguments_are_parameters_inputs_or_mutated():
    def function(cache, x, weight):
        cache.copy_(cache + x * weight)
        return x * 2

    module = torch.fx.experimental.proxy_tensor.make_fx(function, tracing_mode="fake")(
        *(torch.zeros(3) for _ in range(3))
    )
    _, made = function_of(module, frozenset({2}))
    kinds = [each["sparse_attn.kind"].value for each in made.attributes["arg_attrs"]]
    assert kinds == ["mutated", "input", "parameter"]
    assert text(made.attributes["sparse_attn.writes"]) == ["cache_1=1"]


def test_symbols_come_with_their_least_value():
    it = Captured(lambda x: x.sum(0) * x.shape[0], torch.zeros(5, 4), dynamic=True)
    (function,) = functions(it.imported.module)
    listed = text(function.attributes["sparse_attn.symbols"])
    assert listed and all(symbol.partition(">=")[2] in ("0", "1", "2") for symbol in listed)
    dims = it.graph.arguments[0].dims
    assert str(dims[0]) in {symbol.partition(">=")[0] for symbol in listed}


def test_values_that_are_no_tensors():
    assert facts.of_value(3) == {} and facts.of_value(None) == {}
    sparse = torch.zeros(2, 2).to_sparse()
    assert "strides" not in facts.of_value(sparse) and facts.of_value(sparse)["dims"] == "2, 2"
