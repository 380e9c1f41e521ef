"""Proofs, checked again: one checker for each kind of `core.proofs`, which knows no engine.

`check_proof` chooses by type. A kind without a checker is `NotChecked`, and so never `true`.
"""

from threadproof.evidence.proofs.check import check_proof
from threadproof.evidence.proofs.outcome import Accepted, NotChecked, NotCovered, ProofCheck, Rejected

__all__ = ["Accepted", "NotChecked", "NotCovered", "ProofCheck", "Rejected", "check_proof"]
