"""Building, reading and verifying operations, on a small dialect of its own and on ours."""

import inspect

import pytest
from torch_mlir import ir
from torch_mlir.dialects import ext
from torch_mlir.dialects.ext import Operand, Pure, Result

from sparse_attn.dialect import registry
from sparse_attn.dialect.constraints import ConstraintError, constraint
from sparse_attn.dialect.fields import attr, operand, result
from sparse_attn.dialect.op import Op, Tensor
from sparse_attn.dialect.sparse_attn import OPS, IndexScoresOp, SelectionOp, TopkOp


class Example(ext.Dialect, name="example"):
    """Serves this test."""


class ScaleOp(Op, dialect=Example, name="scale", traits=[Pure]):
    """Rows times a factor."""

    rows: Operand[Tensor] = operand("n d", ("f32", "f16"), "rows")
    bias: Operand[Tensor] | None = operand("d", ("f32",), "added", keyword=True)
    times: int = attr("how often", least=1)
    factor: float = attr("the factor", 1.0)
    exact: bool = attr("whether exactly", False)
    mode: str = attr("how", "up", choices=("up", "down"))
    scaled: Result[Tensor] = result("n d", "rows", "scaled rows")

    @constraint
    def c5(call):
        """`exact` needs a bias."""
        return "exact needs `bias`" if call.exact and call.bias is None else None


@pytest.fixture
def context():
    context = registry.new_context()
    with context, ir.Location.file("model.py", 12, 3):
        Example.load()
        yield context


def function(text):
    """A module with one function of these arguments, and the arguments."""
    module = ir.Module.parse(f"func.func @f({text}) {{ return }}")
    block = module.body.operations[0].regions[0].blocks[0]
    return module, list(block.arguments), ir.InsertionPoint.at_block_terminator(block)


def test_build_infers_results_and_reads_back(context):
    module, (rows, bias), point = function("%a: tensor<?x8xf16>, %b: tensor<8xf32>")
    op = ScaleOp.build(rows, bias=bias, times=2, factor=3, mode="down", ip=point)
    assert isinstance(op, ScaleOp) and str(op.scaled.type) == "tensor<?x8xf16>"
    assert (op.times, op.factor, op.exact, op.mode) == (2, 3.0, False, "down")
    assert op.rows == rows and op.bias == bias
    assert 'loc("model.py":12:3)' in str(op.location)
    assert module.operation.verify()


def test_defaults_stay_out_of_the_text(context):
    module, (rows,), point = function("%a: tensor<2x8xf32>")
    op = ScaleOp.build(rows, times=1, factor=1.0, exact=False, ip=point)
    assert op.bias is None
    assert "{operandSegmentSizes = array<i32: 1, 0>, times = 1 : i64}" in str(op)
    assert module is not None


def test_build_at_the_current_insertion_point_and_given_location(context):
    module, (rows,), point = function("%a: tensor<2x8xf32>")
    with point:
        op = ScaleOp.build(rows, times=1, loc=ir.Location.file("other.py", 1, 1))
    assert "other.py" in str(op.location) and op.operation.parent.name == "func.func"
    assert module.operation.verify()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"times": 0}, r"\[c1\] attribute `times` must be at least 1, got 0"),
        ({"times": 1.5}, r"\[c1\] attribute `times` must be int"),
        ({"times": 1, "mode": "left"}, r"\[c1\] attribute `mode` must be one of 'up', 'down'"),
        ({"times": 1, "exact": True}, r"\[c5\] exact needs `bias`"),
    ],
)
def test_build_refuses_before_anything_is_made(context, arguments, reason):
    module, (rows,), point = function("%a: tensor<2x8xf32>")
    before = str(module)
    with pytest.raises(ConstraintError, match=reason):
        ScaleOp.build(rows, ip=point, **arguments)
    assert str(module) == before


def test_build_refuses_operands(context):
    _module, (rows, bias), point = function("%a: tensor<2x8xf32>, %b: tensor<9xf32>")
    with pytest.raises(ConstraintError, match=r"\[c3\] operand `bias`: dimension d is 9, expected 8"):
        ScaleOp.build(rows, bias=bias, times=1, ip=point)
    with pytest.raises(ConstraintError, match=r"\[c2\] operand `rows` must have rank 2"):
        ScaleOp.build(bias, times=1, ip=point)
    with pytest.raises(TypeError, match="times"):
        ScaleOp.build(rows, ip=point)
    with pytest.raises(TypeError, match="tines"):
        ScaleOp.build(rows, times=1, tines=2, ip=point)


def test_attributes_read_as_python_values_from_text(context):
    module = ir.Module.parse(
        """func.func @f(%a: tensor<2x8xf32>) {
          %0 = "example.scale"(%a) {times = 7 : i64, exact = false, operandSegmentSizes = array<i32: 1, 0>}
            : (tensor<2x8xf32>) -> tensor<2x8xf32>
          return
        }"""
    )
    op = module.body.operations[0].regions[0].blocks[0].operations[0]
    assert (op.times, op.exact, op.factor, op.mode) == (7, False, 1.0, "up")


def errors(text):
    with pytest.raises(ir.MLIRError) as caught:
        ir.Module.parse(text)
    return [(str(each.location), each.message) for each in caught.value.error_diagnostics]


