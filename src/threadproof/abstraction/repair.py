"""A state in which formulas hold, by mending one in which they nearly do: most formulas that can hold need no solver.

One formula that fails is made true by giving a value to a variable in it, found by undoing operations from the outside
in; then the next. What comes out is evaluated before it is given out, so a bad repair costs time only.

Paper: B. Selman, H. Kautz, B. Cohen, Noise strategies for improving local search, AAAI 1994; A. Niemetz, M. Preiner,
A. Biere, Propagation-based local search for bit-vectors, FMSD 2017. Differs: a few steps, no randomness but the state
to begin with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from threadproof.smt.evaluate import Assignment, zero
from threadproof.smt.meaning import ArrayValue, Value, apply, to_signed
from threadproof.smt.term import BOOL, Op, Term, in_order

_REPAIRS = 8
_SETS = 12  # values that are given


def repaired(
    formulas: Sequence[Term], values: Mapping[str, Value], known: Callable[[Term], Value] | None = None
) -> dict[str, Value] | None:
    """Values with which all formulas hold, if a few repairs of the given ones suffice. `known` says what terms are with
    those, if somebody knows already."""
    state = _State(formulas, dict(values), known or Assignment(values).value)
    for turn in range(_REPAIRS):
        failing = next((formula for formula in formulas if not state.holds(formula)), None)
        if failing is None:
            return state.values
        if not state.make(failing, True, turn):
            return None
    return state.values if all(state.holds(formula) for formula in formulas) else None


class _State:
    """What does not depend on a variable that was given a value is as it was at first."""

    def __init__(self, formulas: Sequence[Term], values: dict[str, Value], first: Callable[[Term], Value]) -> None:
        self.values = values
        self._formulas = formulas
        self._first = first
        self._sets = 0
        self._parts: list[Term] = []
        self._depend: dict[Term, set[Term]] = {}  # on variables that were given a value
        self._changed: set[Term] = set()
        self._now: dict[Term, Value] = {}  # of what has changed, as far as anybody asked

    def holds(self, formula: Term) -> bool:
        return self.value(formula) == 1

    def value(self, term: Term) -> Value:
        if term not in self._changed:
            return self._first(term)
        found = self._now.get(term)
        if found is None:
            for part in self._unknown(term):
                args = [self._now[arg] if arg in self._changed else self._first(arg) for arg in part.args]
                self._now[part] = apply(part, args)
            found = self._now[term]
        return found

    def _unknown(self, term: Term) -> list[Term]:
        """What has changed, operands first."""
        found, work = set[Term](), [term]
        while work:
            part = work.pop()
            if part in self._changed and part not in self._now and part not in found:
                found.add(part)
                work.extend(part.args)
        return sorted(found, key=lambda part: part.id)

    def _set(self, variable: Term, value: Value) -> bool:
        self._sets += 1
        if self._sets > _SETS:
            return False
        depend = self._depend.get(variable)
        if depend is None:
            depend = self._depend[variable] = self._depending(variable)
            self._changed |= depend
        for part in depend:
            self._now.pop(part, None)
        self.values[variable.name] = self._now[variable] = value
        return True

    def _depending(self, variable: Term) -> set[Term]:
        if not self._parts:
            self._parts = in_order(self._formulas)
        found = {variable}
        for part in self._parts:
            if not found.isdisjoint(part.args):
                found.add(part)
        return found

    # --- Booleans ----------------------------------------------------------------------------------------------------

    def make(self, formula: Term, wanted: bool, turn: int) -> bool:
        """Gives values so that the formula has the truth that is wanted, as far as that can be seen from it."""
        args = formula.args
        match formula.op:
            case Op.VAR:
                return self._set(formula, int(wanted))
            case Op.NOT:
                return self.make(args[0], not wanted, turn)
            case Op.AND | Op.OR:
                if (formula.op is Op.AND) == wanted:
                    return all(self.make(arg, wanted, turn) for arg in args if self.holds(arg) != wanted)
                return self.make(args[turn % len(args)], wanted, turn)
            case Op.ITE:
                return self.make(args[1] if self.holds(args[0]) else args[2], wanted, turn)
            case Op.EQ if args[0].sort is BOOL:
                return self.make(args[0], self.holds(args[1]) == wanted, turn)
            case Op.EQ | Op.ULT | Op.SLT:
                return self._compare(formula, wanted, turn)
            case _:
                return False

    def _compare(self, formula: Term, wanted: bool, turn: int) -> bool:
        """One side gets a value that fits the other's."""
        left, right = self.value(formula.args[0]), self.value(formula.args[1])
        if not isinstance(left, int) or not isinstance(right, int):
            return False
        a, b = formula.args
        if formula.op is Op.EQ:
            goals = [(a, right), (b, left)] if wanted else [(a, right + 1), (b, left + 1)]
        else:  # what is not smaller becomes equal
            goals = [(a, right - 1), (b, left + 1)] if wanted else [(a, right), (b, left)]
        if turn % 2:
            goals.reverse()
        return any(self.number(term, value & ((1 << term.width) - 1)) for term, value in goals)

    # --- numbers -----------------------------------------------------------------------------------------------------

    def number(self, term: Term, value: int) -> bool:
        """Gives a variable in the term a value so that the term has this one."""
        args, mask = term.args, (1 << term.width) - 1
        match term.op:
            case Op.VAR:
                return self._set(term, value & mask)
            case Op.ADD:
                return self._either(term, [value - self._value(args[1]), value - self._value(args[0])])
            case Op.SUB:
                return self._either(term, [value + self._value(args[1]), self._value(args[0]) - value])
            case Op.BVXOR:
                return self._either(term, [value ^ self._value(args[1]), value ^ self._value(args[0])])
            case Op.NEG | Op.BVNOT:
                return self.number(args[0], (-value if term.op is Op.NEG else ~value) & mask)
            case Op.ZEXT | Op.SEXT:
                inner = value & ((1 << args[0].width) - 1)
                same = inner if term.op is Op.ZEXT else to_signed(inner, args[0].width) & mask
                return same == value and self.number(args[0], inner)
            case Op.CONCAT:
                low = args[1].width
                return self.number(args[0], value >> low) and self.number(args[1], value & ((1 << low) - 1))
            case Op.EXTRACT:
                low = int(term.params[1])
                rest = self._value(args[0]) & ~(mask << low)
                return self.number(args[0], rest | value << low)
            case Op.ITE:
                return self.number(args[1] if self.holds(args[0]) else args[2], value)
            case Op.SELECT if args[0].op is Op.VAR:
                return self._element(args[0], self._value(args[1]), value)
            case _:
                return False

    def _either(self, term: Term, goals: Sequence[int]) -> bool:
        mask = (1 << term.width) - 1
        return any(self.number(arg, goal & mask) for arg, goal in zip(term.args, goals, strict=True))

    def _element(self, array: Term, index: int, value: int) -> bool:
        now = self.values.get(array.name, zero(array.sort))
        return isinstance(now, ArrayValue) and self._set(array, now.with_entry(index, value))

    def _value(self, term: Term) -> int:
        value = self.value(term)
        assert isinstance(value, int), term
        return value
