"""Getting rid of variables in a conjunction: what is left follows from it, and speaks of the other variables alone.

A variable that an equation determines is replaced (also where it stands inside an addition and the like); an array
that was written to is replaced by the array afterwards, wherever that has the same element; of two inequations that
meet in the variable a third follows. What still speaks of it then is dropped, so the result may be weaker than the
projection. It never is stronger.

Paper: destructive equality resolution and inequality pairing as in Ultimate's PartialQuantifierElimination. Differs:
what cannot be solved is dropped, nothing is quantified.
Invariants: every formula of the result is implied by the conjunction given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from threadproof.smt.context import conjuncts
from threadproof.smt.term import BOOL, Op, Term, in_order, variables
from threadproof.smt.terms import Terms

_MOST_PAIRS = 16
_MOST_CASES = 2  # one inside the other


def without(terms: Terms, formulas: Iterable[Term], unwanted: Callable[[Term], bool]) -> list[Term]:
    """Consequences of the formulas in which no unwanted variable occurs."""
    return _without(terms, formulas, unwanted, _MOST_CASES)


def _without(terms: Terms, formulas: Iterable[Term], unwanted: Callable[[Term], bool], cases: int) -> list[Term]:
    known = _flat(terms, formulas)
    while True:
        found = _solved(terms, known, unwanted)
        if found is None:
            break
        variable, value = found
        known = _flat(terms, terms.substitute(known, {variable: value}))
    known = _without_stores(terms, known, unwanted)
    known += _paired(terms, known, unwanted)
    left = [one for one in dict.fromkeys(known) if not any(unwanted(v) for v in variables([one]))]
    choice = _choice(known, unwanted) if cases else None
    if choice is None:
        return left
    each = [
        _without(terms, [case, *terms.substitute(known, {choice: terms.bool(case is choice)})], unwanted, cases - 1)
        for case in (choice, terms.not_(choice))
    ]
    return _either(terms, left, *each)


# --- cases -----------------------------------------------------------------------------------------------------------


def _choice(formulas: Sequence[Term], unwanted: Callable[[Term], bool]) -> Term | None:
    """Of a formula that would be dropped: the condition of a choice in it, or one of its alternatives."""
    for formula in formulas:
        if any(unwanted(one) for one in variables([formula])):
            if formula.op is Op.OR:
                return formula.args[0]
            for part in in_order((formula,)):
                if part.op is Op.ITE:
                    return part.args[0]
    return None


def _either(terms: Terms, sure: list[Term], first: list[Term], second: list[Term]) -> list[Term]:
    """What follows in both cases."""
    if terms.false in first or terms.false in second:  # only one case can be
        return _flat(terms, [*sure, *(second if terms.false in first else first)])
    common = [one for one in first if one in second]
    rest = [terms.all(one for one in case if one not in common) for case in (first, second)]
    return _flat(terms, [*sure, *common, terms.or_(*rest)])


def _flat(terms: Terms, formulas: Iterable[Term]) -> list[Term]:
    parts = (part for formula in formulas for part in conjuncts(formula))
    return [part for part in dict.fromkeys(parts) if part is not terms.true]


# --- equations -------------------------------------------------------------------------------------------------------


def _solved(terms: Terms, formulas: Sequence[Term], unwanted: Callable[[Term], bool]) -> tuple[Term, Term] | None:
    """An unwanted variable, and what an equation says it is; rather without unwanted ones in it."""
    second: tuple[Term, Term] | None = None
    for formula in formulas:
        for variable, value in _solutions(terms, formula, unwanted):
            inside = variables([value])
            if variable in inside:
                continue
            if not any(unwanted(one) for one in inside):
                return variable, value
            second = second or (variable, value)
    return second


def _solutions(terms: Terms, formula: Term, unwanted: Callable[[Term], bool]) -> Iterable[tuple[Term, Term]]:
    if formula.op is Op.VAR and unwanted(formula):
        yield formula, terms.true
    elif formula.op is Op.NOT and formula.args[0].op is Op.VAR and unwanted(formula.args[0]):
        yield formula.args[0], terms.false
    elif formula.op is Op.EQ:
        left, right = formula.args
        yield from _isolated(terms, left, right, unwanted)
        yield from _isolated(terms, right, left, unwanted)


def _isolated(terms: Terms, term: Term, value: Term, unwanted: Callable[[Term], bool]) -> Iterable[tuple[Term, Term]]:
    """Of `term = value`: unwanted variables at the end of operations that can be undone."""
    work = [(term, value)]
    while work:
        term, value = work.pop()
        if term.op is Op.VAR:
            if unwanted(term):
                yield term, value
            continue
        args = term.args
        match term.op:
            case Op.ADD:
                work += [(args[0], terms.sub(value, args[1])), (args[1], terms.sub(value, args[0]))]
            case Op.SUB:
                work += [(args[0], terms.add(value, args[1])), (args[1], terms.sub(args[0], value))]
            case Op.BVXOR:
                work += [(args[n], terms.make(Op.BVXOR, (value, args[1 - n]))) for n in (0, 1)]
            case Op.BVNOT | Op.NEG:
                work.append((args[0], terms.make(term.op, (value,))))
            case Op.NOT:
                work.append((args[0], terms.not_(value)))
            case Op.ZEXT | Op.SEXT:
                work.append((args[0], terms.extract(value, args[0].width - 1, 0)))
            case Op.CONCAT:
                low = args[1].width
                work.append((args[0], terms.extract(value, term.width - 1, low)))
                work.append((args[1], terms.extract(value, low - 1, 0)))
            case Op.MUL if args[1].op is Op.VALUE and args[1].value % 2:
                inverse = pow(args[1].value, -1, 1 << term.width)
                work.append((args[0], terms.make(Op.MUL, (value, terms.bv(inverse, term.width)))))
            case Op.EQ if args[0].sort is BOOL:
                work += [(args[n], terms.eq(value, args[1 - n])) for n in (0, 1)]
            case _:
                pass


# --- arrays ----------------------------------------------------------------------------------------------------------


def _without_stores(terms: Terms, formulas: list[Term], unwanted: Callable[[Term], bool]) -> list[Term]:
    """With `new = store(old, i, v)`: new[i] is v, and what is known of old[j] holds of new[j], or j is i."""
    for formula in formulas:
        found = _stores(formula, unwanted)
        if found is None:
            continue
        new, old, written = found
        rest = [one for one in formulas if one is not formula]
        moved = [_moved(terms, one, old, new, [index for index, _ in written]) for one in rest]
        return _without_stores(terms, _flat(terms, [*moved, *_elements(terms, new, written)]), unwanted)
    return formulas


Written = list[tuple[Term, Term]]
"""Index and value, the last store first."""


def _stores(formula: Term, unwanted: Callable[[Term], bool]) -> tuple[Term, Term, Written] | None:
    """An array that is another one with something stored, where only the other is unwanted."""
    if formula.op is Op.EQ:
        for new, stored in (formula.args, formula.args[::-1]):
            written: Written = []
            while stored.op is Op.STORE:
                written.append((stored.args[1], stored.args[2]))
                stored = stored.args[0]
            if written and new.op is Op.VAR and not unwanted(new) and stored.op is Op.VAR and unwanted(stored):
                return new, stored, written
    return None


def _elements(terms: Terms, new: Term, written: Written) -> list[Term]:
    """What was stored is there, unless something was stored there later."""
    return [
        terms.or_(terms.eq(terms.select(new, index), value), *(terms.eq(index, later) for later, _ in written[:number]))
        for number, (index, value) in enumerate(written)
    ]


def _moved(terms: Terms, formula: Term, old: Term, new: Term, written: Sequence[Term]) -> Term:
    """What it says of `old` as something about `new`: weaker by the places where they may differ."""
    if old not in variables([formula]):
        return formula
    places = dict.fromkeys(select.args[1] for select in _selects(formula, old))
    replace = {terms.select(old, place): terms.select(new, place) for place in places}
    [moved] = terms.substitute([formula], replace)
    return terms.or_(moved, *(terms.eq(place, index) for place in places for index in written))


def _selects(formula: Term, array: Term) -> list[Term]:
    return [part for part in in_order((formula,)) if part.op is Op.SELECT and part.args[0] is array]


# --- inequations -----------------------------------------------------------------------------------------------------


def _paired(terms: Terms, formulas: Sequence[Term], unwanted: Callable[[Term], bool]) -> list[Term]:
    """a <= x and x < b give a < b."""
    below: dict[tuple[Op, Term], list[tuple[Term, bool]]] = {}
    above: dict[tuple[Op, Term], list[tuple[Term, bool]]] = {}
    for formula in formulas:
        bound = _bound(formula)
        if bound is not None:
            op, small, large, strict = bound
            if large.op is Op.VAR and unwanted(large):
                below.setdefault((op, large), []).append((small, strict))
            if small.op is Op.VAR and unwanted(small):
                above.setdefault((op, small), []).append((large, strict))
    found: list[Term] = []
    for key in [key for key in below if key in above]:
        for small, first in below[key][:_MOST_PAIRS]:
            for large, second in above[key][:_MOST_PAIRS]:
                less = terms.make(key[0], (small, large))
                found.append(less if first or second else terms.not_(terms.make(key[0], (large, small))))
    return found


def _bound(formula: Term) -> tuple[Op, Term, Term, bool] | None:
    """small < large (strict), or small <= large."""
    if formula.op in (Op.ULT, Op.SLT):
        return formula.op, formula.args[0], formula.args[1], True
    if formula.op is Op.NOT and formula.args[0].op in (Op.ULT, Op.SLT):
        inner = formula.args[0]
        return inner.op, inner.args[1], inner.args[0], False
    return None
