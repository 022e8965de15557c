"""Small sparse-attention models with random weights, made from the unmodified classes of transformers.

The sizes are small, the structure is whole: every kind of layer, indexer, cache and mask of the large models is there.
"""

from __future__ import annotations

from typing import Any

SEED = 20
V4_LAYERS = ("sliding_attention", "compressed_sparse_attention", "heavily_compressed_attention")


def deepseek_v32(layers: int = 2, seed: int = SEED, **overrides: Any) -> Any:
    """DeepSeek-V3.2: latent attention with a lightning indexer in every layer, 32 keys kept; fp32, in eval mode."""
    from transformers import DeepseekV32Config, DeepseekV32ForCausalLM

    sizes: dict[str, Any] = {
        "vocab_size": 512, "hidden_size": 128, "intermediate_size": 192, "moe_intermediate_size": 64,
        "num_hidden_layers": layers, "num_attention_heads": 4, "num_key_value_heads": 4, "first_k_dense_replace": 1,
        "n_routed_experts": 4, "num_experts_per_tok": 2, "n_group": 2, "topk_group": 1, "q_lora_rank": 48,
        "kv_lora_rank": 64, "qk_rope_head_dim": 16, "qk_nope_head_dim": 32, "v_head_dim": 32, "index_topk": 32,
        "index_head_dim": 32, "index_n_heads": 4, "max_position_embeddings": 1024,
    }  # fmt: skip
    return _made(DeepseekV32ForCausalLM, DeepseekV32Config, {**sizes, **overrides}, seed)


def deepseek_v4(layers: int = 3, seed: int = SEED, **overrides: Any) -> Any:
    """DeepSeek-V4: window, compressed with indexer, and heavily compressed layers in turn; fp32, in eval mode."""
    from transformers import DeepseekV4Config, DeepseekV4ForCausalLM

    sizes: dict[str, Any] = {
        "vocab_size": 512, "hidden_size": 128, "moe_intermediate_size": 64, "num_hidden_layers": layers,
        "num_attention_heads": 4, "num_key_value_heads": 1, "head_dim": 64, "q_lora_rank": 48, "o_groups": 2,
        "o_lora_rank": 32, "n_routed_experts": 4, "num_experts_per_tok": 2, "sliding_window": 16, "index_n_heads": 4,
        "index_head_dim": 32, "index_topk": 8, "hc_mult": 2, "hc_sinkhorn_iters": 2, "partial_rotary_factor": 0.25,
        "max_position_embeddings": 4096, "layer_types": [V4_LAYERS[i % 3] for i in range(layers)],
        "mlp_layer_types": ["hash_moe" if i == 0 else "moe" for i in range(layers)],
        "compress_rates": {"compressed_sparse_attention": 4, "heavily_compressed_attention": 16},
    }  # fmt: skip
    return _made(DeepseekV4ForCausalLM, DeepseekV4Config, {**sizes, **overrides}, seed)


def _made(model: Any, config: Any, sizes: dict[str, Any], seed: int) -> Any:
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return model(config(**sizes)).eval()
