"""Questions about letters for each property, asked in all states that a tiny program without inputs can reach."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from threadproof.automaton import Places, program_automaton
from threadproof.core.property import Property
from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.transitions import Encoder, Space
from threadproof.encoding.transitions.questions import TrapRole, deadlock, obstructs, race, role, unfreed, violates
from threadproof.frontend import FrontendOptions, load
from threadproof.ir.instr import ErrorKind, UndefinedKind
from threadproof.ir.program import Spurious
from threadproof.passes.pipeline import normalise
from threadproof.smt.evaluate import Assignment
from threadproof.smt.meaning import Value
from threadproof.smt.terms import Terms

HEAD = """#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void);
int x, y; pthread_mutex_t a, b; pthread_t t;
"""
RACE = "void *f(void *p) { x = 1; return 0; } int main(void) { pthread_create(&t, 0, f, 0); return x; }"
JOINED = (
    "void *f(void *p) { x = 1; return 0; }int main(void) { pthread_create(&t, 0, f, 0); pthread_join(t, 0); return x; }"
)
LOCKED = (
    "void *f(void *p) { pthread_mutex_lock(&a); x = 1; pthread_mutex_unlock(&a); return 0; } int main(void) {"
    "pthread_create(&t, 0, f, 0); pthread_mutex_lock(&a); y = x; pthread_mutex_unlock(&a); return 0; }"
)
CROSSED = (
    "void *f(void *p) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); return 0; } int main(void) {"
    "pthread_create(&t, 0, f, 0); pthread_mutex_lock(&a); pthread_mutex_lock(&b); return 0; }"
)
ERROR = "int main(void) { x = 1; if (x == 1) reach_error(); return 0; }"
LOST = "int main(void) { int *p = malloc(4); *p = 1; return *p; }"
LAST = (
    "void *f(void *p) { free(p); return 0; } int main(void) { int *p = malloc(4);"
    "pthread_create(&t, 0, f, p); pthread_exit(0); }"
)
FORGOTTEN = LAST.replace("free(p);", "")
FREED = "int main(void) { int *p = malloc(4); *p = 1; x = *p; free(p); return 0; }"
TWICE = "int main(void) { int *p = malloc(4); free(p); free(p); return 0; }"


class Exploration:
    def __init__(self, path: Path, text: str) -> None:
        path.write_text(HEAD + text, encoding="utf-8")
        program = normalise(load([str(path)], FrontendOptions()))
        self.automaton = program_automaton(program)
        self.space = Space(Terms(), program, self.automaton)
        self.encoder = Encoder(self.space, Spurious.OFF)

    def states(self) -> Iterator[tuple[Places, dict[str, Value]]]:
        first = {v.name: Assignment({}).value(term) for v, term in self.space.initial().items()}
        todo = [(self.automaton.initial(), first)]
        seen = {str(todo[0])}
        while todo:
            places, values = todo.pop()
            yield places, values
            state = Assignment(values)
            for instance, letter in self.automaton.letters_from(places):
                transition = self.encoder.transition(instance, letter, self.automaton.starts(places, letter))
                if state.holds(transition.guard):
                    after = {v.name: state.value(new) for v, new in transition.updates.items()}
                    new = (self.automaton.after(places, instance, letter), {**values, **after})
                    if str(new) not in seen:
                        seen.add(str(new))
                        todo.append(new)

    def holds_somewhere(self, what: str, prop: Property = Property.UNREACH_CALL) -> bool:
        return any(self._holds(what, prop, places, Assignment(values)) for places, values in self.states())

    def _holds(self, what: str, prop: Property, places: Places, state: Assignment) -> bool:
        letters = [(i, one, self.automaton.starts(places, one)) for i, one in self.automaton.letters_from(places)]
        match what:
            case "deadlock":
                return state.holds(deadlock(self.encoder, places))
            case "race":
                found = [(key[0], self.encoder.accesses(*key)) for key in letters]
                pairs = [(a, b) for (i, a), (j, b) in combinations(found, 2) if i != j]
                return any(state.holds(race(self.space.terms, a, b)) for a, b in pairs)
            case "unfreed":
                return any(state.holds(unfreed(self.encoder, *key)) for key in letters)
            case "violates":
                return any(state.holds(violates(self.encoder.transition(*key), prop)) for key in letters)
            case _:
                return any(state.holds(obstructs(self.encoder.transition(*key), prop)) for key in letters)


@pytest.mark.parametrize(
    ("text", "races", "deadlocks"),
    [(RACE, True, False), (JOINED, False, False), (LOCKED, False, False), (CROSSED, False, True)],
)
def test_races_and_deadlocks(tmp_path: Path, text: str, races: bool, deadlocks: bool) -> None:
    found = Exploration(tmp_path / "main.c", text)
    assert found.holds_somewhere("race") == races
    assert found.holds_somewhere("deadlock") == deadlocks
    assert not found.holds_somewhere("obstructs")


@pytest.mark.parametrize(("text", "left"), [(LOST, True), (FREED, False), (LAST, False), (FORGOTTEN, True)])
def test_blocks_that_nobody_freed(tmp_path: Path, text: str, left: bool) -> None:
    assert Exploration(tmp_path / "main.c", text).holds_somewhere("unfreed") == left


@pytest.mark.parametrize(
    ("text", "prop", "violated", "obstructed"),
    [
        (ERROR, Property.UNREACH_CALL, True, False),
        (ERROR, Property.NO_DATA_RACE, False, False),
        (TWICE, Property.UNREACH_CALL, False, True),
        (TWICE, Property.VALID_MEMSAFETY, True, False),
    ],
)
def test_errors_of_properties(tmp_path: Path, text: str, prop: Property, violated: bool, obstructed: bool) -> None:
    found = Exploration(tmp_path / "main.c", text)
    assert found.holds_somewhere("violates", prop) == violated
    assert found.holds_somewhere("obstructs", prop) == obstructed


def test_every_trap_has_a_role() -> None:
    for prop in Property:
        assert role(prop, NotEncoded("")) is TrapRole.OBSTRUCTS
        for kind in UndefinedKind:
            assert role(prop, kind) is not TrapRole.ENDS
        for error in ErrorKind:
            assert role(prop, error) is not TrapRole.OBSTRUCTS
