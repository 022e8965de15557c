"""NPUGraph over the project's kernels: captured once, replayed with other lengths, block tables and contents."""

import acl
import pytest
import torch

import sparse_attn.ops  # noqa: F401  the operators on the CPU
from sparse_attn.aclnn import build

BLOCK, BLOCKS, K, BATCH = 16, 40, 64, 4


@pytest.fixture(scope="module", autouse=True)
def caller():
    return build.build()


class Decode:
    """One decode step of an indexer with a paged cache: buffers of a bucket of four requests, two query tokens each."""

    def __init__(self, device):
        generator = torch.Generator().manual_seed(7)
        random = lambda *shape: torch.randn(shape, generator=generator).bfloat16().to(device)  # noqa: E731
        self.query, self.weights = random(BATCH, 2, 64, 128), random(BATCH, 2, 64)
        self.cache = random(BLOCKS, BLOCK, 1, 128)
        self.table = torch.zeros(BATCH, BLOCKS // BATCH, dtype=torch.int32, device=device)
        self.lengths = torch.zeros(BATCH, dtype=torch.int32, device=device)

    def set(self, lengths, order):
        table = torch.arange(BLOCKS, dtype=torch.int32).reshape(BATCH, -1)
        self.table.copy_((table if order == "rising" else table.flip(0, 1)).contiguous())
        self.lengths.copy_(torch.tensor(lengths, dtype=torch.int32))

    def step(self):
        ones = torch.full_like(self.lengths, 2)
        indices, _ = torch.ops.npu.npu_lightning_indexer(
            self.query,
            self.cache,
            self.weights,
            actual_seq_lengths_query=ones,
            actual_seq_lengths_key=self.lengths,
            block_table=self.table,
            layout_key="PA_BSND",
            sparse_count=K,
        )
        return indices


LENGTHS = [[4, 4, 4, 4], [64, 65, 63, 2], [160, 3, 90, 17], [2, 160, 2, 160], [4, 4, 2, 2]]


@pytest.fixture(scope="module")
def captured():
    device = Decode("npu")
    device.set(LENGTHS[0], "rising")
    torch.npu.synchronize()
    graph = torch.npu.NPUGraph()
    with torch.npu.graph(graph):
        out = device.step()
    return device, graph, out


@pytest.mark.parametrize("order", ["rising", "falling"])
@pytest.mark.parametrize("lengths", LENGTHS, ids=str)
def test_replay_with_other_lengths_and_tables_is_eager(captured, lengths, order):
    device, graph, out = captured
    before = acl.statistics()
    device.set(lengths, order)
    graph.replay()
    host = Decode("cpu")
    host.set(lengths, order)
    assert torch.equal(out.cpu(), host.step())
    after = acl.statistics()
    assert (after["captures"], after["replays"]) == (before["captures"], before["replays"] + 1)


def test_contents_of_the_cache_are_read_at_replay(captured):
    device, graph, out = captured
    device.set([40, 40, 40, 40], "rising")
    graph.replay()
    first = out.cpu()
    device.cache.copy_(device.cache.flip(0))
    graph.replay()
    assert not torch.equal(first, out.cpu())
    device.cache.copy_(device.cache.flip(0))


PLANNED = """
import json, torch, torch_npu
torch.npu.set_device(0)
import acl, npu_kernels
name = "cann_ops_transformer::quant_sparse_flash_mla"
status = npu_kernels.STATUS[name]
given = {k: npu_kernels.moved(v, "npu") for k, v in npu_kernels.made(status, {}).items()}
plan_of = torch.ops.cann_ops_transformer.quant_sparse_flash_mla_metadata
def step():
    plan = plan_of(8, 1, 512, 1, batch_size=2, max_seqlen_q=3, max_seqlen_ori_kv=40, seqused_ori_kv=lengths)
    rest = {k: v for k, v in given.items() if k != "metadata"}
    return torch.ops.cann_ops_transformer.quant_sparse_flash_mla(**rest, metadata=plan)[0]
lengths = torch.tensor([40, 40], dtype=torch.int32, device="npu")
eager = step()
torch.npu.synchronize()
graph = torch.npu.NPUGraph()
with torch.npu.graph(graph): out = step()
graph.replay()
assert torch.equal(out.cpu().view(torch.int16), eager.cpu().view(torch.int16))
print(json.dumps(acl.statistics()["launched"]))
"""


def test_a_plan_is_a_task_of_the_graph(child):
    out = child(PLANNED)
    assert '"aclnnQuantSparseFlashMlaMetadata": 2' in out and '"aclnnQuantSparseFlashMla": 2' in out


ORDERED = """
import torch, torch_npu
torch.npu.set_device(0)
x, y = torch.ones(64, device="npu"), torch.zeros(64, device="npu")
side, graph = torch.npu.Stream(), torch.npu.NPUGraph()
torch.npu.synchronize()
with torch.npu.graph(graph):
    a = x * 2
    side.wait_stream(torch.npu.current_stream())
    with torch.npu.stream(side): y.copy_(a + 1)
    if {joined}: torch.npu.current_stream().wait_stream(side)
    b = y * 10
    if not {joined}: torch.npu.current_stream().wait_stream(side)
graph.replay()
print(b[0].item())
"""


@pytest.mark.parametrize("order", ["captured", "reversed", "1", "2", "3"])
def test_declared_dependencies_hold_in_every_order(child, order):
    assert "30.0" in child(ORDERED.format(joined=True), ACLSIM_ORDER=order).split()


def test_a_dependency_nobody_declared_is_found_by_another_order(child):
    assert "30.0" in child(ORDERED.format(joined=False), ACLSIM_ORDER="captured").split()
    results = {child(ORDERED.format(joined=False), ACLSIM_ORDER=order).split()[-1] for order in ("reversed", "1", "2")}
    assert results != {"30.0"}
