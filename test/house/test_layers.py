"""A room imports only rooms before it, and nothing that only reads IR pays for torch."""

import subprocess
import sys

from house import ROOMS, Source, imports, require_none, top_level, tracked

ORDER = ("dialect", "lowering", "python", "tools")
HEAVY = ("torch", "torch_npu", "transformers", "torch_mlir.extras.fx_importer", "torch_mlir.fx")


def room_of(module: str) -> str | None:
    """The room a module belongs to; None for what is not ours."""
    for room, package in ROOMS.items():
        if module == package or module.startswith(package + "."):
            return room
    return "python" if module.split(".")[0] == "sparse_attn" else None


def layer_problems(sources: list[Source]) -> list[str]:
    """Imports of a later room, and imports that go round the package."""
    problems = []
    for source in sources:
        room = room_of(source.module)
        if room is None:
            continue
        for found in imports(source):
            problems += [f"{source.path}:{found.line}: {p}" for name in found.names if (p := _problem(room, name))]
    return problems


def _problem(room: str, name: str) -> str | None:
    if name.split(".")[0] in ROOMS:
        return f"imports {name}: write sparse_attn.{name}"
    other = room_of(name)
    if other is not None and ORDER.index(other) > ORDER.index(room):
        return f"{room} imports {name} of the later room {other}: move the code, or pass what is needed as an argument"
    return None


def torch_problems(sources: list[Source]) -> list[str]:
    """Imports of torch (or of what loads it) that run when a file of dialect/ or lowering/ is imported."""
    return [
        f"{source.path}:{found.line}: imports {name} at module level: import it in the function that needs it"
        for source in sources
        if source.path.split("/")[0] in ("dialect", "lowering")
        for found in imports(source, top_level(source))
        for name in found.names
        if any(name == heavy or name.startswith(heavy + ".") for heavy in HEAVY)
    ]


def test_rooms_import_only_earlier_rooms():
    require_none(layer_problems(tracked(".py")))


def test_no_torch_at_module_level():
    require_none(torch_problems(tracked(".py")))


def loaded_by(modules: list[str]) -> str:
    """Which heavy packages a fresh interpreter has loaded after importing the modules."""
    code = f"import sys\nfor name in {modules}: __import__(name)\nprint([h for h in {HEAVY} if h in sys.modules])"
    child = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    return child.stdout.strip() or child.stderr


def test_dialect_lowering_and_opt_load_no_torch():
    modules = [source.module for source in tracked(".py") if source.path.split("/")[0] in ("dialect", "lowering")]
    assert modules
    assert loaded_by([*modules, "sparse_attn.tools.opt"]) == "[]"


def test_the_child_notices_torch():
    assert "torch" in loaded_by(["json", "torch"])


def test_a_later_room_is_reported():
    bad = Source("dialect/bad.py", "from ..lowering import pipeline\n")
    (problem, *_) = layer_problems([bad])
    assert "dialect/bad.py:1" in problem and "later room lowering" in problem


FORMS = (
    "import sparse_attn.tools.opt",
    "from .. import tools",
    "def f():\n  import sparse_attn.tools",
    "import importlib\nimportlib.import_module('sparse_attn.tools.cli')",
)


def test_every_form_of_import_is_seen():
    for text in FORMS:
        assert layer_problems([Source("lowering/bad.py", text)]), text


def test_the_border_is_later_than_lowering():
    assert layer_problems([Source("lowering/kernels/bad.py", "from sparse_attn.errors import Error")])
    assert layer_problems([Source("dialect/bad.py", "import sparse_attn")])


def test_going_round_the_package_is_reported():
    (problem,) = layer_problems([Source("tools/bad.py", "import dialect")])
    assert "write sparse_attn.dialect" in problem


def test_earlier_rooms_and_others_are_fine():
    text = "import numpy\nfrom ..dialect import call\nfrom . import report\nfrom sparse_attn.dialect.call import Call\n"
    assert layer_problems([Source("lowering/good.py", text)]) == []
    assert layer_problems([Source("test/good.py", "from sparse_attn.tools import opt")]) == []


TORCH_FORMS = (
    "import torch",
    "try:\n  from torch import fx\nexcept ImportError:\n  pass",
    "class A:\n  import torch",
    "from torch_mlir import fx",
)


def test_torch_in_a_class_or_try_is_reported():
    for text in TORCH_FORMS:
        assert torch_problems([Source("lowering/lift/bad.py", text)]), text


def test_torch_in_a_function_or_for_types_is_fine():
    text = "import torch_mlir.ir\nif TYPE_CHECKING:\n  import torch\ndef f():\n  import torch\n"
    assert torch_problems([Source("lowering/good.py", text)]) == []
    assert torch_problems([Source("python/sparse_attn/good.py", "import torch")]) == []
