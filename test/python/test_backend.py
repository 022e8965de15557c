"""What the backend promises around fusing: identity, fallbacks, modes, errors."""

import gc
import warnings

import compiled
import models
import pytest
import spellings
import torch

from sparse_attn import backend, ingest
from sparse_attn.errors import BadOption, NotFused, UnsupportedVersion
from sparse_attn.tools import tiny_models
from sparse_attn.tools.tiny_families import EAGER_ONLY, FAMILIES


def test_entry_point_by_name():
    torch._dynamo.reset()
    with torch.no_grad():
        function = torch.compile(spellings.identical, backend="sparse_attn", fullgraph=True)
        assert torch.equal(function(*spellings.inputs()), spellings.identical(*spellings.inputs()))


def test_graph_without_anchor_is_not_imported():
    before = ingest.imports
    network = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 8))
    got, reports = compiled.run(network, (torch.ones(2, 8),))
    assert ingest.imports == before and reports == []
    torch.testing.assert_close(got, network(torch.ones(2, 8)))


def test_residual_block_is_not_imported():
    before = ingest.imports
    block = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.BatchNorm2d(8), torch.nn.ReLU()).eval()
    compiled.run(block, (torch.ones(1, 3, 8, 8),))
    assert ingest.imports == before


def test_dense_attention_stays_torchs():
    from transformers import GPT2Config, GPT2LMHeadModel

    model = GPT2LMHeadModel(GPT2Config(vocab_size=64, n_positions=64, n_embd=32, n_layer=2, n_head=2)).eval()
    seen = []
    original = backend._inner
    ids = torch.arange(20)[None] % 60
    torch._dynamo.reset()
    with pytest.MonkeyPatch.context() as patch, torch.no_grad(), backend.collecting() as reports:
        patch.setattr(backend, "_inner", lambda graph, *rest: seen.append(graph) or original(graph, *rest))
        got = torch.compile(model, backend=backend.sparse_attn, fullgraph=True)(ids, use_cache=False).logits
        assert torch.equal(got, model(ids, use_cache=False).logits)
    assert [f.fused for r in reports for f in r] == [False, False]
    assert all("dense attention" in f.reason for r in reports for f in r)
    assert not any("sparse_attn" in str(n.target) for n in seen[0].graph.nodes)


REST = [pytest.param(name, marks=pytest.mark.slow) for name in FAMILIES if not name.startswith("deepseek")]


@pytest.mark.parametrize("name", ["deepseek_v32", "deepseek_v4", *REST])
def test_without_lifting_graphs_are_the_same_nodes(name, monkeypatch):
    """Imported, run through no step, spliced: node for node and meta for meta the captured graph."""
    pairs = []
    original = backend.optimize

    def spy(graph, options):
        with monkeypatch.context() as patch:
            patch.setattr(backend.pipeline, "run", lambda *args, **kwargs: None)
            made = original(graph, options)
        pairs.append((graph, made))
        return made

    monkeypatch.setattr(backend, "optimize", spy)
    model = FAMILIES[name]()
    if name in EAGER_ONLY:
        model.set_attn_implementation("eager")
    pair = models.prefill(model, length=24)
    # minimax and doge differ from eager in the last bit when captured, before anything of ours
    torch.testing.assert_close(
        pair.compiled, pair.eager, rtol=0, atol=0 if name not in ("minimax_m3_vl", "doge") else 1e-6
    )
    assert pairs
    for captured, emitted in pairs:
        assert emitted is not captured
        before, after = list(captured.graph.nodes), list(emitted.graph.nodes)
        assert [(n.op, n.name, str(n.target)) for n in before] == [(n.op, n.name, str(n.target)) for n in after]
        assert all(a.meta.keys() == b.meta.keys() for a, b in zip(before, after, strict=True))
        assert [str(n.args) for n in before] == [str(n.args) for n in after]


def test_lift_off_hands_the_graph_on():
    _, reports = compiled.run(spellings.identical, spellings.inputs(), lift=False)
    assert reports == []


def test_grad_enabled_runs_unfused_with_one_warning(monkeypatch):
    monkeypatch.setattr(backend, "_warned_grad", False)
    torch._dynamo.reset()
    q, k, w = spellings.inputs()
    q.requires_grad_()

    def loss(q, k, w):
        return torch.relu(spellings.dots(q, k)).mul(w[..., None]).sum(2).topk(4).values.sum()

    function = torch.compile(loss, backend=backend.sparse_attn)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = function(q, k, w)
        function(q, k[:, :12], w)
    result.backward()
    expected = torch.autograd.grad(loss(q, k, w), q)[0]
    torch.testing.assert_close(q.grad, expected)
    assert len([c for c in caught if "no_grad" in str(c.message)]) == 1


def test_grad_enabled_strict_raises():
    torch._dynamo.reset()
    q, k, w = spellings.inputs()
    q.requires_grad_()
    function = torch.compile(spellings.identical, backend=backend.sparse_attn, options={"strict": True})
    with pytest.raises(Exception, match="no_grad"):
        function(q, k, w)


def test_strict_names_every_unfused_site():
    with pytest.raises(Exception, match=r"the score scale -0\.1 is negative") as raised:
        compiled.run(spellings.negative_scale, spellings.inputs(), strict=True)
    assert isinstance(raised.value.__cause__, NotFused) or "NotFused" in str(raised.value)


def test_strict_is_quiet_when_all_is_fused():
    compiled.run(spellings.identical, spellings.inputs(), strict=True)


