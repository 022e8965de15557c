"""Axes read by quotient and remainder become two."""

from sparse_attn.lowering.analysis import ints
from sparse_attn.lowering.analysis.graph import Value
from sparse_attn.lowering.analysis.ints import Sym
from sparse_attn.lowering.build_digits import axes_apart, digit_sizes
from sparse_attn.lowering.normalize.term import Elem, variable

VALUE = Value("", [], 0, None, "f32")
FOUR = ints.of(4)


def names(digits):
    return [[str(axis) for axis in axes] for axes in digits]


def test_an_axis_read_by_quotient_and_remainder():
    b, s = variable("b", ints.of(12)), variable("s", ints.of(5))
    elem, digits = axes_apart(Elem(VALUE, (ints.floordiv(b, FOUR), s, ints.mod(b, FOUR))), [b, s])
    (high, low), (row,) = digits
    assert elem.idx == (high, s, low) and row == s
    assert (high.atom.size, low.atom.size) == (ints.of(3), FOUR)


def test_a_dynamic_axis():
    b = variable("b", ints.of(Sym("s0")) * 4)
    elem, ((high, low),) = axes_apart(Elem(VALUE, (ints.floordiv(b, FOUR), ints.mod(b, FOUR))), [b])
    assert elem.idx == (high, low) and high.atom.size == ints.of(Sym("s0"))


def test_axes_read_whole_stay():
    b, s = variable("b", ints.of(12)), variable("s", ints.of(5))
    elem = Elem(VALUE, (b + 3, s))
    assert axes_apart(elem, [b, s]) == (elem, [[b], [s]])
    assert names(axes_apart(elem, [ints.of(0), s])[1]) == [["0"], ["s"]]


def test_two_divisors_are_not_taken_apart():
    b = variable("b", ints.of(12))
    elem = Elem(VALUE, (ints.floordiv(b, FOUR), ints.floordiv(b, ints.of(3))))
    assert axes_apart(elem, [b]) == (elem, [[b]])


def test_the_sizes_of_digits_that_are_joined_again():
    b, s = variable("b", ints.of(12)), variable("s", ints.of(5))
    _, digits = axes_apart(Elem(VALUE, (ints.floordiv(b, FOUR), s, ints.mod(b, FOUR))), [b, s])
    three, one = ints.of(3), ints.of(1)
    assert digit_sizes([three, FOUR, s.atom.size], digits) == [[three, FOUR], [s.atom.size]]
    assert digit_sizes([three, one, one], digits) == [[three, FOUR], [one]]  # the quotient, for every remainder
    assert digit_sizes([one, one, one], digits) == [[one, one], [one]]  # it depends on neither
