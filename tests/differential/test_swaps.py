"""What `swap` says against executing both orders, on a sample; `swap_sweep.py` takes more. Planted errors must show."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from comparison import read
from samples import SHAPES
from swap_walk import Plant, compare_swaps

from threadproof.analysis.footprints.dependence import Beyond
from threadproof.automaton import LetterSize
from threadproof.independence import Always, LayerName, Swaps, When, layers
from threadproof.independence.addresses import AddressLayer
from threadproof.independence.inclusions import _KnownInclusion  # pyright: ignore[reportPrivateUsage]
from threadproof.independence.locks import HeldLocks
from threadproof.independence.sums import Sums
from threadproof.ir.program import Program
from threadproof.passes.pipeline import normalise
from threadproof.smt.term import BitVec

SEEDS = {"tiny": range(2), "threaded": range(2), "guarded": range(1), "larger": range(1)}
HEAD = """#include <pthread.h>
extern void __VERIFIER_assume(int); extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
#define ATOMIC(s) __VERIFIER_atomic_begin(); s __VERIFIER_atomic_end();
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x, y, z = 1, i = 1, j = 1, a[3];
void *one(void *p) { %s return 0; }
void *two(void *p) { %s return 0; }
int main(void) {
    pthread_t s, t; pthread_create(&s, 0, one, 0); pthread_create(&t, 0, two, 0);
    pthread_join(s, 0); pthread_join(t, 0); return 0;
}
"""
PROGRAMS = {
    "guard": ("x = 1;", "ATOMIC(__VERIFIER_assume(x == 1); y = 2;)"),
    "trap": ("z = 0;", "ATOMIC(y = 5 / z;)"),
    "values": ("x = 1; y = 1;", "x = 2; x = 3; x = 4; x = y;"),
    "assertions": (
        "for (int k = 0; k < 9; k++) { ATOMIC(x = x & 3;) }",
        "for (int k = 0; k < 9; k++) { ATOMIC(x++;) }",
    ),
    "reads": ("x = 1; x = 2; x = 3; x = 4;", "y = x; y = x; y = x;"),
    "proofs": ("ATOMIC(x = x | 1;)", "ATOMIC(x = x + 2;) x = 4;"),
    "block": ("__VERIFIER_atomic_begin(); for (int k = 0; k < 2; k++) x++; __VERIFIER_atomic_end();", "y = 1; y = 2;"),
    "addresses": ("int k = i; a[k] = 1; a[k] = 3;", "int k = j; a[k] = 2; a[k] = 4;"),
    "locks": ("pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); x = 2;", "x = 3; x = 4; x = 5;"),
}


@cache
def program(name: str) -> Program:
    return normalise(read(HEAD % PROGRAMS[name]))


def test_what_layers_claim_is_what_the_machine_does() -> None:
    claimed: set[LayerName] = set()
    for shape, seeds in SEEDS.items():
        for seed in seeds:
            found = compare_swaps(normalise(read(SHAPES[shape](seed))), 2)
            assert found.differences == []
            claimed |= set(found.claims)
    assert claimed >= {LayerName.SYNTACTIC, LayerName.POINTS_TO, LayerName.PARTITION, LayerName.SMT, LayerName.SEMI}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_by_hand(name: str) -> None:
    found = compare_swaps(program(name), 4)
    assert found.differences == []
    assert found.pairs


# --- planted errors --------------------------------------------------------------------------------------------------


def _layer(swaps: Swaps, name: LayerName) -> layers.Layer:
    return next(layer for known, layer in swaps.layers if known is name)


def reversed_direction(swaps: Swaps) -> None:
    right = swaps.inclusions.holds
    swaps.inclusions.holds = lambda a, b, given: right(b, a, given)  # type: ignore[method-assign]


def hidden_traps(swaps: Swaps) -> None:
    violations = swaps.inclusions.violations
    violations._hidden_trap = lambda *_: violations.terms.false  # type: ignore[method-assign]


def possible_or_not(swaps: Swaps) -> None:
    """Only the states are compared, not whether the other order is possible."""
    violations = swaps.inclusions.violations
    right = violations._and_not
    violations._and_not = lambda c, d: right(violations.terms.and_(c, *d.args[:1]), d)  # type: ignore[method-assign]


def any_state(swaps: Swaps) -> None:
    violations = swaps.inclusions.violations
    violations._equal = lambda *_: violations.terms.true  # type: ignore[method-assign]


def undecided_is_yes(swaps: Swaps) -> None:
    swaps.inclusions._ask = lambda *_: True  # type: ignore[method-assign]


def one_for_all(swaps: Swaps) -> None:
    """What is known of a letter and another is taken for what is known of it and any."""

    class Forgetful(dict[object, object]):
        def setdefault(self, key: object, default: object = None) -> object:
            return super().setdefault(key[0][0], default)  # type: ignore[index]

    swaps.inclusions._known = Forgetful()  # type: ignore[assignment]


def writes_only(swaps: Swaps) -> None:
    violations, layer = swaps.inclusions.violations, _layer(swaps, LayerName.PARTITION)

    def decide(a: object, b: object, given: object) -> Always | None:
        first, second = violations.transition(a), violations.transition(b)  # type: ignore[arg-type]
        apart = first is not None and second is not None and first.writes.isdisjoint(second.writes)
        return Always(LayerName.PARTITION) if apart else None

    layer.decide = decide  # type: ignore[method-assign, assignment]


def names_are_enough(swaps: Swaps) -> None:
    _layer(swaps, LayerName.SYNTACTIC).decide = lambda *_: Always(LayerName.SYNTACTIC)  # type: ignore[method-assign]


def condition_the_wrong_way(swaps: Swaps) -> None:
    layer = _layer(swaps, LayerName.ADDRESSES)
    assert isinstance(layer, AddressLayer)

    def decide(a: object, b: object, given: object) -> When | None:
        condition = layer.condition(a, b)  # type: ignore[arg-type]
        return None if condition is None else When(layer._terms.not_(condition), LayerName.ADDRESSES)

    layer.decide = decide  # type: ignore[method-assign, assignment]


Patch = Callable[[pytest.MonkeyPatch], None]
SPOILED: list[tuple[str, Plant]] = [
    ("guard", reversed_direction),
    ("trap", hidden_traps),
    ("guard", possible_or_not),
    ("values", any_state),
    ("values", undecided_is_yes),
    ("proofs", one_for_all),
    ("reads", writes_only),
    ("values", names_are_enough),
    ("addresses", condition_the_wrong_way),
]


@pytest.mark.parametrize(("name", "plant"), SPOILED, ids=lambda value: getattr(value, "__name__", value))
def test_planted_errors_show(name: str, plant: Plant) -> None:
    assert compare_swaps(program(name), 12, plant=plant, size=LetterSize.SMALL).differences


def stronger_for_weaker(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(_KnownInclusion, "shown", lambda self, given: any(given <= proof for proof in self.proved))


def blocks_do_not_wait(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(layers, "_inside", lambda *_: False)


def joins_do_not_wait(patch: pytest.MonkeyPatch) -> None:
    right = layers.conflict
    patch.setattr(layers, "conflict", lambda a, b: right(a, b) and Beyond.OWN_END not in (a.root, b.root))


def nothing_conflicts(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(layers, "_conflicts", lambda *_: False)


def everybody_holds_the_lock(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(HeldLocks, "at", lambda self, location: self._followed)


def all_sums_are_one(patch: pytest.MonkeyPatch) -> None:
    right = Sums.of

    def wrong(self: Sums, term: object) -> object:
        width = getattr(term.sort, "width", 0) if isinstance(term.sort, BitVec) else 0  # type: ignore[attr-defined]
        return self._terms.bv(0, width) if width else right(self, term)  # type: ignore[arg-type]

    patch.setattr(Sums, "of", wrong)


PATCHED: list[tuple[str, Patch]] = [
    ("assertions", stronger_for_weaker),
    ("block", blocks_do_not_wait),
    ("guard", joins_do_not_wait),
    ("values", nothing_conflicts),
    ("locks", everybody_holds_the_lock),
    ("values", all_sums_are_one),
]


@pytest.mark.parametrize(("name", "spoil"), PATCHED, ids=lambda value: getattr(value, "__name__", value))
def test_patched_errors_show(name: str, spoil: Patch, monkeypatch: pytest.MonkeyPatch) -> None:
    spoil(monkeypatch)
    assert compare_swaps(program(name), 12, size=LetterSize.SMALL).differences
