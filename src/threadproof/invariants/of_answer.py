"""The invariants of a `true`: candidates from its proof, those kept that are proved again."""

from __future__ import annotations

from collections.abc import Sequence

from threadproof.automaton import CannotUnfold
from threadproof.core.errors import InputError
from threadproof.core.memory_model import MemoryModel
from threadproof.core.result import Answer
from threadproof.encoding.errors import CannotEncode
from threadproof.frontend import FrontendOptions
from threadproof.invariants.candidates import candidates
from threadproof.invariants.ghosts import with_ghosts
from threadproof.invariants.labels import labels_of
from threadproof.invariants.prove import proved_part
from threadproof.ir.layout import OutOfAddresses
from threadproof.portfolio import prepare
from threadproof.witness.model import CorrectnessWitness
from threadproof.witness.source_text import SourceTexts

FACTOR, MORE_S, MOST_S = 2.0, 10.0, 60.0
"""Time for the second proof: so many times what the first took, and some seconds; not more than this."""


def invariants_of(
    answer: Answer, files: Sequence[str], frontend: FrontendOptions, seconds: float | None = None
) -> CorrectnessWitness:
    """None, if the proof is not one by labels, or nothing of it was proved again in time."""
    if answer.proof is None or answer.memory_model is not MemoryModel.SC:
        return CorrectnessWitness()
    texts = SourceTexts(files)
    program = prepare(list(files), answer.property, frontend)
    try:
        found = candidates(labels_of(program, answer.property, answer.proof), texts)
    except (CannotEncode, CannotUnfold, OutOfAddresses, InputError, RecursionError):
        return CorrectnessWitness()  # a witness without invariants is one, too
    given = min(MOST_S, FACTOR * answer.wall_s + MORE_S) if seconds is None else seconds
    return proved_part(with_ghosts(found, texts), files, frontend, given)
