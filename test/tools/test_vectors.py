"""The table of recorded vectors: figures add up, a wrong result, a refusal and a missing folder are errors."""

import dataclasses
import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest

from sparse_attn.tools import vector_calls, vectors
from sparse_attn.tools.vector_calls import check, close, equal, same_lists
from sparse_attn.tools.vector_files import VARIABLE, Vector, vector_paths


def save(folder: pathlib.Path, vector: Vector) -> None:
    """Write a case as it would be recorded."""
    (folder / vector.op).mkdir(parents=True, exist_ok=True)
    fields = ("op", "case", "attrs", "dtypes")
    meta = json.dumps({name: getattr(vector, name) for name in fields} | {"notes": []})
    arrays = {f"in.{name}": array for name, array in vector.inputs.items()}
    arrays |= {f"out.{name}": array for name, array in vector.outputs.items()}
    np.savez(folder / vector.op / f"{vector.case}.npz", meta=np.array(meta), **arrays)


def small_indexer(**changes) -> Vector:
    """Three keys for one query row; key 2 scores best, key 0 worst."""
    query, key = np.zeros((1, 1, 1, 128), np.float16), np.zeros((1, 3, 1, 128), np.float16)
    query[..., 0], key[0, :, 0, 0] = 1, [1, 2, 3]
    inputs = {"q": query, "k": key, "w": np.ones((1, 1, 1), np.float32)}
    attrs = {"topk": 2, "layout_q": "BSND", "layout_k": "BSND", "mask_mode": 0, "cmp_ratio": 1, "return_value": 1}
    outputs = {"sparse_indices": np.array([[[[2, 1]]]], np.int32), "sparse_values": np.float32([[[[3, 2]]]])}
    tags = {"in.q": "float16", "in.k": "float16", "in.w": "float32", "out.sparse_indices": "int32"}
    vector = Vector("lightning_indexer", "small", attrs, tags, inputs, outputs)
    return dataclasses.replace(vector, **changes)


def test_a_case_passes_and_is_exact():
    outcome = check(small_indexer())
    assert outcome.problem is None and outcome.exact and outcome.error == 0 and outcome.refused is None


def test_the_order_of_a_list_costs_only_exactness():
    vector = small_indexer()
    vector.outputs["sparse_indices"][:] = [1, 2]
    vector.attrs["return_value"] = 0
    outcome = check(vector)
    assert outcome.problem is None and not outcome.exact


@pytest.mark.parametrize(("name", "wrong"), [("sparse_indices", [2, 0]), ("sparse_values", [3, 2.1])])
def test_a_wrong_result_is_a_problem(name, wrong):
    vector = small_indexer()
    vector.outputs[name][:] = wrong
    assert "times what is allowed" in check(vector).problem


def test_an_unexpected_refusal_is_a_problem():
    vector = small_indexer()
    vector.attrs["mask_mode"] = 5
    assert "mask_mode is 5" in check(vector).problem


def test_a_documented_refusal_has_to_come(monkeypatch):
    monkeypatch.setitem(vector_calls.DOCUMENTED, ("lightning_indexer", "small"), "c9")
    assert check(small_indexer()).problem == "refused by nothing, documented is c9"


def test_differences_are_shares_of_what_is_allowed():
    ones = np.ones(3, np.float32)
    assert close(ones, ones, (0.0, 0.0)) == (True, 0.0)
    exact, error = close(ones + np.float32(0.5), ones, (0.0, 0.25))
    assert not exact and error == pytest.approx(2)
    assert close(np.float32([np.nan]), np.float32([np.nan]), (0.0, 0.1)) == (True, 0.0)
    assert close(np.float32([np.inf, -np.inf]), np.float32([np.inf, -np.inf]), (0.0, 0.1)) == (True, 0.0)
    for other in (np.float32([1, np.nan, 1]), np.float32([1, np.inf, 1]), ones[:2]):
        assert close(other, ones, (0.1, 0.1)) == (False, np.inf)
    assert equal(ones, ones[:2]) == (False, np.inf)
    assert same_lists(np.array([1, 2]), np.array([2, 1])) == (False, 0.0)
    assert same_lists(np.array([1, 2]), np.array([2, 3])) == (False, np.inf)


def test_the_table_and_the_exit_code(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv(VARIABLE, "")
    save(tmp_path, small_indexer())
    assert vectors.main([str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == ["lightning_indexer", "1", "1", "1", "0.000", "0"]
    assert lines[2].split() == ["all", "1", "1", "1", "0.000", "0"]
    wrong = small_indexer(case="wrong")
    wrong.outputs["sparse_indices"][:] = 0
    save(tmp_path, wrong)
    assert vectors.main([str(tmp_path)]) == 1
    told = capsys.readouterr()
    assert told.out.splitlines()[1].split()[:4] == ["lightning_indexer", "2", "1", "1"]
    assert told.err.startswith("error: lightning_indexer/wrong: a result is off by")


def test_a_missing_folder_is_an_error_for_the_tool(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.chdir(tmp_path)
    assert vectors.main([]) == 1
    assert capsys.readouterr().err == f"error: no recorded vectors: set {VARIABLE} to their folder\n"
    assert vectors.main([str(tmp_path / "absent")]) == 1
    assert "absent is not a folder: correct it or unset it" in capsys.readouterr().err
    assert vectors.main([str(tmp_path)]) == 1
    assert "no recorded case of any operator" in capsys.readouterr().err


def test_a_missing_folder_costs_no_torch(tmp_path):
    program = "import sys; from sparse_attn.tools.vectors import main; main(['absent']); print('torch' in sys.modules)"
    child = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert child.stdout == "False\n"


def test_operators_are_chosen_by_name(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    save(tmp_path, small_indexer())
    assert [path.stem for path in vector_paths(tmp_path, "lightning_indexer")[0]] == ["small"]
    assert vector_paths(tmp_path, "compressor") == ([], f"no recorded case of compressor in {VARIABLE}")
