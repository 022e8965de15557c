"""What holds of every host kernel: no number of threads changes a bit, and corrupt integers do no harm."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
from host_calls import CALLS
from host_fuzz import NASTY, corrupt, fuzz, problem_with
from host_variants import of_nothing, spread_keys

from sparse_attn.dialect.npu import SPECS

KERNELS = {make(0).name for make in CALLS.values()}


def test_every_kernel_operator_has_a_call():
    assert set(SPECS) <= KERNELS


def test_every_integer_argument_is_in_a_call():
    """Lengths, tables, indices and slots of every kernel are given by one of its calls, but for reserved ones."""
    calls = [make(seed) for make in CALLS.values() for seed in range(2)]
    given = {(call.name, name) for call in calls for name in call.integers()}
    for name, spec in SPECS.items():
        rows = {param.name: spec.tensors[param.name].dtypes for param in spec.schema.tensors}
        plain = {
            n: {dtypes} if isinstance(dtypes, str) else set(dtypes)
            for n, dtypes in rows.items()
            if not callable(dtypes)
        }
        wanted = {n for n, dtypes in plain.items() if dtypes <= {"int32", "int64"}}
        assert wanted, name
        missing = {n for n in wanted if (name, n) not in given}
        assert missing <= NOT_READ.get(name, set()) | {"metadata"}, f"{name}: no call gives {missing}"


SHARED = {"cu_seqlens_ori_kv", "cu_seqlens_cmp_kv", "seqused_q", "ori_sparse_indices"}
TOPK_LENGTHS = {"ori_topk_length", "cmp_topk_length"}
NOT_READ = {
    "sparse_attn_sharedkv": SHARED,
    "kv_quant_sparse_attn_sharedkv": SHARED,
    "sparse_attn_sharedkv_metadata": SHARED,
    "quant_sparse_flash_mla_metadata": TOPK_LENGTHS,
    "sparse_flash_mla_metadata": TOPK_LENGTHS,
    "kv_quant_sparse_attn_sharedkv_metadata": SHARED,
}
"""Arguments that are reserved and have no effect."""


@pytest.mark.parametrize("label", CALLS)
def test_the_number_of_threads_changes_no_bit(label):
    call = CALLS[label](11)
    once = call.run(1)
    for threads in (2, 3, 7, 0):
        assert call.run(threads) == once


@pytest.mark.parametrize("label", CALLS)
def test_a_call_writes_its_results(label):
    """What the comparisons above and below would not notice: a kernel that does nothing."""
    call = CALLS[label](11)
    before = [*call.results, *(call.arguments[name] for name in call.written)]
    assert any(a != b.tobytes() for a, b in zip(call.run(), before, strict=True))


KEYED = [label for label, make in CALLS.items() if not label.startswith("meaning") and spread_keys(make(0))]


@pytest.mark.parametrize("label", KEYED)
def test_keys_with_a_stride_along_the_first_axis(label):
    """Caches of several kinds may be interleaved in one buffer."""
    call = CALLS[label](5)
    changes = spread_keys(call)
    assert all(not getattr(value, "owner", value).flags.c_contiguous for value in changes.values())
    assert call.run(2, **changes) == call.run(1)


@pytest.mark.parametrize("label", [label for label in CALLS if not label.startswith("meaning")])
def test_no_batch_is_no_error(label):
    """Results without elements, an unchanged cache, a plan that enables no core."""
    call = of_nothing(CALLS[label](5))
    arrays, refusal = call.attempt(2)
    assert refusal is None
    kept = [call.arguments[name] for name in call.written]
    if call.name.endswith("_metadata"):
        assert not arrays[0].any()
    else:
        assert all(array.size == 0 for array in arrays[: len(call.results)])
    assert all(np.array_equal(a, b) for a, b in zip(arrays[len(call.results) :], kept, strict=True))


@pytest.mark.parametrize("label", CALLS)
def test_corrupt_integers_are_named_and_nothing_is_written(label):
    tally = fuzz(label, 25)
    assert tally.refused + tally.accepted == 25
    clamped = ("meaning_topk", "meaning_selection")  # any number is a count, and entries outside are no pick
    assert (tally.refused > 0) == (label not in clamped)


def test_corrupt_arrays_differ_in_few_places():
    rng, array = np.random.default_rng(0), np.full((5, 5), 9, np.int32)
    for _ in range(50):
        changed = corrupt(rng, array)
        assert 1 <= (changed != array).sum() <= 3 and set(changed[changed != array].tolist()) <= set(NASTY)
    assert (array == 9).all()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("f: tensor seqused_q at [1] is -2, must be in 0..3", None),
        ("f: tensor seqused_q at [1] is 7, must be in 0..3", "seqused_q holds no 7"),
        ("f: tensor block_table has 3 blocks per row, must be >= 9: batch 1 uses 140 tokens in blocks of 16", None),
        ("f: out of memory: use fewer rows per call", "it names no tensor, position and value"),
        ("f: bad indices", "it names no tensor, position and value"),
    ],
)
def test_what_a_refusal_has_to_say(text, problem):
    assert problem_with(text, {"seqused_q": np.array([1, -2])}) == problem


def sanitizer_runtime() -> str | None:
    """What has to be loaded before Python: the address sanitizer, and the C++ library whose exceptions it watches."""
    compiler = shutil.which("c++")
    if compiler is None:
        return None
    paths = []
    for name in ("libasan.so", "libstdc++.so.6"):
        found = subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True)
        paths.append(pathlib.Path(found.stdout.strip()))
    return " ".join(map(str, paths)) if all(path.is_absolute() and path.exists() for path in paths) else None


@pytest.fixture(scope="session")
def sanitized(root) -> dict[str, str]:
    """Environment variables of a process whose host kernels run under the sanitizers; builds them when needed."""
    runtime, cmake = sanitizer_runtime(), shutil.which("cmake")
    if runtime is None or cmake is None:
        pytest.skip("needs cmake and a C++ compiler with the address sanitizer")
    build = root / "build" / "sanitized"
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    configure = [cmake, "-S", root, "-B", build, "-DSPARSE_ATTN_SANITIZE=ON", "-DCMAKE_BUILD_TYPE=RelWithDebInfo"]
    subprocess.run([*configure, *([] if (build / "CMakeCache.txt").exists() else generator)], check=True)
    subprocess.run([cmake, "--build", build, "--parallel", os.environ.get("JOBS", "1")], check=True)
    return os.environ | {
        "SPARSE_ATTN_HOST_LIBRARY": str(build / "libsparse_attn_host.so"),
        "LD_PRELOAD": runtime,
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }


def run_sanitized(environment, *arguments):
    return subprocess.run([sys.executable, *arguments], check=False, capture_output=True, text=True, env=environment)


@pytest.mark.slow
def test_corrupt_integers_reach_no_memory_outside(sanitized, root):
    """The same under the address sanitizer, which ends the process at the first stray read or write."""
    paths = [str(root / "python"), str(root / "test" / "helpers")]
    environment = sanitized | {"PYTHONPATH": os.pathsep.join(paths)}
    done = run_sanitized(environment, str(root / "test" / "helpers" / "host_fuzz.py"), "200")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-8000:]
    told = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert set(told) == set(CALLS)
    assert sum(int(re.match(r"(\d+) refused", text)[1]) for text in told.values()) > 100 * len(CALLS)


@pytest.mark.slow
def test_the_sanitizer_sees_a_stray_read(sanitized, root):
    """What the test above relies on: a tensor described larger than it is ends the process."""
    program = (
        "import numpy as np; from sparse_attn.lowering.host.library import Dtype, Tensor, call\n"
        "a = np.ones(40000, np.float32)\n"
        "wrong = Tensor(a.ctypes.data, Dtype.FP32, (50000,), (1,), a)\n"
        "call('convert', [wrong, False], [np.empty(50000, np.float32)], 1)"
    )
    done = run_sanitized(sanitized | {"PYTHONPATH": str(root / "python")}, "-c", program)
    assert done.returncode != 0 and "heap-buffer-overflow" in done.stderr
