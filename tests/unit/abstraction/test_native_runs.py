"""States of native runs, as predicates are mined from them."""

from __future__ import annotations

from pathlib import Path

from abstraction_programs import Abstracted

from threadproof.abstraction.native_runs import NativeRuns
from threadproof.abstraction.runs import ConcreteRuns
from threadproof.abstraction.sources.mined import candidates
from threadproof.automaton import Instance, Places

TWO_COUNTERS = """
void *up(void *p) {
    int i = 0;
    while (i < 1000) { pthread_mutex_lock(&m); x = x + 1; y = y + 1; pthread_mutex_unlock(&m); i++; }
    return 0;
}
int main(void) {
    pthread_t s, t; pthread_create(&s, 0, up, 0); pthread_create(&t, 0, up, 0);
    pthread_join(s, 0); pthread_join(t, 0);
    if (x != y) reach_error();
    return 0;
}
"""


def at_the_heads(one: Abstracted) -> Places:
    """Main waits for the first thread, both threads are at their loop."""
    main, up = one.automaton.templates["main"], one.automaton.templates["up"]
    (head,) = up.loop_heads
    waiting = next(letter.source for letter in main.letters if letter.joins)
    return Places(((Instance("main", 0), waiting), (Instance("up", 0), head), (Instance("up", 1), head)))


def test_states_lie_deep_in_loops_and_obey_the_program(tmp_path: Path) -> None:
    one = Abstracted(tmp_path, TWO_COUNTERS)
    states = NativeRuns(one.space).at(at_the_heads(one))
    assert max(int(str(state["x+0"])) for state in states) > 80
    assert all(state["x+0"] == state["y+0"] for state in states)
    assert all(int(str(state["up:up.i"])) + int(str(state["up#1:up.i"])) == state["x+0"] for state in states)


def test_relations_are_mined_from_them(tmp_path: Path) -> None:
    one = Abstracted(tmp_path, TWO_COUNTERS)
    x, y = one.word("x"), one.word("y")
    found = candidates(one.terms, [x, y], NativeRuns(one.space).at(at_the_heads(one)))
    assert one.terms.eq(x, y) in found or one.terms.eq(x, one.terms.add(y, one.number(0))) in found


def test_they_say_what_runs_of_letters_say(tmp_path: Path) -> None:
    """The variables have the same names, and the values that letters give them are possible ones."""
    one = Abstracted(tmp_path, TWO_COUNTERS)
    letters = ConcreteRuns(one.encoder)
    for _ in range(10):
        letters.run(60)
    native, own = NativeRuns(one.space).at(at_the_heads(one)), letters.at(at_the_heads(one))
    assert native
    assert own
    assert native[0].keys() - {"main:main.%3", "main:main.%6"} <= own[0].keys()
    assert all(state["x+0"] == state["y+0"] for state in own)


def test_a_program_without_loops_has_states_too(tmp_path: Path) -> None:
    one = Abstracted(tmp_path, "int main(void) { x = 1; y = 2; return 0; }")
    NativeRuns(one.space).at(one.automaton.initial())
