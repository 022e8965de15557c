"""Functional cache writes become in-place writes where nothing reads the old value any more.

AOTAutograd turns `cache.index_copy_(...)` into `new = index_copy(cache, ...)` and a `copy_(cache, new)` at the end: the
whole cache is copied twice a step. When every read of the old value, views included, comes before the write, the write
can happen in place, where it stands; reads of the new value keep following it.
"""

from __future__ import annotations

import torch
from torch.fx import GraphModule, Node

aten = torch.ops.aten
IN_PLACE = {
    aten.index_copy.default: aten.index_copy_.default,
    aten.index_put.default: aten.index_put_.default,
    aten.scatter.src: aten.scatter_.src,
    aten.scatter.value: aten.scatter_.value,
}


def write_in_place(module: GraphModule) -> int:
    """Rewrite every safe write of `module`; returns how many copies went away."""
    order = {node: i for i, node in enumerate(module.graph.nodes)}
    done = 0
    for tail in [n for n in module.graph.nodes if n.target is aten.copy_.default]:
        cache, new = tail.args[:2]
        if not isinstance(new, Node) or not isinstance(cache, Node) or new.target not in IN_PLACE:
            continue
        if cache.op != "placeholder" or new.args[0] is not cache:
            continue
        if _uses_once(new, cache) and not _escapes(new, tail) and _read_before(cache, order[new], order, {new, tail}):
            new.target = IN_PLACE[new.target]
            tail.replace_all_uses_with(new)
            module.graph.erase_node(tail)
            done += 1
    if done:
        module.recompile()
    return done


def _read_before(value: Node, write: int, order: dict[Node, int], exempt: set[Node]) -> bool:
    """Every use of `value`, also through views of it, stands before the write."""
    for user in value.users:
        if user in exempt:
            continue
        if user.op == "output" or order[user] > write:
            return False
        if _may_alias(user) and not _read_before(user, write, order, exempt):
            return False
    return True


def _uses_once(write: Node, cache: Node) -> bool:
    """The cache is written from nothing that may share its storage."""
    if any(argument is cache for argument in write.args[1:]):
        return False
    return not any(_shares(source, cache) for source in write.all_input_nodes if source is not cache)


def _shares(node: Node, cache: Node) -> bool:
    if node is cache:
        return True
    return node.op == "call_function" and _may_alias(node) and any(_shares(n, cache) for n in node.all_input_nodes)


def _escapes(value: Node, tail: Node) -> bool:
    """`value`, itself or through a view, is returned: the caller owns a tensor of its own and not the cache."""
    return any(
        user.op == "output" or (user is not tail and _may_alias(user) and _escapes(user, tail)) for user in value.users
    )


def _may_alias(node: Node) -> bool:
    """The result may share storage with an argument."""
    if not isinstance(node.target, torch._ops.OpOverload):
        return True
    return any(result.alias_info is not None for result in node.target._schema.returns)
