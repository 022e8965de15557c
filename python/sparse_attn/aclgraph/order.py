"""Plans in front: the order the planner wants, applied to a torch graph."""

from __future__ import annotations

from torch.fx import GraphModule, Node

from ..lowering.plan.order import behind
from .program import describe


def plans_first(module: GraphModule) -> int:
    """Move every plan right behind the last thing it must follow; returns how many moved.

    A plan is pure: what binds it are its arguments, and writes in place into the memory that these look into.
    """
    moved = 0
    for task in [task for task in describe(module).tasks if task.plans]:
        nodes = {node.name: node for node in module.graph.nodes}
        place = {name: number for number, name in enumerate(nodes)}
        plan = nodes[task.name]
        program = describe(module)
        now = next(t for t in program.tasks if t.name == task.name)
        earlier = behind(program, now)
        needed = [*plan.all_input_nodes, *([nodes[earlier.name]] if earlier else []), *_head(module)]
        last = max(needed, key=lambda node: place[node.name])
        between = list(nodes.values())[place[last.name] + 1 : place[plan.name]]
        if any(not _is_plan(node) for node in between):
            last.append(plan)
            moved += 1
    if moved:
        module.recompile()
    return moved


def _is_plan(node: Node) -> bool:
    return str(getattr(node.target, "_opname", "")).endswith("_metadata")


def _head(module: GraphModule) -> list[Node]:
    """What every node follows: the last placeholder, or the first node of a graph without."""
    return module.graph.find_nodes(op="placeholder")[-1:] or [next(iter(module.graph.nodes))]
