"""Several workers say and count what one does; workers that lose or mix up states are noticed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from comparison import read
from search_jobs import Counted, compare, counted
from search_reductions import SHAPE, TINY, alike, fitting, forms

from threadproof.analysis.footprints.futures import futures
from threadproof.core.budget import Budget
from threadproof.core.errors import InternalError
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.dev.programs.generate import generate, generate_tiny
from threadproof.engines.explicit import native, search
from threadproof.engines.explicit.search import Fold, NativeSearch, SearchEnd
from threadproof.engines.task import Task
from threadproof.passes.pipeline import normalise

REACH = Property.UNREACH_CALL
HEAD = "#include <pthread.h>\nextern void reach_error(void); int x = 1, y = 1, z;\n"
"""Two threads that use the same variables, and one that is only in the way for a while."""
BUSY = HEAD + (
    "void *f(void *p) { for (int k = 0; k < 4; k++) x += y; return 0; }\n"
    "void *g(void *p) { for (int k = 0; k < 4; k++) y += x; return 0; }\n"
    "void *h(void *p) { for (int k = 0; k < 3; k++) { z = 1; z = 0; } return 0; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0);\n"
    "  pthread_create(&t, 0, h, 0); pthread_exit(0); }"
)
"""One thread never ends and has nothing to do with the others: all states are on cycles until others move, too."""
ENDLESS = HEAD + (
    "void *f(void *p) { while (1) { x = 1; x = 0; } return 0; }\n"
    "void *g(void *p) { for (int k = 0; k < 20; k++) y = k; if (z) reach_error(); return 0; }\n"
    "void *h(void *p) { for (int k = 0; k < 20; k++) y = k; z = BAD; return 0; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0);\n"
    "  pthread_create(&t, 0, h, 0); pthread_exit(0); }"
)


def by(jobs: int, source: str, fold: Fold = Fold.SYMMETRIC) -> Counted | None:
    program = normalise(read(source))
    machine = fitting(Task(program, REACH))
    assert machine is not None
    return counted(machine, REACH, futures(program), jobs, fold)


@pytest.mark.parametrize("seed", range(8))
def test_random_programs(seed: int) -> None:
    for source in (generate(seed, SHAPE), generate_tiny(seed, TINY)):
        for program, properties in forms(source, seed):
            for prop in properties:
                assert compare(program, prop)[0] == ""


@pytest.mark.parametrize("seed", range(8))
def test_symmetric_programs(seed: int) -> None:
    assert compare(normalise(read(alike(seed))), REACH)[0] == ""


def test_many_states() -> None:
    alone = by(1, BUSY)
    assert alone is not None
    assert alone.states > 5_000
    assert by(2, BUSY) == alone
    assert by(3, BUSY) == alone


@pytest.mark.parametrize("jobs", [1, 2])
def test_nobody_is_postponed_for_ever(jobs: int) -> None:
    found = by(jobs, ENDLESS.replace("BAD", "1"))
    assert found is not None
    assert found.end is SearchEnd.VIOLATED


def test_cycles_are_left_in_the_same_way() -> None:
    alone = by(1, ENDLESS.replace("BAD", "0"))
    assert alone is not None
    assert alone.end is SearchEnd.DONE
    assert by(2, ENDLESS.replace("BAD", "0")) == alone


# --- planted mistakes ------------------------------------------------------------------------------------------------


LOSSES = {
    "a state does not wait": (
        "return put(in, level, w) ? number : NOTHING;",
        "return number == 77 || put(in, level, w) ? number : NOTHING;",
    ),
    "over although something waits": ("int end = waiting_of(all) ? MORE : settle(s);", "int end = settle(s);"),
    "one of those stolen is lost": (
        "for (u64 i = 0; i < count; i++) if (!put(in, level - 1, loot[i]))",
        "for (u64 i = 1; i < count + (count < 2); i++) if (!put(in, level - 1, loot[i % count]))",
    ),
    "two workers have the same numbers": ("own->next = take_from(&t->numbers, CHUNK);", "own->next = own->end;"),
}
"""Text of the kernel, and what stands there instead: states are lost."""
FAULTS = {**LOSSES, "nobody looks at cycles": ("if (end == MORE && x.count) end = judge(s, &x);", "")}


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[None]:
    right, wrong = FAULTS[request.param]
    true_kernel = search.search_kernel

    def spoilt(room: str, *names: str) -> str:
        text = true_kernel(room, *names)
        assert text.count(right) == 1
        return text.replace(right, wrong)

    monkeypatch.setattr(search, "search_kernel", spoilt)
    search._search_library.cache_clear()
    yield
    search._search_library.cache_clear()


@pytest.mark.parametrize("planted", LOSSES, indirect=True)
def test_lost_states_are_noticed(planted: None) -> None:
    program = normalise(read(BUSY))
    machine, question = native.machine_for(Task(program, REACH)), native.question(program, REACH)
    for _ in range(20):  # until the second worker has stolen something
        found, end = NativeSearch(machine, question, known=futures(program), jobs=2), SearchEnd.MORE
        while end is SearchEnd.MORE:
            end = found.run(2_000)
        shares = found.shares
        found.close()
        if all(shares):
            break
    assert end is SearchEnd.LOST


def test_a_lost_state_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NativeSearch, "run", lambda *_: SearchEnd.LOST)
    with pytest.raises(InternalError):
        native.check(Task(normalise(read(BUSY)), REACH), Budget(60), Silent())


@pytest.mark.parametrize("planted", ["nobody looks at cycles"], indirect=True)
def test_without_the_proviso_an_error_is_missed(planted: None) -> None:
    found = by(1, ENDLESS.replace("BAD", "1"))
    assert found is not None
    assert found.end is SearchEnd.DONE
