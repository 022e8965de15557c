"""Files stay under 300 lines and functions under 60, in Python, C++ and IR alike."""

import ast
import re

from house import Source, require_none, tracked

FILE_LINES = 300
FUNCTION_LINES = 60
CODE = (".py", ".cpp", ".h", ".mlir")


def file_problems(sources: list[Source]) -> list[str]:
    return [
        f"{source.path}: {lines} lines, at most {FILE_LINES}: split it by what it does"
        for source in sources
        if (lines := source.text.count("\n")) > FILE_LINES
    ]


def function_problems(sources: list[Source]) -> list[str]:
    return [
        f"{source.path}:{line}: {name} has {length} lines, at most {FUNCTION_LINES}: name its parts"
        for source in sources
        for line, name, length in (python_functions(source) if source.path.endswith(".py") else cpp_blocks(source))
        if length > FUNCTION_LINES
    ]


def python_functions(source: Source) -> list[tuple[int, str, int]]:
    """Line, name and length of every function, its docstring included and its decorators not."""
    return [
        (node.lineno, node.name, (node.end_lineno or node.lineno) - node.lineno + 1)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


NO_FUNCTION = re.compile(r"namespace\b|struct\b|class\b|enum\b|union\b|template\b[^(]*$|extern \"C\" \{|.*(=|= \{|;)$")


def cpp_blocks(source: Source) -> list[tuple[int, str, int]]:
    """Line, first words and length of every function written at the left margin (namespaces do not indent)."""
    blocks, start, head, opened = [], 0, "", False
    for number, line in enumerate(map(str.rstrip, source.text.splitlines()), 1):
        if line.startswith("}"):
            if start:
                blocks.append((start, head, number - start + 1))
            start = 0
        elif not start and re.match(r"\w", line) and not NO_FUNCTION.match(line):
            start, head, opened = number, line.split("(")[0], line.endswith("{")
        elif start and not opened:
            opened = line.endswith("{")
            start = 0 if line.endswith(";") else start  # it was a declaration over several lines
    return blocks


def test_files_are_short():
    require_none(file_problems(tracked(*CODE)))


def test_functions_are_short():
    require_none(function_problems(tracked(".py", ".cpp", ".h")))


def test_a_long_file_is_reported():
    assert file_problems([Source("a.cpp", "x\n" * 300)]) == []
    (problem,) = file_problems([Source("a.cpp", "x\n" * 301)])
    assert "a.cpp: 301 lines" in problem


def test_a_long_python_function_is_reported():
    body = "    x = 1\n"
    assert function_problems([Source("a.py", "def f():\n" + body * 59)]) == []
    (problem,) = function_problems([Source("a.py", "class A:\n  def f(self):\n" + body * 60)])
    assert "a.py:2: f has 61 lines" in problem


def test_a_long_cpp_function_is_reported():
    body = "  x = 1;\n"
    short = "namespace a {\n\nint f(int x) {\n" + body * 58 + "}\n\n}  // namespace a\n"
    assert function_problems([Source("a.cpp", short)]) == []
    template = "namespace {\ntemplate <typename T>\nvoid g(T x,\n       int y) {\n" + body * 58 + "}\n}\n"
    (problem,) = function_problems([Source("a.cpp", template)])
    assert "a.cpp:3: void g has 61 lines" in problem


def test_a_long_entry_point_is_reported():
    text = (
        'extern "C" int sa_f(const sa_tensor *x,\n                    sa_error *error) {\n' + "  x = 1;\n" * 60 + "}\n"
    )
    (problem,) = function_problems([Source("a.cpp", text)])
    assert 'extern "C" int sa_f has 63 lines' in problem
    gap = "int f() {\n" + "  x = 1;\n\n" * 30 + "}\n"
    (problem,) = function_problems([Source("a.cpp", gap)])
    assert "int f has 62 lines" in problem


def test_declarations_do_not_run_on():
    text = "int f(int x,\n      int y);\n" + "int g(int x);\n" * 70 + "struct A {\n" + "  int x;\n" * 70 + "};\n"
    assert cpp_blocks(Source("a.h", text)) == []


def test_a_table_or_struct_is_no_function():
    text = "struct A {\n" + "  int x;\n" * 80 + "};\nconstexpr int table[] = {\n" + "  1,\n" * 80 + "};\n"
    assert function_problems([Source("a.cpp", text)]) == []
