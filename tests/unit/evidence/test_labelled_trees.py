"""The checker of labelled trees alone: trees made by hand, right ones and wrong ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from threadproof.automaton import Kind, program_automaton
from threadproof.core.budget import Budget
from threadproof.core.errors import InternalError
from threadproof.core.memory_model import MemoryModel
from threadproof.core.observer import Silent
from threadproof.core.proofs import LabelledTree, SkippedLetter, ThreadModularProof, TreeNode
from threadproof.core.property import Property
from threadproof.core.result import Safe, Verdict
from threadproof.dev import values_engine
from threadproof.encoding.transitions import Encoder, Space, Transition
from threadproof.engines.task import Task
from threadproof.evidence.proofs import Accepted, NotChecked, ProofCheck, Rejected, check_proof
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio.assumptions import told
from threadproof.portfolio.judge import judge
from threadproof.portfolio.prepare import prepare
from threadproof.smt.smtlib import script
from threadproof.smt.terms import Terms

SOURCE = """
#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
unsigned x;
void *f(void *p) {
  while (1) {
    __VERIFIER_atomic_begin();
    if (x < 10) x++;
    __VERIFIER_atomic_end();
  }
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_create(&t, 0, f, 0);
  if (x > 10) reach_error();
  return 0;
}
"""
AT_MOST = "(declare-const |x+0| (_ BitVec 32))\n(assert (not (bvult (_ bv{} 32) |x+0|)))\n"
INSTANCES = (("f", 2),)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    file = tmp_path_factory.mktemp("trees") / "main.c"
    file.write_text(SOURCE, encoding="utf-8")
    return prepare([str(file)], Property.UNREACH_CALL, FrontendOptions())


def unwound(program: Program) -> tuple[TreeNode, ...]:
    return unwound_without(program, lambda node, letter: False)[0]


def unwound_without(
    program: Program, skips: Callable[[TreeNode, int], bool]
) -> tuple[tuple[TreeNode, ...], tuple[SkippedLetter, ...]]:
    """All orders of letters, without those that only an error can follow. Each node has the label 0 and is covered by
    the first at the same places (where letters are skipped: the first where they are)."""
    automaton = program_automaton(program)
    nodes, places = [TreeNode(0)], [automaton.initial()]
    first: dict[object, int] = {(frozenset(places[0].threads), False): 0}
    skipped: list[SkippedLetter] = []
    for number, here in enumerate(places):  # grows
        for instance, letter in automaton.letters_from(here) if nodes[number].covered_by is None else ():
            following = automaton.templates[letter.template].letters_from(letter.target)
            if letter.kind is Kind.ERROR or (following and all(one.kind is Kind.ERROR for one in following)):
                continue
            if skips(nodes[number], letter.id) and instance != nodes[number].thread:
                skipped.append(SkippedLetter(number, instance, letter.id))
                continue
            after = automaton.after(here, instance, letter)
            last = TreeNode(0, number, instance, letter.id)
            reduced = any(skips(last, one.id) for _, one in automaton.letters_from(after))
            known = first.setdefault((frozenset(after.threads), reduced), len(nodes))
            nodes.append(replace(last, covered_by=None if known == len(nodes) else known))
            places.append(after)
    return tuple(nodes), tuple(skipped)


@pytest.fixture(scope="module")
def tree(program: Program) -> LabelledTree:
    return LabelledTree(AT_MOST.format(10), unwound(program), INSTANCES)


def checked(program: Program, tree: LabelledTree) -> ProofCheck:
    return check_proof(program, Property.UNREACH_CALL, tree, Budget(900))


def with_node(tree: LabelledTree, number: int, **changes: Any) -> LabelledTree:
    nodes = list(tree.nodes)
    nodes[number] = replace(nodes[number], **changes)
    return replace(tree, nodes=tuple(nodes))


def is_wrong(program: Program, tree: LabelledTree, why: str) -> None:
    found = checked(program, tree)
    assert isinstance(found, Rejected)
    assert why in found.why


def test_an_invariant_that_needs_a_solver(program: Program, tree: LabelledTree) -> None:
    found = checked(program, tree)
    assert isinstance(found, Accepted)
    assert found.figures["questions"] > 0
    assert judge(program, Property.UNREACH_CALL, "hand", Safe(tree), Budget(900)).verdict is Verdict.TRUE


@pytest.mark.parametrize(
    ("label", "why"),
    [
        (AT_MOST.format(11), "may go wrong (reach_error)"),
        (AT_MOST.format(9), "does not lead to the label"),
        ("(assert true)", "may go wrong (reach_error)"),
        ("(assert false)", "does not hold at first"),
        ("(declare-const |x+0| (_ BitVec 32))(assert (= |x+0| (_ bv5 32)))", "does not hold at first"),
        ("(declare-const |x+0| (_ BitVec 64))(assert (= |x+0| (_ bv0 64)))", "cannot be read"),
        ("(declare-const |x+0| (_ BitVec 32))(assert |x+0|)", "is no condition"),
        ("(assert (exists ((y Int)) true))", "cannot be read"),
        ("(check-sat)", "has no label"),
    ],
)
def test_a_wrong_label(program: Program, tree: LabelledTree, label: str, why: str) -> None:
    is_wrong(program, replace(tree, labels=label), why)


def test_a_label_of_one_node(program: Program, tree: LabelledTree) -> None:
    """Weaker, stronger, or wrong at one node alone."""
    uncovered = [number for number, node in enumerate(tree.nodes) if node.covered_by is None]
    for label, why in (("true", ""), ("false", "does not lead to the label")):
        worse = replace(tree, labels=f"{tree.labels}(assert {label})")
        for number in uncovered[1:]:
            is_wrong(program, with_node(worse, number, label=1), why)


def test_every_edge_is_needed(program: Program, tree: LabelledTree) -> None:
    leaves = [number for number, node in enumerate(tree.nodes) if node.covered_by is not None]
    for leaf in leaves[::5]:
        nodes = (*tree.nodes[:leaf], *tree.nodes[leaf + 1 :])
        moved = tuple(replace(n, parent=n.parent - (n.parent > leaf)) if n.parent is not None else n for n in nodes)
        kept = tuple(replace(n, covered_by=n.covered_by - (n.covered_by > leaf)) if n.covered_by else n for n in moved)
        is_wrong(program, replace(tree, nodes=kept), "is possible, but no edge")


def test_coverings(program: Program, tree: LabelledTree) -> None:
    leaf = next(number for number, node in enumerate(tree.nodes) if node.covered_by is not None)
    is_wrong(program, with_node(tree, leaf, covered_by=leaf), "covered itself")
    is_wrong(program, with_node(tree, leaf, covered_by=10_000), "no node")
    is_wrong(program, with_node(tree, leaf, covered_by=0), "elsewhere")
    is_wrong(program, with_node(tree, leaf, covered_by=None), "is possible, but no edge")
    is_wrong(program, with_node(tree, 1, covered_by=2), "elsewhere")


def test_a_covering_needs_the_label_of_its_coverer(program: Program, tree: LabelledTree) -> None:
    leaf = next(number for number, node in enumerate(tree.nodes) if node.covered_by is not None)
    worse = replace(tree, labels=f"{tree.labels}(assert true)")
    is_wrong(program, with_node(worse, leaf, label=1), "does not imply")


def test_malformed(program: Program, tree: LabelledTree) -> None:
    is_wrong(program, replace(tree, nodes=()), "no root")
    is_wrong(program, with_node(tree, 0, parent=0), "no root")
    is_wrong(program, with_node(tree, 3, parent=None), "no parent")
    is_wrong(program, with_node(tree, 3, parent=4), "no parent")
    is_wrong(program, with_node(tree, 3, letter=999), "has no letter")
    is_wrong(program, with_node(tree, 3, thread=("f", 7)), "has no letter")
    is_wrong(program, with_node(tree, 3, label=7), "label")
    is_wrong(program, with_node(tree, 3, label=-1), "label")


def test_threads_it_does_not_speak_of(program: Program, tree: LabelledTree) -> None:
    is_wrong(program, replace(tree, instances=()), "does not speak of")


def test_an_unwinding_without_a_covering_is_not_closed(program: Program, tree: LabelledTree) -> None:
    is_wrong(program, replace(tree, nodes=tree.nodes[:1]), "is possible, but no edge")


def test_what_has_no_checker_is_never_true(program: Program, tree: LabelledTree) -> None:
    unchecked = [
        (ThreadModularProof("", ()), Property.UNREACH_CALL, MemoryModel.TSO),
        (ThreadModularProof("", ()), Property.NO_DATA_RACE, MemoryModel.SC),
        (tree, Property.NO_OVERFLOW, MemoryModel.TSO),
    ]
    for proof, prop, model in unchecked:
        assert isinstance(check_proof(program, prop, proof, Budget(900), model), NotChecked)
        assert judge(program, prop, "hand", Safe(proof), Budget(900), model).verdict is Verdict.UNKNOWN


def test_without_time_nothing_is_accepted(program: Program, tree: LabelledTree) -> None:
    assert isinstance(check_proof(program, Property.UNREACH_CALL, tree, Budget(1e-9)), NotChecked)


def test_a_rejected_proof_is_a_bug_of_ours(program: Program, tree: LabelledTree) -> None:
    wrong = replace(tree, labels="(assert true)")
    with pytest.raises(InternalError, match="its proof is none"):
        judge(program, Property.UNREACH_CALL, "liar", Safe(wrong), Budget(900))


INPUTS = """
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int x;
void *f(void *p);
int main(void) { while (1) { x = __VERIFIER_nondet_int(); if (x == 3) reach_error(); } }
"""


def test_labels_do_not_speak_of_inputs(tmp_path: Path) -> None:
    """`x` is the input, says the label; but that is a new one in each round."""
    file = tmp_path / "main.c"
    file.write_text(INPUTS, encoding="utf-8")
    program = prepare([str(file)], Property.UNREACH_CALL, FrontendOptions())
    automaton = program_automaton(program)
    encoder = Encoder(Space(Terms(), program, automaton))
    [main] = automaton.initial().threads
    inputs = [
        one.term for letter in automaton.templates["main"].letters for one in encoder.transition(main[0], letter).inputs
    ]
    assert inputs
    label = script([encoder.space.terms.ne(inputs[0], encoder.space.terms.bv(3, 32))])
    is_wrong(program, LabelledTree(label, unwound(program)), "speaks of an input")


UNPROVED = """
#include <pthread.h>
int a[4];
unsigned i = 2;
void *f(void *p) { i = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); a[i] = 1; return 0; }
"""


def test_accesses_that_are_assumed_to_be_valid(tmp_path: Path) -> None:
    file = tmp_path / "main.c"
    file.write_text(UNPROVED, encoding="utf-8")
    program = prepare([str(file)], Property.UNREACH_CALL, FrontendOptions())
    tree = LabelledTree("(assert true)", unwound(program))
    is_wrong(program, tree, "may go wrong")
    assuming = replace(tree, unproved=(f"{file}:6",))
    assert isinstance(checked(program, assuming), Accepted)
    answer = judge(program, Property.UNREACH_CALL, "hand", Safe(assuming), Budget(900))
    [said] = [one for one in told(program, answer, MemoryModel.SC).assumptions if "valid accesses" in one]
    assert said.endswith("main.c:6")
    other = prepare([str(file)], Property.VALID_MEMSAFETY, FrontendOptions())
    tree = LabelledTree("(assert true)", unwound(other), unproved=(f"{file}:6",))
    assert isinstance(check_proof(other, Property.VALID_MEMSAFETY, tree, Budget(900)), Rejected)


LOCKS = """
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int x;
void *f(void *p) { LOCK; x = 1; UNLOCK; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_mutex_lock(&a); pthread_mutex_lock(&b); x = 2; pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
  return 0;
}
"""


@pytest.mark.parametrize(
    ("locks", "prop", "why"),
    [
        ("ab", Property.NO_DATA_RACE, ""),
        ("b", Property.NO_DATA_RACE, ""),
        ("", Property.NO_DATA_RACE, "may race"),
        ("ab", Property.NO_DEADLOCK, ""),
        ("ba", Property.NO_DEADLOCK, "all threads may wait for ever"),
    ],
)
def test_races_and_deadlocks(tmp_path: Path, locks: str, prop: Property, why: str) -> None:
    """The toy engine does not look for them, so its trees are right or wrong for these properties as it happens."""
    taken = "; ".join(f"pthread_mutex_lock(&{lock})" for lock in locks)
    given = "; ".join(f"pthread_mutex_unlock(&{lock})" for lock in locks)
    file = tmp_path / "main.c"
    file.write_text(LOCKS.replace("UNLOCK", given).replace("LOCK", taken), encoding="utf-8")
    program = prepare([str(file)], prop, FrontendOptions())
    found = values_engine.check(Task(program, prop), Budget(900), Silent())
    assert isinstance(found, Safe)
    check = check_proof(program, prop, found.proof, Budget(900))
    assert isinstance(check, Rejected if why else Accepted), check
    assert not isinstance(check, Rejected) or why in check.why


SUM = """
#include <pthread.h>
extern void reach_error(void);
int x;
void *f(void *p) { x = x + 2; return 0; }
void *g(void *p) { x = x + 2; return 0; }
int main(void) {
  pthread_t t, s;
  pthread_create(&t, 0, f, 0);
  pthread_create(&s, 0, g, 0);
  pthread_join(t, 0);
  pthread_join(s, 0);
  if (x == 1) reach_error();
  return 0;
}
"""


def lost_update(made: Transition) -> Transition:
    """Nothing is written to `x`."""
    return replace(made, updates={v: new for v, new in made.updates.items() if v.name != "x+0"})


def too_strong(made: Transition) -> Transition:
    """Nobody can do anything where `x` has changed."""
    x = made.terms.bv_var("x+0", 32)
    return replace(made, guard=made.terms.and_(made.guard, made.terms.eq(x, made.terms.bv(0, 32))))


@pytest.mark.parametrize("fault", [lost_update, too_strong])
def test_an_error_of_the_formulas_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Callable[[Transition], Transition]
) -> None:
    """Engine and checker agree, since they use the same formulas; a run of the reference semantics does not."""
    file = tmp_path / "main.c"
    file.write_text(SUM, encoding="utf-8")
    program = prepare([str(file)], Property.UNREACH_CALL, FrontendOptions())
    right = Encoder.transition
    monkeypatch.setattr(Encoder, "transition", lambda self, *given: fault(right(self, *given)))
    found = values_engine.check(Task(program, Property.UNREACH_CALL), Budget(900), Silent())
    assert isinstance(found, Safe)
    assert isinstance(found.proof, LabelledTree)
    is_wrong(program, found.proof, "a run of the reference semantics contradicts it")


COMMUTE = """
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
int x, y;
void *f(void *p) {
  while (1) {
    __VERIFIER_atomic_begin();
    WRITTEN = 1;
    __VERIFIER_atomic_end();
  }
}
void *g(void *p) { x = 2; y = 2; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_create(&t, 0, g, 0);
  int was = READ;
  y = was;
  return 0;
}
"""


@pytest.mark.parametrize(
    ("written", "read", "last", "left_out", "why"),
    [
        ("y", "x", "f", "main", ""),
        ("x", "x", "f", "main", "does not commute"),
        ("y", "x", "main", "f", "does not come after it"),
    ],
)
def test_letters_that_are_left_out(tmp_path: Path, written: str, read: str, last: str, left_out: str, why: str) -> None:
    """Main's load of a variable is left out behind letters of `f`, or the other way round. The first letter of `f` does
    nothing; the node behind it covers those behind the letter that writes, so that one has to commute with the load."""
    file = tmp_path / "main.c"
    file.write_text(COMMUTE.replace("WRITTEN", written).replace("READ", read), encoding="utf-8")
    program = prepare([str(file)], Property.UNREACH_CALL, FrontendOptions())
    automaton = program_automaton(program)
    main = automaton.templates["main"].letters
    load = next(letter.id for letter in main if any(step.instr.loc.line == 17 for step in letter.steps))
    skips = {"main": lambda letter: letter == load, "f": lambda letter: True}[left_out]
    nodes, skipped = unwound_without(program, lambda node, to: node.thread[0] == last and skips(to))
    tree = LabelledTree("(assert true)", nodes, skipped=skipped)
    assert skipped
    found = checked(program, tree)
    assert isinstance(found, Rejected if why else Accepted), found
    assert not isinstance(found, Rejected) or why in found.why
    assert isinstance(checked(program, replace(tree, skipped=())), Rejected)
