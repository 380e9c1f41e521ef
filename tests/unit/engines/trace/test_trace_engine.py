"""Engine `trace` on small programs: what it proves, what it finds, and that it does not prove what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from threadproof.abstraction.cases import Cases
from threadproof.abstraction.dead_ends import DeadEnds
from threadproof.abstraction.goals import ThreadGoal
from threadproof.abstraction.label_values import LabelValues
from threadproof.abstraction.labelled_product import Fixpoint
from threadproof.abstraction.labelled_proof import proof_of
from threadproof.abstraction.membranes import Membranes
from threadproof.abstraction.reduced_product import ProductReduction
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.automaton import for_letters, program_automaton
from threadproof.automaton.bounds import instance_bounds
from threadproof.automaton.fresh_arrays import without_filling_loops
from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.proofs import ReducedProduct, ReducedProducts
from threadproof.core.property import Property
from threadproof.core.result import Safe, Unknown, Unsafe
from threadproof.encoding.transitions.all_letters import AllLetters
from threadproof.engines.task import Task
from threadproof.engines.trace import check
from threadproof.evidence.proofs.check import check_proof
from threadproof.evidence.proofs.outcome import Accepted, ProofCheck
from threadproof.evidence.replay import Replay, machine_for
from threadproof.frontend import FrontendOptions
from threadproof.independence.orders import orders
from threadproof.independence.pairs import SwapGoal
from threadproof.independence.swaps import Swaps
from threadproof.portfolio.prepare import prepare
from threadproof.smt.context import Context

HEAD = """
#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
static void assume(int c) { if (!c) abort(); }
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
TWINS = "unsigned n, x, y; void *f(void *p) { while (x < n) x = x + 3; return 0; }"
UP = "int n; _Atomic int c; void *f(void *p) { for (int i = 0; i < n; i++) c++; return 0; }"
ANY = "n = __VERIFIER_nondet_uint(); x = y = __VERIFIER_nondet_uint();"

QUEUE = "int q[4], n, i, k, s; void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);"
ONES = """
void *f(void *p) {
  _Bool b = 1;
  while (__VERIFIER_nondet_int()) {
    __VERIFIER_atomic_begin();
    assume(k >= 0 && k < 4 && q[k] == (b ? 1 : -1));
    k++;
    __VERIFIER_atomic_end();
    b = !b;
  }
  return 0;
}
"""
TAKE = """
void *g(void *p) {
  while (__VERIFIER_nondet_int()) {
    __VERIFIER_atomic_begin();
    assume(k > i && i >= 0 && i < 4);
    s += q[i];
    i++;
    __VERIFIER_atomic_end();
  }
  return 0;
}
"""
ANY_TWO = "x = __VERIFIER_nondet_int(); y = __VERIFIER_nondet_int(); " + (
    "for (int j = 0; j < 4; j++) w[j] = __VERIFIER_nondet_int();"
)
TWO = ANY_TWO + " assume(x != y);"
OPPOSITE = "(r > 0) != (s < 0) || (r < 0) != (s > 0)"


def found_first(names: str, size: int = 4) -> str:
    """Which of two is found first in an array."""
    into, first, second = names
    head = "int w[4], x, y, r, s; void *f(void *p) {" if into == "r" else "void *g(void *p) {"
    return (
        head
        + f"""
  for (int i = 0; i < {size} && {into} == 0; i++) {into} = w[i] == {first} ? 1 : w[i] == {second} ? -1 : 0;
  return 0;
}}
"""
    )


ANY_QUEUE = "i = k = __VERIFIER_nondet_int(); for (int j = 0; j < 4; j++) q[j] = __VERIFIER_nondet_int();"

