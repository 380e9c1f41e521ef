"""Letters that do not know some variables: reading one gives any value, writing one does nothing.

The program of such letters can do whatever the program can, if one does not look at those variables: a letter that
reads one of them finds the value that it has there among all values. So what is shown of that program holds of the
program; and letters that conflict only about variables that do not matter for a proof swap.

Paper: C. Telbisz, L. Bajczi, D. Szekeres, A. Vörös, Partial order reduction for abstraction-based verification of
concurrent software (the dependence of an abstraction is about the variables of its precision). Differs: the abstraction
is a program itself, so that reductions of programs, and their checkers, need no change.
"""

from __future__ import annotations

from threadproof.encoding.transitions.space import Space
from threadproof.encoding.transitions.transition import Input, Transition
from threadproof.smt.term import Term, variables


def unforgettable(space: Space) -> frozenset[Term]:
    """What others can ask of threads: facts that hold in every state speak of it."""
    found = {space.owner, *space.keys, *variables(space.facts())}
    for thread in space.threads.values():
        found.update(thread.all)
    return frozenset(found)


def forgetting(transition: Transition, forgotten: frozenset[Term], letter: str) -> Transition:
    """`letter` is a name that no other letter has."""
    terms = transition.terms
    read = sorted(transition.reads & forgotten, key=lambda one: one.id)
    if not read and forgotten.isdisjoint(transition.updates):
        return transition
    fresh = {one: terms.var(f"{one.name} of {letter}", one.sort) for one in read}
    made = transition.replaced_before(fresh)
    updates = {variable: value for variable, value in made.updates.items() if variable not in forgotten}
    inputs = (*made.inputs, *(Input(new, 0, f"anything for {one.name}") for one, new in fresh.items()))
    return Transition(terms, made.guard, updates, inputs, made.traps)
