"""Memory of the device: fresh and freed bytes, borders, copies."""

import acl
import pytest
import torch

POISON = bytes.fromhex("C07F")


def test_fresh_memory_is_poisoned_in_every_type():
    data = acl.memory(64)
    raw = acl.read(data, 64)
    assert raw == POISON * 32
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        assert torch.frombuffer(bytearray(raw), dtype=dtype).isnan().all()
    assert (torch.frombuffer(bytearray(raw), dtype=torch.int32) > 2**30).all()


def test_memory_comes_back():
    before = acl.statistics()
    data = acl.memory(4096)
    held = acl.statistics()
    assert held["device_bytes"] - before["device_bytes"] == 4096
    acl.call("aclrtFree", data)
    assert acl.statistics()["device_bytes"] == before["device_bytes"]


def test_freeing_twice_is_refused():
    data = acl.memory(64)
    acl.call("aclrtFree", data)
    with pytest.raises(acl.Refused, match=r"\[handle.*memory was freed that is not allocated"):
        acl.call("aclrtFree", data)


def test_pinned_memory_is_no_device_memory():
    data = acl.pinned(64)
    with pytest.raises(acl.Refused, match=r"\[handle"):
        acl.call("aclrtFree", data)
    acl.call("aclrtFreeHost", data)


def test_a_copy_longer_than_its_destination_is_refused():
    data, out = acl.memory(64), acl.memory(32)
    with pytest.raises(acl.Refused, match=r"100000 \[copy_range.*64 bytes into 32"):
        acl.call("aclrtMemcpy", out, 32, data, 64, acl.DEVICE_TO_DEVICE)


def test_a_copy_past_a_block_is_refused():
    data, out = acl.memory(64), acl.memory(128)
    with pytest.raises(
        acl.Refused, match=r"507015 \[address.*reads 128 bytes at offset 0 of device block \d+, which has 64"
    ):
        acl.call("aclrtMemcpy", out, 128, data, 128, acl.DEVICE_TO_DEVICE)


def test_the_device_is_finite(child):
    text = "import acl\nacl.memory(700)\ntry: acl.memory(700)\nexcept acl.Refused as e: print(e)"
    assert "207001" in child(text, ACLSIM_MEMORY="1000") and "no_memory" in child(text, ACLSIM_MEMORY="1000")


TOUCHES_FREED = """
import acl
on, data = acl.stream(), acl.memory(64)
acl.call("aclrtFree", data)
acl.fill(on, data, 1, 64)
acl.fill(on, acl.memory(8), 1, 8)
try: acl.synchronize(on)
except acl.Refused as e: print(e.code, e.text)
"""


def test_a_task_on_freed_memory_stops_its_stream_and_is_named(child):
    out = child(TOUCHES_FREED)
    assert "507015" in out and "task memset writes 64 bytes of device block" in out and "which was freed" in out


def test_torch_allocates_and_copies():
    host = torch.arange(1000, dtype=torch.int32).reshape(10, 100)
    device = host.npu()
    assert device.device.type == "npu" and torch.equal(device.cpu(), host)
    assert torch.equal(device.t()[3:7].cpu(), host.t()[3:7])
    assert torch.equal(device.to(torch.float32).cpu(), host.float())


def test_pinned_copies_are_asynchronous_and_right():
    host = torch.randn(4096).pin_memory()
    assert host.is_pinned()
    device = host.to("npu", non_blocking=True)
    torch.npu.current_stream().synchronize()
    assert torch.equal(device.cpu(), host)
