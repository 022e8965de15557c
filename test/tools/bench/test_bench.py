"""The command `bench`."""

import json

import pytest
import torch

from sparse_attn.tools import bench, cli
from sparse_attn.tools.bench import suite

EMPTY = {"measurements": [], "facts": [], "compilations": []}
FULL = EMPTY | {"measurements": [{"name": "x"}]}


@pytest.fixture
def calls(monkeypatch):
    seen = []
    monkeypatch.setattr(suite, "run", lambda *given: seen.append(given[:3]) or (EMPTY if given[1] == "no" else FULL))
    return seen


@pytest.mark.parametrize(
    ("arguments", "level", "dtypes"),
    [
        (["--quick"], "quick", (torch.float32,)),
        ([], "standard", (torch.float32, torch.bfloat16)),
        (["--full", "--dtype", "bf16"], "full", (torch.bfloat16,)),
    ],
)
def test_levels(arguments, level, dtypes, calls):
    assert cli.main(["bench", *arguments, "--only", "x"]) == 0
    assert calls == [(level, "x", dtypes)] and level in bench.LEVELS


def test_json(calls, tmp_path, capsys):
    assert cli.main(["bench", "--json", str(tmp_path / "a.json")]) == 0
    assert json.loads((tmp_path / "a.json").read_text()) == FULL
    assert cli.main(["bench", "--json", str(tmp_path / "no" / "a.json")]) == 1
    assert "cannot write" in capsys.readouterr().err


def test_nothing_to_measure_is_a_user_error(calls, capsys):
    assert cli.main(["bench", "--only", "no"]) == 1
    assert "no measurement's name holds 'no'" in capsys.readouterr().err


@pytest.mark.slow
def test_quick(capsys):
    assert cli.main(["bench", "--quick", "--only", "indexer V3.2"]) == 0
    assert "of the limit" in capsys.readouterr().out
