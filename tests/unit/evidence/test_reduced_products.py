"""The checker of reduced products: right ones pass; made wrong, or of a program with an error, none does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest
from product_corruptions import WAYS, Product, Way, corrupted
from value_products import (
    CannotBuild,
    MadeLetter,
    ProductBuilder,
    blindly,
    by_goals,
    by_thread,
    carelessly,
    never,
    reversed_swaps,
    rightly,
    shuffled,
)

from threadproof.automaton import Instance, Places
from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.proofs import ProductLetter, ProductNode, ReducedProduct, ReducedProducts
from threadproof.core.property import Property
from threadproof.core.result import Safe, Verdict
from threadproof.encoding.transitions import Encoder, Transition
from threadproof.evidence.proofs import Accepted, NotChecked, ProofCheck, Rejected, check_proof, products
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio.judge import judge
from threadproof.portfolio.prepare import prepare

PROP = Property.UNREACH_CALL
HEAD = """
#include <pthread.h>
extern void reach_error(void), abort(void);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
static void assume(int holds) { if (!holds) abort(); }
int x, y;
"""
TWO = """
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  END
  return 0;
}
"""
SAFE = {
    "apart": "void *f(void *p) { x = 1; x = 2; return 0; } void *g(void *p) { y = 1; y = 2; return 0; }"
    + TWO.replace("END", "if (x != y) reach_error();"),
    "loop": "void *f(void *p) { while (1) { x = 1; x = 0; } } void *g(void *p) { y = 1; y = y + 1; return 0; }"
    + TWO.replace("pthread_join(a, 0);", "").replace("END", "if (y != 2) reach_error();"),
    "atomic": """
void *f(void *p) { __VERIFIER_atomic_begin(); x = 1; x = 0; __VERIFIER_atomic_end(); y = 1; return 0; }
void *g(void *p) { int was = x; assume(was); reach_error(); return 0; }"""
    + TWO.replace("END", ""),
    "mutex": """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *p) { pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m); return 0; }
void *g(void *p) { pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m); return 0; }"""
    + TWO.replace("END", "if (x != 2) reach_error();"),
    "children": """
void *g(void *p) { y = 1; return 0; }
void *f(void *p) { pthread_t c; pthread_create(&c, 0, g, 0); x = 1; pthread_join(c, 0); return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, f, 0);
  int was = x;
  pthread_join(a, 0);
  if (was > 1 || x + y != 2) reach_error();
  return 0;
}
""",
}
UNSAFE = {
    "direction": """
void *f(void *p) { x = 1; return 0; }
void *g(void *p) { __VERIFIER_atomic_begin(); assume(x > 0); x = 0; y = 1; __VERIFIER_atomic_end(); return 0; }"""
    + TWO.replace("END", "if (y) reach_error();"),
    "lost update": """
void *f(void *p) { int was = x; x = was + 1; return 0; }
void *g(void *p) { int was = x; x = was + 1; return 0; }"""
    + TWO.replace("END", "if (x != 2) reach_error();"),
    "trap behind": """
void *f(void *p) { x = 1; return 0; }
void *g(void *p) { __VERIFIER_atomic_begin(); if (x) reach_error(); y = 1; __VERIFIER_atomic_end(); return 0; }"""
    + TWO.replace("END", ""),
    "undefined behind": """
void *f(void *p) { x = 1; return 0; }
void *g(void *p) { __VERIFIER_atomic_begin(); y = 10 / (1 - x); __VERIFIER_atomic_end(); return 0; }"""
    + TWO.replace("END", ""),
    "started": """
void *g(void *p) { if (x) reach_error(); return 0; }
void *f(void *p) { x = 1; x = 0; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);
  return 0;
}
""",
    "in a loop": """