def test_the_verifier_reports_at_the_operation(context):
    text = 'func.func @f(%a: tensor<2x8xf32>) {\n  %0 = "example.scale"(%a) {operandSegmentSizes = array<i32: 1, 0>}'
    found = errors(text + " : (tensor<2x8xf32>) -> tensor<2x8xf32>\n return }")
    assert found == [('loc("-":2:8)', "'example.scale' op [c1] attribute `times` is required")]


SEGMENTS = [
    ("", "[c2] needs operandSegmentSizes = array<i32: ...>"),
    ("operandSegmentSizes = array<i24: 1, 0>, ", "[c2] needs operandSegmentSizes = array<i32: ...>"),
    ("operandSegmentSizes = 3, ", "[c2] needs operandSegmentSizes = array<i32: ...>"),
    ("operandSegmentSizes = array<i32: 1>, ", "[c2] operandSegmentSizes has 1 entries, expected 2"),
    ("operandSegmentSizes = array<i32: 1, 1>, ", "[c2] has 1 operands, operandSegmentSizes counts 2"),
    ("operandSegmentSizes = array<i32: 0, 1>, ", "[c2] operandSegmentSizes counts 0 for `rows`, expected 1"),
    ("operandSegmentSizes = array<i32: 1, -1>, ", "[c2] operandSegmentSizes counts -1 for `bias`, expected 0 or 1"),
]


@pytest.mark.parametrize(("segments", "reason"), SEGMENTS)
def test_c2_guards_the_counts_of_operands(context, segments, reason):
    text = f'func.func @f(%a: tensor<2x8xf32>) {{ %0 = "example.scale"(%a) {{{segments}times = 1 : i64}}'
    [(_, message)] = errors(text + " : (tensor<2x8xf32>) -> tensor<2x8xf32> return }")
    assert reason in message


@pytest.mark.parametrize(
    ("attribute", "reason"),
    [
        ("times = 1 : i32", "[c1] attribute `times` must be int / i64, got 1 : i32"),
        ('times = "1"', '[c1] attribute `times` must be int / i64, got "1"'),
        ("times = 1 : i64, factor = 1.0 : f32", "must be float / f64, got 1.000000e+00 : f32"),
        ("times = 1 : i64, exact = 1 : i64", "must be bool / i1, got 1 : i64"),
        ("times = array<i24: 1>", "[c1] attribute `times` must be int / i64, got an attribute of unknown kind"),
        ("times = 1 : i64, mode = unit", "must be str / string, got unit"),
        ("times = 1 : i64, tines = 2 : i64", "[c1] unknown attribute `tines`; declared are times, factor, exact, mode"),
    ],
)
def test_c1_guards_attributes(context, attribute, reason):
    segments = "operandSegmentSizes = array<i32: 1, 0>"
    text = f'func.func @f(%a: tensor<2x8xf32>) {{ %0 = "example.scale"(%a) {{{segments}, {attribute}}}'
    [(_, message)] = errors(text + " : (tensor<2x8xf32>) -> tensor<2x8xf32> return }")
    assert reason in message


def test_a_fault_of_the_verifier_is_an_error_too(context, monkeypatch):
    monkeypatch.setattr(ScaleOp, "call", lambda self: {}["lost"])
    text = 'func.func @f(%a: tensor<2x8xf32>) { %0 = "example.scale"(%a) {operandSegmentSizes = array<i32: 1, 0>}'
    [(_, message)] = errors(text + " : (tensor<2x8xf32>) -> tensor<2x8xf32> return }")
    assert message == "'example.scale' op has a verifier with a fault, KeyError: 'lost'"


def test_foreign_names_with_a_dot_are_left_alone(context):
    note = "somebody.note = array<i24: 1>"  # of a kind the bindings have no class for
    text = f'func.func @f(%a: tensor<2x3x4xi32>) {{ %0 = "sparse_attn.selection"(%a) {{extent = 8 : i64, {note}}}'
    module = ir.Module.parse(text + " : (tensor<2x3x4xi32>) -> tensor<2x3x8xi1> return }")
    assert module.operation.verify() and note in str(module)


def test_results_of_ours_are_inferred(context):
    _module, (q, k), point = function("%q: tensor<2x3x4x8xbf16>, %k: tensor<2x5x8xbf16>")
    with point:
        scores = IndexScoresOp.build(q, k, reduce="sum").scores
        indices = TopkOp.build(scores, k=9).indices
        selected = SelectionOp.build(indices, extent=5).selected
    assert [str(each.type) for each in (scores, indices, selected)] == [
        "tensor<2x3x5xf32>",
        "tensor<2x3x5xi32>",
        "tensor<2x3x5xi1>",
    ]


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.OPERATION_NAME)
def test_the_reference_has_the_signature_of_the_operation(op):
    plain = [p.replace(annotation=p.empty) for p in inspect.signature(op.reference).parameters.values()]
    assert plain == list(op.DEFINITION.signature().parameters.values())


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.OPERATION_NAME)
def test_every_field_and_constraint_is_explained(op):
    definition = op.DEFINITION
    fields = (*definition.operands, *definition.attributes, *definition.results)
    assert all(field.text for field in fields)
    assert all(each.__doc__.rstrip().endswith(".") for each in definition.constraints)
