"""What a kernel meets when it runs, or what is not there at all: named, with its code."""

import acl
import pytest
import torch

UNSUPPORTED = """
import torch, torch_npu
torch.npu.set_device(0)
try: torch.linalg.svd(torch.eye(3, device="npu"))
except Exception as e: print(e)
"""


def test_unsupported_operator_is_refused_by_name(child):
    out = child(UNSUPPORTED)
    assert "aclnnSvd" in out or "operator Svd" in out


def test_unsupported_argument():
    with pytest.raises(acl.Refused, match=r"207000 \[unsupported.*aclrtReserveMemAddress"):
        acl.call("aclrtReserveMemAddress", None, 0, 0, None, 0)


def test_parameter():
    with pytest.raises(acl.Refused, match=r"107000 \[parameter.*device 3 of 1"):
        acl.call("aclrtSetDevice", 3)


def test_no_device(child):
    text = "import acl, ctypes\ntry: acl.call('aclrtGetDevice', ctypes.byref(ctypes.c_int()))\n"
    assert "107002 [no_device" in child(text + "except acl.Refused as e: print(e)")


def test_a_view_past_its_storage_is_refused_before_it_is_launched():
    data = acl.memory(1024)
    with pytest.raises(acl.Refused, match=r"107000.*aclnnRelu has a view that ends at element 9 of a storage of 8"):
        acl.aclnn(acl.stream(), "aclnnRelu", acl.tensor(data, 10, stored=8), acl.tensor(data, 10))


OUTSIDE = """
import acl
on, data = acl.stream(), acl.memory(16)
acl.aclnn(on, "aclnnRelu", acl.tensor(data, 8), acl.tensor(data, 8))
try: acl.synchronize(on)
except acl.Refused as e: print(e)
"""


def test_address(child):
    out = child(OUTSIDE)
    assert "507015" in out and "task aclnnRelu reads 32 bytes at offset 0 of device block 1, which has 16 bytes" in out


INDEX = """
import torch, torch_npu
torch.npu.set_device(0)
x, index = torch.ones(4, device="npu"), torch.tensor([7], device="npu")
try: torch.gather(x, 0, index).cpu()
except Exception as e: print(e)
"""


def test_kernel(child):
    out = child(INDEX)
    assert "507015" in out and "task aclnnGather" in out and "index 7 is out of bounds" in out


PLAN = """
import acl
on = acl.stream()
acl.plan_of_indexer(on, heads=0)
try: acl.synchronize(on)
except acl.Refused as e: print(e)
"""


def test_aicpu(child):
    out = child(PLAN)
    assert "507018" in out and "task aclnnQuantLightningIndexerV2Metadata refused: " in out


def test_replay_failed_names_its_task(child):
    text = INDEX.replace("try: torch", "torch.npu.synchronize()\ng = torch.npu.NPUGraph()\nindex.fill_(1)\n"
        "with torch.npu.graph(g): y = torch.gather(x * 2, 0, index)\n"
        "index.fill_(9)\ng.replay()\ntry: torch.npu.synchronize()\nexcept Exception as e: print(e)\n#")  # fmt: skip
    out = child(text.partition("#")[0])
    assert "507011" in out and "task 1 (stream 0) of graph 1: task aclnnGather" in out


BLOCKING = """
import acl
on, data = acl.stream(), acl.memory(64)
acl.fill(on, data, 5, 64)
assert acl.read(data, 64) == bytes([5]) * 64
for mode in (acl.RELAXED, acl.GLOBAL):
    acl.begin(on, mode)
    try: acl.fill(on, data, 1, 64)
    except acl.Refused as e: print(mode, e)
    acl.abandon(on)
"""


def test_block_async(child):
    """Launch blocking: every launch waits for its task, and capture is refused at its first task."""
    (line,) = child(BLOCKING, ASCEND_LAUNCH_BLOCKING="1").splitlines()
    assert line.startswith("0 aclrtMemsetAsync answered 107041: aclsim 107041 [block_async, ")


def test_numbers_are_those_of_the_cpu():
    x = torch.randn(33, 65)
    assert torch.equal((x.npu() * 3).relu().cpu(), (x * 3).relu())
