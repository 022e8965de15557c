import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

from sparse_attn.dialect.npu import SPECS
from sparse_attn.lowering.host import library
from sparse_attn.lowering.host.library import Dtype, HostLibraryError, Tensor, call


def test_it_loads_once_and_without_torch():
    assert library.available() and library.load() is library.load()
    program = "import sys; from sparse_attn.lowering.host import library; library.load(); print('torch' in sys.modules)"
    child = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert child.stdout == "False\n"


def test_the_dtype_codes_are_those_of_the_header(root):
    header = (root / "lowering/host/include/sparse_attn_host.h").read_text()
    codes = {name: int(code) for name, code in re.findall(r"\bSA_(\w+) = (\d+)", header)}
    assert codes == {dtype.name: dtype.value for dtype in Dtype}
    assert f"#define SA_ABI_VERSION {library.ABI_VERSION}\n" in header


def prototypes(root):
    """{kernel: [(C type, name), ...]} of all headers, without results, thread count and error text."""
    text = "\n".join(path.read_text() for path in (root / "lowering/host/include").rglob("*.h"))
    found = {}
    for name, arguments in re.findall(r"SA_API int sa_(\w+)\(([^)]*)\)", text):
        split = [re.fullmatch(r"(.*?)\s*(\w+)", part.strip(), re.S).groups() for part in arguments.split(",")]
        assert split[-2:] == [("int32_t", "num_threads"), ("sa_error *", "error")], name
        found[name] = [(kind, word) for kind, word in split[:-2] if kind != "sa_tensor *"]
    return found


def test_every_prototype_is_exported(root):
    assert "convert" in prototypes(root)
    assert [name for name in sorted(prototypes(root)) if not library.has(name)] == []


def test_the_header_is_plain_c(root, tmp_path):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler: install one to check the header")
    source = tmp_path / "user.c"
    source.write_text('#include "sparse_attn_host.h"\nint main(void) { return sa_abi_version() != SA_ABI_VERSION; }\n')
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only"]
    subprocess.run([compiler, *flags, "-I", root / "lowering/host/include", source], check=True)


C_TYPES = {"Tensor": "const sa_tensor *", "int": "int64_t", "bool": "int64_t", "float": "double", "str": "const char *"}


@pytest.mark.parametrize("name", SPECS)
def test_prototypes_follow_the_schemas(name, root):
    """The same arguments in the same order, so that one caller reaches every kernel; a plan need not have a kernel.

    One published schema ends the names of its tensors in _npu, which says nothing here.
    """
    schema, declared = SPECS[name].schema, prototypes(root).get(name)
    if declared is None:
        assert name.endswith("_metadata")
        return
    expected = [(C_TYPES[param.kind], param.name.removesuffix("_npu")) for param in schema.params]
    assert [(kind, word.removesuffix("_npu")) for kind, word in declared] == expected


def test_a_strided_array_is_described_in_elements():
    array = np.zeros((4, 6), np.int32)[::2, 1::2]
    tensor = Tensor.of(array)
    assert (tensor.dtype, tensor.size, tensor.stride) == (Dtype.INT32, (2, 3), (12, 2))


def test_storage_without_a_meaning_needs_one():
    with pytest.raises(TypeError, match=r"uint16 array has no host format.*Dtype.BF16"):
        Tensor.of(np.zeros(2, np.uint16))
    assert Tensor.of(np.zeros(2, np.uint16), Dtype.BF16).dtype is Dtype.BF16


def test_strides_that_are_not_whole_elements_are_refused():
    record = np.zeros(3, np.dtype([("a", "u1"), ("b", "<f4")], align=False))
    with pytest.raises(ValueError, match="not multiples of 4 bytes"):
        Tensor.of(record["b"])


def test_more_axes_than_a_descriptor_holds_are_refused():
    with pytest.raises(ValueError, match="rank 9"):
        call("convert", [np.zeros((1,) * 9, np.float32), False], [np.zeros((1,) * 9, np.float32)])


def test_a_kernel_that_is_not_there_says_rebuild():
    with pytest.raises(HostLibraryError, match="has no kernel 'no_such_kernel': rebuild"):
        call("no_such_kernel", [], [])
    assert not library.has("no_such_kernel")


def test_an_argument_of_another_kind_is_refused():
    with pytest.raises(TypeError, match="a list cannot be passed"):
        call("convert", [[1.0], False], [np.zeros(1, np.float32)])


def test_a_missing_library_says_how_to_build_it(monkeypatch, tmp_path):
    monkeypatch.setenv(library.LIBRARY_VARIABLE, str(tmp_path / "absent.so"))
    assert not library.available()
    with pytest.raises(HostLibraryError, match=r"cmake -S \. -B build"):
        library.find()


def test_the_named_library_comes_first(monkeypatch, tmp_path):
    chosen = tmp_path / "copy.so"
    chosen.write_bytes(library.find().read_bytes())
    monkeypatch.setenv(library.LIBRARY_VARIABLE, str(chosen))
    assert library.find() == chosen


def test_a_file_that_is_no_library_is_reported(monkeypatch, tmp_path):
    broken = tmp_path / "broken.so"
    broken.write_text("not a library")
    monkeypatch.setenv(library.LIBRARY_VARIABLE, str(broken))
    with pytest.raises(HostLibraryError, match="does not load"):
        library.load.__wrapped__()


@pytest.mark.slow
def test_torch_and_the_library_share_one_openmp_runtime():
    """Two runtimes would mean two thread pools that fight for the cores."""
    program = (
        "import numpy, torch; from sparse_attn.lowering.host import library\n"
        "torch.ones(500, 500) @ torch.ones(500, 500)\n"
        "library.call('convert', [numpy.ones((8, 8), numpy.float32), False], [numpy.empty((8, 8), numpy.float64)])\n"
        "print(len({line.split()[-1] for line in open('/proc/self/maps') if 'libgomp' in line}))"
    )
    child = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert child.stdout == "1\n"
