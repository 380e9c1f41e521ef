"""The native search: the ways it can end, and the schedules it tells."""

from __future__ import annotations

from pathlib import Path

from threadproof.analysis.footprints.quiet import quiet_steps
from threadproof.codegen.runs.build import CompilerEffort
from threadproof.codegen.runs.native import NativeMachine
from threadproof.codegen.runs.outcomes import OutcomeKind
from threadproof.core.property import Property
from threadproof.engines.explicit.search import (
    NativeSearch,
    SearchEnd,
    SearchQuestion,
    SearchReduction,
    SearchWatch,
    WhenShort,
)
from threadproof.evidence.replay import replay_schedule
from threadproof.frontend import FrontendOptions, load
from threadproof.ir.instr import ErrorKind
from threadproof.ir.program import Program
from threadproof.passes.pipeline import normalise
from threadproof.semantics.outcome import Choose

ERRORS = SearchQuestion(frozenset({ErrorKind.REACH_ERROR, ErrorKind.ASSERTION}), frozenset())
HEAD = """#include <pthread.h>
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern int __VERIFIER_nondet_int(void);
"""


def program(tmp_path: Path, text: str) -> Program:
    path = tmp_path / "main.c"
    path.write_text(HEAD + text, encoding="utf-8")
    return normalise(load([str(path)], FrontendOptions()))


def searched(found: Program, question: SearchQuestion = ERRORS, calls: int = 1000) -> tuple[SearchEnd, NativeSearch]:
    search = NativeSearch(NativeMachine(found, effort=CompilerEffort.NONE), question)
    end = SearchEnd.MORE
    while end is SearchEnd.MORE and calls:
        end = search.run(100)
        calls -= 1
    return end, search


def test_a_schedule_tells_unsigned_choices(tmp_path: Path) -> None:
    found = program(tmp_path, "int main(void) { if (__VERIFIER_nondet_ulong() == ~0ul) reach_error(); return 0; }")
    end, search = searched(found)
    assert end is SearchEnd.VIOLATED
    schedule = search.schedule()
    assert [move.choices for move in schedule if move.choices] == [((1 << 64) - 1,)]
    assert replay_schedule(found, Property.UNREACH_CALL, schedule) is not None


def test_wide_choices_are_told(tmp_path: Path) -> None:
    text = "int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); return a * b; }"
    end, search = searched(program(tmp_path, text))
    assert end is SearchEnd.DONE
    assert isinstance(search.cut, Choose)


def test_a_loop_for_ever_ends_the_search(tmp_path: Path) -> None:
    text = "int x; int main(void) { while (1) { x = 1; x = 0; } }"
    end, search = searched(program(tmp_path, text))
    assert end is SearchEnd.DONE
    assert search.cut is None
    assert search.states < 10


def test_it_goes_on_where_there_is_room(tmp_path: Path) -> None:
    text = """int x; void *other(void *p) { x++; return 0; }
    int main(void) { pthread_t t; for (int i = 0; i < 6; i++) pthread_create(&t, 0, other, 0); }"""
    found = program(tmp_path, text)
    assert searched(found)[0] is SearchEnd.SHORT
    question = SearchQuestion(frozenset(), frozenset(), reduction=SearchReduction.NONE)
    search = NativeSearch(NativeMachine(found, effort=CompilerEffort.NONE), question, WhenShort.GO_ON)
    assert search.run(10**9) is SearchEnd.SHORT
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
    end, search = searched(found, SearchQuestion(frozenset(), frozenset(), SearchWatch.DEADLOCKS))
    assert end is SearchEnd.VIOLATED
    assert replay_schedule(found, Property.NO_DEADLOCK, search.schedule()) is not None


JOINS = """int x; pthread_t mine;
void *other(void *p) { x = 1; x = 2; return 0; }
void *third(void *p) { THIRD return 0; }
int main(void) {
    pthread_t t, u; pthread_create(&t, 0, other, 0); pthread_create(&u, 0, third, 0);
    pthread_join(t, 0); pthread_join(u, 0); return 0;
}"""


def test_only_main_joins_quietly(tmp_path: Path) -> None:
    def ops(text: str) -> set[str]:
        found = program(tmp_path, text)
        quiet = quiet_steps(found)
        instrs = {name: [i for b in f.blocks for i in b.instrs] for name, f in found.functions.items()}
        return {instrs[name][index].op for name, index in quiet}  # type: ignore[union-attr]

    assert ops(JOINS.replace("THIRD", "x = 3;")) == {"thread_create", "thread_join"}
    assert ops(JOINS.replace("THIRD", "pthread_join(mine, 0);")) == {"thread_create"}
    assert ops(JOINS.replace("THIRD", "x = 3;").replace("pthread_t t, u;", "pthread_t u; static pthread_t t;")) == {
        "thread_create",
        "thread_join",
    }
    shared = JOINS.replace("THIRD", "x = mine != 0;").replace("create(&u", "create(&mine")
    assert sum(place[0] == "main" for place in quiet_steps(program(tmp_path, shared))) == 3


def test_all_ends_are_told(tmp_path: Path) -> None:
    """An error that is no violation ends an execution like the others do."""
    text = (
        "int main(void) { switch (__VERIFIER_nondet_ulong() & 3) { case 1: reach_error(); case 2: __builtin_trap(); } }"
    )
    told: list[OutcomeKind] = []
    machine = NativeMachine(program(tmp_path, text), effort=CompilerEffort.NONE)
    question = SearchQuestion(frozenset(), frozenset())
    search = NativeSearch(machine, question, ended=lambda state, kind, detail: told.append(kind))
    assert search.run(1000) is SearchEnd.DONE
    assert {OutcomeKind.FAILED, OutcomeKind.FINISHED} <= set(told)
    assert len(told) == search.ends
