"""A path that can be made, as a schedule: the reference machine is led along it, and says what it comes to.

Invariants: `Unsafe` only with a schedule that the reference machine has made, and that violates the property.
"""

from __future__ import annotations

from threadproof.abstraction.letter_guide import LetterGuide
from threadproof.abstraction.made_letters import made_letters
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.core.property import Property
from threadproof.core.result import Result, Stats, Unknown, Unsafe
from threadproof.encoding.encoded import NotEncoded
from threadproof.engines.trace.refinement import PossiblePath
from threadproof.ir.program import Program
from threadproof.semantics.guide import Astray
from threadproof.semantics.outcome import UndefinedBehaviour
from threadproof.semantics.violations import of_outcome, spurious_for


def followed(program: Program, prop: Property, product: ThreadProduct, found: PossiblePath, stats: Stats) -> Result:
    last = found.path.steps[-1]
    loc = last.letter.steps[found.what.step].instr.loc
    if isinstance(found.what.what, NotEncoded):
        return Unknown(f"unsupported: {found.what.what.reason} at {loc}", stats)
    letters = made_letters(product.encoder, found.model, found.path.steps, found.states, found.path.goal)
    guide = LetterGuide(program, spurious_for(prop, program), product.space)
    try:
        outcome = guide.lead([*letters])
    except Astray as astray:
        return Unknown(f"something may go wrong at {loc}, on a path that does not replay: {astray}", stats)
    if found.violates and outcome is not None and of_outcome(prop, outcome) is not None:
        return Unsafe(guide.schedule, stats)
    if isinstance(outcome, UndefinedBehaviour):
        return Unknown(f"undefined behaviour: {outcome.kind.value} at {outcome.loc}", stats, guide.schedule)
    ended = type(outcome).__name__
    return Unknown(f"something may go wrong at {loc}, on a path that does not replay: it ends with {ended}", stats)
