"""Each check of the doctor, and what it says when something is wrong."""

import pytest

from sparse_attn import versions
from sparse_attn.lowering.host import library
from sparse_attn.ops import kernel_providers, meaning
from sparse_attn.tools import doctor, doctor_bindings, doctor_checks


def lines(capsys, check):
    check()
    return [tuple(text.split("\t")[1:]) for text in capsys.readouterr().out.splitlines()]


def states(found):
    return {state for state, _ in found}


def test_the_doctor_knows_every_check():
    assert all(callable(getattr(doctor_checks, name)) for name in doctor.CHECKS)


@pytest.mark.parametrize("name", doctor.CHECKS)
def test_a_sound_installation_has_no_bad_line(name, capsys):
    found = lines(capsys, getattr(doctor_checks, name))
    assert found and "bad" not in states(found), found


def test_another_version_is_bad_and_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(versions.TESTED, "torch", ("1.0",))
    (bad,) = [text for state, text in lines(capsys, doctor_checks.versions) if state == "bad"]
    assert bad.startswith("torch 2.13") and 'pip install "torch==1.0.*"' in bad


def test_a_missing_package_is_bad_unless_it_is_optional(monkeypatch, capsys):
    monkeypatch.setattr(doctor_checks, "_version", lambda package: None)
    found = lines(capsys, doctor_checks.versions)
    assert [text.split()[0] for state, text in found if state == "bad"] == ["torch", "torch-mlir", "numpy"]
    assert ("info", "transformers is not installed; only the demo needs it") in found


def test_a_broken_fact_is_bad(monkeypatch, capsys):
    def fact():
        """Stones fall."""
        return "they float"

    monkeypatch.setattr(doctor_bindings, "FACTS", (fact,))
    assert lines(capsys, doctor_checks.bindings) == [("bad", "Stones fall: they float")]


def test_a_missing_library_is_bad(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv(library.LIBRARY_VARIABLE, str(tmp_path / "absent.so"))
    ((state, text),) = lines(capsys, doctor_checks.host)
    assert state == "bad" and "not built" in text


def test_a_missing_kernel_is_bad(monkeypatch, capsys):
    monkeypatch.setattr(meaning, "implementation", lambda name: "torch" if name == "topk" else "host")
    assert lines(capsys, doctor_checks.host)[-1] == ("bad", "kernels missing: topk: build it anew")


def test_a_vendor_package_that_does_not_import_is_told(monkeypatch, capsys):
    monkeypatch.setattr(kernel_providers, "load", lambda n: "torch_npu does not import: x" if n == "npu" else None)
    found = lines(capsys, doctor_checks.vendors)
    assert ("info", "npu: torch_npu torch_npu does not import: x") in found
    assert ("ok", "custom: custom_ops is here") in found