void *f(void *p) { while (1) { x = 1; x = 0; } }
void *g(void *p) { while (1) { y = x; y = 0; } }"""
    + TWO.replace("pthread_join(a, 0); pthread_join(b, 0);", "").replace("END", "if (y) reach_error();"),
}
Compiled = Callable[[str], Program]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    known: dict[str, Program] = {}

    def program_of(name: str) -> Program:
        if name not in known:
            file = tmp_path_factory.mktemp("products") / "main.c"
            file.write_text(HEAD + {**SAFE, **UNSAFE}[name], encoding="utf-8")
            known[name] = prepare([str(file)], PROP, FrontendOptions())
        return known[name]

    return program_of


def checked(program: Program, proof: ReducedProduct | ReducedProducts) -> ProofCheck:
    return check_proof(program, PROP, proof, Budget(900))


def is_wrong(program: Program, proof: ReducedProduct | ReducedProducts, why: str) -> None:
    found = checked(program, proof)
    assert isinstance(found, Rejected), found
    assert why in found.why


# --- right ones -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SAFE)
def test_right_ones_pass(compiled: Compiled, name: str) -> None:
    program = compiled(name)
    proof = ProductBuilder(program, shuffled(1), rightly).build()
    assert isinstance(checked(program, proof), Accepted)
    assert any(node.asleep for node in proof.nodes)


def test_without_a_reduction(compiled: Compiled) -> None:
    program = compiled("atomic")
    assert isinstance(checked(program, ProductBuilder(program, shuffled(0), never).build()), Accepted)


@pytest.mark.parametrize("name", ["children", "mutex"])
def test_a_product_for_each_thread_that_may_go_wrong(compiled: Compiled, name: str) -> None:
    program = compiled(name)
    proof = by_goals(program, lambda goal: ProductBuilder(program, shuffled(1), rightly, goal=goal))
    assert isinstance(checked(program, proof), Accepted)
    with_dead_ends = by_goals(program, lambda goal: DeadEnds(program, shuffled(1), rightly, goal=goal))
    assert any(node.membrane for part in with_dead_ends.parts for node in part.nodes)


def test_products_belong_together(compiled: Compiled) -> None:
    program = compiled("atomic")  # errors in f, which cannot be made, and in g
    proof = by_goals(program, lambda goal: ProductBuilder(program, shuffled(1), rightly, goal=goal))
    [*others, part] = proof.parts
    is_wrong(program, ReducedProducts(()), "not about the same threads")
    is_wrong(program, ReducedProducts((*others, replace(part, unproved=("main.c:1",)))), "do not assume the same")
    is_wrong(program, ReducedProducts((*others, replace(part, goal=("f", 0)))), "no product is about g")
    is_wrong(program, replace(part, goal=("nobody", 0)), "no thread nobody")


def test_the_judge_asks_the_checker(compiled: Compiled) -> None:
    program = compiled("apart")
    proof = ProductBuilder(program, shuffled(0), rightly).build()
    assert judge(program, PROP, "hand", Safe(proof), Budget(900)).verdict is Verdict.TRUE
    for prop, model in ((Property.NO_DATA_RACE, MemoryModel.SC), (PROP, MemoryModel.TSO)):
        assert isinstance(check_proof(program, prop, proof, Budget(900), model), NotChecked)
    assert isinstance(check_proof(program, PROP, proof, Budget(1e-9)), NotChecked)


# --- wrong ones -------------------------------------------------------------------------------------------------------


def changed(proof: ReducedProduct, number: int, node: ProductNode) -> ReducedProduct:
    return replace(proof, nodes=(*proof.nodes[:number], node, *proof.nodes[number + 1 :]))


def test_malformed(compiled: Compiled) -> None:
    program = compiled("apart")
    proof = ProductBuilder(program, shuffled(0), never).build()
    first = proof.nodes[0]
    [letter] = first.letters
    for wrong, why in (
        (replace(proof, nodes=()), "no node"),
        (replace(proof, instances=(("f", 0),)), "does not speak of"),
        (replace(proof, nodes=(*proof.nodes, first)), "cannot be reached"),
        (replace(proof, labels="(check-sat)"), "has no label"),
        (changed(proof, 0, replace(first, letters=(letter, letter))), "twice"),
        (changed(proof, 0, replace(first, asleep=((letter.thread, letter.letter),))), "twice"),
        (changed(proof, 0, ProductNode(0, (), ((letter.thread, letter.letter),))), "asleep at the first node"),
        (changed(proof, 0, replace(first, letters=(replace(letter, target=9999),))), "no node 9999"),
        (changed(proof, 0, replace(first, letters=(replace(letter, letter=9999),))), "has no letter 9999"),
        (changed(proof, 0, replace(first, letters=(replace(letter, thread=("f", 0)),))), "f has no letter"),
        (changed(proof, 0, replace(first, letters=())), "cannot be reached"),
        (changed(proof, 1, replace(proof.nodes[1], asleep=((("f", 0), 9999),))), "no letter 9999, which is asleep"),
    ):
        is_wrong(program, wrong, why)


def test_a_letter_without_a_target_has_to_be_impossible(compiled: Compiled) -> None:
    program = compiled("apart")
    proof = ProductBuilder(program, shuffled(0), never).build()
    [letter] = proof.nodes[0].letters
    alone = replace(proof, nodes=(ProductNode(0, (ProductLetter(letter.thread, letter.letter, None),)),))
    is_wrong(program, alone, "is possible, but no edge")


@pytest.fixture(scope="module")
def proofs(compiled: Compiled) -> list[Product]:
    builders = [ProductBuilder(compiled(name), shuffled(1), rightly) for name in SAFE]
    return [Product(one.program, one.build(), PROP) for one in builders]


def are_rejected(proofs: Sequence[Product], way: Way, often: int) -> None:
    rng, made = Random(f"{way.__name__} 1"), 0
    for proof in [proof for _ in range(often) for proof in proofs]:
        wrong = corrupted(proof, way, rng) if made < often else None
        if wrong is not None:
            made += 1
            assert isinstance(checked(proof.program, wrong), Rejected)
    assert made == often


@pytest.mark.parametrize("way", WAYS)
def test_corrupted_proofs_do_not_pass(proofs: list[Product], way: Way) -> None:
    are_rejected(proofs, way, 5)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_corrupted_proofs_do_not_pass_at_length(proofs: list[Product], way: Way) -> None:
    are_rejected(proofs, way, 40)


# --- programs with errors ---------------------------------------------------------------------------------------------


class Lawless(ProductBuilder):
    """What is not preferred may sleep, too, and what the letter starts, or what belongs to the same thread."""

    def candidates(
        self, places: Places, made: MadeLetter, before: Sequence[MadeLetter], others: Sequence[MadeLetter]
    ) -> list[MadeLetter]:
        return [one for one in (*before, *others) if one != made and one[0] != made[0]]


class DeadEnds(ProductBuilder):
    """Wherever all of a thread sleeps, or nothing is left of it, that is said to be for ever."""

    def membrane(
        self, places: Places, asleep: frozenset[MadeLetter], awake: Sequence[MadeLetter]
    ) -> tuple[Instance, ...]:
        for instance, location in places.threads:
            letters = self.automaton.templates[instance.template].letters_from(location)
            own = {(instance, letter.id) for letter in letters} - self.futile
            if own <= asleep and (own or self.also_finished):
                return (instance,)
        return ()

    also_finished = False


class FinishedDeadEnds(DeadEnds):
    also_finished = True


def tried(program: Program, seeds: range) -> list[ReducedProduct | ReducedProducts]:
    """Products of a program with an error in which no awake letter goes wrong."""
    found: list[ReducedProduct | ReducedProducts] = []
    for order in (by_thread("main", "g", "f"), by_thread("main", "f", "g"), *map(shuffled, seeds)):
        ways = (reversed_swaps, blindly, carelessly(0, 0.5), carelessly(0, 1.0))
        builders = [ProductBuilder(program, order, way) for way in ways]
        dead = [kind(program, order, way) for kind in (DeadEnds, FinishedDeadEnds) for way in (rightly, ways[-1])]
        for builder in (*builders, Lawless(program, order, rightly), *dead):
            with suppress(CannotBuild):
                found.append(builder.build())
        for kind, way in ((ProductBuilder, ways[-1]), (DeadEnds, rightly), (DeadEnds, ways[-1])):
            with suppress(CannotBuild):
                found.append(by_goals(program, lambda goal: kind(program, order, way, goal=goal)))  # noqa: B023
    return found


@pytest.mark.parametrize("name", UNSAFE)
def test_a_program_with_an_error_has_no_proof(compiled: Compiled, name: str) -> None:
    program = compiled(name)
    for seed in range(3):
        for way in (never, rightly):
            with pytest.raises(CannotBuild, match="goes wrong"):
                ProductBuilder(program, shuffled(seed), way).build()
    are_wrong(program, range(0))


@pytest.mark.slow
@pytest.mark.parametrize("name", UNSAFE)
def test_a_program_with_an_error_has_no_proof_at_length(compiled: Compiled, name: str) -> None:
    are_wrong(compiled(name), range(4))


def are_wrong(program: Program, seeds: range) -> None:
    wrong = tried(program, seeds)
    assert wrong
    for proof in wrong:
        assert isinstance(checked(program, proof), Rejected)


CANNOT_SWAP: Callable[..., object] = products.cannot_swap  # pyright: ignore[reportPrivateImportUsage]
FAULTS: dict[str, tuple[str, str, Callable[..., object]]] = {
    "swaps are not asked": ("lost update", "apart", lambda a, b: True),
    "the other inclusion is asked": ("direction", "cannot_swap", lambda a, b, *traps: CANNOT_SWAP(b, a, *traps)),
    "traps are not looked at": ("undefined behind", "cannot_swap", lambda a, b, *traps: CANNOT_SWAP(a, b, [])),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_checker_with_a_fault_would_be_noticed(
    compiled: Compiled, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """So the products of `test_a_program_with_an_error_has_no_proof` ask for what is checked."""
    name, *instead = FAULTS[fault]
    program = compiled(name)
    wrong = tried(program, range(0))
    monkeypatch.setattr(products, *instead)
    assert any(isinstance(checked(program, proof), Accepted) for proof in wrong)


def test_an_error_of_the_formulas_shows(compiled: Compiled, monkeypatch: pytest.MonkeyPatch) -> None:
    """Builder and checker agree, since they use the same formulas; a run of the reference semantics does not."""
    program, right = compiled("mutex"), Encoder.transition

    def lost_update(self: Encoder, *given: object) -> Transition:
        made = right(self, *given)  # type: ignore[arg-type]
        return replace(made, updates={v: new for v, new in made.updates.items() if v.name != "x+0"})

    monkeypatch.setattr(Encoder, "transition", lost_update)
    monkeypatch.setattr(products._ProductChecker, "_check_steps", lambda self, number: None)  # pyright: ignore
    proof = ProductBuilder(program, shuffled(0), rightly)
    proof.forbids = lambda letter, trap: False  # type: ignore[method-assign]
    is_wrong(program, proof.build(), "a run of the reference semantics contradicts it")
