"""How the house rules see the checkout: tracked files with their text, and what each Python file imports.

A rule is a function from sources to a list of problems, each naming file and line, so that a rule can be tried on a
small bad example as well as on the checkout.
"""

import ast
import pathlib
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = {"dialect": "sparse_attn.dialect", "lowering": "sparse_attn.lowering", "tools": "sparse_attn.tools"}
SKIPPED = {".git", ".venv", "build", "dist", "Output", "__pycache__", ".ruff_cache", ".mypy_cache", ".pytest_cache"}


@dataclass(frozen=True)
class Source:
    """A file: its path from the top folder, with slashes, and its text."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.path)

    @property
    def stem(self) -> str:
        return pathlib.PurePosixPath(self.path).stem

    @property
    def folder(self) -> str:
        return str(pathlib.PurePosixPath(self.path).parent)

    @property
    def module(self) -> str:
        """The dotted name the file is imported under."""
        parts = pathlib.PurePosixPath(self.path).with_suffix("").parts
        if parts[0] in ROOMS:
            parts = ("sparse_attn", *parts)
        elif parts[0] == "python":
            parts = parts[1:]
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@dataclass(frozen=True)
class Import:
    """One imported name: `from a import b` counts as a and as a.b."""

    line: int
    names: tuple[str, ...]


def tracked(*suffixes: str) -> list[Source]:
    """The text files of the checkout that git knows or would add (all files where there is no git)."""
    return [
        Source(path, text)
        for path in _paths()
        if (not suffixes or path.endswith(suffixes)) and (text := _text(ROOT / path)) is not None
    ]


def require_none(problems: list[str]) -> None:
    """Fail with every problem, one a line."""
    assert not problems, f"{len(problems)} broken house rules\n" + "\n".join(problems)


def _paths() -> list[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    if listing.returncode == 0:
        found = sorted(set(listing.stdout.splitlines()))
    else:
        found = sorted(str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if not SKIPPED & set(path.parts))
    return [path for path in found if (ROOT / path).is_file() and not _through_link(path)]


def _through_link(path: str) -> bool:
    return any((ROOT / parent).is_symlink() for parent in (path, *pathlib.PurePosixPath(path).parents))


def _text(path: pathlib.Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def imports(source: Source, body: Iterable[ast.AST] | None = None) -> Iterator[Import]:
    """Every import in the file (or in the given nodes), with relative names resolved."""
    nodes = ast.walk(source.tree) if body is None else body
    for node in nodes:
        if isinstance(node, ast.Import):
            yield Import(node.lineno, tuple(alias.name for alias in node.names))
        elif isinstance(node, ast.ImportFrom):
            base = _resolve(source, node)
            yield Import(node.lineno, (base, *(f"{base}.{alias.name}" for alias in node.names)))
        elif isinstance(node, ast.Call) and (name := _dynamic(node)):
            yield Import(node.lineno, (name,))


def _resolve(source: Source, node: ast.ImportFrom) -> str:
    if node.level == 0:
        return node.module or ""
    package = source.module if source.stem == "__init__" else source.module.rpartition(".")[0]
    for _ in range(node.level - 1):
        package = package.rpartition(".")[0]
    return f"{package}.{node.module}" if node.module else package


def _dynamic(node: ast.Call) -> str | None:
    """The name in `importlib.import_module("name")`, when it is written out."""
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if called not in ("import_module", "__import__") or not node.args:
        return None
    first = node.args[0]
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None


def top_level(source: Source) -> Iterator[ast.AST]:
    """The nodes that run when the file is imported: everything outside functions and TYPE_CHECKING blocks."""
    waiting: list[ast.AST] = [source.tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting.extend(node.orelse)
            continue
        waiting.extend(ast.iter_child_nodes(node))
