"""Engine `cegar` on small programs: what it proves and finds, in each domain, with which precision."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from threadproof.automaton import FillingLoops
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.proofs import ReducedProduct
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unknown, Unsafe
from threadproof.engines.cegar import check
from threadproof.engines.cegar.configuration import AbstractDomain, Configuration, ThreadOrder
from threadproof.engines.cegar.loop import CegarLoop
from threadproof.engines.cegar.setting import CegarSetting
from threadproof.engines.cegar.turns import ENDS, CegarTurn, turns
from threadproof.engines.task import Task
from threadproof.evidence.proofs import Accepted, Rejected, check_proof
from threadproof.evidence.replay import Replay, machine_for
from threadproof.frontend import FrontendOptions
from threadproof.portfolio.prepare import prepare

HEAD = """
#include <pthread.h>
extern void reach_error(void), abort(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
"""
MAIN = """
int main(void) {
  pthread_t a, b;
  BEGIN
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  if (BAD) reach_error();
  return 0;
}
"""
POINTER = "int x, y, *p = &x; void *f(void *u) { *p = 1; return 0; } void *g(void *u) { x = 2; return 0; }"
LOCKED = """
int n, c; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *u) {
  for (int i = 0; i < n; i++) {
    pthread_mutex_lock(&m);
    int l = c;
    if (l < 100) c = l + 1;
    if (c > 100) reach_error();
    pthread_mutex_unlock(&m);
  }
  return 0;
}
void *g(void *u) { return f(u); }
"""
ELSEWHERE = (
    "int x, z[4]; void *f(void *u) { for (int i = 0; i < 4; i++) z[i] = i; return 0; } "
    "void *g(void *u) { x = 1; return 0; }"
)


def asked(folder: Path, text: str, begin: str, bad: str, **options: str | int) -> Result:
    task = Task(_program(folder, text, begin, bad), Property.UNREACH_CALL, options=options)
    found = check(task, Budget(120), Silent())
    if isinstance(found, Safe):
        assert isinstance(check_proof(task.program, task.property, found.proof, Budget(120)), Accepted)
    if isinstance(found, Unsafe):
        assert Replay(machine_for(task.program, task.property), task.property).run(found.schedule) is not None
    return found


def _program(folder: Path, text: str, begin: str, bad: str):
    file = folder / "main.c"
    file.write_text(HEAD + text + MAIN.replace("BEGIN", begin).replace("BAD", bad), encoding="utf-8")
    return prepare([str(file)], Property.UNREACH_CALL, FrontendOptions())


@pytest.mark.parametrize("domain", ["expl", "pred-cart", "pred-bool", "prod"])
def test_two_threads_through_a_pointer(tmp_path: Path, domain: str) -> None:
    """Listing 4.1 of the paper: both write x, one of them through a pointer."""
    assert isinstance(asked(tmp_path, POINTER, "", "x != 2", domain=domain), Unsafe)
    assert isinstance(asked(tmp_path, POINTER, "", "x != 1 && x != 2", domain=domain), Safe)


def test_predicates_where_values_are_not_known(tmp_path: Path) -> None:
    any_n = "n = __VERIFIER_nondet_int();"
    assert isinstance(asked(tmp_path, LOCKED, any_n, "0", domain="pred-cart"), Safe)
    text = "int n; void *f(void *u) { n = n < 0 ? 0 : n; return 0; } void *g(void *u) { return u; }"
    found = asked(tmp_path, text, any_n, "n < 0", domain="expl", maxenum=0)
    assert isinstance(found, Unknown)
    assert "values" in found.reason


def test_variables_that_do_not_matter_are_not_tracked(tmp_path: Path) -> None:
    found = asked(tmp_path, ELSEWHERE, "", "x != 1", domain="expl", por="none")
    assert isinstance(found, Safe)
    assert found.stats["precision"] == 1


def test_the_reduction_leaves_out_states(tmp_path: Path) -> None:
    text = "int x, y; void *f(void *u) { x = 1; x = 2; return 0; } void *g(void *u) { y = 1; y = 2; return 0; }"
    begin = "pthread_t c, d; pthread_create(&c, 0, f, 0); pthread_create(&d, 0, g, 0);"
    found = {por: asked(tmp_path, text, begin, "x + y > 4", domain="expl", por=por) for por in ("none", "static")}
    nodes = {por: len(one.proof.nodes) for por, one in found.items() if isinstance(one, Safe)}
    assert nodes["static"] < nodes["none"]


def test_sleeping_letters_wake_up_where_they_have_to(tmp_path: Path) -> None:
    """The state behind `y = 1` is reached with and without letters asleep."""
    text = (
        "int x, y; void *f(void *u) { y = 1; y = 1; if (x) y = 2; return 0; }"
        "void *g(void *u) { y = 1; x = 1; x = 0; return 0; }"
    )
    assert isinstance(asked(tmp_path, text, "", "y == 2", domain="expl"), Unsafe)
    assert isinstance(asked(tmp_path, text, "", "y == 3", domain="expl"), Safe)


def test_more_threads_than_were_looked_at(tmp_path: Path) -> None:
    text = "int x; void *h(void *u) { __VERIFIER_atomic_begin(); x = x + 1; __VERIFIER_atomic_end(); return 0; }"
    text += "void *f(void *u) { return u; } void *g(void *u) { return u; }"
    begin = "pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, h, 0);"
    assert isinstance(asked(tmp_path, text, begin, "x == 3", domain="expl"), Unsafe)
    assert isinstance(asked(tmp_path, text, begin, "x == 4", domain="expl"), Safe)


CHOSEN = """int x, y; void *g(void *u) { return u; }
void *f(void *u) { x = __VERIFIER_nondet_int() ? 1 : 2; y = x; return 0; }"""


def test_few_values_are_told_apart(tmp_path: Path) -> None:
    """`maxenum`: a letter that gives one of two values leads to two states."""
    assert isinstance(asked(tmp_path, CHOSEN, "", "y != 1 && y != 2", domain="expl", maxenum=2), Safe)
    assert isinstance(asked(tmp_path, CHOSEN, "", "y != 1 && y != 2", domain="expl", maxenum=1), Unknown)
    assert isinstance(asked(tmp_path, CHOSEN, "", "y != 2", domain="expl", maxenum=2), Unsafe)


def test_a_case_that_is_left_out_is_noticed(tmp_path: Path) -> None:
    program = _program(tmp_path, CHOSEN, "", "y != 1 && y != 2")
    found = check(Task(program, Property.UNREACH_CALL, options={"domain": "expl"}), Budget(120), Silent())
    assert isinstance(found, Safe)
    assert isinstance(found.proof, ReducedProduct)
    split = [(n, a) for n, node in enumerate(found.proof.nodes) for a in node.letters if a.others]
    assert split
    for number, one in split:
        for kept in one.targets:
            node = found.proof.nodes[number]
            letters = tuple(replace(a, target=kept, others=()) if a is one else a for a in node.letters)
            nodes = tuple(replace(node, letters=letters) if n == number else a for n, a in enumerate(found.proof.nodes))
            wrong = replace(found.proof, nodes=nodes)
            assert isinstance(check_proof(program, Property.UNREACH_CALL, wrong, Budget(120)), Rejected)


# --- letters that know fewer variables --------------------------------------------------------------------------------

SHARED = (
    "int x, y, z; void *f(void *u) { z = 1; x = 1; z = y; return 0; } "
    "void *g(void *u) { z = 2; y = z; z = 3; y = x + z; return 0; }"
)


def test_what_the_precision_does_not_know_makes_nothing_dependent(tmp_path: Path) -> None:
    found = {
        por: asked(tmp_path, SHARED, "", "x != 1", domain="expl", por=por).stats["nodes"]
        for por in ("none", "static", "aa")
    }
    assert found["aa"] < found["static"] <= found["none"]


def test_errors_that_need_what_was_forgotten_are_found(tmp_path: Path) -> None:
    """Refinement brings the variables back, and with them the orders of steps."""
    for bad in ("y == 4", "z == 1", "y == 2 && z == 2"):
        several = {por: type(asked(tmp_path, SHARED, "", bad, domain="expl", por=por)) for por in ("none", "aa")}
        assert several["none"] is several["aa"]


def test_proofs_that_forget_what_they_need_are_rejected(tmp_path: Path) -> None:
    program = _program(tmp_path, SHARED, "", "y > 4")
    found = check(Task(program, Property.UNREACH_CALL, options={"domain": "expl"}), Budget(120), Silent())
    assert isinstance(found, Safe)
    proof = found.proof
    assert isinstance(proof, ReducedProduct)
    assert proof.kept is not None
    for lost in ("x+0", "y+0"):
        kept = tuple(name for name in proof.kept if name != lost)
        assert len(kept) < len(proof.kept), lost
        wrong = replace(proof, kept=kept)
        assert isinstance(check_proof(program, Property.UNREACH_CALL, wrong, Budget(120)), Rejected)


def test_what_was_left_out_for_fewer_variables_is_not_enough_for_all(tmp_path: Path) -> None:
    """The reduction of the proof is right only for letters that do not know z."""
    program = _program(tmp_path, SHARED, "", "x != 1")
    found = check(Task(program, Property.UNREACH_CALL, options={"domain": "expl"}), Budget(120), Silent())
    assert isinstance(found, Safe)
    assert isinstance(found.proof, ReducedProduct)
    wrong = replace(found.proof, kept=None)
    assert isinstance(check_proof(program, Property.UNREACH_CALL, wrong, Budget(120)), Rejected)


# --- refinement and orders --------------------------------------------------------------------------------------------

TWINS = """
int x, y;
void *f(void *u) { while (x < 50) x++; return 0; }
void *g(void *u) { while (y < 50) y++; return 0; }
"""
ANY_TWINS = "x = __VERIFIER_nondet_int(); y = x;"


def test_twin_loops_are_proved_in_lockstep(tmp_path: Path) -> None:
    """One after the other would need a predicate for every round."""
    found = asked(tmp_path, TWINS, ANY_TWINS, "x != y", domain="prod", order="lockstep")
    assert isinstance(found, Safe)
    assert found.stats["precision"] < 12


def test_what_is_met_decides_who_has_a_turn(tmp_path: Path) -> None:
    """Values come to an end where there are no loops; where threads have some, lockstep is tried."""
    found: list[list[CegarTurn]] = []
    for text in (POINTER, TWINS):
        task = Task(_program(tmp_path, text, ANY_TWINS, "0"), Property.UNREACH_CALL)
        found.append([*turns(Configuration(), CegarSetting(task, FillingLoops.LEFT_OUT))])
    plain, looping = found
    assert plain[0].share > looping[0].share
    assert ThreadOrder.LOCKSTEP not in [one.how.order for one in plain]
    assert ThreadOrder.LOCKSTEP in [one.how.order for one in looping]


def test_values_have_most_of_the_time_where_unknown_numbers_are_multiplied(tmp_path: Path) -> None:
    product = (
        TWINS.replace("int ", "int product; ", 1) + "void *h(void *u) { product = product * *(int *)u; return 0; }"
    )
    create = ANY_TWINS + "pthread_t c; int n = __VERIFIER_nondet_int(); pthread_create(&c, 0, h, &n);"
    task = Task(_program(tmp_path, product, create, "0"), Property.UNREACH_CALL)
    setting = CegarSetting(task, FillingLoops.LEFT_OUT)
    assert setting.has_products
    assert turns(Configuration(), setting)[0].share == ENDS


def test_more_and_more_predicates_give_way(tmp_path: Path) -> None:
    how = Configuration(AbstractDomain.PRED_CART, most_predicates=1)
    text = "int x, y; void *f(void *u) { if (x > 3) y = 1; x = x + 1; return 0; } void *g(void *u) { return 0; }"
    task = Task(_program(tmp_path, text, "x = __VERIFIER_nondet_int() ? 1 : 2;", "x > 3 || y"), Property.UNREACH_CALL)
    result = CegarLoop(CegarSetting(task, FillingLoops.LEFT_OUT), how, Budget(60), Silent()).run()
    assert isinstance(result, Unknown)
    assert result.reason == "more and more predicates"
    assert isinstance(check(task, Budget(60), Silent()), Safe)


@pytest.mark.parametrize(
    ("prune", "counterexamples", "por"), [("lazy", 1, "static"), ("full", 3, "static"), ("lazy", 3, "aa-pointers")]
)
def test_pruning_and_several_counterexamples(tmp_path: Path, prune: str, counterexamples: int, por: str) -> None:
    text = (
        "int x, y; void *f(void *u) { if (x > 3) y = 1; x = x + 1; return 0; }"
        "void *g(void *u) { if (x > 4) reach_error(); if (y > x) reach_error(); return 0; }"
    )
    options: dict[str, str | int] = {"domain": "pred-cart", "por": por, "prune": prune}
    options["counterexamples"] = counterexamples
    assert isinstance(asked(tmp_path, text, "x = __VERIFIER_nondet_int() ? 1 : 2;", "x > 3", **options), Safe)
    assert isinstance(asked(tmp_path, text, "x = __VERIFIER_nondet_int() ? 1 : 2;", "x == 3", **options), Unsafe)


@pytest.mark.parametrize("por", ["dynamic", "static"])
def test_dynamic_reduction_finds_the_same(tmp_path: Path, por: str) -> None:
    assert isinstance(asked(tmp_path, POINTER, "", "x != 2", domain="expl", por=por), Unsafe)
    assert isinstance(asked(tmp_path, POINTER, "", "x != 1 && x != 2", domain="expl", por=por), Safe)


def test_backward_interpolants_prove(tmp_path: Path) -> None:
    text = "int n; void *f(void *u) { n = n < 0 ? 0 : n; return 0; } void *g(void *u) { return u; }"
    options = {"domain": "pred-cart", "refinement": "bw-bin-itp"}
    assert isinstance(asked(tmp_path, text, "n = __VERIFIER_nondet_int();", "n < 0", **options), Safe)


def test_errors_of_two_threads_are_found_where_any_number_is_started(tmp_path: Path) -> None:
    text = "int x; void *h(void *u) { int l = x; x = l + 1; return 0; }"
    text += "void *f(void *u) { return u; } void *g(void *u) { return u; }"
    begin = "pthread_t t; while (__VERIFIER_nondet_int()) pthread_create(&t, 0, h, 0);"
    assert isinstance(asked(tmp_path, text, begin, "x == 2", domain="expl"), Unsafe)


def test_what_every_round_keeps_is_proposed(tmp_path: Path) -> None:
    """Any number of rounds; the relation of three variables is the same in each."""
    text = (
        "int x, y, z; void *g(void *u) { return u; } void *f(void *u) { while (__VERIFIER_nondet_int()) "
        "{ x++; if (__VERIFIER_nondet_int()) y++; else z++; } return 0; }"
    )
    assert isinstance(asked(tmp_path, text, "", "x - y != z", domain="pred-cart"), Safe)


def test_a_precision_that_begins_with_the_checks_needs_no_refinement(tmp_path: Path) -> None:
    text = (
        "unsigned x, y; void *f(void *u) { while (__VERIFIER_nondet_int()) { __VERIFIER_atomic_begin(); "
        "if (x + x != y) reach_error(); x += 3; y += 6; __VERIFIER_atomic_end(); } return 0; } "
        "void *g(void *u) { return f(u); }"
    )
    refinements = {}
    for initial in ("empty", "checks"):
        found = asked(tmp_path, text, "", "0", domain="pred-cart", por="none", initial=initial)
        assert isinstance(found, Safe)
        refinements[initial] = found.stats.get("refinements", 0)
    assert refinements["empty"] > 0 == refinements["checks"]
    assert isinstance(asked(tmp_path, text.replace("y += 6", "y += 5"), "", "0", initial="checks"), Unsafe)
