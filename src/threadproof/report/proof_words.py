"""What a `true` means, in a sentence or two for each kind of proof."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from threadproof.core.proofs import (
    CompleteExploration,
    CompleteUnwinding,
    Covered,
    LabelledTree,
    LockOrderProof,
    Proof,
    RaceProof,
    ReducedProduct,
    ReducedProducts,
    SequentializedProof,
    ThreadModularProof,
)

_CHECKED = "The proof was checked step by step with a second solver, and random runs were held against it."


def proof_words(proof: Proof) -> str:
    return " ".join(_sentences(proof))


def _sentences(proof: Proof) -> Iterator[str]:
    match proof:
        case CompleteExploration(covered=Covered.STATES):
            yield "Every state that the program can come to was visited, and in none is the property violated."
            yield "Every value of every choice was tried."
        case CompleteExploration():
            yield "Every execution was run, up to the order of steps that do not concern each other."
            yield "In none of them is the property violated."
        case CompleteUnwinding():
            yield "All executions together are one formula, in which loops are written out as often as they can run."
            yield "No assignment of values and no interleaving makes it true that something goes wrong."
        case SequentializedProof():
            yield "The threads were written as one sequential program, which behaves the same; this was proved of it."
            yield from _sentences(proof.of)
        case RaceProof():
            yield "Any two accesses to the same memory, one of them a write, are ordered or exclude each other."
            yield "The table says why, for each object; the claims were held against random runs."
        case LabelledTree():
            yield "The executions are a tree whose nodes say what holds; a branch ends where an older one says as much."
            yield "So what is said at a location holds whenever a thread is there."
            yield _CHECKED
        case ReducedProduct() | ReducedProducts():
            yield "Of executions that differ only in the order of steps that commute, one was kept."
            yield "A node is where all threads stand, with what holds there; in brackets is how the choice was made."
            yield "What is said at a location holds in the executions that are kept, whenever a thread is there."
            if isinstance(proof, ReducedProducts) and proof.alone is not None:
                yield "In the other threads nothing goes wrong whatever happens: labels of single threads show it."
            yield _CHECKED
        case ThreadModularProof():
            yield "What is said at a location holds whenever a thread is there, whatever others do, and however many."
            if proof.pairs:
                yield "Of two threads it is said as well what holds when both are somewhere, or that they never are."
            yield _CHECKED
        case LockOrderProof():
            yield "Locks are taken in an order without a circle, so threads cannot wait for each other for ever."
            yield "What is said at a location are the locks that a thread has there."
        case _:
            assert_never(proof)
