"""Importing this package registers every operator of the project with torch.

`torch.ops.sparse_attn.*` are the meaning-level operators; the kernel-level operators keep their published namespaces.
"""

from . import kernel, meaning, quantise

meaning.register()
kernel.register()
quantise.register()
