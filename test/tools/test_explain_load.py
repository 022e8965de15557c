"""Finding the call to explain: every mistake is a sentence that says what to do."""

import textwrap

import pytest

from sparse_attn.tools import explain_load
from sparse_attn.tools.errors import UserError

SOURCE = """
VALUE = 3
def good(): return (abs, (1,), {})
def listed(): return [abs, [1], {}]
def number(): return 3
def pair(): return (abs, ())
def text(): return "abc"
def no_callable(): return (3, (), {})
def no_tuple(): return (abs, 1, {})
def no_dict(): return (abs, (), [])
def no_names(): return (abs, (), {1: 2})
def needs(x): return (abs, (), {})
def breaks(): raise KeyError("lost")
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "explained_here.py").write_text(SOURCE)
    (tmp_path / "explained_badly.py").write_text("import a_module_that_is_not_there\n")
    (tmp_path / "explained_wrong.py").write_text(textwrap.dedent("1 / 0\n"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", ["", *__import__("sys").path])
    return tmp_path


@pytest.mark.parametrize("name", ["explained_here:good", "explained_here.py:good", "explained_here:listed"])
def test_a_call_is_found_by_module_and_by_file(name, folder):
    assert explain_load.call_of(name) == (abs, (1,), {})


WRONG = {
    "explained_here": "names no function: write MODULE:FUNCTION",
    ":good": "names no function",
    "explained_here:": "names no function",
    "explained_nowhere:good": "no module explained_nowhere: it is looked for in the current folder",
    "explained_here.sub:good": "no module explained_here.sub|importing explained_here.sub failed",
    "nowhere.py:good": "there is no file nowhere.py",
    "explained_here:bad": "explained_here has no bad; it has breaks, good",
    "explained_here:VALUE": "is a int; give a function without arguments",
    "explained_here:number": "returned a int; it must be a function without arguments that returns",
    "explained_here:pair": "returned a tuple of 2",
    "explained_here:text": "returned a str",
    "explained_here:no_callable": "the first of what .* is a int; it must be callable",
    "explained_here:no_tuple": "the second of what .* is a int; it must be a tuple",
    "explained_here:no_dict": "the third of what .* must be a dict",
    "explained_here:no_names": "the third of what .* must be a dict",
    "explained_here:needs": r"explained_here:needs\(\) failed with TypeError",
    "explained_here:breaks": r"explained_here:breaks\(\) failed with KeyError: 'lost' \(--traceback",
    "explained_badly:f": "importing explained_badly failed with ModuleNotFoundError: .*a_module_that_is_not_there",
    "explained_wrong:f": "importing explained_wrong failed with ZeroDivisionError",
    "explained_wrong.py:f": "running explained_wrong.py failed with ZeroDivisionError",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_a_user_error(name, folder):
    with pytest.raises(UserError, match=WRONG[name]):
        explain_load.call_of(name)
