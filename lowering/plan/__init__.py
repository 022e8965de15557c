"""Between choosing kernels and running them: plans and lengths made once, calls of the host library."""

from . import npu_to_call, sharing

PASS_FILES = [sharing, npu_to_call]