SAFE = {
    "twin loops": (TWINS + "void *g(void *p) { while (y < n) y = y + 3; return 0; }", ANY, "x != y"),
    "up and down": (
        UP + "void *g(void *p) { for (int i = 0; i < n; i++) { assume(c > 0); c--; } return 0; }",
        "n = __VERIFIER_nondet_int();",
        "c != 0",
    ),
    "one after the other does not matter": (
        "_Atomic int c; void *f(void *p) { for (int i = 0; i < 1000; i++) c += 2; return 0; }"
        "void *g(void *p) { for (int i = 0; i < 1000; i++) c += 4; return 0; }",
        "",
        "c % 2",
    ),
    "an array, added up twice": (
        "unsigned n, x, y, a[16]; void *f(void *p) { for (unsigned i = 0; i < n; i++) x += a[i]; return 0; }"
        "void *g(void *p) { for (unsigned i = 0; i < n; i++) y += a[i]; return 0; }",
        "n = __VERIFIER_nondet_uint(); assume(n <= 16);",
        "x != y",
    ),
    "a queue of ones and minus ones by turns": (QUEUE + ONES + TAKE, ANY_QUEUE, "s < 0 || s > 1"),
    "which of two comes first, asked both ways": (found_first("rxy") + found_first("syx"), TWO, OPPOSITE),
}
UNSAFE = {
    "a queue of ones and minus ones as they come": (
        QUEUE + ONES.replace("b = !b", "b = __VERIFIER_nondet_int() != 0") + TAKE,
        ANY_QUEUE,
        "s < 0 || s > 1",
    ),
    "a queue of which more is taken than there is": (
        QUEUE + ONES + TAKE.replace("k > i && ", ""),
        ANY_QUEUE,
        "s < 0 || s > 1",
    ),
    "twin loops, one is longer": (TWINS + "void *g(void *p) { while (y <= n) y = y + 3; return 0; }", ANY, "x != y"),
    "down without looking": (
        UP + "void *g(void *p) { for (int i = 0; i <= n; i++) c--; return 0; }",
        "n = __VERIFIER_nondet_int();",
        "c != 0",
    ),
    "a lost update": (
        "int c; void *f(void *p) { for (int i = 0; i < 2; i++) c++; return 0; }"
        "void *g(void *p) { for (int i = 0; i < 2; i++) c++; return 0; }",
        "",
        "c != 4",
    ),
    "which of two comes first, and they may be the same": (found_first("rxy") + found_first("syx"), ANY_TWO, OPPOSITE),
    "which of two comes first, asked the same way": (found_first("rxy") + found_first("sxy"), TWO, OPPOSITE),
    "which of two comes first, one looks at less": (found_first("rxy") + found_first("syx", 3), TWO, OPPOSITE),
    "beyond the array": (
        "unsigned n, x, a[16]; void *f(void *p) { for (unsigned i = 0; i < n; i++) x += a[i]; return 0; }"
        "void *g(void *p) { return 0; }",
        "n = __VERIFIER_nondet_uint();",
        "0",
    ),
}
FOUND = ("twin loops, one is longer", "down without looking")


def asked(folder: Path, parts: tuple[str, str, str]) -> Task:
    threads, begin, bad = parts
    file = folder / "main.c"
    file.write_text(HEAD + threads + MAIN.replace("BEGIN", begin).replace("BAD", bad), encoding="utf-8")
    return Task(prepare([str(file)], Property.UNREACH_CALL, FrontendOptions()), Property.UNREACH_CALL)


@pytest.mark.parametrize("name", SAFE)
def test_proved_and_checked(tmp_path: Path, name: str) -> None:
    task = asked(tmp_path, SAFE[name])
    found = check(task, Budget(300), Silent())
    assert isinstance(found, Safe), found
    assert isinstance(found.proof, ReducedProducts)
    assert isinstance(check_proof(task.program, task.property, found.proof, Budget(300)), Accepted)


def test_letters_by_cases(tmp_path: Path) -> None:
    """Letters with several targets: the checker shows that they are all."""
    task = asked(tmp_path, SAFE["which of two comes first, asked both ways"])
    proof, *others = (proof for _, proof in proved_at_once(task, by_cases=True))
    several = [n for n, node in enumerate(proof.nodes) if any(one.others for one in node.letters)]
    assert several
    assert isinstance(checked(task, proof, *others), Accepted)
    fewer = tuple(replace(one, others=one.others[:-1]) for one in proof.nodes[several[-1]].letters)
    nodes = [replace(node, letters=fewer) if n == several[-1] else node for n, node in enumerate(proof.nodes)]
    assert not isinstance(checked(task, replace(proof, nodes=tuple(nodes)), *others), Accepted)


@pytest.mark.parametrize("name", [name for name in UNSAFE if name not in FOUND])
def test_not_proved(tmp_path: Path, name: str) -> None:
    found = check(asked(tmp_path, UNSAFE[name]), Budget(6), Silent())
    assert not isinstance(found, Safe)


