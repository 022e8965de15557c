"""A torch graph in the planner's words: tasks, buffers, and from the schemas what capture has to know."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

import torch
from torch.fx import GraphModule, Node

from ..lowering.plan.program import Buffer, Program, Task
from . import session

HOST_READS = ("aten._local_scalar_dense", "aten.item", "aten.is_nonzero", "aten.equal", "aten.allclose")
UPDATABLE = (
    "npu.npu_fused_infer_attention_score", "npu.npu_fused_infer_attention_score_v2", "npu._npu_paged_attention",
    "npu.npu_multi_head_latent_attention", "npu.npu_fusion_attention_v3", "npu.npu_fusion_attention_grad_v3",
)  # fmt: skip
_DATA_LIST = re.compile(r"seq|len|context|num_tokens")
_INT_LISTS = re.compile(r"(Sym)?[Ii]nt\[\d*\]\??|List\[(int|SymInt)\]|Optional\[List\[(int|SymInt)\]\]")
_BRANCHES = ("cond", "while_loop", "switch")
_CAPTURES = ("npu_graph", "graph_task", "cudagraph", "aclgraph")
_FILE = re.compile(r'File "([^"]+)", line (\d+)')


def describe(module: GraphModule, static: Collection[int] = (), graphs: int = 1) -> Program:
    """The program of a functional or written-in-place ATen graph.

    `static` are the numbers of the placeholders whose memory stays where it is: parameters, buffers, caches.
    """
    placeholders = module.graph.find_nodes(op="placeholder")
    buffers = {node.name: _input(node, number in static) for number, node in enumerate(placeholders)}
    tasks = []
    for node in module.graph.nodes:
        if node.op == "get_attr":
            buffers[node.name] = _buffer(node, "init_once")
        elif node.op == "call_function" and (task := _task(node)) is not None:
            tasks.append(task)
            buffers.update({node.name: _buffer(node, "scratch")} if task.results else {})
    (output,) = module.graph.find_nodes(op="output")
    returned = tuple(node.name for node in output.all_input_nodes)
    return Program(tuple(tasks), buffers, returned, graphs, session.capturing())


def written(module: GraphModule) -> set[Node]:
    """The placeholders that tasks write into, also through views of them."""
    return {root for node in module.graph.nodes for target in _written_by(node) for root in roots(target)}


def roots(node: Node) -> Iterator[Node]:
    """The nodes whose memory `node` may share, itself when it has memory of its own."""
    if node.op == "call_function" and may_alias(node):
        for source in _looked_into(node):
            yield from roots(source)
    else:
        yield node


def _looked_into(node: Node) -> Iterator[Node]:
    """The arguments whose memory the result may be in, by the schema; all where there is none."""
    if not isinstance(node.target, torch._ops.OpOverload):
        yield from node.all_input_nodes
        return
    for number, argument in enumerate(node.target._schema.arguments):
        if argument.alias_info is not None:
            yield from _nodes(node.args[number] if number < len(node.args) else node.kwargs.get(argument.name))


def _nodes(value: Any) -> list[Node]:
    return [v for v in (value if isinstance(value, (list, tuple)) else [value]) if isinstance(v, Node)]


def may_alias(node: Node) -> bool:
    """The result may be a view of an argument, or an argument itself."""
    if not isinstance(node.target, torch._ops.OpOverload):
        return isinstance(node.meta.get("val"), torch.Tensor)  # getitem and what is unknown
    return any(result.alias_info is not None for result in node.target._schema.returns)


def place(node: Node) -> str:
    """The user's file:line: the innermost frame outside torch."""
    frames = _FILE.findall(node.stack_trace or "")
    own = [frame for frame in frames if "/torch/" not in frame[0]]
    file, line = (own or frames or [("", "")])[-1]
    return f"{file.rsplit('/', 1)[-1]}:{line}" if file else "unknown place"


def _input(node: Node, static: bool) -> Buffer:
    mutated = any(node in roots(target) for user in _reach(node) for target in _written_by(user))
    return _buffer(node, "init_once" if static or mutated else "rewritten", mutated)


def _reach(node: Node) -> set[Node]:
    """Users of a value and of its views."""
    found: set[Node] = set()
    waiting = [node]
    while waiting:
        for user in waiting.pop().users:
            if user not in found:
                found.add(user)
                waiting += [user] if user.op == "call_function" and may_alias(user) else []
    return found


def _buffer(node: Node, life: str, mutated: bool = False) -> Buffer:
    value = node.meta.get("val")
    if not isinstance(value, torch.Tensor):
        return Buffer(node.name, life, mutated=mutated)
    sizes = tuple(size if isinstance(size, int) else str(size) for size in value.shape)
    return Buffer(node.name, life, sizes, str(value.dtype).removeprefix("torch."), mutated)


