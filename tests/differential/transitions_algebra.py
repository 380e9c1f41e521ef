"""What is computed from transitions, held against steps that were made: wp, pre, sp, instances of a path, sequences."""

from __future__ import annotations

from random import Random

from threadproof.encoding.transitions import Transition, sequence
from threadproof.smt.evaluate import Assignment
from threadproof.smt.meaning import ArrayValue, Value
from threadproof.smt.term import BOOL, Term
from threadproof.smt.terms import Terms

Known = dict[str, Value]


class WrongAlgebra(Exception):
    pass


def _require(what: str, truth: bool) -> None:
    if not truth:
        raise WrongAlgebra(what)


def _is(terms: Terms, variable: Term, value: Value) -> Term:
    """The variable has this value."""
    if isinstance(value, ArrayValue):
        return terms.true
    if variable.sort is BOOL:
        return variable if value else terms.not_(variable)
    return terms.eq(variable, terms.bv(value, variable.width))


def check_one(transition: Transition, before: Known, rng: Random) -> None:
    """`before` has the values of state and inputs from which it can be done."""
    terms, pre = transition.terms, Assignment(before)
    after: Known = {v.name: pre.value(new) for v, new in transition.updates.items()}
    post = Assignment({**before, **after})
    about = [v for v in (*transition.writes, *transition.reads) if not isinstance(post.value(v), ArrayValue)]
    for variable in rng.sample(sorted(about, key=lambda v: v.name), min(2, len(about))):
        fact = _is(terms, variable, post.value(variable))
        wrong = terms.not_(fact)
        _require("wp of what comes true", pre.holds(transition.wp(fact)))
        _require("wp of what does not", not pre.holds(transition.wp(wrong)))
        _require("pre of what comes true", pre.holds(transition.pre(fact)))
        _require("pre of what does not", not pre.holds(transition.pre(wrong)))
        _strongest(transition, variable, before, after)
    _on_a_path(transition, before, after)


def _strongest(transition: Transition, variable: Term, before: Known, after: Known) -> None:
    terms = transition.terms
    old = {v: terms.var(f"{v.name} before", v.sort) for v in transition.updates}
    values = {**before, **after, **{f"{v.name} before": before.get(v.name, 0) for v in old}}
    values = {name: value for name, value in values.items() if not (value == 0 and name.endswith("[] before"))}
    state = Assignment(values)
    fact = _is(terms, variable, Assignment(before).value(variable))
    _require("sp of what was true", state.holds(transition.sp(fact, old)))
    if fact is not terms.true:
        _require("sp of what was not", not state.holds(transition.sp(terms.not_(fact), old)))
    if transition.inputs or not after:
        return
    fact = _is(terms, variable, state.value(variable))  # sp is the strongest: it implies what wp says comes true
    wp = terms.substitute([transition.wp(fact)], old)[0]
    _require("wp and sp", state.holds(terms.implies(transition.sp(terms.true, old), terms.implies(wp, fact))))


def _on_a_path(transition: Transition, before: Known, after: Known) -> None:
    here = transition.instantiate(7, {})
    values = {
        **before,
        **{here.after[v].name: after[v.name] for v in transition.updates},
        **{here.inputs[one.term].name: before.get(one.term.name, 0) for one in transition.inputs},
    }
    _require("at a place of a path", Assignment(_without_empty(values)).holds(here.formula))


def _without_empty(values: Known) -> Known:
    return {name: value for name, value in values.items() if not (value == 0 and "[]" in name)}


def check_two(first: Transition, before: Known, second: Transition, between: Known) -> None:
    """One after the other; `between` has the state after the first, and inputs of the second."""
    pre = Assignment(before)
    after: Known = {v.name: pre.value(new) for v, new in first.updates.items()}
    middle = {**before, **after}
    for variable in second.reads:
        if not _same(middle.get(variable.name, 0), between.get(variable.name, 0)):
            return  # what was arbitrary was chosen in between
    both = sequence(first, second)
    inputs = both.inputs[len(first.inputs) :]
    renamed = {new.term.name: between.get(one.term.name, 0) for new, one in zip(inputs, second.inputs, strict=True)}
    start = Assignment(_without_empty({**before, **renamed}))
    _require("a sequence can be done", start.holds(both.guard))
    last = Assignment(between)
    for variable, value in both.updates.items():
        wanted = last.value(second.updates[variable]) if variable in second.updates else after[variable.name]
        _require("the state after a sequence", _same(start.value(value), wanted))


def _same(a: Value, b: Value) -> bool:
    if isinstance(a, ArrayValue) and isinstance(b, ArrayValue):
        return a.same(b, 64)
    return isinstance(a, ArrayValue) == isinstance(b, ArrayValue) and (isinstance(a, ArrayValue) or a == b)
