"""Kernel operators on NPU tensors without the vendor's extension: two-phase aclnn functions, found by dlsym.

`source` writes the C++ from the specs, `build` compiles it against the installed torch_npu (`sparse-attn npu-build`),
`caller` is what the torch operators call for NPU tensors.
"""
