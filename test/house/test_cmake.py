"""Every C++ source is compiled, and every header is read by something."""

import re

from house import Source, require_none, tracked

HOST = "lowering/host/"
OWN_BUILD = "tools/"  # what has a CMakeLists.txt of its own


def compiled(sources: list[Source]) -> set[str]:
    """The C++ files the build names: by path in CMakeLists.txt, by `${FOLDER}/name` in a list it includes."""
    listing = next(s.text for s in sources if s.path == "CMakeLists.txt")
    named = set(re.findall(rf"{HOST}[\w/]+\.cpp", listing))
    for part in sources:
        if part.path.endswith(".cmake") and f"include({part.path})" in listing:
            named |= {f"{part.folder}/{name}" for name in re.findall(r"\$\{\w+\}/([\w/]+\.cpp)", part.text)}
    return named


def source_problems(sources: list[Source]) -> list[str]:
    """C++ files that the build does not name, and names in it that are no files."""
    paths = {s.path for s in sources if not s.path.startswith(OWN_BUILD) and s.path.endswith(".cpp")}
    named = compiled(sources)
    missing = [f"{path}: not compiled: name it in CMakeLists.txt" for path in sorted(paths - named)]
    return missing + [f"CMakeLists.txt: names {path}, which is not there" for path in sorted(named - paths)]


def header_problems(sources: list[Source]) -> list[str]:
    """Headers that no file includes."""
    included = {name.rpartition("/")[2] for s in sources for name in re.findall(r'#include [<"]([^>"]+)[>"]', s.text)}
    headers = [s.path for s in sources if s.path.startswith(HOST) and s.path.endswith(".h")]
    return [f"{path}: nothing includes it" for path in headers if path.rpartition("/")[2] not in included]


def test_every_source_is_compiled():
    require_none(source_problems(tracked(".cpp", ".cmake", "CMakeLists.txt")))


def test_every_header_is_read():
    require_none(header_problems(tracked(".cpp", ".h")))


def test_a_forgotten_source_is_reported():
    source = Source("lowering/host/src/a.cpp", "")
    assert source_problems([Source("CMakeLists.txt", "add_library(x lowering/host/src/a.cpp)"), source]) == []
    forgotten, absent = source_problems([Source("CMakeLists.txt", "lowering/host/src/b.cpp"), source])
    assert "a.cpp: not compiled" in forgotten and "names lowering/host/src/b.cpp" in absent


def test_a_source_outside_the_host_library_is_held_to_the_same():
    part = Source("python/m/shim.cmake", "add_library(x ${HERE}/shim.cpp)")
    listing = Source("CMakeLists.txt", f"include({part.path})")
    assert source_problems([listing, part, Source("python/m/shim.cpp", "")]) == []
    (forgotten,) = source_problems([listing, part, Source("python/m/shim.cpp", ""), Source("python/m/b.cpp", "")])
    assert "python/m/b.cpp: not compiled" in forgotten


def test_an_included_list_counts_and_another_does_not():
    source = Source("lowering/host/src/m/a.cpp", "")
    part = Source("lowering/host/src/m/sources.cmake", "list(APPEND X ${HERE}/a.cpp)")
    assert source_problems([Source("CMakeLists.txt", f"include({part.path})"), part, source]) == []
    (forgotten,) = source_problems([Source("CMakeLists.txt", ""), part, source])
    assert "a.cpp: not compiled" in forgotten


def test_an_unused_header_is_reported():
    header, user = Source("lowering/host/src/a.h", ""), Source("lowering/host/src/a.cpp", '#include "core/a.h"\n')
    assert header_problems([header, user]) == []
    (problem,) = header_problems([header])
    assert "a.h: nothing includes it" in problem
