"""No tracked file names a machine: no absolute path of somebody's disk, no package registry, no address."""

import re

from house import Source, require_none, tracked

# Put together here, so that this file does not break its own rule.
FOLDERS = tuple(f"/{name}/" for name in ("work", "tmp", "root", "home", "opt", "Users"))
HOSTS = tuple(".".join(name) for name in (("pypi", "org"), ("pythonhosted", "org"), ("download", "pytorch", "org")))
PATH = re.compile(r"(?<![\w./~$}>-])(" + "|".join(FOLDERS) + ")")
HOST = re.compile("|".join(re.escape(host) for host in HOSTS))


def private_problems(sources: list[Source]) -> list[str]:
    return [
        f"{source.path}:{number}: names {found[0]}: use a path relative to the checkout, an argument or tmp_path"
        for source in sources
        for number, line in enumerate(source.text.splitlines(), 1)
        if (found := PATH.search(line) or HOST.search(line))
    ]


def test_no_file_names_a_machine():
    require_none(private_problems(tracked()))


def test_a_path_or_host_is_reported():
    for name in (*FOLDERS, *HOSTS):
        (problem,) = private_problems([Source("a.txt", f"ok\nsee {name}x")])
        assert problem.startswith(f"a.txt:2: names {name}")


def test_ordinary_slashes_are_fine():
    folder = FOLDERS[0]
    text = f"#!/usr/bin/env bash\na{folder}b\n$HOME{folder}\n..{folder}x\nhalf{folder}whole"
    assert private_problems([Source("a.txt", text)]) == []
