"""Every public model family with indexed sparse attention, tiny, with random weights, from unmodified transformers."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from .tiny_models import SEED, _made, deepseek_v4, deepseek_v32

COMMON: dict[str, Any] = {
    "vocab_size": 512, "hidden_size": 128, "intermediate_size": 192, "moe_intermediate_size": 64,
    "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 4, "n_routed_experts": 4,
    "num_experts_per_tok": 2, "kv_lora_rank": 64, "q_lora_rank": 48, "qk_rope_head_dim": 16, "v_head_dim": 32,
    "qk_nope_head_dim": 32,
    "index_topk": 32, "index_head_dim": 32, "index_n_heads": 4, "max_position_embeddings": 1024,
}  # fmt: skip
TOKENS: dict[str, Any] = {"bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 2}


def _family(module: str, config: str, model: str, sizes: dict[str, Any]) -> Callable[..., Any]:
    def build(**overrides: Any) -> Any:
        package = f"transformers.models.{module}"
        configuration = getattr(importlib.import_module(f"{package}.configuration_{module}"), config)
        network = getattr(importlib.import_module(f"{package}.modeling_{module}"), model)
        return _made(network, configuration, {**sizes, **overrides}, SEED)

    return build


glm_moe_dsa = _family(
    "glm_moe_dsa", "GlmMoeDsaConfig", "GlmMoeDsaForCausalLM",
    {**COMMON, "n_group": 1, "topk_group": 1, "first_k_dense_replace": 1, "indexer_types": ["full", "shared"]},
)  # fmt: skip
axk2 = _family("axk2", "AXK2Config", "AXK2ForCausalLM", {**COMMON, **TOKENS, "mlp_layer_types": ["dense", "sparse"]})
hy_v4 = _family("hy_v4", "HYV4Config", "HYV4ForCausalLM", {**COMMON, **TOKENS, "indexer_types": ["full", "shared"]})
dots3_note = _family(
    "dots3_note", "Dots3NoteTextConfig", "Dots3NoteForCausalLM",
    {
        **COMMON, **TOKENS, "n_group": 1, "topk_group": 1, "shared_experts_intermediate_size": 64, "sliding_window": 32,
        "layer_types": ["indexed_attention", "sliding_attention"], "swa_num_attention_heads": 4,
        "swa_num_key_value_heads": 4, "swa_q_lora_rank": 48, "swa_kv_lora_rank": 64, "swa_head_dim": 48,
        "swa_qk_nope_head_dim": 32, "swa_v_head_dim": 32,
    },
)  # fmt: skip
mistral_large4 = _family(
    "mistral_large4", "MistralLarge4TextConfig", "MistralLarge4TextModel",
    {
        **{k: v for k, v in COMMON.items() if k != "q_lora_rank"}, **TOKENS, "n_group": 1, "topk_group": 1,
        "first_k_dense_replace": 1, "num_hidden_layers": 4, "indexer_types": ["full", "full", "shared", "full"],
        "kv_source_layers": [0, 1, 0, 3],
    },
)  # fmt: skip
minimax_m3_vl = _family(
    "minimax_m3_vl", "MiniMaxM3VLTextConfig", "MiniMaxM3VLForCausalLM",
    {
        **TOKENS, "vocab_size": 512, "hidden_size": 128, "intermediate_size": 64, "dense_intermediate_size": 128,
        "shared_intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
        "head_dim": 32, "rotary_dim": 16, "num_experts_per_tok": 2, "num_local_experts": 4,
        "max_position_embeddings": 1024, "mlp_layer_types": ["dense", "sparse"],
        "layer_types": ["full_attention", "minimax_m3_sparse"], "index_n_heads": 2, "index_head_dim": 32,
        "index_block_size": 16, "index_topk_blocks": 2, "index_local_blocks": 1,
    },
)  # fmt: skip
doge = _family(
    "doge", "DogeConfig", "DogeForCausalLM",
    {
        "vocab_size": 512, "hidden_size": 128, "intermediate_size": 192, "num_hidden_layers": 2,
        "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 1024, "keep_window_size": 32,
    },
)  # fmt: skip

glm5_next = _family(
    "glm5_next", "Glm5NextTextConfig", "Glm5NextTextModel",
    {
        **COMMON, **TOKENS, "n_group": 1, "topk_group": 1, "qk_rope_head_dim": 0,
        "mlp_layer_types": ["dense", "sparse"], "indexer_types": ["full", "full"],
        "layer_types": ["linear_attention", "indexed_attention"],
        "linear_head_dim": 32, "linear_num_heads": 4, "hc_sinkhorn_iters": 3, "index_kpool": 4,
    },
)  # fmt: skip
qwen4_exp = _family(
    "qwen4_exp", "Qwen4ExpTextConfig", "Qwen4ExpForCausalLM",
    {
        **TOKENS, "vocab_size": 512, "hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 2, "head_dim": 32, "max_position_embeddings": 1024, "linear_key_head_dim": 32,
        "linear_value_head_dim": 32, "linear_num_key_heads": 2, "linear_num_value_heads": 4,
        "moe_intermediate_size": 64, "shared_expert_intermediate_size": 64, "num_experts_per_tok": 2, "num_experts": 4,
        "layer_types": ["linear_attention", "indexed_attention"], "hc_count": 4, "hc_lowrank": 16,
        "indexer_n_heads": 2, "indexer_kv_heads": 1, "indexer_head_dim": 32, "indexer_budget": 16,
        "indexer_compress_ratio": 4,
    },
)  # fmt: skip

FAMILIES: dict[str, Callable[..., Any]] = {
    "deepseek_v32": deepseek_v32, "deepseek_v4": deepseek_v4, "glm_moe_dsa": glm_moe_dsa, "axk2": axk2, "hy_v4": hy_v4,
    "dots3_note": dots3_note, "mistral_large4": mistral_large4, "minimax_m3_vl": minimax_m3_vl, "doge": doge,
}  # fmt: skip
EAGER_ONLY = ("hy_v4",)  # families without another attention implementation
HARD_TO_CAPTURE: dict[str, Callable[..., Any]] = {"glm5_next": glm5_next, "qwen4_exp": qwen4_exp}
WHY_HARD = {  # why torch.compile does not give one graph of these as they are
    "glm5_next": "its pools are picked by a boolean index: one graph needs "
    "torch._dynamo.config.capture_dynamic_output_shape_ops = True, which was set here",
    "qwen4_exp": "its indexer loops over batch and rows in Python with nonzero: captured in pieces, without it",
}
CAPTURED_IN_PIECES = ("qwen4_exp",)
