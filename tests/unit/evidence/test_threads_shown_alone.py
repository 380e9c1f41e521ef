"""Reduced products with labels of single threads beside them: who needs no product, and what no check accepts."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.proofs import ReducedProducts, SingleThreads
from threadproof.core.property import Property
from threadproof.core.result import Safe, Unsafe
from threadproof.engines import explicit, trace
from threadproof.engines.task import Task
from threadproof.evidence.proofs import Accepted, Rejected, check_proof
from threadproof.evidence.proofs.files import proof_from_json, proof_to_json
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio.prepare import prepare

PROP = Property.UNREACH_CALL
TWINS = """
#include <assert.h>
#include <pthread.h>
int a[9], x, y, n;
extern int __VERIFIER_nondet_int(void);
void *one(void *p) { for (int i = 0; i < 8; i++) { a[i] = n; x++; } return 0; }
void *two(void *p) { for (int i = 0; i < 8; i++) y++; return 0; }
int main(void) {
    n = __VERIFIER_nondet_int();
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(x == y);
    return 0;
}
"""
STARTS = """
#include <assert.h>
#include <pthread.h>
int started, k;
extern int __VERIFIER_nondet_int(void);
void *leaf(void *p) { return 0; }
void *starter(void *p) {
    pthread_t h;
    int i = 0;
    while (i < k && i < 2) { pthread_create(&h, 0, leaf, 0); i++; }
    started = i;
    return 0;
}
int main(void) {
    pthread_t s;
    k = __VERIFIER_nondet_int();
    pthread_create(&s, 0, starter, 0);
    pthread_join(s, 0);
    assert(started <= 2);
    return 0;
}
"""


@cache
def program_of(text: str, folder: Path) -> Program:
    file = folder / "main.c"
    file.write_text(text, encoding="utf-8")
    return prepare([str(file)], PROP, FrontendOptions())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("alone")


@cache
def proved(text: str, folder: Path) -> ReducedProducts:
    result = trace.check(Task(program_of(text, folder), PROP), Budget(None), Silent())
    assert isinstance(result, Safe), result
    assert isinstance(result.proof, ReducedProducts)
    return result.proof


def checked(text: str, folder: Path, proof: ReducedProducts) -> object:
    return check_proof(program_of(text, folder), PROP, proof, Budget(900))


def test_a_thread_whose_accesses_are_valid_anyhow_needs_no_product(folder: Path) -> None:
    proof = proved(TWINS, folder)
    assert proof.alone is not None
    assert proof.alone.templates == ("one",)
    assert [part.goal for part in proof.parts] == [("main", 0)]
    assert isinstance(checked(TWINS, folder, proof), Accepted)
    again = proof_from_json(json.loads(json.dumps(proof_to_json(proof))))
    assert again == proof
    assert proof.facts["products"]["nothing goes wrong in one"] == "labels of single threads"  # pyright: ignore


def with_label(alone: SingleThreads, label: str, template: str) -> SingleThreads:
    """The same one everywhere in threads of the template."""
    proof = alone.proof
    number = proof.labels.count("(assert ")
    at = tuple((t, n, number if t == template else old) for t, n, old in proof.at)
    return replace(alone, proof=replace(proof, labels=f"{proof.labels}\n(assert {label})\n", at=at))


CORRUPTIONS: dict[str, tuple[Callable[[SingleThreads], SingleThreads | None], str]] = {
    "no labels at all": (lambda alone: None, "no product is about one"),
    "labels that say nothing": (lambda alone: with_label(alone, "true", "one"), "may go wrong"),
    "labels that hold never": (lambda alone: with_label(alone, "false", "main"), "does not hold at first"),
    "about nobody": (lambda alone: replace(alone, templates=()), "no product is about one"),
    "about a stranger": (lambda alone: replace(alone, templates=("nobody",)), "threads that there are none of"),
    "about main, which may go wrong": (lambda alone: replace(alone, templates=("main", "one")), "may go wrong"),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_corrupted_labels_are_rejected(folder: Path, name: str) -> None:
    corrupted, why = CORRUPTIONS[name]
    proof = proved(TWINS, folder)
    assert proof.alone is not None
    found = checked(TWINS, folder, replace(proof, alone=corrupted(proof.alone)))
    assert isinstance(found, Rejected), found
    assert why in found.why


def test_a_product_less_is_rejected(folder: Path) -> None:
    found = checked(TWINS, folder, replace(proved(TWINS, folder), parts=()))
    assert isinstance(found, Rejected)


@pytest.mark.parametrize(
    ("old", "new"), [("a[9]", "a[7]"), ("a[i] = n", "a[i] = n, x = n"), ("i < 8; i++) y", "i < 9; i++) y")]
)
def test_the_proof_of_another_program_is_rejected(folder: Path, old: str, new: str) -> None:
    wrong = TWINS.replace(old, new)
    assert wrong != TWINS
    task = Task(program_of(wrong, folder), PROP)
    assert not isinstance(explicit.check(task, Budget(None), Silent()), Safe)
    assert not isinstance(checked(wrong, folder, proved(TWINS, folder)), Accepted)


def test_that_no_more_threads_are_started_is_shown_by_products(folder: Path) -> None:
    """Labels of single threads hold for any number of them, and products for so many."""
    proof = proved(STARTS, folder)
    assert proof.alone is None or "starter" not in proof.alone.templates
    assert ("starter", 0) in [part.goal for part in proof.parts]
    rest = tuple(part for part in proof.parts if part.goal != ("starter", 0))
    found = checked(STARTS, folder, replace(proof, parts=rest))
    assert isinstance(found, Rejected)


def test_an_error_beside_is_found(folder: Path) -> None:
    task = Task(program_of(TWINS.replace("x == y", "x < y"), folder), PROP)
    assert isinstance(trace.check(task, Budget(None), Silent()), Unsafe)


TOGETHER = """
#include <pthread.h>
int a[8], k;
void *one(void *p) { if (k >= 0 && k < 8) a[k] = 1; return 0; }
void *two(void *p) { k = 9; return 0; }
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    a[k == 9] = 2;
    return 0;
}
"""


def test_what_another_thread_makes_go_wrong_is_not_shown_alone(folder: Path) -> None:
    """The thread by itself asks for the bound; between its question and the access the other one moves."""
    task = Task(program_of(TOGETHER, folder), PROP)
    assert not isinstance(trace.check(task, Budget(None), Silent()), Safe)
