"""What every test shares: the checkout is what is tested, and recorded vectors are found when they are there."""

import importlib.util
import os
import pathlib

import pytest
from vectors import Vector, vector_paths, vectors_folder

ROOT = pathlib.Path(__file__).resolve().parent.parent


def pytest_configure() -> None:
    """Children import the checkout too, and another installed copy can never be tested by mistake."""
    rest = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT / "python"), *([rest] if rest else [])])
    spec = importlib.util.find_spec("sparse_attn")
    found = [spec.origin] if spec and spec.origin else list(spec.submodule_search_locations or []) if spec else []
    if not found or not pathlib.Path(found[0]).resolve().is_relative_to(ROOT):
        raise pytest.UsageError(f"sparse_attn is imported from {found or 'nowhere'}, not from the checkout {ROOT}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`@pytest.mark.vectors("operator")` runs a test with the argument `vector` once per recorded case."""
    marker = metafunc.definition.get_closest_marker("vectors")
    if marker is None or "vector" not in metafunc.fixturenames:
        return
    paths, problem = vector_paths(*marker.args)
    cases = [pytest.param(path, id=f"{path.parent.name}-{path.stem}") for path in paths]
    absent = pytest.param(None, id="absent", marks=pytest.mark.skip(reason=problem))
    metafunc.parametrize("vector", cases or [absent], indirect=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """`make vectors` selects by marker: a test that asks for the folder has it too."""
    for item in items:
        if {"vector", "vectors"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.vectors)


@pytest.fixture
def vector(request: pytest.FixtureRequest) -> Vector:
    """One recorded case; see the marker `vectors`."""
    return Vector.load(request.param)


@pytest.fixture(scope="session")
def vectors() -> pathlib.Path:
    """The folder of recorded vectors; the test is skipped when it is absent."""
    folder, problem = vectors_folder()
    if folder is None:
        pytest.skip(problem)
    return folder


@pytest.fixture(scope="session")
def root() -> pathlib.Path:
    """The top folder of the checkout."""
    return ROOT
