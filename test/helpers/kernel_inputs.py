"""Small calls of kernel operators on CPU tensors, made from the examples of their specs."""

from typing import Any

import torch

from sparse_attn.dialect.npu import SPECS
from sparse_attn.dialect.npu.spec import Spec, Variant
from sparse_attn.dialect.npu.text import parse_tensor

BYTES = {"hifloat8": torch.uint8, "kv_row640": torch.float8_e4m3fn}
SUMS = {"q_act_seqs_npu": (0, 1, 3)}
"""Running sums of the lengths in the examples."""


def random_tensor(text: str, generator: torch.Generator) -> torch.Tensor:
    """A tensor for `"dtype size ..."`: integers are zero, packed formats random bytes with small exponents."""
    fact = parse_tensor(text)
    dtype = BYTES.get(fact.dtype) or getattr(torch, fact.dtype)
    if dtype in (torch.int32, torch.int64):
        return torch.zeros(fact.shape, dtype=dtype)
    if dtype == torch.int8:
        return torch.randint(-20, 20, fact.shape, dtype=dtype, generator=generator)
    if dtype.itemsize == 1:
        return torch.randint(8, 16, fact.shape, dtype=torch.uint8, generator=generator).view(dtype)
    return torch.randn(fact.shape, generator=generator).to(dtype)


def example(name: str, **changes: Any) -> dict[str, Any]:
    """The arguments of a spec's example as tensors and numbers, by the spec's names; `changes` replace some."""
    generator = torch.Generator().manual_seed(1)
    arguments = dict(SPECS[name].example) | changes
    made = {
        key: random_tensor(value, generator) if isinstance(value, str) and " " in value else value
        for key, value in arguments.items()
    }
    if name == "npu_kv_quant_sparse_flash_attention":  # 4 scales behind the rotary part: no random bytes
        made["key"][..., 512:640] = 0
        made["key"][..., 640:] = torch.ones(4).view(torch.int8)
    if "value" in made:
        made["value"] = made["key"]  # the operators that take both want one storage
    return made | {key: torch.tensor(sums, dtype=torch.int32) for key, sums in SUMS.items() if key in made}


def for_variant(spec: Spec, variant: Variant, **changes: Any) -> dict[str, Any]:
    """The example by the names of a namespace, every attribute spelled out: their defaults differ."""
    given = spec.explicit(variant, example(spec.name, **changes))
    return {p.name: None for p in variant.schema.tensors if p.optional and not p.has_default} | given


def call(qualified: str, arguments: dict[str, Any]) -> Any:
    """Call `namespace::name` by keyword."""
    namespace, name = qualified.split("::")
    return getattr(getattr(torch.ops, namespace), name)(**arguments)