def _written_by(node: Node) -> Iterator[Node]:
    """Arguments that the schema says are written."""
    if node.op != "call_function" or not isinstance(node.target, torch._ops.OpOverload):
        return
    for number, argument in enumerate(node.target._schema.arguments):
        if argument.alias_info is not None and argument.alias_info.is_write:
            yield from _nodes(node.args[number] if number < len(node.args) else node.kwargs.get(argument.name))


def _task(node: Node) -> Task | None:
    """None for what launches nothing: views, sizes, arithmetic of host integers."""
    tensors = _tensors(node.meta.get("val"))
    target: Any = node.target
    overload = isinstance(target, torch._ops.OpOverload)
    name = f"{target.namespace}.{target._opname}" if overload else getattr(target, "__name__", str(target))
    writes = tuple(dict.fromkeys(root.name for source in _written_by(node) for root in roots(source)))
    reads_host = name in HOST_READS or (overload and _number_of_tensor(target))
    higher = isinstance(target, torch._ops.HigherOrderOperator)
    if (
        not (tensors or writes or reads_host or higher or _asserts(node))
        or name == "getitem"
        or (not writes and _is_view(node))
    ):
        return None
    tags = target.tags if overload else ()
    reads = tuple(dict.fromkeys(root.name for source in node.all_input_nodes for root in roots(source)))
    return Task(
        node.name,
        name,
        place(node),
        reads,
        writes,
        results=(node.name,) if tensors and not writes else (),
        host_lists=tuple(_host_lists(node)) if overload else (),
        updatable=name in UPDATABLE,
        reads_host=reads_host,
        sized_by_data=(torch.Tag.dynamic_output_shape in tags and _picks(node))
        or _is_sized_by_data([*tensors, *_sources(node)]),
        random=torch.Tag.nondeterministic_seeded in tags and _drops(node),
        crosses_devices=_crosses(node, tensors),
        branches=higher and name in _BRANCHES,
        captures=any(word in name for word in _CAPTURES),
        plans=name.endswith("_metadata"),
    )


def _asserts(node: Node) -> bool:
    """Is called for what it does to a tensor it reads: a check on the device."""
    returns = getattr(getattr(node.target, "_schema", None), "returns", [None])
    return not returns and node.target is not torch.ops.aten._assert_tensor_metadata.default


def _is_view(node: Node) -> bool:
    return isinstance(node.target, torch._ops.OpOverload) and may_alias(node)


def _tensors(value: Any) -> list[torch.Tensor]:
    values = value if isinstance(value, (list, tuple)) else [value]
    return [v for v in values if isinstance(v, torch.Tensor)]


def _sources(node: Node) -> list[torch.Tensor]:
    return [t for source in node.all_input_nodes for t in _tensors(source.meta.get("val"))]


def _number_of_tensor(target: torch._ops.OpOverload) -> bool:
    """Takes a tensor, gives a number, and is no question about sizes."""
    kinds = [str(result.type) for result in target._schema.returns]
    number = any(kind in ("number", "Scalar", "float", "bool", "int") for kind in kinds)
    about_sizes = target._opname.startswith(("sym_", "size", "stride", "dim", "numel", "storage_offset", "is_"))
    return number and not about_sizes and any(str(a.type) == "Tensor" for a in target._schema.arguments)


def _host_lists(node: Node) -> Iterator[str]:
    """Integer lists that hold lengths: the published operators name them so; ATen's lists are sizes and axes."""
    target: Any = node.target
    if target.namespace in ("aten", "prims"):
        return
    for number, argument in enumerate(target._schema.arguments):
        value = node.args[number] if number < len(node.args) else node.kwargs.get(argument.name)
        if value is not None and _INT_LISTS.fullmatch(str(argument.type)) and _DATA_LIST.search(argument.name):
            yield argument.name


def _drops(node: Node) -> bool:
    """Attention is tagged as random for its dropout, and is not without."""
    arguments: Any = node.target._schema.arguments
    for number, argument in enumerate(arguments):
        if argument.name == "dropout_p":
            given = node.args[number] if number < len(node.args) else node.kwargs.get("dropout_p", 0.0)
            return given != 0.0
    return True


def _picks(node: Node) -> bool:
    """Of operators tagged for it, indexing by numbers alone has a size that follows from shapes."""
    masks = (torch.bool, torch.uint8)
    values = [t for source in node.all_input_nodes[1:] for t in _tensors(source.meta.get("val"))]
    return node.target is not torch.ops.aten.index.Tensor or any(t.dtype in masks for t in values)


def _is_sized_by_data(tensors: list[torch.Tensor]) -> bool:
    for size in (size for tensor in tensors for size in tensor.shape if isinstance(size, torch.SymInt)):
        if torch.fx.experimental.symbolic_shapes.free_unbacked_symbols(size):
            return True
    return False


def _crosses(node: Node, tensors: list[torch.Tensor]) -> bool:
    devices = {t.device.type for t in _sources(node) if t.dim()} | {t.device.type for t in tensors}
    return len(devices - {"meta"}) > 1
