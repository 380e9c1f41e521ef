"""What is computed from transitions, held against steps that were made: wp, pre, sp, instances of a path, sequences."""

from __future__ import annotations

from random import Random

from threadproof.encoding.transitions import Transition, sequence
from threadproof.smt.evaluate import Assignment, zero
from threadproof.smt.meaning import ArrayValue, Value
from threadproof.smt.term import BOOL, Term
from threadproof.smt.terms import Terms

Known = dict[str, Value]


class WrongAlgebra(Exception):
    pass


class KnownState(Assignment):
    """Values of a state and inputs, which can be asked for by name as well."""

    def __init__(self, values: Known) -> None:
        super().__init__(values)
        self.values = values

    def get(self, variable: Term) -> Value:
        return self.values.get(variable.name, zero(variable.sort))


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


def check_one(transition: Transition, pre: KnownState, rng: Random) -> int:
    """`pre` has the values of state and inputs from which it can be done. How many questions were asked."""
    terms, asked = transition.terms, 1
    after: Known = {v.name: pre.value(new) for v, new in transition.updates.items()}
    post = KnownState({**pre.values, **after})
    about = {v for v in (*transition.writes, *transition.reads) if not isinstance(post.get(v), ArrayValue)}
    chosen = rng.sample(sorted(about, key=lambda v: v.name), min(2, len(about)))
    facts = [_is(terms, variable, post.get(variable)) for variable in chosen]
    for fact, then in zip(facts, transition.after(facts), strict=True):
        wrong = terms.not_(fact)
        _require("what holds afterwards", pre.holds(then))
        _require("wp of what comes true", pre.holds(transition.wp(fact)))
        _require("wp of what does not", not pre.holds(transition.wp(wrong)))
        _require("pre of what comes true", pre.holds(transition.pre(fact)))
        _require("pre of what does not", not pre.holds(transition.pre(wrong)))
        asked += 5
    asked += _strongest(transition, chosen, facts, pre, after)
    _on_a_path(transition, pre, after)
    return asked


def _strongest(transition: Transition, chosen: list[Term], facts: list[Term], pre: KnownState, after: Known) -> int:
    terms = transition.terms
    old = {v: terms.var(f"{v.name} before", v.sort) for v in transition.updates}
    state = KnownState({**pre.values, **after, **{f"{v.name} before": pre.get(v) for v in old}})
    anything = transition.sp(terms.true, old)
    _require("sp of true", state.holds(anything))
    asked = 1
    for variable, fact in zip(chosen, facts, strict=True):
        was = _is(terms, variable, pre.get(variable))
        _require("sp of what was true", state.holds(transition.sp(was, old)))
        _require("sp of what was not", not state.holds(transition.sp(terms.not_(was), old)))
        [wp] = terms.substitute([transition.wp(fact)], old)
        _require("sp implies what wp says comes true", state.holds(terms.implies(terms.and_(anything, wp), fact)))
        _require("wp, said of the state after it", state.holds(wp))
        asked += 4
    return asked


def _on_a_path(transition: Transition, pre: KnownState, after: Known) -> None:
    here = transition.instantiate(7, {})
    values = {
        **pre.values,
        **{here.after[v].name: after[v.name] for v in transition.updates},
        **{here.inputs[one.term].name: pre.get(one.term) for one in transition.inputs},
    }
    _require("at a place of a path", Assignment(values).holds(here.formula))


def check_two(first: Transition, pre: KnownState, second: Transition, between: KnownState) -> int:
    """One after the other; `between` has the state after the first, and inputs of the second."""
    after: Known = {v.name: pre.value(new) for v, new in first.updates.items()}
    middle = KnownState({**pre.values, **after})
    if not all(_same(middle.get(variable), between.get(variable)) for variable in second.reads):
        return 0  # what was arbitrary was chosen in between
    both = sequence(first, second)
    inputs = both.inputs[len(first.inputs) :]
    renamed = {new.term.name: between.get(one.term) for new, one in zip(inputs, second.inputs, strict=True)}
    start = KnownState({**pre.values, **renamed})
    _require("a sequence can be done", start.holds(both.guard))
    for variable, value in both.updates.items():
        wanted = between.value(second.updates[variable]) if variable in second.updates else after[variable.name]
        _require("the state after a sequence", _same(start.value(value), wanted))
    return 1 + len(both.updates)


def _same(a: Value, b: Value) -> bool:
    if isinstance(a, ArrayValue) and isinstance(b, ArrayValue):
        return a.same(b, 64)
    return isinstance(a, ArrayValue) == isinstance(b, ArrayValue) and (isinstance(a, ArrayValue) or a == b)
