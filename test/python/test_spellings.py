"""One operation in nine spellings becomes one operator; near misses do not, each for its own reason."""

import pytest
import spellings
import torch
from compiled import findings, run


def same(got, expected):
    for a, b in zip(*((x,) if isinstance(x, torch.Tensor) else x for x in (got, expected)), strict=True):
        torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dynamic", [False, None], ids=["static", "dynamic"])
@pytest.mark.parametrize("spelling", spellings.NINE, ids=lambda f: f.__name__)
def test_nine_spellings_become_the_operator(spelling, dynamic):
    args = spellings.inputs()
    if dynamic is None:
        for tensor, dim in zip(args, (1, 1, 1), strict=True):
            torch._dynamo.mark_dynamic(tensor, dim)
    got, reports = run(spelling, args, dynamic)
    same(got, spelling(*spellings.inputs()))
    (finding,) = findings(reports)
    assert finding.fused, str(finding)
    expected = "sparse_attn.topk" if spelling is spellings.scores_returned else "sparse_attn.lightning_indexer"
    assert finding.became == expected


@pytest.mark.parametrize("spelling", spellings.GENERAL, ids=lambda f: f.__name__)
def test_general_forms_fuse_on_host(spelling):
    got, reports = run(spelling, spellings.inputs())
    same(got, spelling(*spellings.inputs()))
    assert [f.became for f in findings(reports)] == ["sparse_attn.lightning_indexer"]


@pytest.mark.parametrize("spelling", spellings.REFUSED, ids=lambda f: f.__name__)
def test_near_misses_stay_with_their_reason(spelling):
    got, reports = run(spelling, spellings.inputs())
    same(got, spelling(*spellings.inputs()))
    (finding,) = findings(reports, "indexer")
    assert not finding.fused
    assert spellings.REFUSED[spelling] in finding.reason


def test_equal_masks_fuse():
    got, reports = run(spellings.attended(0), spellings.inputs())
    same(got, spellings.attended(0)(*spellings.inputs()))
    assert all(f.fused for f in findings(reports)) and len(findings(reports)) == 2


def test_scores_are_computed_once_when_returned():
    _, reports = run(spellings.scores_returned, spellings.inputs())
    (finding,) = findings(reports)
    assert finding.became == "sparse_attn.topk"


def test_constants_lost_by_dynamic_are_named():
    """dynamic=True turns float attributes into inputs: fused or not, the answer is eager's."""

    class Scaled(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = 0.3

        def forward(self, q, k, w):
            return torch.topk((torch.relu(spellings.dots(q, k) * self.scale) * w[..., None]).sum(2), 4, -1)[1]

    got, _ = run(Scaled(), spellings.inputs(), True)
    same(got, Scaled()(*spellings.inputs()))


def test_float8_scores_are_ranked_in_fp32():
    """Stored in eight bits, multiplied in fp32: the lifted operator reads the same numbers."""

    def stored(q, k, w):
        return spellings.float_inputs(q.to(torch.float8_e4m3fn), k.to(torch.float8_e4m3fn), w)

    got, reports = run(stored, spellings.inputs())
    same(got, stored(*spellings.inputs()))
    assert [f.became for f in findings(reports)] == ["sparse_attn.lightning_indexer"]


def test_float64_is_refused_with_the_operand_named():
    args = tuple(x.double() for x in spellings.inputs())
    got, reports = run(spellings.identical, args)
    same(got, spellings.identical(*args))
    (finding,) = findings(reports)
    assert not finding.fused and "operand `query` must have element type" in finding.reason
