"""Which thread may call what while a capture runs: the three modes, and a thread that exchanges its own."""

import ctypes

import acl
import pytest


@pytest.fixture
def on():
    made = acl.stream()
    yield made
    acl.abandon(made)


@pytest.fixture
def data():
    return acl.memory(64)


def refused(name, code):
    return pytest.raises(acl.Refused, match=rf"answered {code}: aclsim {code} \[{name}, ")


UNSAFE = {
    "memset": lambda data: acl.call("aclrtMemset", data, 64, 0, 64),
    "memcpy": lambda data: acl.read(data, 64),
    "unpinned": lambda data: acl.copy(acl.stream(), data, ctypes.create_string_buffer(64), 64, acl.HOST_TO_DEVICE),
}
EXPECTED = {  # mode of the capture -> refused on the capturing thread, refused on another
    acl.GLOBAL: (True, True),
    acl.THREAD_LOCAL: (True, False),
    acl.RELAXED: (False, False),
}


@pytest.mark.parametrize("mode", EXPECTED)
@pytest.mark.parametrize("function", UNSAFE)
def test_unsafe_in_capture(on, data, mode, function):
    here, there = EXPECTED[mode]
    acl.begin(on, mode)
    met = acl.elsewhere(lambda: UNSAFE[function](data))
    assert (met.code if met else None) == (107030 if there else None)
    if here:
        with refused("unsafe_in_capture", 107030):
            UNSAFE[function](data)
    else:
        UNSAFE[function](data)
    if here or there:
        with refused("invalidated", 507903):
            acl.end(on)
    else:
        acl.end(on)


def test_a_thread_that_exchanged_its_mode_may_call_unsafe_functions(on, data):
    def relaxed():
        mode = ctypes.c_int(acl.RELAXED)
        acl.call("aclmdlRICaptureThreadExchangeMode", ctypes.byref(mode))
        assert mode.value == acl.GLOBAL
        acl.read(data, 64)

    acl.begin(on)
    assert acl.elsewhere(relaxed) is None
    acl.end(on)