def test_inference_mode_and_autocast():
    torch._dynamo.reset()
    function = torch.compile(spellings.matmul, backend=backend.sparse_attn, fullgraph=True)
    with torch.inference_mode(), backend.collecting() as reports:
        assert torch.equal(function(*spellings.inputs()), spellings.matmul(*spellings.inputs()))
    assert [f.fused for r in reports for f in r] == [True]
    with torch.no_grad(), torch.autocast("cpu", torch.bfloat16), backend.collecting() as reports:
        got = function(*spellings.inputs())
    assert [f.fused for r in reports for f in r] == [True] and got.shape == (1, 4, 4)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_low_precision_picks_agree_with_fp32(dtype):
    """Half-precision inputs are ranked in fp32: the picks are those of the exact scores of the same inputs."""
    args = spellings.inputs(dtype)
    got, reports = compiled.run(spellings.float_inputs, args)
    assert all(f.fused for r in reports for f in r)
    assert torch.equal(got, spellings.float_inputs(*args))


def test_inductor_as_inner_backend():
    got, reports = compiled.run(spellings.attended(0), spellings.inputs(), inner="inductor")
    torch.testing.assert_close(got, spellings.attended(0)(*spellings.inputs()), rtol=1e-5, atol=1e-5)
    assert all(f.fused for r in reports for f in r)


def test_exported_program():
    class Module(torch.nn.Module):
        def forward(self, q, k, w):
            return spellings.attended(0)(q, k, w)

    program = torch.export.export(Module(), spellings.inputs())
    got, reports = compiled.run(program.module(), spellings.inputs())
    torch.testing.assert_close(got, Module()(*spellings.inputs()), rtol=1e-5, atol=1e-5)
    assert all(f.fused for r in reports for f in r) and len(reports) == 1


def test_an_op_the_importer_refuses_leaves_the_graph_alone():
    def complex_scores(q, k, w):
        spectrum = torch.fft.fft(q.sum(-1)).abs().sum()
        return spellings.identical(q, k, w), spectrum

    got, reports = compiled.run(complex_scores, spellings.inputs())
    expected = complex_scores(*spellings.inputs())
    assert torch.equal(got[0], expected[0])
    torch.testing.assert_close(got[1], expected[1])
    assert len(reports) == 1


def test_static_cache_is_written_in_place():
    """No functional copy of a cache survives, and the buffers keep their addresses."""
    from transformers import StaticCache

    graphs = []
    original = backend.emit.write_in_place

    def spy(graph):
        done = original(graph)
        graphs.append((done, [str(n.target) for n in graph.graph.nodes]))
        return done

    model = tiny_models.deepseek_v32()
    cache = StaticCache(config=model.config, max_cache_len=32)
    torch._dynamo.reset()
    with torch.no_grad(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(backend.emit, "write_in_place", spy)
        function = torch.compile(model, backend=backend.sparse_attn, fullgraph=True)
        function(models.tokens(1, 8), past_key_values=cache)
        addresses = [layer.keys.data_ptr() for layer in cache.layers]
        function(models.tokens(1, 1), past_key_values=cache)
    assert addresses == [layer.keys.data_ptr() for layer in cache.layers]
    done, targets = graphs[-1]
    assert done >= 6 and targets.count("aten.index_copy.default") == 0


def test_global_configuration_is_untouched():
    before = torch._dynamo.config.recompile_limit, torch._dynamo.config.automatic_dynamic_shapes
    compiled.run(spellings.identical, spellings.inputs())
    assert (torch._dynamo.config.recompile_limit, torch._dynamo.config.automatic_dynamic_shapes) == before


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_rests_meanwhile_and_is_then_as_before(enabled, monkeypatch):
    seen = []
    monkeypatch.setattr(backend, "_publish", lambda *_: None)
    monkeypatch.setattr(backend, "_fused", lambda graph, *_: seen.append(gc.isenabled()) or graph)
    try:
        (gc.enable if enabled else gc.disable)()
        compiled.run(spellings.identical, spellings.inputs())
        assert seen == [False] and gc.isenabled() is enabled
    finally:
        gc.enable()


def test_options_are_checked_before_anything_runs():
    with pytest.raises(Exception, match="unknown option colour") as raised:
        compiled.run(spellings.identical, spellings.inputs(), colour=1)
    assert "BadOption" in repr(raised.value) or isinstance(raised.value.__cause__, BadOption)


def test_unsupported_version_is_a_clear_error(monkeypatch):
    from sparse_attn import versions

    monkeypatch.setattr(versions.importlib.metadata, "version", lambda package: "9.9")
    versions.check.cache_clear()
    with pytest.raises(UnsupportedVersion, match=r"9\.9 is installed; sparse_attn is tested with"):
        versions.check()
    versions.check.cache_clear()


def test_explain_writes_a_file(tmp_path):
    compiled.run(spellings.identical, spellings.inputs(), explain=str(tmp_path / "why.txt"))
    assert "sparse_attn.lightning_indexer" in (tmp_path / "why.txt").read_text()


def test_ascend950_refuses_fp32_with_the_reason():
    got, reports = compiled.run(spellings.float_inputs, spellings.inputs(), target="ascend950")
    assert torch.equal(got, spellings.float_inputs(*spellings.inputs()))
    (finding,) = compiled.findings(reports)
    assert not finding.fused and "bf16" in finding.reason
