"""The door to bitwuzla.

It holds the interpreter while it solves and asks us now and then whether to stop: that is where time limits and
interrupts come in, and all the while no other thread of this process runs. It gives up on some equations between
arrays of which one is constant (FILL), and writes a warning, which is for us and not for people.
"""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

from threadproof.smt.backend import Cores, SolverVerdict, Translation, WrongSolver
from threadproof.smt.meaning import ArrayValue, Value
from threadproof.smt.term import BOOL, INT, Array, BitVec, Bool, Op, Sort, Term

_KINDS = {
    Op.NOT: "NOT", Op.AND: "AND", Op.OR: "OR", Op.EQ: "EQUAL", Op.ITE: "ITE",
    Op.BVNOT: "BV_NOT", Op.NEG: "BV_NEG", Op.ADD: "BV_ADD", Op.SUB: "BV_SUB", Op.MUL: "BV_MUL",
    Op.UDIV: "BV_UDIV", Op.SDIV: "BV_SDIV", Op.UREM: "BV_UREM", Op.SREM: "BV_SREM",
    Op.SHL: "BV_SHL", Op.LSHR: "BV_SHR", Op.ASHR: "BV_ASHR", Op.BVAND: "BV_AND", Op.BVOR: "BV_OR", Op.BVXOR: "BV_XOR",
    Op.ULT: "BV_ULT", Op.SLT: "BV_SLT", Op.CONCAT: "BV_CONCAT", Op.EXTRACT: "BV_EXTRACT",
    Op.ZEXT: "BV_ZERO_EXTEND", Op.SEXT: "BV_SIGN_EXTEND", Op.SELECT: "ARRAY_SELECT", Op.STORE: "ARRAY_STORE",
    Op.FP_ADD: "FP_ADD", Op.FP_SUB: "FP_SUB", Op.FP_MUL: "FP_MUL", Op.FP_DIV: "FP_DIV", Op.FP_SQRT: "FP_SQRT",
    Op.FP_ROUND: "FP_RTI", Op.FP_CAST: "FP_TO_FP_FROM_FP", Op.FP_FROM_SIGNED: "FP_TO_FP_FROM_SBV",
    Op.FP_FROM_UNSIGNED: "FP_TO_FP_FROM_UBV", Op.FP_TO_SIGNED: "FP_TO_SBV", Op.FP_TO_UNSIGNED: "FP_TO_UBV",
    Op.FP_LT: "FP_LT", Op.FP_LEQ: "FP_LEQ", Op.FP_EQ: "FP_EQUAL", Op.FP_NAN: "FP_IS_NAN",
}  # fmt: skip
_FLOATS = {32: [8, 24], 64: [11, 53]}


_MANAGERS: list[Any] = []
"""All there ever were: a term that the garbage collector meets after its manager would end the process."""


class TermsOfBitwuzla(Translation):
    """Our terms as bitwuzla's."""

    def __init__(self) -> None:
        super().__init__()
        self.bitwuzla: Any = importlib.import_module("bitwuzla")
        self.manager: Any = self.bitwuzla.TermManager()
        _MANAGERS.append(self.manager)
        self.kinds = {op: getattr(self.bitwuzla.Kind, name) for op, name in _KINDS.items()}
        self.has_constant_arrays = False

    def _sort(self, sort: Sort) -> Any:
        match sort:
            case BitVec(width):
                return self.manager.mk_bv_sort(width)
            case Array(index, element):
                return self.manager.mk_array_sort(self.manager.mk_bv_sort(index), self.manager.mk_bv_sort(element))
            case Bool():
                return self.manager.mk_bool_sort()
            case _:
                raise WrongSolver(f"bitwuzla knows no {'integers' if sort is INT else 'functions'} here: ask z3")

    def native(self, term: Term, args: list[Any]) -> Any:
        match term.op:
            case _ if term.sort is INT:
                return self._sort(term.sort)
            case Op.VAR:
                return self.manager.mk_const(self._sort(term.sort), term.name)
            case Op.TRUE:
                return self.manager.mk_true()
            case Op.FALSE:
                return self.manager.mk_false()
            case Op.VALUE:
                return self.manager.mk_bv_value(self._sort(term.sort), term.value)
            case Op.FILL:
                self.has_constant_arrays = True
                return self.manager.mk_const_array(self._sort(term.sort), args[0])
            case _ if term.op.startswith("fp."):
                return self._float(term, args)
            case _:
                return self.manager.mk_term(self.kinds[term.op], args, list(term.params))

    def _float(self, term: Term, args: list[Any]) -> Any:
        make, kind = self.manager.mk_term, self.kinds[term.op]
        floats = [self._to_fp(arg, of) for arg, of in zip(args, term.args, strict=True)]
        match term.op:
            case Op.FP_LT | Op.FP_LEQ | Op.FP_EQ | Op.FP_NAN:
                return make(kind, floats)
            case Op.FP_TO_SIGNED | Op.FP_TO_UNSIGNED:
                number = make(kind, [self._mode("RTZ"), floats[1]], list(term.params))
                return make(self.kinds[Op.ITE], [args[0], number, self.manager.mk_bv_zero(self._sort(term.sort))])
            case Op.FP_ROUND:
                result = make(kind, [self._mode(str(term.params[0])), floats[0]])
            case Op.FP_CAST | Op.FP_FROM_SIGNED | Op.FP_FROM_UNSIGNED:
                source = floats[0] if term.op is Op.FP_CAST else args[0]
                result = make(kind, [self._mode("RNE"), source], _FLOATS[term.args[1].width])
            case _:
                result = make(kind, [self._mode("RNE"), *floats[:-1]])
        return make(self.kinds[Op.EQ], [floats[-1], result])

    def _to_fp(self, native: Any, term: Term) -> Any:
        """A bit pattern as a number (others stay)."""
        size = _FLOATS.get(term.sort.width) if isinstance(term.sort, BitVec) else None
        return native if size is None else self.manager.mk_term(self.bitwuzla.Kind.FP_TO_FP_FROM_BV, [native], size)

    def _mode(self, name: str) -> Any:
        return self.manager.mk_rm_value(getattr(self.bitwuzla.RoundingMode, name))


