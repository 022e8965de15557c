# Everything a contributor runs. `make` alone prints this list.
#
#   make test                    in an environment made for it, .venv
#   make test PYTHON=python      in the environment that is active now
#   make venv BASE_PYTHON=...    choose the interpreter .venv is made from
#
# pip reads its own PIP_* variables (PIP_INDEX_URL, PIP_FIND_LINKS, ...) as ever.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

VENV := .venv
JOBS ?= $(shell nproc)
BUILD := build/host
NPU_VENV := .venv-npu
NPU_BUILD := build/aclsim
NPU_ARGS ?=
PYTEST_ARGS ?= -n $(JOBS) --dist loadfile
LIT_ARGS ?= -sv
BENCH_ARGS ?=
EXPLAIN_ARGS ?=
MUTATION_ARGS ?=

# Without PYTHON on the command line the targets use .venv and make it first.
ifeq ($(origin PYTHON),command line)
ENVIRONMENT :=
else
PYTHON := $(VENV)/bin/python
ENVIRONMENT := $(VENV)/.ready
endif
BIN = $(shell $(PYTHON) -c 'import os, sys; print(os.path.dirname(sys.executable))')

.PHONY: help venv host demo test lit pytest slow types lint format docs bench vectors mutations families grid explain clean test-npu

help: ## print this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 10

venv: $(VENV)/.ready ## make .venv and install the project into it, editable

# The list of tried names ends where the supported range ends. 3.11 is first
# because it is the version most of the testing happens on.
$(VENV)/.ready: pyproject.toml constraints.txt
	@base="$(BASE_PYTHON)"; \
	for name in $${base:-python3.11 python3.12 python3.13 python3 python}; do \
	    if $$name -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null; \
	    then found=$$name; break; fi; \
	done; \
	if [ -z "$${found:-}" ]; then \
	    echo "error: no Python 3.11, 3.12 or 3.13 found; install one or pass BASE_PYTHON=/path/to/python" >&2; exit 1; \
	fi; \
	echo "making $(VENV) with $$($$found --version)"; \
	$$found -m venv --clear $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[demo,test]'
	@touch $@

host: $(ENVIRONMENT) ## build the C++ host library beside lowering/host/library.py
	@mkdir -p $(BUILD); export PATH="$(BIN):$$PATH"; \
	ninja=$$(command -v ninja || true); \
	cmake -S . -B $(BUILD) $${ninja:+-G Ninja} -DCMAKE_BUILD_TYPE=Release > $(BUILD)/configure.log 2>&1 \
	    || { cat $(BUILD)/configure.log >&2; exit 1; }; \
	cmake --build $(BUILD) --parallel $(JOBS); \
	cmake --install $(BUILD) --prefix . --component development > /dev/null

demo: host ## compile a small sparse-attention model and show what was fused
	$(PYTHON) -m sparse_attn.tools.cli demo

test: lint types lit pytest ## the everyday suite: lint, types, lit, pytest

lit: host ## run the IR tests
	PATH="$(BIN):$$PATH" lit $(LIT_ARGS) test/lit

pytest: host ## run the Python tests (PYTEST_ARGS="-k name" selects)
	$(PYTHON) -m pytest -q $(PYTEST_ARGS)

slow: host ## run the tests marked slow: packaging, installation
	$(PYTHON) -m pytest -q -m slow $(PYTEST_ARGS)

types: $(ENVIRONMENT) ## check the types
	$(PYTHON) -m mypy

lint: $(ENVIRONMENT) ## check style and format
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .

format: $(ENVIRONMENT) ## repair what lint can repair
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

docs: $(ENVIRONMENT) ## write the reference pages from the definitions
	$(PYTHON) -m sparse_attn.tools.docgen

bench: host ## measure compile time and host kernels (BENCH_ARGS)
	$(PYTHON) -m sparse_attn.tools.cli bench $(BENCH_ARGS)

# torch_npu has an environment of its own: where it is installed, a plain
# `import torch` looks for a device. Its dependencies pin another torch, so pip
# must not follow them.
test-npu: export TORCH_DEVICE_BACKEND_AUTOLOAD := 0
test-npu: ## run torch_npu on the ACL host simulator: conformance, kernels, capture (NPU_ARGS)
	@$(MAKE) --no-print-directory host VENV=$(NPU_VENV)
	$(NPU_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --constraint constraints.txt torch_npu
	PATH="$(CURDIR)/$(NPU_VENV)/bin:$$PATH" SPARSE_ATTN_TEST_NPU=1 $(NPU_VENV)/bin/python -m sparse_attn.tools.aclsim.build \
	    --folder $(NPU_BUILD) --jobs $(JOBS) -- $(NPU_VENV)/bin/python -m pytest -q test/npu $(NPU_ARGS)

grid: host ## every spelling of scores, mask, selection and consumer, and every almost right one: counts (GRID_ARGS)
	$(PYTHON) -m pytest -q -s -m grid test/python/test_grid.py $(GRID_ARGS)

vectors: host ## compare with recorded vectors (SPARSE_ATTN_VECTORS=folder)
	$(PYTHON) -m sparse_attn.tools.vectors

mutations: host ## break the host arithmetic on purpose: the tests must notice
	$(PYTHON) -m sparse_attn.tools.mutations $(MUTATION_ARGS)

families: host ## every public model family and mode: sites found, fused, why not (FAMILIES_ARGS)
	$(PYTHON) -m sparse_attn.tools.cli families $(FAMILIES_ARGS)

explain: host ## show every candidate of a model and why it fused or not (EXPLAIN_ARGS)
	$(PYTHON) -m sparse_attn.tools.cli explain $(EXPLAIN_ARGS)

clean: ## remove builds and test outputs, keep .venv
	rm -rf build dist lowering/host/libsparse_attn_host.so python/sparse_attn/ops/libsparse_attn_torch.so .pytest_cache .mypy_cache .ruff_cache
