"""Which checker is for which proof. What a program's runs say about a proof is asked besides (`evidence/runs`)."""

from __future__ import annotations

from typing import assert_never

from threadproof.core.budget import Budget
from threadproof.core.memory_model import MemoryModel
from threadproof.core.proofs import (
    CompleteExploration,
    CompleteUnwinding,
    LabelledTree,
    LockOrderProof,
    Proof,
    RaceProof,
    ReducedProduct,
    ReducedProducts,
    SequentializedProof,
    ThreadModularProof,
)
from threadproof.core.property import Property
from threadproof.evidence.proofs.outcome import Accepted, NotChecked, ProofCheck, Rejected
from threadproof.evidence.proofs.race_coverage import missing_accesses
from threadproof.ir.program import Program

_ABOUT: dict[type[Proof], Property] = {RaceProof: Property.NO_DATA_RACE, LockOrderProof: Property.NO_DEADLOCK}
"""Of these kinds; the checkers of the others are told the property and the memory model."""


def check_proof(
    program: Program, prop: Property, proof: Proof, budget: Budget, model: MemoryModel = MemoryModel.SC
) -> ProofCheck:
    """`program` is what the engine was given: in normal form."""
    about = _ABOUT.get(type(proof))
    if about is not None and (prop, model) != (about, MemoryModel.SC):
        return NotChecked(f"'{proof.kind}' is about {about} under {MemoryModel.SC}, not {prop} under {model}")
    match proof:
        case CompleteExploration():
            return Rejected(f"something was cut: {proof.cut[0]}") if proof.cut else Accepted()
        case CompleteUnwinding() if proof.memory_model != model.value:
            return Rejected(f"it is about executions under {proof.memory_model}, not {model}")
        case CompleteUnwinding():
            return Accepted()  # the solver's word: docs/soundness.md
        case SequentializedProof():
            return check_proof(program, prop, proof.of, budget, model)
        case RaceProof():
            missing = missing_accesses(program, proof)
            return NotChecked(f"it leaves out {missing[0]}") if missing else Accepted()
        case LabelledTree():
            from threadproof.evidence.proofs.trees import check_tree  # loads formulas and z3

            return check_tree(program, prop, proof, budget, model)
        case ReducedProduct() | ReducedProducts():
            from threadproof.evidence.proofs.products import check_product

            return check_product(program, prop, proof, budget, model)
        case LockOrderProof():
            from threadproof.evidence.proofs.lock_order import check_lock_order

            return check_lock_order(program, proof)
        case ThreadModularProof():
            from threadproof.evidence.proofs.modular import check_modular

            return check_modular(program, prop, proof, budget, model)
        case _:
            assert_never(proof)
