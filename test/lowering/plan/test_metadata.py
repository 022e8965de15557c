"""Plans: made from the call's own numbers and lengths, one for all calls that agree, none shared wrongly."""

import pytest
from contracts import Case, attention, function, indexer

from sparse_attn.dialect.npu import SPECS
from sparse_attn.dialect.npu.call import Call
from sparse_attn.dialect.npu.text import make_call
from sparse_attn.lowering.passes import PASSES, all_passes
from sparse_attn.lowering.plan.metadata import SIZES, scalars_of

ATTENDED = {"scale": 0.1, "ori_mask": "band", "ori_left": 127, "ori_right": 0}


def lowered(text, target="ascend950"):
    """The module after selection and sharing, as lines."""
    all_passes()
    case = Case(text)
    with case.context:
        select = PASSES["sparse-attn-select"]
        select.run(case.module, {**select.options, "target": target})
        PASSES["sparse-attn-plan"].run(case.module, {})
    assert case.module.operation.verify()
    return str(case.module).splitlines()


def plans(lines, kernel):
    return [line.split(" = ")[0].strip() for line in lines if f'"npu.{kernel}_metadata"' in line]


def calls(lines, kernel):
    return [line for line in lines if f'"npu.{kernel}"' in line]


def layers(count=43, tokens=8, keys=256):
    """A deep DeepSeek-V4: window layers first and last, lists and prefixes in turn between them."""
    q, kv = f"tensor<1x{tokens}x64x512xbf16>", f"tensor<1x{keys}x1x512xbf16>"
    arguments = {"kv": kv, "sinks": "tensor<64xf32>", "positions": f"!torch.vtensor<[1,{tokens}],si64>"}
    arguments |= {"q": q, "iq": f"tensor<1x{tokens}x64x128xbf16>", "iw": f"tensor<1x{tokens}x64xbf16>"}
    sizes = {4: keys // 4, 128: keys // 128}
    arguments |= {f"c{r}": f"tensor<1x{n}x1x512xbf16>" for r, n in sizes.items()}
    arguments["ik"] = f"tensor<1x{sizes[4]}x128xbf16>"
    body, last = [], "%q"
    for layer in range(count):
        ratio = (1, 4, 128)[layer % 3] if 0 < layer < count - 1 else 1
        body.append(_layer(layer, ratio, tokens, keys, last, arguments))
        last = f"%a{layer}#0"
    return function(arguments, "\n".join(body), last, q)


def _layer(layer, ratio, tokens, keys, last, arguments):
    given = {
        "query": f"{last} : {arguments['q']}",
        "ori_kv": f"%kv : {arguments['kv']}",
        "sinks": "%sinks : tensor<64xf32>",
    }
    said, lines = dict(ATTENDED), []
    if ratio > 1:
        lines.append(_count(f"v{layer}", tokens, keys, ratio))
        visible = f"%v{layer} : tensor<1x{tokens}xi32>"
        given |= {"cmp_kv": f"%c{ratio} : {arguments[f'c{ratio}']}", "cmp_visible": visible}
        said |= {"cmp_mask": "prefix", "cmp_ratio": ratio}
    if ratio == 4:
        own = {n: f"%{a} : {arguments[a]}" for n, a in (("query", "iq"), ("key", "ik"), ("weights", "iw"))}
        shape = f"1x{tokens}x{keys // 4}"
        marks = {"k": 512, "mask_mode": "prefix", "ratio": 4}
        lines.append(indexer(own | {"visible": visible}, marks, shape, f"i{layer}"))
        given["cmp_indices"] = f"%i{layer}#0 : tensor<{shape}xi32>"
    lines.append(attention(given, said, f"1x{tokens}x64x512xbf16", f"a{layer}"))
    return "\n".join(lines)


def _count(name, tokens, keys, ratio):
    """Every layer computes its own visible counts, as models do."""
    kind = f"!torch.vtensor<[{tokens}],si64>"
    rows = f"!torch.vtensor<[1,{tokens}],si64>"
    small = f"!torch.vtensor<[1,{tokens}],si32>"
    ints = {"n": tokens, "z": 0, "o": 1, "s": keys - tokens + 1, "r": ratio, "c": 3}
    lines = [f"%{name}{k} = torch.constant.int {v}" for k, v in ints.items()]
    lines += [f"%{name}no = torch.constant.none", f"%{name}f = torch.constant.bool false"]
    no = f"%{name}no"
    lines += [
        f"%{name}i = torch.aten.arange %{name}n, {no}, {no}, {no}, {no} : "
        f"!torch.int, !torch.none, !torch.none, !torch.none, !torch.none -> {kind}",
        f"%{name}u = torch.aten.unsqueeze %{name}i, %{name}z : {kind}, !torch.int -> {rows}",
        f"%{name}a = torch.aten.add.Scalar %{name}u, %{name}s, %{name}o : {rows}, !torch.int, !torch.int -> {rows}",
        f"%{name}d = torch.aten.floor_divide.Scalar %{name}a, %{name}r : {rows}, !torch.int -> {rows}",
        f"%{name}t = torch.aten._to_copy %{name}d, %{name}c, {no}, {no}, {no}, %{name}f, {no} : {rows}, !torch.int, "
        f"!torch.none, !torch.none, !torch.none, !torch.bool, !torch.none -> {small}",
        f"%{name} = torch_c.to_builtin_tensor %{name}t : {small} -> tensor<1x{tokens}xi32>",
    ]
    return "\n".join(lines)


def test_43_layers_share_a_plan_for_each_mode():
    lines = lowered(layers())
    assert len(calls(lines, "sparse_flash_mla")) == 43 and len(calls(lines, "lightning_indexer")) == 14
    assert len(plans(lines, "sparse_flash_mla")) == 3 and len(plans(lines, "lightning_indexer")) == 1
    residuals = [line for line in lines if "torch.aten.full" in line]
    assert len(residuals) == 1, "the residual of both ratios is 0, and made once"


def test_a_plan_stands_before_its_first_use():
    lines = lowered(layers(7))
    for plan in plans(lines, "sparse_flash_mla"):
        made = next(n for n, line in enumerate(lines) if line.strip().startswith(f"{plan} ="))
        uses = [n for n, line in enumerate(lines) if f"{plan})" in line]
        assert uses and min(uses) == made + 1


def test_every_call_uses_the_plan_of_its_mode():
    lines = lowered(layers(7))
    text = {
        plan: next(x for x in lines if x.strip().startswith(f"{plan} =")) for plan in plans(lines, "sparse_flash_mla")
    }
    for call in calls(lines, "sparse_flash_mla"):
        plan = text[next(p for p in text if f"{p})" in call)]
        for name in ("cmp_mask_mode", "cmp_ratio", "ori_mask_mode", "ori_win_left"):
            default = {"cmp_ratio": "1"}.get(name, "0")
            assert _said(call, name, default) == _said(plan, name, default)
        assert ("has_cmp_kv = true" in plan) == ('"cmp_kv"' in call)
        assert ("cmp_topk = 0" in plan) == ('"cmp_sparse_indices"' not in call)


def _said(line, name, default):
    return line.split(f"{name} = ")[1].split(" ")[0] if f"{name} = " in line else default


PLANNED = [
    spec for spec in SPECS.values() if spec.metadata_op in SPECS and spec.name != "npu_vllm_quant_lightning_indexer"
]


@pytest.mark.parametrize("spec", PLANNED, ids=lambda spec: spec.name)
def test_the_examples_of_all_planned_kernels(spec):
    """A plan's attributes follow from the call, are those the plan takes, and pass its limits."""
    example = {name: value for name, value in spec.example.items() if name != "metadata"}
    call = make_call(spec, spec.chips[0], example)
    meta = SPECS[spec.metadata_op]
    scalars = scalars_of(meta, call)
    tensors = {name: fact for name, fact in call.tensors.items() if name in meta.schema.by_name}
    assert set(scalars) <= {p.name for p in meta.schema.scalars}
    assert not [f.message for f in meta.check(Call(call.target, tensors, meta.scalars(scalars))) if not f.warning]
    query = next(iter(call.tensors.values())).shape
    assert scalars["num_heads_q"] == query[2] and scalars["batch_size"] == query[0]


def test_pages_count_by_their_table():
    spec = SPECS["sparse_attn_sharedkv"]
    call = make_call(spec, "a3", spec.example)
    assert SIZES["max_seqlen_kv"](call) == 48  # three blocks of sixteen
    assert SIZES["max_seqlen_cmp_kv"](call) == 0
