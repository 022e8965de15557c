"""The work of `sparse-attn-opt` in this process: splitting, expectations, printing."""

import pytest

from sparse_attn.tools import opt, opt_work

SPLIT = "func.func @a() { return }\n// -----\nnonsense\n// -----\nfunc.func @b() { return }\n"


@pytest.fixture
def work(tmp_path, capsys):
    """Runs on a text: (exit code, standard output, standard error, phases)."""

    def run(text, *arguments):
        path = tmp_path / "in.mlir"
        path.write_text(text)
        phases = []
        code = opt_work.run(opt.parser().parse_args([str(path), *arguments]), phases.append)
        streams = capsys.readouterr()
        return code, streams.out, streams.err.replace(f"{tmp_path}/", ""), phases

    return run


def test_each_input_stands_alone(work):
    code, out, err, _ = work(SPLIT, "--split-input-file")
    assert code == 1
    assert out.count("// -----") == 1 and out.index("@a") < out.index("// -----") < out.index("@b")
    assert err.startswith("in.mlir:3:1: error:") and "\nnonsense\n^" in err


def test_without_splitting_the_mark_is_a_comment(work):
    code, out, _, _ = work(SPLIT.replace("nonsense", ""))
    assert code == 0 and "@a" in out and "@b" in out and "// -----" not in out


def test_expected_errors_are_success(work):
    text = SPLIT.replace("nonsense", "nonsense // expected-error {{custom op 'nonsense' is unknown}}")
    code, out, err, _ = work(text, "--split-input-file", "--verify-diagnostics")
    assert (code, err) == (0, "") and "@b" in out


def test_an_unmet_expectation_fails_and_writes_nothing(work, tmp_path):
    out = tmp_path / "out.mlir"
    text = "// expected-error {{x}}\nfunc.func @a() { return }\n"
    code, _, err, _ = work(text, "--verify-diagnostics", "-o", str(out))
    assert code == 1 and not out.exists()
    assert 'in.mlir:1:1: error: expected error "x" was not produced' in err


def test_phases_tell_what_is_being_done(work):
    pipeline = "--pass-pipeline=builtin.module(sparse-attn-verify,func.func(cse))"
    *_, phases = work("func.func @a() { return }", pipeline)
    names = ["parsing the input", "running the pass sparse-attn-verify", "running the pass cse", "printing the result"]
    assert list(dict.fromkeys(phases)) == names


def test_a_file_keeps_its_name_in_locations(work):
    _, out, _, _ = work("func.func @a() { return }", "--mlir-print-debuginfo")
    assert '/in.mlir":1:1)' in out


@pytest.mark.parametrize("text", ["func.func @f(", "\x00x", "#", '"', "module {", "\N{SNOWMAN}", "%0 = ", "\x1b[31m"])
def test_malformed_text_is_a_diagnostic(work, text):
    code, out, err, phases = work(text)
    assert (code, out) == (1, "") and phases == ["parsing the input"]
    assert err.startswith("in.mlir:1:") and ": error: " in err and "\x1b" not in err


def test_an_empty_file_is_an_empty_module(work):
    assert work("")[:2] == (0, "module {\n}\n")


def test_unregistered_operations_are_asked_for(work):
    text = 'func.func @a() { "nobody.op"() : () -> () return }'
    assert work(text)[0] == 1
    assert work(text, "--allow-unregistered-dialect")[0] == 0


def test_a_directory_cannot_be_read(tmp_path, capsys):
    assert opt_work.run(opt.parser().parse_args([str(tmp_path)]), lambda phase: None) == 1
    assert "error: cannot be read: Is a directory" in capsys.readouterr().err
