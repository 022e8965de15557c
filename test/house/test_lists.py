"""Each room's list names every file of the room, and every file has its test of the same name."""

import ast
import re

from house import Source, imports, require_none, tracked

LISTED = (
    "dialect/sparse_attn",
    "dialect/npu",
    "dialect/aclgraph",
    "lowering/normalize",
    "lowering/lift",
    "lowering/fuse",
    "lowering/kernels",
    "lowering/plan/legality",
)


def members(room: str, sources: list[Source]) -> list[Source]:
    """The files of a room that its list must name or its files must use (`_` marks a private helper)."""
    return [s for s in sources if s.folder == room and s.path.endswith(".py") and not s.stem.startswith("_")]


def support(room: str, sources: list[Source]) -> set[str]:
    """Modules that files of the room (other than its list) import: shared parts, which need no line in the list."""
    inside = [s for s in sources if s.folder == room or s.folder.startswith(room + "/")]
    return {name for s in inside if s.stem != "__init__" for found in imports(s) for name in found.names}


def list_problems(room: str, sources: list[Source]) -> list[str]:
    """Files that neither the room's list names nor another file of the room imports."""
    files = members(room, sources)
    listing = _listing(room, sources)
    if listing is None:
        return [f"{room}/__init__.py: missing: it is the list of the room's files"] if files else []
    shared = support(room, sources)
    return [
        f"{file.path}: not in the list {listing.path}, so nothing would use it: add one line there"
        for file in files
        if file.stem not in _named(listing) and file.module not in shared
    ]


def _listing(room: str, sources: list[Source]) -> Source | None:
    return next((s for s in sources if s.path == f"{room}/__init__.py"), None)


def _named(listing: Source) -> set[str]:
    """Modules a list imports, and the words of its strings (a lazy list names its modules)."""
    names = {part for found in imports(listing) for name in found.names for part in name.split(".")}
    body = listing.tree.body[1:] if ast.get_docstring(listing.tree) else listing.tree.body
    texts = (node.value for statement in body for node in ast.walk(statement) if isinstance(node, ast.Constant))
    return names | {word for text in texts if isinstance(text, str) for word in re.findall(r"\w+", text)}


def mirrors_of(file: Source, sources: list[Source]) -> list[Source]:
    """The tests named after a file, in a folder named after its room: two rooms may hold files of one name.

    test_<stem>.py or <stem>.mlir, with a suffix after `_` or `-`, or any IR test in a folder <stem>.
    """
    room = file.folder.rpartition("/")[2]
    name = rf"(test_{file.stem}([_-]\w+)?\.py|{file.stem}([_-][\w-]+)?\.mlir|{file.stem}/[\w-]+\.mlir)"
    path = re.compile(rf"test/(.*/)?{room}/(.*/)?{name}")
    return [s for s in sources if path.fullmatch(s.path)]


def mirror_problems(room: str, sources: list[Source]) -> list[str]:
    """Files without a test of the same name.

    Parts shared inside the room are tested through what uses them, and a bare declaration has nothing to test.
    """
    listing = _listing(room, sources)
    listed = _named(listing) if listing else set()
    shared = support(room, sources)
    return [
        f"{file.path}: no test of the same name: write test/{room}/test_{file.stem}.py or an IR test {file.stem}.mlir"
        for file in members(room, sources)
        if (file.stem in listed or file.module not in shared)
        and _does_something(file)
        and not mirrors_of(file, sources)
    ]


def _does_something(source: Source) -> bool:
    return any(isinstance(node, ast.FunctionDef | ast.Call) for node in ast.walk(source.tree))


def declared_constraints(source: Source) -> list[str]:
    """The constraint numbers a file declares: functions named cN, and keys or keywords cN."""
    found: set[str] = set()
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.keyword) and node.arg:
            found.add(node.arg)
        elif isinstance(node, ast.Dict):
            found |= {k.value for k in node.keys if isinstance(k, ast.Constant) and isinstance(k.value, str)}
    return sorted((name for name in found if re.fullmatch(r"c[1-9]\d*", name)), key=lambda name: int(name[1:]))


