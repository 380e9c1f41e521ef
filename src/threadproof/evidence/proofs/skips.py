"""Letters that a reduction leaves out of a labelled tree, and why that loses no error.

Paper: B. Wachter, D. Kroening, J. Ouaknine, Verifying multi-threaded software with Impact, FMCAD 2013, proposition 4.6
and section IV-D. Differs: single letters are left out, and swapping is asked in one direction, under the parent's
label.

A letter b may be left out at a node that a letter a leads to, if a's thread comes after b's in a fixed order, b's
thread was there before a, and what a;b can do from the parent's label, b;a can do as well. The same must hold at every
node that the node covers, with the letters that lead there. Why: of all executions that end in an error, take one of
the shortest, and of those one with the fewest pairs of letters whose threads are in the wrong order. Walk it in the
tree, going from covered nodes to their coverers; labels hold on the way. Where the next letter b is left out, its
error may happen before a as well, on a shorter execution, or swapping a and b gives an execution of the same length
with one pair fewer. Both are against the choice; so the walk goes on to the error, which no label allows. For a state
with a race or a deadlock in the place of the error the same holds, since swapping leads to the same state.
"""

from __future__ import annotations

from collections.abc import Sequence

from threadproof.encoding.transitions import Transition, TransitionTrap
from threadproof.encoding.transitions.transition import sequence
from threadproof.smt.term import Term


def apart(a: Transition, b: Transition) -> bool:
    """Neither writes what the other reads or writes; guards and traps read, too."""
    return a.writes.isdisjoint(b.reads | b.writes) and b.writes.isdisjoint(a.reads)


def cannot_swap(
    a: Transition, b: Transition, traps: Sequence[TransitionTrap], ahead: Sequence[TransitionTrap] = ()
) -> Term:
    """Over states before both: `a;b` can do what `b;a` cannot. `traps` are those of `b` that matter: behind `a`, they
    must happen at once as well, or else one of `ahead` (of `a`) must happen behind `b`."""
    terms = a.terms
    one, other = sequence(a, b), sequence(b, a)
    same = (
        terms.eq(one.updates.get(variable, variable), other.updates.get(variable, variable))
        for variable in dict.fromkeys((*one.updates, *other.updates))
    )
    lost = terms.and_(one.guard, terms.not_(terms.all((other.guard, *same))))
    at_once = terms.any(trap.condition for trap in traps)
    behind = a.pre(at_once)
    shown = terms.or_(at_once, b.pre(terms.any(trap.condition for trap in ahead)))
    return terms.or_(lost, terms.and_(behind, terms.not_(shown)))
