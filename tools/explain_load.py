"""Finds the function a user named and calls it for what to compile."""

from __future__ import annotations

import importlib
import importlib.util
import os
import pathlib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .errors import UserError

WANTED = "a function without arguments that returns (callable, args, kwargs)"
Call = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


def call_of(name: str) -> Call:
    """What MODULE:FUNCTION or FILE.py:FUNCTION returns, checked. Raises UserError, which says what to do."""
    place, colon, function = name.rpartition(":")
    if not colon or not place or not function:
        raise UserError(f"{name!r} names no function: write MODULE:FUNCTION or FILE.py:FUNCTION, {WANTED}")
    module = _file(place) if place.endswith(".py") else _module(place)
    made = getattr(module, function, None)
    if made is None:
        there = sorted(k for k, v in vars(module).items() if callable(v) and not k.startswith("_"))
        raise UserError(f"{place} has no {function}; it has {', '.join(there) or 'no functions'}. Give {WANTED}")
    if not callable(made):
        raise UserError(f"{name} is a {type(made).__name__}; give {WANTED}")
    return _checked(_guarded(made, f"{name}()"), name)


def _checked(found: Any, name: str) -> Call:
    if not isinstance(found, Sequence) or isinstance(found, (str, bytes)) or len(found) != 3:
        size = f" of {len(found)}" if isinstance(found, (tuple, list)) else ""
        raise UserError(f"{name} returned a {type(found).__name__}{size}; it must be {WANTED}")
    target, args, kwargs = found
    if not callable(target):
        raise UserError(f"the first of what {name} returned is a {type(target).__name__}; it must be callable")
    if not isinstance(args, (tuple, list)):
        raise UserError(
            f"the second of what {name} returned is a {type(args).__name__}; it must be a tuple of arguments"
        )
    if not isinstance(kwargs, Mapping) or not all(isinstance(key, str) for key in kwargs):
        raise UserError(f"the third of what {name} returned must be a dict of arguments by name")
    return target, tuple(args), dict(kwargs)


def _module(name: str) -> Any:
    folder = os.getcwd()
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(error.name + ".")):
            raise UserError(
                f"no module {name}: it is looked for in the current folder and on PYTHONPATH; a file can be named "
                "as FILE.py:FUNCTION"
            ) from None
        raise _failed(f"importing {name}", error) from error
    except Exception as error:
        raise _failed(f"importing {name}", error) from error


def _file(name: str) -> Any:
    path = pathlib.Path(name)
    if not path.is_file():
        raise UserError(f"there is no file {name}")
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    _guarded(lambda: spec.loader.exec_module(module), f"running {name}")  # type: ignore[union-attr]
    return module


def _guarded(work: Callable[[], Any], what: str) -> Any:
    try:
        return work()
    except Exception as error:
        raise _failed(what, error) from error


def _failed(what: str, error: Exception) -> UserError:
    return UserError(f"{what} failed with {type(error).__name__}: {error} (--traceback shows where)")
