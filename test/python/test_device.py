"""SoC names and their targets."""

import pytest

from sparse_attn.device import UnsupportedProduct, target_of_soc
from sparse_attn.errors import SparseAttnError


@pytest.mark.parametrize(
    ("soc", "target"),
    [
        ("Ascend950PR_9589", "ascend950"), ("Ascend950", "ascend950"), ("Ascend910_9391", "a3"),
        ("Ascend910_9362", "a3"), ("Ascend910B3", "a2"), ("Ascend910B2C", "a2"),
    ],
)  # fmt: skip
def test_known_chips(soc, target):
    assert target_of_soc(soc) == target


@pytest.mark.parametrize("soc", ["Ascend310P3", "Ascend910A", "Ascend910", "Ascend910_92", "", "A100", "ascend950"])
def test_other_products_are_refused_with_what_to_do(soc):
    with pytest.raises(UnsupportedProduct) as raised:
        target_of_soc(soc)
    assert f"unsupported product {soc}" in str(raised.value) and '"target": "host"' in str(raised.value)
    assert isinstance(raised.value, SparseAttnError)
