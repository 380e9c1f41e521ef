"""Errors of the kind one makes, planted one by one: the tests of this folder find each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import test_box
import test_equations
import test_howell
import test_values

from threadproof.domains import box, equations, howell, intervals, pieces
from threadproof.smt.term import Op


def operation(op: Op, instead: Callable[..., Any]) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda patch: patch.setitem(intervals._OPERATIONS, op, instead)


def attribute(owner: Any, name: str, instead: Callable[..., Any]) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda patch: patch.setattr(owner, name, instead)


def by_positive(a: Any, b: Any, width: int) -> Any:
    parts = [pieces.corners(lambda x, y: x // max(y, 1), x, y) for x in a.ranges() for y in b.ranges()]
    return intervals.union(parts, width)


def in_both_orders(part: Any, width: int) -> Any:
    """Without wrapping around."""
    return intervals._split(part[0] % (1 << width), part[1] % (1 << width), width)


PLANTED: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], Callable[[], None]]] = {
    "an even pivot's row is dropped": (
        attribute(howell, "complement", lambda power, width: np.uint64(0)),
        test_howell.test_an_even_value_does_not_cost_the_row,
    ),
    "an even pivot's multiple is no row of the form": (
        attribute(howell, "complement", lambda power, width: np.uint64(0)),
        lambda: test_howell.test_the_form_is_of_the_same_module_and_has_the_howell_property(1),
    ),
    "entries above a pivot stay": (
        attribute(howell, "_reduced", lambda rows, pivots, mask: rows),
        test_howell.test_equal_modules_have_equal_forms,
    ),
    "a join is one of the two": (
        attribute(equations, "intersection", lambda a, b, width: a),
        lambda: test_equations.test_lattice(2),
    ),
    "a mask is an equation": (
        attribute(equations, "_as_wide", lambda a, b: True),
        test_equations.test_a_mask_that_cannot_hold_the_number_entails_nothing,
    ),
    "forgetting keeps rows of old columns": (
        attribute(equations, "without", lambda form, columns: form[:, columns:]),
        lambda: test_equations.test_forgetting_is_exact(2),
    ),
    "division by zero has no value": (
        operation(Op.UDIV, by_positive),
        lambda: test_values.test_every_operation_is_sound("intervals"),
    ),
    "a shift by too much is a shift by less": (
        operation(Op.LSHR, intervals._shifts(lambda x, y: x >> (y - 1 if y > 3 else y), signed=False)),
        lambda: test_values.test_every_operation_is_sound("intervals"),
    ),
    "or is at most the larger operand": (
        operation(Op.BVOR, intervals._pairwise(lambda a, b: (max(a[0], b[0]), max(a[1], b[1])))),
        lambda: test_values.test_every_operation_is_sound("intervals"),
    ),
    "nothing wraps around": (
        attribute(intervals, "wrapped", in_both_orders),
        lambda: test_values.test_every_operation_is_sound("intervals"),
    ),
    "what is not equal is less": (
        attribute(box.StateBox, "_at_most", box.StateBox._less),
        lambda: test_box.test_transformers_are_sound("intervals"),
    ),
    "what cannot be undone is undone": (
        attribute(box.StateBox, "_undone", lambda self, term, value: (term.args[0], value) if term.args else None),
        lambda: test_box.test_transformers_are_sound("intervals"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("error", PLANTED)
def test_it_is_found(error: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant, check = PLANTED[error]
    plant(monkeypatch)
    with pytest.raises((AssertionError, IndexError, ValueError)):
        check()
