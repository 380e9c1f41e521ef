"""Programs with store buffers under sequential consistency do what the originals do under TSO and PSO."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.automaton.store_buffers import MORE_STORES, CannotBuffer, with_store_buffers
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.dev.weak_verdicts import WeakCase, cases
from threadproof.explore.weak_states import reach
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio.prepare import prepare

LITMUS = {case.name: case for case in cases(Path(__file__).parents[2] / "litmus" / "weak")}
QUICK = ("mp", "mp-release-fence", "s", "sb", "sb-fences", "sb-mutex")
WEAK = (MemoryModel.TSO, MemoryModel.PSO)
SLOTS = 2


@pytest.mark.parametrize("model", WEAK)
@pytest.mark.parametrize("case", [LITMUS[name] for name in QUICK], ids=QUICK)
def test_litmus(case: WeakCase, model: MemoryModel) -> None:
    found = reach(with_store_buffers(case.program(), model, SLOTS).program, MemoryModel.SC)
    assert not found.cut
    assert found.verdict is case.expected[model]


def program_of(text: str, folder: Path) -> Program:
    path = folder / "main.c"
    path.write_text("#include <pthread.h>\nextern void reach_error(void);\n" + text, encoding="utf-8")
    return prepare([str(path)], Property.UNREACH_CALL, FrontendOptions())


def test_more_stores_than_slots_are_noticed() -> None:
    program = LITMUS["mp"].program()  # two stores of a thread, one behind the other
    assert MORE_STORES in " ".join(reach(with_store_buffers(program, MemoryModel.TSO, 1).program, MemoryModel.SC).cut)
    assert not reach(with_store_buffers(program, MemoryModel.TSO, 2).program, MemoryModel.SC).cut


def test_accesses_that_overlap_are_refused() -> None:
    with pytest.raises(CannotBuffer, match="several sizes"):
        with_store_buffers(LITMUS["cobytes"].program(), MemoryModel.TSO, 2)


SHARED_LOCAL = """
int *p;
void *t(void *arg) { int x = 0; p = &x; return 0; }
int main(void) {
    pthread_t id;
    pthread_create(&id, 0, t, 0);
    int *q = p;
    if (q) *q = 1;
    return 0;
}
"""
CALLED = """
int x;
void *t(void *arg) { x = 1; return 0; }
int main(void) {
    pthread_t id;
    pthread_create(&id, 0, t, 0);
    t(0);
    return 0;
}
"""
BOTH_WAYS = """
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x;
void set(void) { x = 1; }
void *t(void *arg) {
    set();
    __VERIFIER_atomic_begin();
    set();
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t id;
    pthread_create(&id, 0, t, 0);
    if (x) reach_error();
    return 0;
}
"""


@pytest.mark.parametrize(
    ("text", "why"),
    [(SHARED_LOCAL, "a local"), (CALLED, "also called"), (BOTH_WAYS, "inside atomic blocks and outside")],
)
def test_what_is_not_rewritten(text: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(CannotBuffer, match=why):
        with_store_buffers(program_of(text, tmp_path), MemoryModel.TSO, 2)


@pytest.mark.parametrize("then", ["while (1) ;", "__VERIFIER_assume(0);"])
def test_a_store_to_nowhere_still_goes_wrong(then: str, tmp_path: Path) -> None:
    """Also where the thread does nothing behind it that others could notice."""
    text = """
extern void __VERIFIER_assume(int);
int x, *p = &x;
void *t(void *arg) { p[1000] = 1; THEN return 0; }
int main(void) {
    pthread_t id;
    p = 0;
    pthread_create(&id, 0, t, 0);
    x = 2;
    return 0;
}
"""
    for where, why in (("p[1000]", "dereference"), ("*p", "null")):
        program = program_of(text.replace("THEN", then).replace("p[1000]", where), tmp_path)
        found = reach(with_store_buffers(program, MemoryModel.TSO, 1).program, MemoryModel.SC)
        assert any(why in one for one in found.cut)
