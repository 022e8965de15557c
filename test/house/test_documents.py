"""README and CONTRIBUTING say what is: links lead somewhere, commands exist, versions are the tested ones."""

import re

from house import ROOT

DOCUMENTS = ("README.md", "CONTRIBUTING.md")


def link_problems(name: str, text: str) -> list[str]:
    """Relative links to files that are not there."""
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text)
    return [f"{name}: link to {t}, which is not there" for t in targets if "://" not in t and not (ROOT / t).exists()]


def command_problems(name: str, text: str, makefile: str) -> list[str]:
    """Targets of make that a document names and the Makefile lacks; targets without a line of help."""
    code = "\n".join(re.findall(r"`[^`\n]+`|```.*?```", text, re.S))
    named = set(re.findall(r"\bmake ([a-z]+)", code))
    return [f"{name}: `make {t}` is no target" for t in sorted(named) if not re.search(rf"^{t}:.*##", makefile, re.M)]


def version_problems(text: str, constraints: str) -> list[str]:
    """Tested versions of the README's table that constraints.txt does not name."""
    rows = re.findall(r"^\| ([\w-]+)[^|]*\|[^|]*\| ([\d.]+) \|$", text, re.M)
    known = constraints.splitlines()
    return [
        f"README.md: {p} {v} is not in constraints.txt" for p, v in rows if p != "Python" and f"{p}=={v}" not in known
    ]


def test_links_lead_somewhere():
    assert [p for name in DOCUMENTS for p in link_problems(name, (ROOT / name).read_text())] == []


def test_commands_exist():
    makefile = (ROOT / "Makefile").read_text()
    assert [p for name in DOCUMENTS for p in command_problems(name, (ROOT / name).read_text(), makefile)] == []


def test_versions_are_the_tested_ones():
    text = (ROOT / "README.md").read_text()
    assert text.count("20261001") > 1
    assert version_problems(text, (ROOT / "constraints.txt").read_text()) == []


def test_a_dead_link_is_reported():
    assert link_problems("a.md", "[x](nowhere.md#part) [y](README.md) [z](https://example.org)") == [
        "a.md: link to nowhere.md, which is not there"
    ]


def test_an_unknown_command_is_reported():
    makefile = "test: lint ## run\nhidden: x\n"
    assert command_problems("a.md", "`make test`, make haste, `make hidden`", makefile) == [
        "a.md: `make hidden` is no target"
    ]


def test_another_version_is_reported():
    table = "| torch | 2.13 | 2.13.1 |\n| numpy | any | 2.4.6 |\n"
    assert version_problems(table, "torch==2.13.0\nnumpy==2.4.6\n") == [
        "README.md: torch 2.13.1 is not in constraints.txt"
    ]
