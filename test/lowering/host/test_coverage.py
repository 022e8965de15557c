"""Every feature of every operator has a test: the table in helpers/host_features.py against what pytest collects."""

import os
import re
import subprocess
import sys

import pytest
from host_features import FEATURES

from sparse_attn.dialect.npu import SPECS

PLACES = {"*": "every_kernel", "chain": "indexer_to_attention", "plan": "metadata"}


@pytest.fixture(scope="module")
def collected(root) -> list[str]:
    """The ids of the everyday tests of this folder, without their path."""
    folder = root / "test" / "lowering" / "host"
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=root, env=os.environ)
    found = [line.rpartition("/")[2] for line in done.stdout.splitlines() if "::" in line]
    assert found, done.stdout[-2000:]
    return found


def pattern(operator: str, test: str) -> re.Pattern[str]:
    """The ids that a line of the table means. A test with cases of its own, such as recorded ones, needs no id."""
    place, _, stem = test.rpartition(":")
    file = PLACES.get(place, place or operator)
    return re.compile(rf"test_{file}\.py::test_{stem}" + ("" if stem.endswith("]") else r"(\[.*\])?"))


def untested(features: dict[str, dict[str, str]], ids: list[str]) -> list[str]:
    """`operator: feature` for every feature no collected test matches."""
    return [
        f"{operator}: {feature} (no test is {pattern(operator, test).pattern})"
        for operator, tests in features.items()
        for feature, test in tests.items()
        if not any(pattern(operator, test).fullmatch(each) for each in ids)
    ]


def test_every_feature_of_every_operator_has_a_test(collected):
    assert untested(FEATURES, collected) == []


def test_the_table_has_every_operator():
    assert set(FEATURES) == set(SPECS)
    shared = {"threads", "corrupt integers", "empty batch axis"}
    assert all(shared <= set(tests) for tests in FEATURES.values())


def test_a_feature_that_loses_its_last_test_is_reported(collected):
    """Take the tests of a feature away, one feature after another: each is missed, and nothing else of its kind."""
    for operator, feature in (("quant_lightning_indexer", "quant_mode 5"), ("sparse_flash_mla", "original mask 3")):
        left = [each for each in collected if not pattern(operator, FEATURES[operator][feature]).fullmatch(each)]
        assert len(left) < len(collected)
        missing = untested({operator: FEATURES[operator]}, left)
        assert any(problem.startswith(f"{operator}: {feature} ") for problem in missing)


def test_names_that_look_alike_are_not_mixed_up():
    ids = ["test_quant_lightning_indexer.py::test_ties", "test_every_kernel.py::test_x[lightning_indexer_metadata]"]
    assert untested({"lightning_indexer": {"ties": "ties"}}, ids)
    assert untested({"lightning_indexer": {"x": r"*:x\[lightning_indexer(-[\w-]+)?\]"}}, ids)
    assert not untested({"quant_lightning_indexer": {"ties": "ties"}}, ids)
