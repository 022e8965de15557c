"""The reference against scores and picks computed by matrix products and a stable sort."""

import numpy as np

from sparse_attn.dialect.sparse_attn import LightningIndexerOp

RANDOM = np.random.default_rng(7)
SHAPES = ((2, 3, 4, 8), (2, 9, 8), (2, 3, 4))
QUERY, KEY, WEIGHTS = (RANDOM.standard_normal(shape).astype(np.float32) for shape in SHAPES)


def scores_by_matmul():
    products = QUERY.reshape(2, 12, 8) @ KEY.transpose(0, 2, 1)
    return (np.maximum(products, 0).reshape(2, 3, 4, 9) * WEIGHTS[..., None]).sum(2)


def test_picks_are_the_best_visible_keys():
    visible = np.array([[0, 4, 9]], np.int32)
    indices, values = LightningIndexerOp.reference(QUERY, KEY, WEIGHTS, visible=visible, k=5, mask_mode="prefix")
    scores = scores_by_matmul()
    for b, s in np.ndindex(2, 3):
        count = visible[0, s]
        order = np.argsort(-scores[b, s, :count], kind="stable")[:5]
        assert set(indices[b, s]) - {-1} == set(order)
        assert (indices[b, s] == -1).sum() == 5 - len(order)
        np.testing.assert_allclose(values[b, s, : len(order)], scores[b, s, order], rtol=1e-4, atol=1e-5)


def test_mask_removes_keys():
    _, free = LightningIndexerOp.reference(QUERY, KEY, WEIGHTS, k=9)
    mask = np.ones((1, 1, 9), bool)
    mask[..., 2] = False
    indices, values = LightningIndexerOp.reference(QUERY, KEY, WEIGHTS, mask=mask, k=9)
    assert not (indices == 2).any()
    assert (free[..., -1] > -np.inf).all() and (values[..., -1] == -np.inf).all()


def test_scale_orders_nothing_but_changes_values():
    indices, values = LightningIndexerOp.reference(QUERY, KEY, reduce="sum", activation="none", k=9)
    scaled, larger = LightningIndexerOp.reference(QUERY, KEY, reduce="sum", activation="none", scale=2.0, k=9)
    np.testing.assert_array_equal(indices, scaled)
    np.testing.assert_allclose(larger, 2 * values, rtol=1e-5)
