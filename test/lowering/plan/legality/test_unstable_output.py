"""Results whose size depends on values."""

from programs import fault

from sparse_attn.lowering.plan.legality import unstable_output


def test_a_result_sized_by_data_is_refused():
    refusal = fault(unstable_output, sized_by_data=True)
    assert "a size of aten.extra depends on values" in refusal.what and "fixed" in refusal.instead
