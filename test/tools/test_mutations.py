"""Mutations of the host arithmetic: their texts are there, and the tool tells killed from survived."""

import pytest

from sparse_attn.lowering.host.library import LIBRARY_VARIABLE
from sparse_attn.tools import mutations
from sparse_attn.tools.mutation_list import HOST, MUTATIONS, TESTS, Mutation
from sparse_attn.tools.mutations import Bench, copy_sources, main, survivors

RULES = (
    "residual-ignored", "ceil-for-floor", "ties", "block-table-off-by-one", "nibbles", "sink", "tiles-first",
    "probabilities-not-rounded", "scale-before-relu", "window-off-by-one",
)  # fmt: skip
ONE = Mutation("one", "a.cpp", (("x + 1", "x"),), ("test_a",))
TWO = Mutation("two", "b.cpp", (("y", "z"),), ("test_b",))


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_the_texts_are_in_the_sources_and_the_tests_exist(mutation, root):
    """Without a compiler: a change of the code that moves a mutation's ground shows at once."""
    source = (root / HOST / mutation.file).read_text()
    assert mutation.apply(source) != source
    assert mutation.tests and all((root / TESTS / f"{name}.py").is_file() for name in mutation.tests)


def test_every_rule_has_a_mutation():
    names = [mutation.name for mutation in MUTATIONS]
    assert len(set(names)) == len(names)
    assert all(any(rule in name for name in names) for rule in RULES)


@pytest.mark.parametrize(("text", "count"), [("x", 0), ("x + 1; x + 1", 2)])
def test_a_text_that_is_not_there_once_is_an_error(text, count):
    with pytest.raises(
        ValueError, match=rf"one: .*a\.cpp has {count} times `x \+ 1`, must be once: the code has changed"
    ):
        ONE.apply(text)


def test_the_copy_follows_the_checkout_and_leaves_equal_files_alone(tmp_path):
    checkout, scratch = small_checkout(tmp_path), tmp_path / "scratch"
    copy_sources(checkout, scratch)
    kept = (scratch / HOST / "a.cpp").stat().st_mtime_ns
    (checkout / HOST / "b.cpp").write_text("y changed")
    (scratch / HOST / "left.cpp").write_text("of an earlier time")
    copy_sources(checkout, scratch)
    assert (scratch / HOST / "a.cpp").stat().st_mtime_ns == kept
    assert (scratch / HOST / "b.cpp").read_text() == "y changed"
    assert not (scratch / HOST / "left.cpp").exists()


def small_checkout(folder):
    """A checkout with two source files."""
    checkout = folder / "checkout"
    (checkout / HOST).mkdir(parents=True)
    (checkout / "lowering/host/include").mkdir()
    (checkout / "CMakeLists.txt").write_text("project(x)")
    (checkout / HOST / "a.cpp").write_text("x + 1")
    (checkout / HOST / "b.cpp").write_text("y")
    return checkout


class Runner:
    """Stands for cmake and pytest: tests fail when a file of the copy holds one of the `noticed` texts."""

    def __init__(self, checkout, noticed=(), codes=None):
        self.checkout, self.noticed, self.codes, self.commands = checkout, noticed, codes or {}, []

    def __call__(self, command, variables):
        self.commands.append((command, variables))
        for word, code in self.codes.items():
            if word in command:
                return code
        if "pytest" not in command:
            return 0
        copies = (self.checkout / "build/mutations/source" / HOST).glob("*.cpp")
        return int(any(path.read_text() in self.noticed for path in copies))


def tried(checkout, runner, mutations=(ONE, TWO)):
    return survivors(Bench(checkout, checkout / "build/mutations", runner), mutations)


def test_killed_and_survived(tmp_path, capsys):
    checkout = small_checkout(tmp_path)
    runner = Runner(checkout, noticed=("x",))
    assert tried(checkout, runner) == ["two"]
    assert capsys.readouterr().out.splitlines() == ["killed    one", "SURVIVED  two"]
    tests = [(command, variables) for command, variables in runner.commands if "pytest" in command]
    assert [command[-1] for command, _ in tests] == [f"{TESTS}/{name}.py" for name in ("test_b", "test_a", "test_b")]
    assert f"{TESTS}/test_a.py" in tests[0][0] and "not slow and not vectors" in tests[0][0]
    assert all(
        variables[LIBRARY_VARIABLE].startswith(str(checkout / "build/mutations/build")) for _, variables in tests
    )
    assert (checkout / HOST / "a.cpp").read_text() == "x + 1", "the checkout itself is never changed"


def test_a_process_that_dies_has_noticed(tmp_path):
    checkout = small_checkout(tmp_path)
    bench = Bench(checkout, tmp_path, Runner(checkout, codes={"pytest": -11}))
    assert bench.notices(["test_a"])


@pytest.mark.parametrize(
    ("codes", "noticed", "text"),
    [
        ({"--build": 1}, (), "the sources as they are: no build"),
        ({"-S": 1}, (), "cmake does not configure"),
        ({"pytest": 5}, (), "the tests do not run"),
        ({}, ("x + 1",), "the tests fail without any mutation"),
    ],
)
def test_what_cannot_be_tried_is_an_error(tmp_path, codes, noticed, text):
    checkout = small_checkout(tmp_path)
    with pytest.raises(mutations.UserError, match=text):
        tried(checkout, Runner(checkout, noticed, codes))


def test_a_changed_text_is_found_before_anything_is_built(tmp_path):
    checkout = small_checkout(tmp_path)
    runner = Runner(checkout)
    with pytest.raises(mutations.UserError, match=r"three: .* has 0 times `absent`"):
        tried(checkout, runner, [ONE, Mutation("three", "b.cpp", (("absent", ""),), ("test_b",))])
    assert runner.commands == []


def test_exit_codes(tmp_path, monkeypatch, capsys):
    checkout = small_checkout(tmp_path)
    monkeypatch.chdir(checkout)
    monkeypatch.setattr(mutations, "MUTATIONS", (ONE, TWO))
    assert main(["--list"]) == 0 and capsys.readouterr().out == "one\ntwo\n"
    assert main([], Runner(checkout, noticed=("x", "z"))) == 0
    assert capsys.readouterr().out.endswith("2 of 2 mutations are noticed\n")
    assert main(["two"], Runner(checkout)) == 1
    assert "SURVIVED  two\n0 of 1" in capsys.readouterr().out
    assert main(["four"], Runner(checkout)) == 1
    assert "no mutation is called four: --list prints the names" in capsys.readouterr().err


def test_outside_a_checkout_is_an_error(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main([], Runner(tmp_path)) == 1
    assert f"{tmp_path} is no checkout" in capsys.readouterr().err
