"""Names a wheel needs: found in its libraries, answered for, or the reason to stop."""

import shutil
import subprocess

import pytest

from sparse_attn.tools.aclsim import symbols


def test_a_name_nobody_answers_for_stops_the_build_with_a_list():
    with pytest.raises(symbols.MissingSymbolsError) as stopped:
        symbols.stubs({"aclNew", "aclrtMalloc", "aclOld"}, {"aclrtMalloc"}, {"aclOld"}, "9.9")
    text = str(stopped.value)
    assert "torch_npu 9.9 needs 1 functions" in text and "\n  aclNew\n" in text and "stubs.txt" in text
    assert "aclOld" not in text


def test_stubs_are_made_of_what_is_needed_and_not_defined():
    assert symbols.stubs({"aclB", "aclA", "aclrtMalloc"}, {"aclrtMalloc"}, {"aclA", "aclB", "aclGone"}, "1") == [
        "aclA",
        "aclB",
    ]


def test_a_list_has_comments():
    assert symbols.read_list("# head\naclA  # why\n\naclB\n") == {"aclA", "aclB"}


@pytest.mark.parametrize("name", ["aclrtMalloc", "HcclSend", "rtKernelLaunch", "strcpy_s", "_ZN2ge5GraphC1EPKc"])
def test_names_of_the_acl_libraries_are_ours(name):
    assert symbols.OURS.fullmatch(name)


@pytest.mark.parametrize("name", ["PyLong_AsLong", "aclnnAdd", "_ZN3c104cuda", "round", "_Z4atanf"])
def test_other_names_are_not(name):
    assert not symbols.OURS.fullmatch(name)


COMPILER = shutil.which("g++") or shutil.which("c++")


@pytest.mark.skipif(COMPILER is None or shutil.which("nm") is None, reason="needs a C++ compiler and nm")
def test_a_wheel_is_read_from_its_libraries(tmp_path):
    text = 'extern "C" int aclrtMalloc(); extern "C" int aclOwn() { return 1; }\n'
    text += 'extern "C" int aclWeak() __attribute__((weak)); extern "C" int other();\n'
    text += 'extern "C" int use() { return aclrtMalloc() + (aclWeak ? aclWeak() : 0) + other(); }\n'
    compiled(tmp_path, "inner/libwheel.so", text)
    compiled(tmp_path, "libsecond.so", 'extern "C" int aclOwn(); extern "C" int f() { return aclOwn(); }\n')
    assert symbols.needed(tmp_path) == {"aclrtMalloc"}


@pytest.mark.skipif(COMPILER is None or shutil.which("nm") is None, reason="needs a C++ compiler and nm")
def test_the_stubs_define_their_names_and_refuse_by_name(tmp_path):
    names = ["aclNew", "_ZN2ge5GraphC1EPKc"]
    library = compiled(tmp_path, "libstubs.so", symbols.stub_source(names))
    assert set(names) <= symbols.defined([library])
    assert 'aclsim_stub("_ZN2ge5GraphC1EPKc")' in symbols.stub_source(names)


def compiled(folder, name, text):
    library = folder / name
    library.parent.mkdir(exist_ok=True)
    source = folder / f"{library.stem}.cpp"
    source.write_text(text)
    subprocess.run([COMPILER, "-shared", "-fPIC", "-o", library, source], check=True)
    return library
