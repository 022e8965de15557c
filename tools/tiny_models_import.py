"""Importing this loads what `tiny_models` makes its models from."""

from transformers import DeepseekV4ForCausalLM, DeepseekV32ForCausalLM, DynamicCache, StaticCache

__all__ = ["DeepseekV4ForCausalLM", "DeepseekV32ForCausalLM", "DynamicCache", "StaticCache"]
