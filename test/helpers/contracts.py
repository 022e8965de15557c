"""One op in a small module, as kernel contracts see it, and what each kernel says of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from torch_mlir import ir

from sparse_attn.dialect.registry import new_context
from sparse_attn.lowering.analysis.graph import Value, snapshot
from sparse_attn.lowering.analysis.liveness import live
from sparse_attn.lowering.kernels import CONTRACTS, offered
from sparse_attn.lowering.kernels.contract import Contract, Decision, Use
from sparse_attn.lowering.lift import functions

OPERANDS = {
    "lightning_indexer": ("query", "key", "weights", "query_scale", "key_scale", "visible", "mask"),
    "attention": (
        "query", "ori_kv", "ori_value", "cmp_kv", "ori_indices", "cmp_indices", "sinks", "visible", "cmp_visible",
        "mask",
    ),
}  # fmt: skip


def op_text(name: str, result: str, tensors: Mapping[str, str], attributes: Mapping[str, Any], results: str) -> str:
    """`%result:2 = "sparse_attn.<name>"(...)`; `tensors` maps operand names to `%value : type`."""
    given = [tensors[operand].split(" : ") for operand in OPERANDS[name] if operand in tensors]
    counts = ", ".join(str(int(operand in tensors)) for operand in OPERANDS[name])
    written = [f"operandSegmentSizes = array<i32: {counts}>", *(f"{k} = {_literal(v)}" for k, v in attributes.items())]
    values, types = ", ".join(value for value, _ in given), ", ".join(kind for _, kind in given)
    return f'%{result}:2 = "sparse_attn.{name}"({values}) {{{", ".join(written)}}} : ({types}) -> ({results})'


def _literal(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"{value} : i64"
    return f"{value} : f64" if isinstance(value, float) else f'"{value}"'


def indexer(tensors: Mapping[str, str], attributes: Mapping[str, Any], shape: str = "1x2x16", result: str = "i") -> str:
    """A lightning_indexer with indices [B, S, K]."""
    return op_text("lightning_indexer", result, tensors, attributes, f"tensor<{shape}xi32>, tensor<{shape}xf32>")


def attention(tensors: Mapping[str, str], attributes: Mapping[str, Any], out: str, result: str = "a") -> str:
    batch, tokens, heads, *_ = out.split("x")
    lse = f"{batch}x{tokens}x{heads}xf32" if attributes.get("return_lse") else "0xf32"
    return op_text("attention", result, tensors, attributes, f"tensor<{out}>, tensor<{lse}>")


def function(arguments: Mapping[str, str], body: str, returned: str, kind: str) -> str:
    """A module with one function over `arguments`, name to type."""
    signature = ", ".join(f"%{name}: {type_}" for name, type_ in arguments.items())
    return f"func.func @f({signature}) -> {kind} {{\n{body}\nreturn {returned} : {kind}\n}}"


class Case:
    """A parsed module and the uses of its fused ops in order; keep it alive while its values are used."""

    def __init__(self, text: str) -> None:
        self.context = new_context()
        self.module = ir.Module.parse(text, self.context)
        self.module.operation.verify()
        self.graph = snapshot(functions(self.module)[0])
        self.alive = frozenset(live(self.graph))

    def ops(self, name: str) -> list[Value]:
        return [v for v in self.graph.values if v.op == f"sparse_attn.{name}" and v.result == 0]

    def decide(self, value: Value, kernel: str, target: str, lists: Any = None, **options: Any) -> Decision | str:
        """What one kernel says of one op."""
        use = Use(value, target, alive=self.alive, lists=lists or {}, **options)
        with self.context:
            return contract(kernel, target).decide(use)


def contract(kernel: str, target: str) -> Contract:
    (found,) = [c for c in CONTRACTS if c.kernel == kernel and target in c.targets]
    return found


def refusal(found: Decision | str) -> str:
    assert isinstance(found, str), f"{found.contract.kernel} took it"
    return found


def draft(found: Decision | str) -> Any:
    assert isinstance(found, Decision), found
    assert found.draft is not None
    return found.draft


def counts(name: str, batch: int, tokens: int, start: int | None, ratio: int) -> str:
    """`%name`, int32 [B or 1, S]: floor((position + 1) / ratio), positions start + s or, without it, `%positions`."""
    rows = 1 if start is not None else batch
    shapes = ((tokens, 64), (f"{rows},{tokens}", 64), (f"{rows},{tokens}", 32))
    flat, kind, small = (f"!torch.vtensor<[{shape}],si{bits}>" for shape, bits in shapes)
    lines = [
        f"%{key} = torch.constant.int {n}" for key, n in (("n", tokens), ("zero", 0), ("one", 1), ("ratio", ratio))
    ]
    lines += ["%none = torch.constant.none", "%false = torch.constant.bool false", "%code = torch.constant.int 3"]
    lines += [f"%start = torch.constant.int {start or 0}"]
    if start is not None:
        lines += [
            _torch("iota", "arange", ["%n", *["%none"] * 4], ["int", *["none"] * 4], flat),
            _torch("row", "unsqueeze", ["%iota", "%zero"], [flat, "int"], kind),
            _torch("positions", "add.Scalar", ["%row", "%start", "%one"], [kind, "int", "int"], kind),
        ]
    cast = [kind, "int", "none", "none", "none", "bool", "none"]
    lines += [
        _torch("next", "add.Scalar", ["%positions", "%one", "%one"], [kind, "int", "int"], kind),
        _torch("whole", "floor_divide.Scalar", ["%next", "%ratio"], [kind, "int"], kind),
        _torch("small", "_to_copy", ["%whole", "%code", "%none", "%none", "%none", "%false", "%none"], cast, small),
        f"%{name} = torch_c.to_builtin_tensor %small : {small} -> tensor<{rows}x{tokens}xi32>",
    ]
    return "\n  ".join(["", *lines])


def _torch(result: str, op: str, operands: list[str], types: list[str], kind: str) -> str:
    written = ", ".join(t if t.startswith("!") else f"!torch.{t}" for t in types)
    return f"%{result} = torch.aten.{op} {', '.join(operands)} : {written} -> {kind}"


def v4(
    mode: str = "CSA", *, batch: int = 1, tokens: int = 3, keys: int = 130, compressed: int | None = None,
    ratio: int | None = None, k: int = 512, heads: int = 64, width: int = 512, dtype: str = "bf16",
    start: int | None = -1, runtime: bool = False, left: int = 127, drop: tuple[str, ...] = (),
    attributes: Mapping[str, Any] | None = None,
) -> str:  # fmt: skip
    """DeepSeek-V4's attention in one of its modes (SWA, CSA, HCA), a CSA list by its own indexer, as a module.

    `start` is the first query token's position (keys - tokens unless given); `runtime` makes positions an argument.
    """
    ratio = ratio or (4 if mode == "CSA" else 128)
    compressed = keys // ratio if compressed is None else compressed
    start = None if runtime else keys - tokens if start == -1 else start
    picks = min(k, compressed)
    arguments = {
        "q": f"tensor<{batch}x{tokens}x{heads}x{width}x{dtype}>", "kv": f"tensor<{batch}x{keys}x1x{width}x{dtype}>",
        "sinks": f"tensor<{heads}xf32>",
    }  # fmt: skip
    tensors = {"query": f"%q : {arguments['q']}", "ori_kv": f"%kv : {arguments['kv']}"}
    tensors["sinks"] = f"%sinks : {arguments['sinks']}"
    said: dict[str, Any] = {"scale": 0.044, "ori_mask": "band", "ori_left": left, "ori_right": 0}
    body = ""
    if mode != "SWA":
        arguments["cmp"] = f"tensor<{batch}x{compressed}x1x{width}x{dtype}>"
        rows = batch if runtime else 1
        visible = f"%v : tensor<{rows}x{tokens}xi32>"
        tensors |= {"cmp_kv": f"%cmp : {arguments['cmp']}", "cmp_visible": visible}
        said |= {"cmp_mask": "prefix", "cmp_ratio": ratio}
        body = counts("v", batch, tokens, start, ratio)
        if runtime:
            arguments["positions"] = f"!torch.vtensor<[{batch},{tokens}],si64>"
    if mode == "CSA":
        arguments |= {
            "iq": f"tensor<{batch}x{tokens}x64x128x{dtype}>", "ik": f"tensor<{batch}x{compressed}x128x{dtype}>",
            "iw": f"tensor<{batch}x{tokens}x64x{dtype}>",
        }  # fmt: skip
        own = {n: f"%{a} : {arguments[a]}" for n, a in (("query", "iq"), ("key", "ik"), ("weights", "iw"))}
        listed = f"{batch}x{tokens}x{picks}"
        body += "\n  " + indexer(
            own | {"visible": visible}, {"k": k, "mask_mode": "prefix", "ratio": ratio, "scale": 0.5}, listed
        )
        tensors["cmp_indices"] = f"%i#0 : tensor<{listed}xi32>"
    tensors = {name: value for name, value in tensors.items() if name not in drop}
    out = arguments["q"].removeprefix("tensor<").removesuffix(">")
    body += "\n  " + attention(tensors, said | dict(attributes or {}), out)
    return function(arguments, body, "%a#0", arguments["q"])


def absorbed(
    *, batch: int = 1, tokens: int = 3, keys: int = 40, k: int = 16, heads: int = 4, latent: int = 512,
    rotary: int = 64, groups: int = 1, mask: str = "causal", dtype: str = "bf16",
    attributes: Mapping[str, Any] | None = None, sinks: bool = False,
) -> str:  # fmt: skip
    """DeepSeek-V3.2's attention with absorbed projections: a list of keys, rows of latent and rotary channels."""
    width, listed = latent + rotary, f"{batch}x{tokens}x{min(k, keys)}"
    arguments = {
        "q": f"tensor<{batch}x{tokens}x{heads}x{width}x{dtype}>",
        "kv": f"tensor<{batch}x{keys}x{groups}x{width}x{dtype}>",
        "iq": f"tensor<{batch}x{tokens}x64x128x{dtype}>", "ik": f"tensor<{batch}x{keys}x128x{dtype}>",
        "iw": f"tensor<{batch}x{tokens}x64x{dtype}>",
    }  # fmt: skip
    own = {n: f"%{a} : {arguments[a]}" for n, a in (("query", "iq"), ("key", "ik"), ("weights", "iw"))}
    body = "  " + indexer(own, {"k": k, "mask_mode": mask if mask != "band" else "causal"}, listed)
    tensors = {"query": f"%q : {arguments['q']}", "ori_kv": f"%kv : {arguments['kv']}"}
    tensors["ori_indices"] = f"%i#0 : tensor<{listed}xi32>"
    if sinks:
        arguments["sinks"] = f"tensor<{heads}xf32>"
        tensors["sinks"] = f"%sinks : {arguments['sinks']}"
    said = {"scale": 0.1, "ori_mask": mask, "value_width": latent} | dict(attributes or {})
    out = f"{batch}x{tokens}x{heads}x{latent}x{dtype}"
    body += "\n  " + attention(tensors, said, out)
    return function(arguments, body, "%a#0", f"tensor<{out}>")


def decided(text: str, kernel: str, target: str, **options: Any) -> Decision | str:
    """A kernel's answer for the attention of a module, whose indexer is decided first; keeps the module alive."""
    case = Case(text)
    lists: dict[int, Decision] = {}
    for value in case.ops("lightning_indexer"):
        answers = [case.decide(value, c.kernel, target, **options) for c in offered(target, value.op)]
        found = next((a for a in answers if not isinstance(a, str)), None)
        if found is not None:
            lists[value.order] = found
    (op,) = case.ops("attention")
    answer = case.decide(op, kernel, target, lists, **options)
    _ALIVE.append(case)
    return answer


_ALIVE: list[Case] = []