@pytest.mark.parametrize("name", FOUND)
def test_found_with_a_schedule_that_replays(tmp_path: Path, name: str) -> None:
    task = asked(tmp_path, UNSAFE[name])
    found = check(task, Budget(300), Silent())
    assert isinstance(found, Unsafe), found
    assert Replay(machine_for(task.program, task.property), task.property).run(found.schedule) is not None


def test_undefined_behaviour_is_shown(tmp_path: Path) -> None:
    """It is no violation of what is asked, and `true` cannot be said."""
    bad = ("int a[4]; void *f(void *p) { a[7] = 1; return 0; } void *g(void *p) { return 0; }", "", "0")
    found = check(asked(tmp_path, bad), Budget(300), Silent())
    assert isinstance(found, Unknown), found
    assert found.met is not None, found


def test_a_loop_that_fills_an_array_is_part_of_the_schedule(tmp_path: Path) -> None:
    """Proofs leave it out; an execution has to make it, with the values that it fills in."""
    fill = "int n = __VERIFIER_nondet_int(); assume(n > 0 && n < 3); w = make(n);"
    make = (
        "int *make(int n) { int *v = malloc(n * sizeof(int));"
        " for (int i = 0; i < n; i++) v[i] = __VERIFIER_nondet_int(); return v; }"
    )
    threads = "int *w, x; void *f(void *p) { x = w[0]; return 0; } void *g(void *p) { return 0; }" + make
    task = asked(tmp_path, (threads, fill, "x == 77"))
    assert without_filling_loops(task.program) is not task.program
    found = check(task, Budget(300), Silent())
    assert isinstance(found, Unsafe), found
    assert Replay(machine_for(task.program, task.property), task.property).run(found.schedule) is not None


def test_where_nothing_can_go_wrong(tmp_path: Path) -> None:
    """There is a product all the same, which says so."""
    file = tmp_path / "main.c"
    file.write_text("int main(void) { return 0; }", encoding="utf-8")
    program = prepare([str(file)], Property.UNREACH_CALL, FrontendOptions())
    found = check(Task(program, Property.UNREACH_CALL), Budget(300), Silent())
    assert isinstance(found, Safe)
    assert isinstance(check_proof(program, Property.UNREACH_CALL, found.proof, Budget(300)), Accepted)


def test_nodes_that_are_reached_again_are_looked_at(tmp_path: Path) -> None:
    """A node to which no edge leads is skipped, with all behind it. An edge to a node before it may come later: to one
    that has been looked at, so that nothing else leads to looking at those behind."""
    task = asked(tmp_path, SAFE["twin loops"])
    [(fixpoint, _)] = proved_at_once(task)
    for node in list(fixpoint.nodes.values())[2:]:
        node.edges, node.skipped = [], True
    assert fixpoint.advance(lambda: False) is True
    proof = proof_of(fixpoint, fixpoint.goal.thread, "", fixpoint.reduction.product.most, ())
    found = checked(task, proof)
    assert isinstance(found, Accepted), found


def checked(task: Task, *proofs: ReducedProduct) -> ProofCheck:
    return check_proof(task.program, task.property, ReducedProducts(proofs), Budget(300))


def proved_at_once(task: Task, *, by_cases: bool = False) -> Iterator[tuple[Fixpoint, ReducedProduct]]:
    """By the first order, what is asked about main first; `by_cases`, if that is worth it."""
    program = for_letters(task.program, task.property)
    automaton = program_automaton(program)
    most = instance_bounds(automaton)
    product = ThreadProduct(program, automaton, task.property, most)
    letters = AllLetters(product.encoder, most)
    context = Context(product.terms)
    name, order = next(iter(orders(automaton, product.space.instances).items()))
    for goal in (ThreadGoal(product, letters, thread) for thread in product.space.instances):
        if goal.wanted:
            swaps = Swaps(product.encoder, context, goal=SwapGoal(goal.thread, product.forbids))
            membranes = Membranes(product, letters, goal, swaps)
            values = LabelValues(product, goal, choices=by_cases)
            cases = Cases(product, goal, values.relevance)
            asked = cases if by_cases and cases.are_worth_it() else None
            reduction = ProductReduction(product, swaps, order, goal, membranes, asked)
            fixpoint = Fixpoint(reduction, values, context, goal, DeadEnds(membranes), plain=by_cases)
            assert fixpoint.advance(lambda: False) is True
            yield fixpoint, proof_of(fixpoint, goal.thread, name, most, ())
