"""The checks of `sparse-attn doctor`. Each is called in a process of its own and tells what it finds, line by line."""

from __future__ import annotations

import glob
import importlib.metadata
import importlib.util
import platform
import sys


def tell(state: str, text: str) -> None:
    """Hand a line (ok, info or bad) to the doctor."""
    print(f"doctor\t{state}\t{' '.join(text.split())}", flush=True)


def versions() -> None:
    """What is installed against what was tested."""
    from sparse_attn import __version__
    from sparse_attn.versions import TESTED

    tell("ok", f"sparse-attn-mlir {__version__} on Python {platform.python_version()} ({platform.machine()})")
    for package, series in TESTED.items():
        found = _version(package)
        wanted = f"tested with {' and '.join(series)}"
        fits = found is not None and any(found == s or found.startswith((f"{s}.", f"{s}+")) for s in series)
        end = "" if fits else f'; install it with: pip install "{package}=={series[-1]}.*"'
        tell("ok" if fits else "bad", f"{package} {found or 'is not installed'} ({wanted}{end})")
    numpy = _version("numpy")
    tell("ok" if numpy else "bad", f"numpy {numpy or 'is not installed: pip install numpy'}")
    transformers = _version("transformers")
    tell("info", f"transformers {transformers or 'is not installed; only the demo needs it'}")


def bindings() -> None:
    """The facts about the MLIR bindings that the compiler stands on."""
    from .doctor_bindings import FACTS

    for fact in FACTS:
        problem = fact()
        text = (fact.__doc__ or fact.__name__).rstrip(".")
        tell("bad" if problem else "ok", f"{text}: {problem}" if problem else text)


def host() -> None:
    """The library of host kernels, and which instruction set it uses here."""
    import torch  # first: its OpenMP pool is then the library's too

    from sparse_attn.lowering.host import library
    from sparse_attn.ops import meaning, meaning_host

    try:
        path = library.find()
        library.load()
    except library.HostLibraryError as error:
        return tell("bad", str(error))
    tell("ok", f"{path.name}, interface version {library.ABI_VERSION}, {torch.get_num_threads()} threads")
    chosen, *others = meaning_host.instruction_sets()
    tell("ok", f"instruction set {chosen}" + (f" (also here: {', '.join(others)})" if others else ""))
    absent = [name for name in meaning.OPERATORS if meaning.implementation(name) != "host"]
    tell("bad" if absent else "ok", f"kernels missing: {', '.join(absent)}: build it anew" if absent else "all kernels")
    return None


def backend() -> None:
    """Whether torch.compile finds the backend by name, and whether an operator answers."""
    import torch

    import sparse_attn.ops  # noqa: F401

    picked = torch.ops.sparse_attn.topk(torch.tensor([[[1.0, 3.0, 2.0]]]), k=2)[0].tolist()
    tell("ok" if picked == [[[1, 2]]] else "bad", f"torch.ops.sparse_attn.topk answers {picked}")
    names = [each.name for each in importlib.metadata.entry_points(group="torch_dynamo_backends")]
    if "sparse_attn" in names:
        tell("ok", 'torch.compile knows backend="sparse_attn"')
    else:
        tell(
            "info",
            "the package is not installed, so torch.compile does not know the name: pip install it, or pass the "
            "function sparse_attn.backend.sparse_attn as the backend",
        )


def npu() -> None:
    """Whether there is an Ascend device, and which target it is."""
    nodes = glob.glob("/dev/davinci[0-9]*")
    tell("info", f"{len(nodes)} NPU device node{'s' if len(nodes) != 1 else ''}")
    if importlib.util.find_spec("torch_npu") is None:
        return tell("info", "torch_npu is not installed: graphs for an NPU are made and explained, not run")
    try:
        import torch
        import torch_npu  # noqa: F401

        if not torch.npu.is_available():
            return tell("info", "torch_npu sees no NPU")
        from sparse_attn.device import target_of_npu

        return tell("ok", f"{torch.npu.get_device_name()}: target {target_of_npu()}")
    except Exception as error:  # whatever a foreign package raises while it looks for its device
        return tell("bad" if nodes else "info", f"torch_npu does not work: {type(error).__name__}: {error}")


def vendors() -> None:
    """The packages that bring the kernels of NPUs."""
    from sparse_attn.ops import kernel_providers

    for namespace, module in kernel_providers.PROVIDERS.items():
        problem = kernel_providers.load(namespace)
        absent = problem is not None and "not installed" in problem
        state = "ok" if problem is None else "info"
        tell(state, f"{namespace}: {module} {'is not installed' if absent else problem or 'is here'}")


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


if __name__ == "__main__":
    {each.__name__: each for each in (versions, bindings, host, backend, npu, vendors)}[sys.argv[1]]()
