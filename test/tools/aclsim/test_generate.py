"""Generated sources: written whole, or not at all with the reason."""

from sparse_attn.tools.aclsim import generate, symbols


def test_the_table_is_written(tmp_path):
    output = tmp_path / "operators.cpp"
    assert generate.main(["operators", str(output)]) == 0
    assert "aclnnTopkGetWorkspaceSize(" in output.read_text()


def test_a_missing_function_stops_the_build_and_writes_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(symbols, "needed", lambda wheel: {"aclBrandNew"})
    monkeypatch.setattr(symbols, "defined", lambda libraries: set())
    monkeypatch.setattr(generate, "version", lambda name: "2.99")
    output = tmp_path / "stubs.cpp"
    assert generate.main(["stubs", str(output), str(tmp_path), str(tmp_path / "lib.so")]) == 1
    assert "aclBrandNew" in capsys.readouterr().err and not output.exists()


def test_listed_functions_become_stubs(tmp_path, monkeypatch):
    monkeypatch.setattr(symbols, "needed", lambda wheel: {"acltdtReceiveTensor", "aclrtMalloc"})
    monkeypatch.setattr(symbols, "defined", lambda libraries: {"aclrtMalloc"})
    monkeypatch.setattr(generate, "version", lambda name: "2.13.0")
    output = tmp_path / "stubs.cpp"
    assert generate.main(["stubs", str(output), str(tmp_path), str(tmp_path / "lib.so")]) == 0
    assert "acltdtReceiveTensor" in output.read_text() and "aclrtMalloc" not in output.read_text()
