"""Nothing of an operator is left untested: a table of cases, IR files for every chip, a reference, a host kernel."""

import importlib.util
import pathlib
import re

import pytest

from sparse_attn.dialect.npu import SPECS, reference
from sparse_attn.dialect.npu.target import CHIPS

HERE = pathlib.Path(__file__).parent
IR = HERE.parent.parent / "lit" / "npu"
EARLIER_FORMS = {  # operators whose reference is that of another
    "indexer_compress_epilog": "indexer_quant_cache",
    "npu_vllm_quant_lightning_indexer": "npu_quant_lightning_indexer",
}


def targets(path: pathlib.Path, operator: str) -> set[str]:
    """The machines that calls of an operator in an IR file are aimed at."""
    calls = re.findall(rf'"npu\.{operator}"\(.*?target = "(\w+)"', path.read_text())
    return set(calls)


@pytest.mark.parametrize("name", SPECS)
def test_legal_calls_for_every_chip_of_an_operator(name):
    assert targets(IR / name / "valid.mlir", name) >= {"host", *SPECS[name].chips}


@pytest.mark.parametrize("name", SPECS)
def test_refused_calls_for_every_chip(name):
    """On chips without the kernel that is the reason."""
    files = sorted((IR / name).glob("invalid*.mlir"))
    assert set().union(*(targets(path, name) for path in files)) >= {*CHIPS, "host"}


@pytest.mark.parametrize("name", SPECS)
def test_every_constraint_has_a_case(name):
    """The table of test_<operator> names the constraint a case breaks, and must name all of them."""
    path = HERE / f"test_{name}.py"
    spec = importlib.util.spec_from_file_location(f"cases_of_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    named = {case.partition("_")[0] for case in module.CASES.refused}
    assert named == set(SPECS[name].constraints) and "suite_of(CASES)" in path.read_text()


@pytest.mark.parametrize("name", [name for name in SPECS if not name.endswith("_metadata")])
def test_every_kernel_has_a_reference(name):
    module = EARLIER_FORMS.get(name, name)
    assert importlib.util.find_spec(f"{reference.__name__}.{module}"), f"no reference/{module}.py"


def test_a_missing_chip_would_be_seen(tmp_path):
    file = tmp_path / "valid.mlir"
    file.write_text('%r = "npu.a"(%q) {target = "a3"}\n%s = "npu.b"(%q) {target = "a2"}\n')
    assert targets(file, "a") == {"a3"} and targets(file, "b") == {"a2"}
