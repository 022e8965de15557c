"""Pages are up to date; IRDL holds every operation and is what stock MLIR reads."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from house import ROOT
from torch_mlir import ir

from sparse_attn.dialect import registry
from sparse_attn.dialect.examples import examples
from sparse_attn.dialect.sparse_attn import OPS
from sparse_attn.tools import docgen

EVERY_OP = [op for package in registry.DIALECTS for op in package.OPS]
REFRESH = "run python -m sparse_attn.tools.docgen"


@pytest.mark.parametrize("path", docgen.pages(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_pages_are_up_to_date(path):
    assert path.exists(), f"{path} is missing: {REFRESH}"
    assert path.read_text(encoding="utf-8") == docgen.pages()[path], f"{path} is stale: {REFRESH}"


def test_check_notices_a_stale_page(monkeypatch, tmp_path, capsys):
    page = tmp_path / "README.md"
    monkeypatch.setattr(docgen, "pages", lambda: {page: "text\n"})
    assert docgen.main(["--check"]) == 1
    assert f"{page}: not up to date: {REFRESH}" in capsys.readouterr().out and not page.exists()
    assert docgen.main([]) == 0 and page.read_text() == "text\n"
    assert docgen.main(["--check"]) == 0
    page.write_text("changed by hand\n")
    assert docgen.main(["--check"]) == 1


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.OPERATION_NAME)
def test_a_section_says_everything(op):
    text = docgen.operation_section(op)
    definition = op.DEFINITION
    for field in (*definition.operands, *definition.attributes, *definition.results):
        assert f"| `{field.name}`" in text and field.text in text
    for each in definition.own_constraints:
        assert f"- **{each.__name__}** {each.__doc__}" in text
    assert definition.torch_schema() in " ".join(text.split())
    assert all(example.rstrip() in text for example in examples(op))


def tables(text):
    """The tables of a page, each a list of rows."""
    blocks = [block.splitlines() for block in text.replace("\\|", "").split("\n\n")]
    return [block for block in blocks if block[0].startswith("|")]


def test_tables_have_as_many_cells_as_heads():
    found = [table for text in docgen.pages().values() for table in tables(text)]
    assert found
    for table in found:
        assert len({row.count("|") for row in table}) == 1, table


def test_the_index_lists_every_dialect():
    text = docgen.index_page(registry.DIALECTS)
    for package in registry.DIALECTS:
        assert f"[`{package.DIALECT.name}`]({package.DIALECT.name}/README.md)" in text
        assert all(f"`{op.OPERATION_NAME.partition('.')[2]}`" in text for op in package.OPS)


@pytest.fixture(scope="module")
def irdl(tmp_path_factory):
    path = tmp_path_factory.mktemp("irdl") / "dialects.irdl.mlir"
    assert docgen.main(["--irdl", str(path)]) == 0
    return path


def test_irdl_holds_every_operation(irdl):
    text = irdl.read_text()
    assert text.count("irdl.dialect @") == len(registry.DIALECTS)
    for package in registry.DIALECTS:
        dialect = text.split(f"irdl.dialect @{package.DIALECT.name} ")[1].split("irdl.dialect @")[0]
        for op in package.OPS:
            assert f"irdl.operation @{op.OPERATION_NAME.partition('.')[2]} " in dialect
    assert ir.Module.parse(text, ir.Context()).operation.verify()
    assert not any(line.endswith(" ") for line in text.splitlines())


def stock_opt():
    """A stock mlir-opt, version 22 or newer, or None."""
    for name in ("mlir-opt-24", "mlir-opt-23", "mlir-opt-22"):
        if found := shutil.which(name):
            return found
    return None


stock = pytest.mark.skipif(stock_opt() is None, reason="no mlir-opt-22 or newer on PATH (package mlir-22-tools)")


def run_stock(irdl, text):
    command = [stock_opt(), f"--irdl-file={irdl}"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


@stock
@pytest.mark.parametrize("op", EVERY_OP, ids=lambda op: op.OPERATION_NAME)
def test_stock_mlir_reads_our_examples(irdl, op):
    for text in examples(op):
        done = run_stock(irdl, text)
        assert done.returncode == 0, done.stderr
        assert op.OPERATION_NAME in done.stdout


@stock
def test_stock_mlir_checks_the_structure(irdl):
    text = 'func.func @f(%i: tensor<1x1x2xi32>) { "sparse_attn.selection"(%i) : (tensor<1x1x2xi32>) -> tensor<1x1x2xi1>'
    done = run_stock(irdl, text + " return }")
    assert done.returncode == 1 and "extent" in done.stderr


@pytest.mark.slow
def test_the_build_writes_irdl(irdl, tmp_path):
    """Where the interpreter on the path has the MLIR bindings, building makes the file that the option makes."""
    path = os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])
    configure, make = ["-S", str(ROOT), "-B", str(tmp_path)], ["--build", str(tmp_path), "--target", "sparse_attn_irdl"]
    for arguments in (configure, make):
        subprocess.run(["cmake", *arguments], check=True, env={**os.environ, "PATH": path}, capture_output=True)
    assert (tmp_path / "dialects.irdl.mlir").read_text() == irdl.read_text()
