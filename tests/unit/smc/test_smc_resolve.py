"""Names of C programs in queries: values, positions, and suggestions for wrong ones."""

from __future__ import annotations

import pytest

from threadproof.engines.smc.language.evaluate import compile_term
from threadproof.engines.smc.language.goal import resolve_expression
from threadproof.engines.smc.language.parse import QueryError
from threadproof.engines.smc.sampling.reference import instruction_machine
from threadproof.ir.program import Program


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("points[1].x", -4),
        ("points[index_].y", -7),
        ("points[0].bits", 5),
        ("first->y", 5),
        ("first[1].x", 6),
        ("mood == ANGRY", 1),
        ("ratio * 2", 5.0),
        ("small", 200),
        ("table[3] + table[1]", -60),
        ("table[index_ + 7]", 0),
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("7 / 0", 0),
        ("9223372036854775807 + 1", -(1 << 63)),
        ("worker::k", 0),
        ("index_ == 2 ? 10 : 20", 10),
    ],
)
def test_values_in_the_first_state(shapes: Program, text: str, value: float):
    machine = instruction_machine(shapes, [])
    assert compile_term(machine, resolve_expression(shapes, text))(machine.initial(), ()) == value


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("own", "'own' is thread-local: say whose, as in 1.own"),
        ("moood", "no variable 'moood'; did you mean mood?"),
        ("x", "'x' is no global variable; the local one is written main::x"),
        ("main::y", "no variable of main 'y'"),
        ("points[0].z", "no member of struct point 'z'; known: bits, next, x, y"),
        ("points[5].x", "points has 3 elements, 0 to 2"),
        ("points", "points is an array of 3 elements: say which one"),
        ("points[0]", "say which member"),
        ("index_.x", "index_ has no members"),
        ("first.x", "write ->"),
        ("index_[0]", "index_ is no array"),
        ("ratio % 2", "'%' needs integers"),
        ("[p.stop]", "no process 'p'"),
        ("[0.stopp]", "no function that is called 'stopp'; did you mean stop?"),
        ("worker@1", "no instruction of worker stands at line 1"),
        ("wrker@1", "no function 'wrker'; did you mean worker?"),
        ("[1 at nowhere.c:3]", "no instruction stands at nowhere.c:3"),
        ("@0.main.%999", "no register of main '%999'"),
        ("@1.worker.%2;quux", "no type 'quux'"),
    ],
)
def test_wrong_names_are_answered_with_right_ones(shapes: Program, text: str, says: str):
    with pytest.raises(QueryError) as caught:
        resolve_expression(shapes, text)
    assert says in str(caught.value)