@contextmanager
def _without_warnings() -> Generator[None]:
    """What is written to the second file of this process meanwhile is lost."""
    try:
        kept = os.dup(2)
    except OSError:  # there is none
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


class Watch:
    """Asked by bitwuzla whether to stop.

    What a signal handler raises meanwhile must not be lost in C++: it is kept, and raised again. Answers come from a
    generator, since such an exception strikes when Python code is entered, and only a generator is entered inside
    its `try`.
    """

    def __init__(self, seconds: float | None) -> None:
        self.end = None if seconds is None else time.monotonic() + seconds
        self.expired = False
        self.interrupt: BaseException | None = None

    def watched(self, solver: Any, assumptions: Sequence[Any], terms: TermsOfBitwuzla) -> Any:
        """What the solver says, until it is told to stop."""
        answers = self._answers()
        next(answers)
        solver.configure_terminator(answers.__next__)
        with _without_warnings() if terms.has_constant_arrays else nullcontext():
            result = solver.check_sat(*assumptions)
        if self.interrupt is not None:
            raise self.interrupt
        return result

    def _answers(self) -> Generator[bool]:
        while True:
            try:
                self.expired = self.end is not None and time.monotonic() > self.end
                yield self.expired or self.interrupt is not None
            except GeneratorExit:
                return
            except BaseException as interrupt:
                self.interrupt = interrupt


class Bitwuzla:
    def __init__(
        self, cores: Cores = Cores.NONE, megabytes: int | None = None, terms: TermsOfBitwuzla | None = None
    ) -> None:
        """Solvers over the same `terms` share their translation."""
        self._terms = TermsOfBitwuzla() if terms is None else terms  # an empty one is false
        self._cores = cores
        self._megabytes = megabytes
        self._assumed: Sequence[Term] = ()
        bitwuzla = self._terms.bitwuzla
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        options.set(bitwuzla.Option.PRODUCE_UNSAT_ASSUMPTIONS, cores is Cores.WANTED)
        if megabytes is not None:
            options.set(bitwuzla.Option.MEMORY_LIMIT, megabytes)
        self._solver: Any = bitwuzla.Bitwuzla(self._terms.manager, options)

    def add(self, formula: Term) -> None:
        self._solver.assert_formula(self._terms.translate(formula))

    def push(self) -> None:
        self._solver.push(1)

    def pop(self) -> None:
        self._solver.pop(1)

    def check(self, assumptions: Sequence[Term], seconds: float | None) -> SolverVerdict:
        self._assumed = assumptions
        native = [self._terms.translate(formula) for formula in assumptions]
        watch = Watch(seconds)
        result = watch.watched(self._solver, native, self._terms)
        results = self._terms.bitwuzla.Result
        if result == results.SAT:
            return SolverVerdict.SAT
        if result == results.UNSAT:
            return SolverVerdict.UNSAT
        if watch.expired:
            return SolverVerdict.OUT_OF_TIME
        return SolverVerdict.GAVE_UP if self._megabytes is None else SolverVerdict.OUT_OF_MEMORY

    def values(self, variables: Sequence[Term]) -> dict[str, Value]:
        return {v.name: self._value(v.sort, self._solver.get_value(self._terms.translate(v))) for v in variables}

    def _value(self, sort: Sort, native: Any) -> Value:
        if sort is BOOL:
            return int(native.value())
        return self._array(native) if isinstance(sort, Array) else _number(native)

    def _array(self, native: Any) -> ArrayValue:
        """Stores into a constant array, the last one outside."""
        entries: dict[int, int] = {}
        while native.kind() == self._terms.kinds[Op.STORE]:
            native, index, value = native.children()
            entries.setdefault(_number(index), _number(value))
        return ArrayValue(_number(native.children()[0]), entries)

    def core(self) -> list[Term]:
        if self._cores is Cores.NONE:
            return list(self._assumed)
        return [a for a in self._assumed if self._solver.is_unsat_assumption(self._terms.translate(a))]


def _number(native: Any) -> int:
    return int(native.value(10))
