"""The native search: the ways it can end, and the schedules it tells."""

from __future__ import annotations

from pathlib import Path

from threadproof.codegen.build import Effort
from threadproof.codegen.native import NativeMachine
from threadproof.codegen.search import End, NativeSearch, Question, Watch, WhenShort
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.engines.explicit import reference
from threadproof.engines.task import Task
from threadproof.evidence.replay import replay_schedule
from threadproof.frontend import FrontendOptions, load
from threadproof.ir.instr import ErrorKind
from threadproof.ir.program import Program
from threadproof.passes.pipeline import normalise
from threadproof.semantics.outcome import Choose

ERRORS = Question(frozenset({ErrorKind.REACH_ERROR, ErrorKind.ASSERTION}), frozenset())
HEAD = """#include <pthread.h>
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern int __VERIFIER_nondet_int(void);
"""


def program(tmp_path: Path, text: str) -> Program:
    path = tmp_path / "main.c"
    path.write_text(HEAD + text, encoding="utf-8")
    return normalise(load([str(path)], FrontendOptions()))


def searched(found: Program, question: Question = ERRORS, calls: int = 1000) -> tuple[End, NativeSearch]:
    search = NativeSearch(NativeMachine(found, effort=Effort.NONE), question)
    end = End.MORE
    while end is End.MORE and calls:
        end = search.run(100)
        calls -= 1
    return end, search


def test_a_schedule_tells_unsigned_choices(tmp_path: Path) -> None:
    found = program(tmp_path, "int main(void) { if (__VERIFIER_nondet_ulong() == ~0ul) reach_error(); return 0; }")
    end, search = searched(found)
    assert end is End.VIOLATED
    schedule = search.schedule()
    assert [move.choices for move in schedule if move.choices] == [((1 << 64) - 1,)]
    assert replay_schedule(found, Property.UNREACH_CALL, schedule) is not None


def test_wide_choices_are_told(tmp_path: Path) -> None:
    text = "int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); return a * b; }"
    end, search = searched(program(tmp_path, text))
    assert end is End.DONE
    assert isinstance(search.cut, Choose)


def test_a_loop_for_ever_ends_the_search(tmp_path: Path) -> None:
    text = "int x; int main(void) { while (1) { x = 1; x = 0; } }"
    end, search = searched(program(tmp_path, text))
    assert end is End.DONE
    assert search.cut is None
    assert search.states < 10


def test_threads_of_many_pieces(tmp_path: Path) -> None:
    """What a step uses for the first time belongs to the state, however large the block is."""
    text = """int x, got;
    int work(int k) { int a[200]; for (int i = 0; i < 3; i++) a[i] = k; x++; return a[0] + a[2]; }
    void *other(void *p) { got += work(1); return 0; }
    int main(void) {
        pthread_t t, u; pthread_create(&t, 0, other, 0); pthread_create(&u, 0, other, 0);
        pthread_join(t, 0); pthread_join(u, 0);
        if (x < 1 || x > 2 || (got != 4 && got != 2)) reach_error();
        return 0;
    }"""
    found = program(tmp_path, text)
    end, search = searched(found)
    theirs = reference.check(Task(found, Property.UNREACH_CALL), Budget(60), Silent())
    assert end is End.DONE
    assert search.states == theirs.stats["states"]


def test_it_goes_on_where_there_is_room(tmp_path: Path) -> None:
    text = """int x; void *other(void *p) { x++; return 0; }
    int main(void) { pthread_t t; for (int i = 0; i < 6; i++) pthread_create(&t, 0, other, 0); }"""
    found = program(tmp_path, text)
    assert searched(found)[0] is End.SHORT
    search = NativeSearch(NativeMachine(found, effort=Effort.NONE), ERRORS, WhenShort.GO_ON)
    assert search.run(10**9) is End.SHORT
    assert search.short_of == "threads"
    assert search.states > 20


def test_two_who_wait_for_each_other(tmp_path: Path) -> None:
    text = """pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
    void *other(void *p) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); return 0; }
    int main(void) {
        pthread_t t; pthread_create(&t, 0, other, 0);
        pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return 0;
    }"""
    found = program(tmp_path, text)
    end, search = searched(found, Question(frozenset(), frozenset(), Watch.DEADLOCKS))
    assert end is End.VIOLATED
    assert replay_schedule(found, Property.NO_DEADLOCK, search.schedule()) is not None
