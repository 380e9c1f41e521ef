"""Letters of small programs, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.automaton import (
    CannotUnfold,
    End,
    Instance,
    Kind,
    Letter,
    LetterPhase,
    ProgramAutomaton,
    ThreadAutomaton,
    program_automaton,
    text,
)
from threadproof.frontend import FrontendOptions, load
from threadproof.ir import instr as ir
from threadproof.ir.program import Program
from threadproof.ir.show import show_expr
from threadproof.passes.pipeline import normalise

HEAD = """#include <pthread.h>
extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);
extern void reach_error(void); extern void __VERIFIER_assume(int); extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x, y, z;
"""
MAIN = """
int main(void) {
    pthread_t t; pthread_create(&t, 0, work, 0); x = y = z = 3; pthread_join(t, 0); return 0;
}
"""


class Read:
    def __init__(self, folder: Path) -> None:
        self._path = folder / "main.c"

    def program(self, text: str) -> Program:
        self._path.write_text(HEAD + text, encoding="utf-8")
        return normalise(load([str(self._path)], FrontendOptions()))

    def automaton(self, text: str) -> ProgramAutomaton:
        return program_automaton(self.program(text))

    def work(self, body: str, before: str = "") -> ThreadAutomaton:
        """Of a thread beside which main uses all three variables."""
        return self.automaton(f"{before}\nvoid *work(void *p) {{ {body} return 0; }}" + MAIN).templates["work"]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    return Read(tmp_path)


def shape(letter: Letter) -> tuple[str, str, Kind]:
    return str(letter.source), str(letter.target), letter.kind


def stores(letter: Letter) -> int:
    return sum(isinstance(instr, ir.Store) for instr in letter.instrs)


def test_a_letter_has_one_instruction_that_others_can_notice(read: Read) -> None:
    work = read.work("x = 1; y = x + 1;")
    assert [shape(letter) for letter in work.letters] == [
        ("L0", "L1", Kind.PLAIN),
        ("L1", "L2", Kind.PLAIN),
        ("L2", "L3", Kind.PLAIN),
    ]
    assert [type(letter.instrs[letter.visible or 0]) for letter in work.letters] == [ir.Store, ir.Load, ir.Store]
    assert work.locations[-1].at is End.FINISHED


def test_one_letter_per_branch(read: Read) -> None:
    work = read.work("if (x == 1) y = 1; else z = 1;")
    first, second = work.letters_from(work.entry)
    assert [step.taken for step in first.steps + second.steps if step.taken is not None] == [0, 1]
    assert first.target != second.target


def test_ways_have_conditions(read: Read) -> None:
    work = read.work("switch (x) { case 1: y = 1; break; case 2: y = 2; break; default: z = 1; }")
    conditions = [step.condition for letter in work.letters for step in letter.steps if step.condition is not None]
    assert [show_expr(condition).split(" ", 1)[1] for condition in conditions[:2]] == ["== 1", "== 2"]
    assert show_expr(conditions[2]).count("!=") == 2


def test_origins_are_sites_of_the_normal_form(read: Read) -> None:
    program = read.program("void *work(void *p) { x = 1; return 0; }" + MAIN)
    for letter in program_automaton(program).letters:
        for site, instr in zip(letter.origin, letter.instrs, strict=True):
            assert program.functions[site.function].block(site.block).instrs[site.number] is instr


def test_what_may_end_the_run_does_not_take_back_what_others_saw(read: Read) -> None:
    """Others see x == 1 although the assumption behind it may fail: it is the guard of the next letter."""
    work = read.work("int c = __VERIFIER_nondet_int(); x = 1; __VERIFIER_assume(c); y = 1;")
    first, second = work.letters_from(work.entry)[0], work.letters_from(work.locations[1])[0]
    assert not any(isinstance(instr, ir.Assume) for instr in first.instrs)
    assert isinstance(second.instrs[0], ir.Assume)
    assert stores(second) == 1


def test_private_arrays_and_divisions_may_trap_behind_a_store(read: Read) -> None:
    body = (
        "int a[4] = {0}; int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int(); x = 1; a[i] = 7 / j; y = a[i];"
    )
    for letter in read.work(body).letters:
        assert letter.visible is not None
        assert not any(isinstance(instr, ir.Store) for instr in letter.instrs[letter.visible + 1 :])


def test_blocking_is_a_guard(read: Read) -> None:
    work = read.work("pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);")
    assert [len(work.letters_from(location)) for location in work.locations] == [1, 1, 1, 0]
    assert [letter.may_wait for letter in work.letters] == [True, False, False]


@pytest.mark.parametrize(("condition", "letters"), [("p != 0", 2), ("x == 1", 2), ("x == 1 && y == 2", 3)])
def test_an_atomic_block_is_one_letter_per_path(read: Read, condition: str, letters: int) -> None:
    body = f"__VERIFIER_atomic_begin(); if ({condition}) y = 1; else z = 2; x = 2; __VERIFIER_atomic_end(); x = 5;"
    work = read.work(body)
    found = work.letters_from(work.entry)
    assert len(found) == letters
    assert {(letter.kind, letter.target.depth, stores(letter)) for letter in found} == {(Kind.ATOMIC, 0, 2)}
    assert len({letter.target for letter in found}) == 1


def test_a_loop_in_an_atomic_block_has_locations_inside(read: Read) -> None:
    work = read.work("__VERIFIER_atomic_begin(); while (x == 1) y++; __VERIFIER_atomic_end();")
    (head,) = work.loop_heads
    assert head.depth == 1
    assert {letter.kind for letter in work.letters_from(head)} == {Kind.ATOMIC}


def test_an_error_is_a_letter_of_its_own(read: Read) -> None:
    work = read.work("if (x == 1) reach_error(); y = 1;")
    (error,) = (letter for letter in work.letters if letter.kind is Kind.ERROR)
    assert error.target.at is End.ERROR
    assert work.reaching_error() == {work.entry, error.source}


def test_calls_are_unfolded_in_their_context(read: Read) -> None:
    work = read.work("set(1); set(2);", "static void set(int to) { x = to; }")
    contexts = {step.context for letter in work.letters for step in letter.steps if isinstance(step.instr, ir.Store)}
    assert len(contexts) == 2
    assert all(len(context) == 1 and context[0].function == "work" for context in contexts)


def test_one_letter_per_function_behind_a_pointer(read: Read) -> None:
    before = "static void f(void) { x = 1; } static void g(void) { y = 1; }"
    work = read.work("void (*h)(void) = z ? f : g; h();", before)
    assert {step.enters for letter in work.letters for step in letter.steps if step.enters} == {"f", "g"}


def test_a_call_of_nothing_is_undefined(read: Read) -> None:
    work = read.work("x = 1; f();", "static void (*f)(void);")
    assert [letter.target.at for letter in work.letters][-1] is End.UNDEFINED


def test_recursion_cannot_be_unfolded(read: Read) -> None:
    with pytest.raises(CannotUnfold, match="recursion in down"):
        read.work("down(3);", "static void down(int n) { x = n; if (n) down(n - 1); }")


def test_loop_heads_inside_and_outermost(read: Read) -> None:
    before = "static void inner(void) { while (z) y++; }"
    work = read.work("while (x) { while (y) x++; inner(); } inner();", before)
    assert len(work.loop_heads) == 4
    assert len(work.outermost_loop_heads) == 2
    assert work.outermost_loop_heads < work.loop_heads


def test_every_cycle_leads_through_a_loop_head(read: Read) -> None:
    work = read.work("for (int i = 0; i < 3; i++) { if (i == 1) continue; do { x++; } while (y); }")
    order, todo = set[object](), [work.entry]
    while todo:  # without its loop heads the automaton has an order
        location = todo.pop()
        order.add(location)
        ready = {letter.target for letter in work.letters if letter.source in order}
        todo = [
            one
            for one in work.locations
            if one not in order
            and (one in work.loop_heads or one in ready)
            and all(a.source in order for a in work.letters if a.target == one and one not in work.loop_heads)
        ]
    assert order == set(work.locations)


def test_a_thread_that_ends_runs_destructors(read: Read) -> None:
    before = "static pthread_key_t k; static void drop(void *p) { x = 1; }"
    work = read.work("pthread_key_create(&k, drop); pthread_setspecific(k, &x);", before)
    (begin,) = (location for location in work.loop_heads if location.phase is LetterPhase.ENDING)
    last = [letter for letter in work.letters if letter.target in (begin, work.end(End.FINISHED))]
    assert {letter.steps[-1].enters for letter in last} == {"", "drop"}


def test_a_cancelled_thread_ends_at_a_cancellation_point(read: Read) -> None:
    automaton = read.automaton("""
        void *work(void *p) { x = 1; pthread_testcancel(); x = 2; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_cancel(t); x = 3; return 0; }
    """)
    cancelled = [letter for letter in automaton.templates["work"].letters if letter.steps[-1].cancelled]
    assert [letter.target.at for letter in cancelled] == [End.FINISHED]


def test_touched_regions(read: Read) -> None:
    work = read.work("x = 1; y = x;")
    first, second, *_ = work.letters
    assert {str(region.root) for region in first.writes} == {"x"}
    assert {str(region.root) for region in second.reads} == {"x"}
    assert not first.reads


def test_instances_are_started_in_order_until_there_are_no_more(read: Read) -> None:
    automaton = read.automaton("""
        void *work(void *p) { x++; return 0; }
        int main(void) { pthread_t t; while (y) pthread_create(&t, 0, work, 0); return x; }
    """)
    main = automaton.templates["main"]
    fork = next(letter for letter in main.letters if letter.kind is Kind.FORK)
    me, places = Instance("main", 0), automaton.initial()
    for number in range(2):
        places = automaton.after(places, me, fork, most=2)
        assert places.at(Instance("work", number)) == automaton.templates["work"].entry
    moves = list(automaton.letters_from(places))
    assert {instance for instance, _ in moves} == {me, Instance("work", 0), Instance("work", 1)}
    full = automaton.after(places, me, fork, most=2)
    assert full.at(me).at is End.EXHAUSTED
    assert full.exhausted
    assert not places.exhausted
    assert len(automaton.after(places, me, fork).threads) == 4
    assert fork.source in main.reaching_fork(["work"])
    assert not main.reaching_fork(["main"])
    assert not main.reaching_join()


def test_many_paths_end_where_they_meet(read: Read) -> None:
    tests = "".join(f"if (c & {1 << bit}) c += {bit + 3};" for bit in range(12))
    work = read.work(f"int c = __VERIFIER_nondet_int(); {tests} x = c;")
    assert len(work.letters) < 60


def test_the_listing_marks_what_others_notice(read: Read) -> None:
    shown = text.listing([read.work("if (x == 1) y = 2;")])
    assert "    -> L1  a" in shown
    assert "* %" in shown
    assert "        [" in shown
    dot = text.to_dot([read.work("if (x == 1) y = 2;")])
    assert dot.count("{") == dot.count("}")
    assert '"work:L0" -> "work:L1"' in dot
