"""Linear equations after a letter, without models: a solver needs one model for each equation that is lost.

Paper: M. Müller-Olm, H. Seidl, Analysis of modular arithmetic, TOPLAS 2007 (transfer of affine assignments).
Differs: only where every new value is a sum, or nothing that equations could speak of. A choice inside of a sum is left
to models, which see more.
Invariants: each equation given back holds after the letter wherever the source's hold before, and the target's may.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from threadproof.domains.affine import Affine
from threadproof.domains.equations import Equations
from threadproof.encoding.transitions import Transition
from threadproof.smt.term import Op, Term

_CHOICES = 3


@dataclass(frozen=True, slots=True)
class LinearStep:
    """Equations of a target after a letter."""

    equations: tuple[Equations, ...]
    seen: tuple[bool, ...]  # of which it is known that they hold then; the others are as they were

    def proved(self) -> Iterator[Term]:
        for one, known in zip(self.equations, self.seen, strict=True):
            yield from one.to_terms() if known else ()


def equations_after(source: tuple[Equations, ...], transition: Transition, target: tuple[Equations, ...]) -> LinearStep:
    """The target's, joined with what the letter makes of the source's; as they were where that is not seen here."""
    by_width = {one.width: one for one in source}
    found = [_after(by_width.get(one.width), transition, one) for one in target]
    joined = tuple(old if new is None else new for old, new in zip(target, found, strict=True))
    return LinearStep(joined, tuple(one is not None for one in found))


def _after(source: Equations | None, transition: Transition, target: Equations) -> Equations | None:
    """None: it is not seen here."""
    inputs = (one.term for one in transition.inputs if one.term.sort == target.columns[0].sort)
    columns = tuple(dict.fromkeys((*(source.columns if source else ()), *target.columns, *inputs)))
    sums = Affine({column: index for index, column in enumerate(columns)}, target.width)
    written = [transition.updates[one] for one in target.columns if one in transition.updates]
    ways = [way for one in written for way in (one.args[1:] if one.op is Op.ITE else (one,))]
    if sum(one.op is Op.ITE for one in written) > _CHOICES or not all(_is_seen(sums, one) for one in ways):
        return None
    known = Equations(target.terms, columns) if source is None else source.onto(columns)
    after = known.assume(transition.guard).assign(transition.updates).onto(target.columns)
    return target if after.is_bottom else target.join(after)


def _is_seen(sums: Affine, value: Term) -> bool:
    """Of a variable that is no column nothing is said."""
    return value.op is Op.VAR or sums.of(value) is not None
