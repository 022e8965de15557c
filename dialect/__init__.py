"""The words of the compiler: what its IR may say.

`sparse_attn` holds the meaning of indexed sparse attention, one operation a file. `registry` loads every dialect into
an MLIR context. Nothing here imports torch at module level, so tools that only read IR start quickly.
"""
