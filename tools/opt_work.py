"""The work of `sparse-attn-opt`, in its child process: read, parse, run, print, one input after the other."""

import argparse
import sys
from collections.abc import Callable, Iterator

from torch_mlir import ir

from sparse_attn.dialect import registry
from sparse_attn.lowering.passes import all_passes

from .diagnostics import Diagnostic, Sink
from .expected_diagnostics import mismatches
from .pass_steps import Runnable, prepare, run_all
from .pipeline_text import PipelineError, parse

_SPLIT = "// -----"
_BYTECODE = b"ML\xefR"


def run(options: argparse.Namespace, enter_phase: Callable[[str], None]) -> int:
    """Do what the command line asks; the answer is the exit code."""
    if options.list_passes:
        print("\n".join(_list_passes()))
        return 0
    name = "<stdin>" if options.input == "-" else options.input
    context = registry.new_context()
    context.allow_unregistered_dialects = options.allow_unregistered_dialect
    try:
        runnables = prepare(parse(options.pass_pipeline), context, options.traceback)
    except PipelineError as error:
        problem = Diagnostic("error", "--pass-pipeline", 1, error.column, str(error))
        return _report([problem], [options.pass_pipeline])
    try:
        data = _read(options.input)
    except OSError as error:
        return _report([Diagnostic("error", name, 0, 0, f"cannot be read: {error.strerror}")], [])
    worker = _Worker(options, context, runnables, name, enter_phase)
    chunks = list(_chunks(data, options.split_input_file))
    outputs = [worker.process(chunk) for chunk in chunks]
    text = f"{_SPLIT}\n".join(output for output in outputs if output)
    if options.output == "-":
        sys.stdout.write(text)
    elif not worker.failed:
        return _write(options.output, text)
    return int(worker.failed)


class _Worker:
    """Parses and transforms one input after the other in one context."""

    def __init__(
        self,
        options: argparse.Namespace,
        context: ir.Context,
        runnables: list[Runnable],
        name: str,
        enter_phase: Callable[[str], None],
    ) -> None:
        self.options = options
        self.context = context
        self.runnables = runnables
        self.name = name
        self.enter_phase = enter_phase
        self.failed = False

    def process(self, chunk: bytes) -> str:
        """The output for one input, empty when there is none."""
        sink = Sink(self.context, self.name)
        lines = chunk.decode(errors="replace").splitlines()
        try:
            output = self._transform(chunk, sink)
        finally:
            sink.close()
        expecting = self.options.verify_diagnostics
        problems = mismatches(lines, sink.found, self.name) if expecting else sink.found
        _report(problems, lines)
        failed = not output and not expecting
        self.failed |= failed or any(problem.severity == "error" for problem in problems)
        return output

    def _transform(self, chunk: bytes, sink: Sink) -> str:
        self.enter_phase("parsing the input")
        try:
            module = self._parse(chunk)
        except ir.MLIRError as error:
            if not sink.failed:
                sink.add("error", None, str(error))
            return ""
        if not run_all(self.runnables, module, sink, self._watch):
            return ""
        self.enter_phase("printing the result")
        return self._print(module)

    def _parse(self, chunk: bytes) -> ir.Module:
        """A whole file keeps its name in locations; MLIR names other text "-"."""
        if self.options.input != "-" and not self.options.split_input_file:
            return ir.Module.parseFile(self.options.input, self.context)
        return ir.Module.parse(chunk, self.context)

    def _watch(self, when: str, name: str, module: ir.Module) -> None:
        self.enter_phase(f"running the pass {name}")
        flag = f"mlir_print_ir_{when}"
        if getattr(self.options, f"{flag}_all") or name in getattr(self.options, flag).split(","):
            head = f"// -----// IR Dump {when.capitalize()} {name} //----- //"
            print(f"{head}\n{self._print(module)}", file=sys.stderr, flush=True)

    def _print(self, module: ir.Module) -> str:
        return module.operation.get_asm(
            enable_debug_info=self.options.mlir_print_debuginfo,
            print_generic_op_form=self.options.mlir_print_op_generic,
        ).rstrip("\n") + "\n"  # fmt: skip


def _read(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    with open(path, "rb") as file:
        return file.read()


def _write(path: str, text: str) -> int:
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        return _report([Diagnostic("error", path, 0, 0, f"cannot be written: {error.strerror}")], [])
    return 0


def _chunks(data: bytes, split: bool) -> Iterator[bytes]:
    """The inputs in a file. Blank lines before each keep the line numbers of the file."""
    if not split or data.startswith(_BYTECODE):
        yield data
        return
    start, lines = 0, data.split(b"\n")
    for number, line in enumerate([*lines, _SPLIT.encode()]):
        if line.rstrip() == _SPLIT.encode():
            yield b"\n" * start + b"\n".join(lines[start:number])
            start = number + 1


def _report(diagnostics: list[Diagnostic], lines: list[str]) -> int:
    for diagnostic in diagnostics:
        print(diagnostic.text(lines), file=sys.stderr)
    return 1


def _list_passes() -> Iterator[str]:
    for each in sorted(all_passes().values(), key=lambda one: one.name):
        yield f"{each.name}: {each.description}"
        for option, default in each.options.items():
            yield f"    {option} (default {default!r})"
