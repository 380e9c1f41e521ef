"""Which traps a swap has to keep: an engine that asks about one thread asks what the checker of its proof will ask."""

from __future__ import annotations

from pathlib import Path

import pytest
from two_threads import TwoThreads

from threadproof.automaton import Instance
from threadproof.encoding.transitions import TransitionTrap
from threadproof.evidence.proofs.skips import apart, cannot_swap
from threadproof.independence import InstanceLetter, SwapGoal, Swaps
from threadproof.ir.instr import UndefinedKind
from threadproof.smt.context import Context
from threadproof.smt.solver import Unsat

ATOMIC = "__VERIFIER_atomic_begin(); %s __VERIFIER_atomic_end();"
ONE, TWO = Instance("one", 0), Instance("two", 0)
HIDING = ("int x, y, z, w;", "x = 1; z = 7 / (1 - y);", "y = 1; w = 7 / (1 - x);")
"""Each makes the other divide by zero: in both orders something goes wrong, but not in the same thread."""
PAIRS = {
    "both trap": HIDING,
    "one traps": ("int x, y;", "x = 1;", "y = 7 / (1 - x);"),
    "always traps": ("int x, y;", "x = 2;", "x = 2; y = 7 / (y - y);"),
    "outside": ("int i, a[3], b[3];", "i = 5; b[0] = a[i & 3];", "b[i & 7] = 1;"),
    "no trap": ("int x;", "x = x + 1;", "x = x + 2;"),
}


def every(trap: TransitionTrap) -> bool:
    return True


def divisions(trap: TransitionTrap) -> bool:
    return trap.what is UndefinedKind.DIVISION_BY_ZERO


def others(trap: TransitionTrap) -> bool:
    return not divisions(trap)


def read(folder: Path, declared: str, first: str, second: str) -> TwoThreads:
    return TwoThreads(folder / "main.c", declared, ATOMIC % first, ATOMIC % second, most=1)


def test_a_trap_of_another_thread_does_not_stand_for_one(tmp_path: Path) -> None:
    """Nor does one that nobody asks about."""
    two = read(tmp_path, *HIDING)
    a, b = two.letter("one"), two.letter("two")
    assert two.swaps.may_drop(a, b)  # something goes wrong all the same
    for goal, dropped in (
        (SwapGoal(TWO, every), False),
        (SwapGoal(TWO, others), True),  # there are no others
        (SwapGoal(ONE, every), True),  # what goes wrong behind `a` is not asked about
    ):
        assert Swaps(two.encoder, goal=goal).may_drop(a, b) is dropped
    assert not Swaps(two.encoder, goal=SwapGoal(ONE, every)).may_drop(b, a)


@pytest.mark.parametrize("name", PAIRS)
def test_the_checker_asks_the_same(tmp_path: Path, name: str) -> None:
    two = read(tmp_path, *PAIRS[name])
    for first, second in ((two.letter("one"), two.letter("two")), (two.letter("two"), two.letter("one"))):
        for thread in (ONE, TWO):
            for forbids in (every, divisions, others):
                swaps = Swaps(two.encoder, goal=SwapGoal(thread, forbids))
                wanted = _checker_swaps(two, first, second, swaps, SwapGoal(thread, forbids))
                assert swaps.may_drop(first, second) is wanted, (name, str(first), str(thread), forbids)


def test_instances_are_told_apart_by_who_is_asked_about(tmp_path: Path) -> None:
    """What is known of two instances of one template is known of two others, but not if one of these matters."""
    again = "pthread_t r; pthread_create(&r, 0, one, 0); pthread_create(&r, 0, one, 0);"
    body = ATOMIC % "x = x + (7 / (1 - x));"
    two = TwoThreads(tmp_path / "main.c", "int x; void *one(void *);", body, "", after=again, most=3)
    zero, first, second = (two.letter("one", number=number) for number in range(3))
    goal = SwapGoal(Instance("one", 2), every)
    swaps = Swaps(two.encoder, goal=goal)
    x = two.terms.eq(two.word("x"), two.terms.bv(1, 32))
    for a, b in ((zero, first), (first, second), (zero, second), (second, first)):
        fresh = Swaps(two.encoder, goal=goal)
        assert swaps.may_drop(a, b, [x]) == fresh.may_drop(a, b, [x])
        assert swaps.may_drop(a, b) == fresh.may_drop(a, b)


def _checker_swaps(
    two: TwoThreads, first: InstanceLetter, second: InstanceLetter, swaps: Swaps, goal: SwapGoal
) -> bool:
    """As in `evidence/proofs/products.py`."""
    violations = swaps.inclusions.violations
    one, other = violations.transition(first), violations.transition(second)
    assert one is not None
    assert other is not None
    wrong, ahead = (
        [trap for trap in transition.traps if goal.forbids(trap)] if letter.instance == goal.thread else []
        for letter, transition in ((second, other), (first, one))
    )
    if apart(one, other):
        return True
    asked = [cannot_swap(one, other, wrong, ahead), *violations.assumed(first, second)]
    return isinstance(Context(two.terms).check(asked, 60.0), Unsat)
