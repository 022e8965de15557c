"""Integer expressions from the text torch prints for a symbolic size."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable

from .ints import Fn, Int, Sym, floordiv, maximum, minimum, mod, of, product


@functools.lru_cache(maxsize=4096)
def parse(text: str, lows: tuple[tuple[str, int | None], ...] = ()) -> Int:
    """An Int from a sympy-printed size such as `4*((s50//4))`, `s19 + 1` or `Min(32, s50)`.

    `lows` gives the least value of symbols (default 0; None for one that may be negative).
    """
    return _parse(ast.parse(text.strip(), mode="eval").body, dict(lows))


def _parse(node: ast.expr, lows: dict[str, int | None]) -> Int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return of(node.value)
    if isinstance(node, ast.Name):
        return of(Sym(node.id, lows.get(node.id, 0)))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_parse(node.operand, lows)
    if isinstance(node, ast.BinOp):
        left, right = _parse(node.left, lows), _parse(node.right, lows)
        ops: dict[type, Callable[[Int, Int], Int]] = {
            ast.Add: Int.__add__, ast.Sub: Int.__sub__, ast.Mult: Int.__mul__, ast.FloorDiv: floordiv, ast.Mod: mod,
        }  # fmt: skip
        if type(node.op) in ops:
            return ops[type(node.op)](left, right)
        if isinstance(node.op, ast.Pow) and right.is_const and right.const >= 0:
            return product([left] * right.const)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        args = tuple(_parse(x, lows) for x in node.args)
        calls: dict[str, Callable[..., Int]] = {
            "Min": minimum, "Max": maximum, "FloorDiv": floordiv, "Mod": mod, "PythonMod": mod,
        }  # fmt: skip
        name = node.func.id
        return calls.get(name, lambda *xs: of(Fn(name, xs)))(*args)
    return of(Sym(ast.unparse(node), None))
