"""Trees by a preference order: loops that are equal in lockstep, with proofs that are reduced products."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.proofs import ReducedProducts
from threadproof.core.property import Property
from threadproof.core.result import Safe, Unknown, Unsafe
from threadproof.engines.impact import check, engine
from threadproof.engines.impact.strategy import ImpossibleLetters, TreeExpansion, TreeStrategy
from threadproof.engines.task import Task
from threadproof.evidence.proofs import Accepted, Rejected, check_proof
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio import prepare

TWINS = """
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int x, y, end;
void *t(void *a) { while (x < end) x += STEP; return 0; }
void *u(void *a) { while (y < end) y++; return 0; }
int main(void) {
    pthread_t g, h;
    end = __VERIFIER_nondet_int();
    pthread_create(&g, 0, t, 0);
    pthread_create(&h, 0, u, 0);
    pthread_join(g, 0);
    pthread_join(h, 0);
    assert(x == y);
    return 0;
}
"""
UP_AND_DOWN = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
atomic_uint c;
int n;
void *up(void *a) { for (int i = 0; i < n; i++) c += 2; return 0; }
void *down(void *a) { for (int j = 0; j < n; j++) c -= 2; return 0; }
int main(void) {
    pthread_t g, h;
    n = __VERIFIER_nondet_int();
    pthread_create(&g, 0, up, 0);
    pthread_create(&h, 0, down, 0);
    pthread_join(g, 0);
    pthread_join(h, 0);
    assert(c == EXPECTED);
    return 0;
}
"""
IN_ORDER = {"reduction": "order"}
STRATEGIES = [TreeStrategy(TreeExpansion.ORDERED, impossible=one) for one in ImpossibleLetters]


def twins(folder: Path, step: int) -> Program:
    return program(folder, TWINS.replace("STEP", str(step)))


def program(folder: Path, source: str) -> Program:
    path = folder / "main.c"
    path.write_text(source, encoding="utf-8")
    return prepare([str(path)], Property.UNREACH_CALL, FrontendOptions())


@pytest.mark.parametrize("strategy", STRATEGIES, ids=[one.value for one in ImpossibleLetters])
def test_in_lockstep_the_counters_are_equal(tmp_path: Path, strategy: TreeStrategy) -> None:
    program = twins(tmp_path, 1)
    result = check(Task(program, Property.UNREACH_CALL), Budget(), Silent(), strategy)
    assert isinstance(result, Safe)
    assert isinstance(result.proof, ReducedProducts)
    assert isinstance(check_proof(program, Property.UNREACH_CALL, result.proof, Budget()), Accepted)
    [part] = result.proof.parts
    first, second, *rest = part.nodes
    changed = ReducedProducts((replace(part, nodes=(first, replace(second, label=first.label), *rest)),))
    assert isinstance(check_proof(program, Property.UNREACH_CALL, changed, Budget()), Rejected)


def test_labels_of_all_rounds_are_calculated_at_once(tmp_path: Path) -> None:
    task = Task(program(tmp_path, UP_AND_DOWN.replace("EXPECTED", "0")), Property.UNREACH_CALL, options=IN_ORDER)
    result = check(task, Budget(), Silent())
    assert isinstance(result, Safe)
    assert result.stats["loops_labelled"]
    assert isinstance(check_proof(task.program, task.property, result.proof, Budget()), Accepted)


def test_where_no_labels_exclude_an_error_paths_are_unwound(tmp_path: Path) -> None:
    source = UP_AND_DOWN.replace("EXPECTED", "(n < 2 ? 0 : 1)")
    task = Task(program(tmp_path, source), Property.UNREACH_CALL, options=IN_ORDER)
    assert isinstance(check(task, Budget(), Silent()), Unsafe)


def test_a_violation_is_found_all_the_same(tmp_path: Path) -> None:
    task = Task(twins(tmp_path, 2), Property.UNREACH_CALL)
    assert isinstance(check(task, Budget(), Silent(), STRATEGIES[0]), Unsafe)


def test_races_have_no_order(tmp_path: Path) -> None:
    task = Task(twins(tmp_path, 1), Property.NO_DATA_RACE, options=IN_ORDER)
    result = check(task, Budget(), Silent())
    assert isinstance(result, Unknown)
    assert "no preference order" in result.reason


def test_races_of_loops_need_small_labels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "PLAIN_S", 0.5)
    source = program(tmp_path, UP_AND_DOWN.replace("EXPECTED", "0"))
    result = check(Task(source, Property.NO_DATA_RACE), Budget(), Silent())
    assert isinstance(result, Safe)
    assert isinstance(check_proof(source, Property.NO_DATA_RACE, result.proof, Budget()), Accepted)
