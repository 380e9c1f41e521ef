"""Searches for states on programs without end, and the bound on preemptions."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.property import Property
from threadproof.core.result import Verdict
from threadproof.explore.findings import Findings
from threadproof.explore.futures import ProgramFutures
from threadproof.explore.por import bounded, monotonic, optimal_dpor, persistent, sleep, weakly_persistent
from threadproof.explore.program_lts import ProgramLTS, Spinning
from threadproof.explore.traces import all_states
from threadproof.frontend import FrontendOptions, load
from threadproof.ir.program import Program
from threadproof.passes.pipeline import normalise

LITMUS = Path(__file__).parents[2] / "litmus"
IGNORED = """
#include <pthread.h>
#include <assert.h>
_Atomic int x;
void *f(void *arg) { while (1) { x = 1; x = 0; } return 0; }
void *g(void *arg) { assert(0); return 0; }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    return 0;
}
"""


def program(path: Path) -> Program:
    return normalise(load([str(path)], FrontendOptions()))


def searches(of: Program) -> dict[str, Findings]:
    lts, futures = ProgramLTS(of, spinning=Spinning.GOES_ON), ProgramFutures(of)
    return {
        "all": all_states(lts),
        "sleep": sleep.states(lts),
        "monotonic": monotonic.explore(lts),
        "persistent": persistent.explore(lts, futures),
        "weakly persistent": weakly_persistent.explore(lts, futures),
    }


def test_nobody_is_postponed_for_ever(tmp_path: Path) -> None:
    source = tmp_path / "main.c"
    source.write_text(IGNORED, encoding="utf-8")
    of = program(source)
    for name, found in searches(of).items():
        assert found.verdict(Property.UNREACH_CALL) is Verdict.FALSE, name
    endless = optimal_dpor.explore(ProgramLTS(of), depth=30)
    assert endless.cut
    assert endless.verdict(Property.NO_DEADLOCK) is Verdict.UNKNOWN


@pytest.mark.parametrize("name", ["peterson", "spin-lock-2", "philosophers-deadlock-2", "two-waiters-signal", "iriw"])
def test_same_ends_of_litmus_programs(name: str) -> None:
    found = searches(program(LITMUS / name / "main.c"))
    for search, other in found.items():
        assert other.ends == found["all"].ends, search
        assert other.deadlock == found["all"].deadlock, search
    assert found["persistent"].states < found["all"].states
    assert found["weakly persistent"].states <= found["persistent"].states


def test_no_absence_of_races_from_persistent_sets() -> None:
    found = searches(program(LITMUS / "sb" / "main.c"))
    assert found["all"].verdict(Property.NO_DATA_RACE) is Verdict.TRUE
    assert found["persistent"].verdict(Property.NO_DATA_RACE) is Verdict.UNKNOWN


def test_a_bound_never_proves() -> None:
    of = program(LITMUS / "guarded-store" / "main.c")
    lts = ProgramLTS(of, spinning=Spinning.GOES_ON)
    for preemptions in (0, 1, 2):
        found = bounded.explore(lts, preemptions)
        expected = Verdict.FALSE if preemptions else Verdict.UNKNOWN
        assert found.verdict(Property.UNREACH_CALL) is expected, preemptions
        assert found.cut or found.verdict(Property.NO_DEADLOCK) is Verdict.TRUE


def test_one_preemption_keeps_every_end_it_can_reach() -> None:
    """Sleep sets would lose x = 1, y = 2 here; so would states without the thread that moved last."""
    lts = ProgramLTS(program(LITMUS / "guarded-store" / "main.c"), spinning=Spinning.GOES_ON)
    assert bounded.explore(lts, 1).ends == all_states(lts).ends


NOT_HELD = """
#include <pthread.h>
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
void *f(void *arg) { pthread_rwlock_unlock(&rw); return 0; }
void *g(void *arg) { pthread_rwlock_rdlock(&rw); pthread_rwlock_unlock(&rw); return 0; }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
"""


def test_nothing_is_proved_where_a_thread_unlocks_for_another(tmp_path: Path) -> None:
    """Two unlocks of one reader do not commute, although unlocks do."""
    source = tmp_path / "main.c"
    source.write_text(NOT_HELD, encoding="utf-8")
    found = optimal_dpor.explore(ProgramLTS(program(source)))
    assert found.verdict(Property.UNREACH_CALL) is Verdict.UNKNOWN
    assert "unlocked by a thread that does not hold it" in next(iter(found.cut))
