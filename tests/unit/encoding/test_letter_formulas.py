"""Letters as formulas, by hand and by a solver. `tests/differential` holds them against the reference machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from threadproof.abstraction.names import CNames
from threadproof.automaton import End, Instance, Letter, program_automaton
from threadproof.automaton.letters import is_fork
from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions import Encoder, Space, Transition, sequence
from threadproof.encoding.transitions.allocation import NO_MEMORY, TOO_LARGE, HugeBlocks
from threadproof.frontend import FrontendOptions, load
from threadproof.ir import instr as ir
from threadproof.ir.instr import ErrorKind, UndefinedKind
from threadproof.passes.pipeline import normalise
from threadproof.smt.context import Context
from threadproof.smt.solver import Sat, Unsat
from threadproof.smt.term import Term
from threadproof.smt.terms import Terms

HEAD = """#include <pthread.h>
#include <stdlib.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x, y; int a[4]; static const int table[3] = {5, 6, 7};
"""
TWO = """
int main(void) {
    pthread_t s, t; x = y = __VERIFIER_nondet_int();
    pthread_create(&s, 0, work, 0); pthread_create(&t, 0, work, 0); return 0;
}
"""


class Read:
    def __init__(self, path: Path, text: str) -> None:
        path.write_text(HEAD + text, encoding="utf-8")
        program = normalise(load([str(path)], FrontendOptions()))
        self.automaton = program_automaton(program)
        self.terms = Terms()
        self.space = Space(self.terms, program, self.automaton, dict.fromkeys(self.automaton.templates, 2))
        self.encoder = Encoder(self.space)
        self.context = Context(self.terms)

    def letters(self, template: str, *wanted: type[ir.Instr]) -> list[Letter]:
        every = self.automaton.templates[template].letters
        return [letter for letter in every if all(any(isinstance(i, w) for i in letter.instrs) for w in wanted)]

    def transition(self, letter: Letter, number: int = 0) -> Transition:
        starts = tuple(Instance(name, 0) for name in letter.forks)
        return self.encoder.transition(Instance(letter.template, number), letter, starts)

    def path(self, template: str) -> Transition:
        """All letters of a thread without branches, one after the other."""
        location, found = self.automaton.templates[template].entry, None
        while not isinstance(location.at, End):
            [letter] = self.automaton.templates[template].letters_from(location)
            step = self.transition(letter)
            found = step if found is None else sequence(found, step)
            location = letter.target
        assert found is not None
        return found

    def word(self, name: str, width: int = 32) -> Term:
        return self.terms.bv_var(f"{name}+0", width)


Reader = Callable[[str], Read]


@pytest.fixture
def read(tmp_path: Path) -> Reader:
    return lambda text: Read(tmp_path / "main.c", text)


def test_weakest_precondition_of_a_thread_is_a_substitution(read: Reader) -> None:
    one = read("void *work(void *p) { x = x + 1; y = x * 2; return 0; }" + TWO)
    terms, x, y = one.terms, one.word("x"), one.word("y")
    whole = one.path("work")
    wanted = one.path("work").wp(terms.eq(y, terms.bv(6, 32)))
    assert one.context.implies(terms.eq(x, terms.bv(2, 32)), wanted) is True
    assert one.context.implies(terms.eq(x, terms.bv(3, 32)), wanted) is False
    assert {x, y} <= whole.writes


def test_strongest_postcondition_and_weakest_precondition_agree(read: Reader) -> None:
    one = read("void *work(void *p) { x = x + y; y = x - y; return 0; }" + TWO)
    terms, whole = one.terms, one.path("work")
    given = terms.ult(one.word("x"), terms.bv(10, 32))
    old = {variable: terms.var(f"{variable.name} old", variable.sort) for variable in whole.updates}
    for wanted in (terms.ult(one.word("y"), terms.bv(10, 32)), terms.ult(one.word("x"), terms.bv(10, 32))):
        forward = one.context.implies(whole.sp(given, old), wanted)
        assert forward is one.context.implies(given, whole.wp(wanted))
        assert forward is not None


def test_a_mutex_is_a_guard(read: Reader) -> None:
    one = read("void *work(void *p) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }" + TWO)
    lock = next(letter for letter in one.letters("work") if one.word("m") in one.transition(letter).writes)
    first, second = one.transition(lock, 0), one.transition(lock, 1)
    both = sequence(first, second)
    facts = (*one.space.facts(), one.terms.ne(first.updates[one.word("m")], one.terms.bv(0, 32)))
    assert isinstance(one.context.check([both.guard, *facts]), Unsat)
    assert isinstance(one.context.check([first.guard]), Sat)


def test_what_goes_wrong_is_a_trap(read: Reader) -> None:
    one = read(
        "void *work(void *p) { int i = __VERIFIER_nondet_int(); a[i] = 1 / y; if (x) reach_error(); return 0; }" + TWO
    )
    kinds = {trap.what for letter in one.letters("work") for trap in one.transition(letter).traps}
    assert {UndefinedKind.DIVISION_BY_ZERO, UndefinedKind.OUT_OF_BOUNDS, ErrorKind.REACH_ERROR} <= kinds


def test_inputs_have_their_range_in_the_guard(read: Reader) -> None:
    text = "extern _Bool __VERIFIER_nondet_bool(void); void *work(void *p) { x = __VERIFIER_nondet_bool(); return 0; }"
    one = read(text + TWO)
    whole = one.path("work")
    assert [one_input.source for one_input in whole.inputs] == ["__VERIFIER_nondet_bool"]
    assert isinstance(one.context.check([whole.pre(one.terms.eq(one.word("x"), one.terms.bv(2, 32)))]), Unsat)
    assert isinstance(one.context.check([whole.pre(one.terms.eq(one.word("x"), one.terms.bv(1, 32)))]), Sat)


def test_another_instance_is_a_renaming(read: Reader) -> None:
    one = read(
        "_Thread_local int own; void *work(void *p) { pthread_mutex_lock(&m); own = __VERIFIER_nondet_int(); x = own;"
        " pthread_mutex_unlock(&m); return p; }" + TWO
    )
    a, b = Instance("work", 0), Instance("work", 1)
    for letter in one.letters("work"):
        renamed = one.encoder.general(a, letter).renamed(one.space.exchange(a, b), " again")
        direct = one.encoder.general(b, letter)
        inputs = {new.term: old.term for new, old in zip(renamed.inputs, direct.inputs, strict=True)}
        renamed = renamed.replaced(inputs)
        assert renamed.guard is direct.guard
        assert dict(renamed.updates) == dict(direct.updates)
        assert [trap.condition for trap in renamed.traps] == [trap.condition for trap in direct.traps]


def test_handles_are_numbers_where_the_text_settles_them(read: Reader) -> None:
    one = read("void *work(void *p) { return 0; }" + TWO)
    known = {instance: one.space.known[thread.handle].value for instance, thread in one.space.threads.items()}
    assert known == {Instance("main", 0): 1, Instance("work", 0): 2, Instance("work", 1): 4}


def test_tables_are_constants(read: Reader) -> None:
    one = read("void *work(void *p) { x = table[y & 1]; return 0; }" + TWO)
    x, y = one.word("x"), one.word("y")
    wanted = one.path("work").wp(one.terms.eq(x, one.terms.bv(6, 32)))
    assert one.context.implies(one.terms.eq(y, one.terms.bv(3, 32)), wanted) is True


def test_a_path_in_single_static_assignment(read: Reader) -> None:
    one = read("void *work(void *p) { for (;;) x = x + 2; return 0; }" + TWO)
    [letter] = one.letters("work", ir.Store)
    load = [other for other in one.letters("work", ir.Load) if other.target == letter.source]
    round_ = sequence(one.transition(load[0]), one.transition(letter)) if load else one.transition(letter)
    versions: dict[Term, Term] = {}
    formulas: list[Term] = []
    x = one.word("x")
    for index in range(3):
        here = round_.instantiate(index, versions)
        versions = here.after
        formulas.append(here.formula)
    bv = one.terms.bv
    assert isinstance(
        one.context.check([*formulas, one.terms.eq(x, bv(0, 32)), one.terms.ne(versions[x], bv(6, 32))]), Unsat
    )
    assert isinstance(one.context.check([*formulas, one.terms.eq(versions[x], bv(6, 32))]), Sat)


def test_a_second_block_of_one_place_is_a_limit(read: Reader) -> None:
    one = read("int *p; void *work(void *q) { for (;;) p = malloc(4); return 0; }" + TWO)
    traps = [trap for letter in one.letters("work", ir.Alloc) for trap in one.transition(letter).traps]
    assert any(isinstance(trap.what, NotEncoded) for trap in traps)


def test_a_fork_needs_an_instance(read: Reader) -> None:
    one = read("void *work(void *p) { return 0; }" + TWO)
    fork = next(letter for letter in one.letters("main") if any(is_fork(i) for i in letter.instrs))
    with pytest.raises(CannotEncode):
        one.encoder.transition(Instance("main", 0), fork)
    started = one.transition(fork)
    assert started.updates[one.space.threads[Instance("work", 0)].started] is one.terms.true


MAKERS = """
int *p, *q, n;
int *make(int size) { return malloc(size); }
int main(void) { n = __VERIFIER_nondet_int(); p = make(n); q = make(n); p[1] = q[2]; return 0; }
"""


def test_blocks_of_different_calls_are_apart(tmp_path: Path) -> None:
    """So none of them is in the way of the other, however large."""
    read = Read(tmp_path / "main.c", MAKERS)
    read.encoder = Encoder(read.space, huge=HugeBlocks.OBSTRUCT)
    limits = {
        trap.what.reason
        for letter in read.automaton.letters
        for trap in read.transition(letter).traps
        if isinstance(trap.what, NotEncoded)
    }
    assert limits == {NO_MEMORY.reason}


@pytest.mark.parametrize(
    "look",
    [
        "if (p == q) y = 1;",
        "if (p < &a[2]) y = 1;",
        "x = (long)p;",
        "q = p; q = n ? p : q; *q = 1;",
        "pthread_cond_signal((pthread_cond_t *)p);",
    ],
)
def test_blocks_that_are_looked_at_have_limits(tmp_path: Path, look: str) -> None:
    text = MAKERS.replace("return 0;", f"{look} return 0;")
    read = Read(tmp_path / "main.c", text)
    traps = [trap.what for letter in read.automaton.letters for trap in read.transition(letter).traps]
    assert TOO_LARGE in traps


def test_huge_blocks_are_taken_as_impossible(tmp_path: Path) -> None:
    read = Read(tmp_path / "main.c", MAKERS)
    traps = [trap.what for letter in read.automaton.letters for trap in read.transition(letter).traps]
    assert not any(isinstance(what, NotEncoded) for what in traps)


def test_copies_are_for_memory_only(tmp_path: Path) -> None:
    """Who asks about the program gets answers about the program: nobody calls the original of a function with copies,
    so in the program with copies its parameters point nowhere."""
    body = "int *q = malloc(4); *q = *p = 1; return q;"
    text = f"int *put(int *p) {{ {body} }} int main(void) {{ put(&x); put(&y); return 0; }}"
    read = Read(tmp_path / "main.c", text)
    parameter = read.space.program.functions["put"].params[0]
    assert read.space.cloned.functions == {"put"}
    assert {place.root.name for place in read.space.points_to.expression("put", parameter)} == {"x", "y"}
    blocks = [one for one in read.space.objects if one.site is not None and one.site.function == "put"]
    assert len({one.root for one in blocks}) == 2
    CNames(read.space)  # names of their cells are found where the program allocates them