def constraint_problems(room: str, sources: list[Source]) -> list[str]:
    """Declared constraints that no test of the same name mentions by number."""
    problems = []
    for file in members(room, sources):
        text = "\n".join(test.text for test in mirrors_of(file, sources))
        problems += [
            f"{file.path}: constraint {number} is named in no test of the same name: write test_{number}_..."
            for number in declared_constraints(file)
            if not re.search(rf"(?<![A-Za-z0-9]){number}(?![A-Za-z0-9])", text)
        ]
    return problems


def over_rooms(rule) -> list[str]:
    sources = tracked(".py", ".mlir")
    return [problem for room in LISTED for problem in rule(room, sources)]


def test_lists_are_complete():
    require_none(over_rooms(list_problems))


def test_every_file_has_its_test():
    require_none(over_rooms(mirror_problems))


def test_every_constraint_is_tested_by_number():
    require_none(over_rooms(constraint_problems))


ROOM = "lowering/lift"
LIST = Source("lowering/lift/__init__.py", '"""Lists nothing but one; two is only spoken of."""\nfrom . import one\n')
ONE, TWO = Source("lowering/lift/one.py", "x = f()\n"), Source("lowering/lift/two.py", "x = f()\n")


def test_a_file_outside_the_list_is_reported():
    assert list_problems(ROOM, [LIST, ONE]) == []
    (problem,) = list_problems(ROOM, [LIST, ONE, TWO])
    assert "lowering/lift/two.py: not in the list" in problem


def test_a_missing_list_is_reported():
    (problem,) = list_problems(ROOM, [ONE])
    assert "lowering/lift/__init__.py: missing" in problem
    assert list_problems(ROOM, []) == []


def test_lazy_lists_and_shared_parts_count():
    lazy = Source("lowering/lift/__init__.py", 'FILES = ("one", "two")\n')
    assert list_problems(ROOM, [lazy, ONE, TWO]) == []
    user = Source("lowering/lift/one.py", "from .two import x\n")
    assert list_problems(ROOM, [LIST, user, TWO]) == []


MIRRORS = (
    "test/lowering/lift/test_one.py",
    "test/lowering/lift/test_one_numbers.py",
    "test/lit/lift/one.mlir",
    "test/lit/lift/one/invalid.mlir",
)


OTHERS = ("test/lowering/lift/test_none.py", "test/lit/lift/ones.mlir", "test/lowering/fuse/test_one.py")


def test_an_untested_file_is_reported():
    for path in MIRRORS:
        assert mirror_problems(ROOM, [ONE, Source(path, "")]) == [], path
    (problem,) = mirror_problems(
        ROOM, [ONE, Source("test/lowering/test_none.py", ""), Source("test/lit/ones.mlir", "")]
    )
    assert "lowering/lift/one.py: no test of the same name" in problem


def test_a_bare_declaration_needs_no_test():
    bare = Source("lowering/lift/one.py", 'class A(B, name="a"):\n    """Says what it is."""\n')
    assert mirror_problems(ROOM, [LIST, bare]) == []


def test_only_an_unlisted_shared_part_needs_no_test():
    user = Source("lowering/lift/one.py", "from .two import x\n")
    tested = Source("test/lit/lift/one.mlir", "")
    assert mirror_problems(ROOM, [LIST, user, TWO, tested]) == []
    both = Source("lowering/lift/__init__.py", "from . import one, two\n")
    (problem,) = mirror_problems(ROOM, [both, user, TWO, tested])
    assert "lowering/lift/two.py: no test" in problem


def test_an_unnamed_constraint_is_reported():
    op = Source("lowering/lift/one.py", "class A:\n  def c1(call): ...\n  def c2(call): ...\nR = dict(c11=1)\n")
    test = Source("test/lit/lift/one.mlir", "// c1: wrong rank\n// c11\n// expected-error {{[c12]}}\n")
    (problem,) = constraint_problems(ROOM, [op, test])
    assert "constraint c2 is named in no test" in problem
    named = Source("test/lowering/lift/test_one.py", "def test_c2_rank(): ...\n")
    assert constraint_problems(ROOM, [op, test, named]) == []


def test_constraints_of_a_spec_table_are_found():
    assert declared_constraints(Source("a.py", 'S = {"c2": 1, "c1": 2, "cache": 3}\nf(c10=1)\n')) == ["c1", "c2", "c10"]
