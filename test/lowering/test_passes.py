"""The table of passes, and remarks."""

import pytest
from torch_mlir import ir

from sparse_attn.lowering import passes


@pytest.fixture
def table(monkeypatch):
    monkeypatch.setattr(passes, "PASSES", {})
    return passes.PASSES


def test_a_pass_is_entered_and_stays_a_function(table):
    @passes.register_pass("sparse-attn-test", "does nothing", options={"deep": False})
    def run(module, options):
        return None

    entered = table["sparse-attn-test"]
    assert entered.run is run and entered.options == {"deep": False} and entered.description == "does nothing"


def test_a_name_is_taken_once(table):
    passes.register_pass("sparse-attn-test", "first")(lambda module, options: None)
    with pytest.raises(ValueError, match=r"sparse-attn-test is registered twice: by .*test_passes and"):
        passes.register_pass("sparse-attn-test", "second")(lambda module, options: None)
    assert table["sparse-attn-test"].description == "first"


def test_all_passes_holds_every_module():
    found = passes.all_passes()
    assert {"sparse-attn-verify", "sparse-attn-strip-facts"} <= set(found)
    assert all(name == each.name and name.startswith("sparse-attn-") for name, each in found.items())
    assert all(each.description and not each.description.endswith(".") for each in found.values())


def test_remarks_reach_those_who_listen():
    heard = []
    with ir.Context():
        place = ir.Location.file("model.py", 3, 1)
        passes.remark(place, "nobody listens")
        with passes.listening(lambda location, text: heard.append((str(location), text))):
            passes.remark(place, "not fused: no mask")
        passes.remark(place, "nobody listens any more")
    assert heard == [('loc("model.py":3:1)', "not fused: no mask")]


def test_listening_ends_with_an_error():
    with pytest.raises(KeyError), passes.listening(lambda location, text: None):
        raise KeyError
    assert passes._listeners == []
