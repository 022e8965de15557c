"""IR tests: `lit test/lit`. The tools are those of this checkout, run by the interpreter that runs lit."""

import os
import sys

import lit.formats

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

config.name = "sparse-attn-mlir"
config.test_format = lit.formats.ShTest()
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = os.path.join(ROOT, "build", "lit")
config.environment["PYTHONPATH"] = os.path.join(ROOT, "python")
config.substitutions += [
    ("%python", f'"{sys.executable}"'),
    (r"\bsparse-attn-opt\b", f'"{sys.executable}" -m sparse_attn.tools.opt'),
    (r"\bfilecheck\b", f'"{sys.executable}" -m filecheck'),
]
config.excludes = ["Inputs"]
