"""The door to z3. Slower to build for than bitwuzla and on bit-vectors slower to answer: the second opinion."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from threadproof.core.errors import InternalError
from threadproof.smt.backend import Cores, SolverVerdict, Translation
from threadproof.smt.meaning import ArrayValue, FunctionValue, Value
from threadproof.smt.term import BOOL, Array, BitVec, Bool, FunctionSort, Op, Sort, Term

_BINARY: dict[Op, Callable[[Any, Any], Any]] = {
    Op.EQ: lambda a, b: a == b, Op.ADD: lambda a, b: a + b, Op.SUB: lambda a, b: a - b, Op.MUL: lambda a, b: a * b,
    Op.SDIV: lambda a, b: a / b, Op.SHL: lambda a, b: a << b, Op.ASHR: lambda a, b: a >> b,
    Op.INT_ADD: lambda a, b: a + b, Op.INT_SUB: lambda a, b: a - b, Op.INT_MUL: lambda a, b: a * b,
    Op.INT_DIV: lambda a, b: a / b, Op.INT_MOD: lambda a, b: a % b, Op.INT_LT: lambda a, b: a < b,
    Op.BVAND: lambda a, b: a & b, Op.BVOR: lambda a, b: a | b, Op.BVXOR: lambda a, b: a ^ b, Op.SLT: lambda a, b: a < b,
}  # fmt: skip
_NAMED = {
    Op.NOT: "Not", Op.AND: "And", Op.OR: "Or", Op.ITE: "If", Op.UDIV: "UDiv", Op.UREM: "URem", Op.SREM: "SRem",
    Op.LSHR: "LShR", Op.ULT: "ULT", Op.CONCAT: "Concat", Op.SELECT: "Select", Op.STORE: "Store",
    Op.FP_ADD: "fpAdd", Op.FP_SUB: "fpSub", Op.FP_MUL: "fpMul", Op.FP_DIV: "fpDiv", Op.FP_SQRT: "fpSqrt",
    Op.FP_ROUND: "fpRoundToIntegral", Op.FP_CAST: "fpFPToFP", Op.FP_FROM_SIGNED: "fpSignedToFP",
    Op.FP_FROM_UNSIGNED: "fpUnsignedToFP", Op.FP_TO_SIGNED: "fpToSBV", Op.FP_TO_UNSIGNED: "fpToUBV",
    Op.FP_LT: "fpLT", Op.FP_LEQ: "fpLEQ", Op.FP_EQ: "fpEQ", Op.FP_NAN: "fpIsNaN",
}  # fmt: skip
_FOREVER = 2**32 - 1  # z3's word for no limit


class TermsOfZ3(Translation):
    """Our terms as z3's, in a context of their own.

    That is some megabytes, so nothing here refers to itself: it is gone as soon as nobody uses it."""

    def __init__(self) -> None:
        super().__init__()
        self.z3: Any = importlib.import_module("z3")
        self.context: Any = self.z3.Context()

    def _sort(self, sort: Sort) -> Any:
        z3, context = self.z3, self.context
        match sort:
            case BitVec(width):
                return z3.BitVecSort(width, context)
            case Array(index, element):
                return z3.ArraySort(z3.BitVecSort(index, context), z3.BitVecSort(element, context))
            case Bool():
                return z3.BoolSort(context)
            case FunctionSort():
                raise InternalError("a function is no sort of z3's")
            case _:
                return z3.IntSort(context)

    def native(self, term: Term, args: list[Any]) -> Any:
        z3, sort = self.z3, term.sort
        match term.op:
            case Op.VAR if isinstance(sort, FunctionSort):
                return z3.Function(term.name, *map(self._sort, (*sort.arguments, sort.result)))
            case Op.APPLY:
                return args[0](*args[1:])
            case Op.INTEGER:
                return z3.IntVal(term.value, self.context)
            case Op.UBV_TO_INT | Op.SBV_TO_INT:
                return z3.BV2Int(args[0], is_signed=term.op is Op.SBV_TO_INT)
            case Op.INT_TO_BV:
                return z3.Int2BV(args[0], term.width)
            case Op.VAR:
                return z3.Const(term.name, self._sort(sort))
            case Op.TRUE | Op.FALSE:
                return z3.BoolVal(term.op is Op.TRUE, self.context)
            case Op.VALUE:
                return z3.BitVecVal(term.value, term.width, self.context)
            case Op.BVNOT:
                return ~args[0]
            case Op.NEG:
                return -args[0]
            case Op.EXTRACT:
                return z3.Extract(*term.params, args[0])
            case Op.ZEXT | Op.SEXT:
                return (z3.ZeroExt if term.op is Op.ZEXT else z3.SignExt)(term.params[0], args[0])
            case Op.FILL:
                assert isinstance(sort, Array)
                return z3.K(z3.BitVecSort(sort.index, self.context), args[0])
            case _ if term.op.startswith("fp."):
                return self._float(term, args)
            case _ if term.op in _BINARY:
                return _BINARY[term.op](*args)
            case _:
                return getattr(z3, _NAMED[term.op])(*args)

    def _float(self, term: Term, args: list[Any]) -> Any:
        z3, function = self.z3, partial(getattr(self.z3, _NAMED[term.op]), ctx=self.context)
        floats = [self._to_fp(arg, of) for arg, of in zip(args, term.args, strict=True)]
        nearest = z3.RNE(self.context)
        match term.op:
            case Op.FP_LT | Op.FP_LEQ | Op.FP_EQ | Op.FP_NAN:
                return function(*floats)
            case Op.FP_TO_SIGNED | Op.FP_TO_UNSIGNED:
                number = function(z3.RTZ(self.context), floats[1], self._sort(term.sort))
                return z3.If(args[0], number, z3.BitVecVal(0, term.width, self.context))
            case Op.FP_ROUND:
                return floats[1] == function(getattr(z3, str(term.params[0]))(self.context), floats[0])
            case Op.FP_CAST | Op.FP_FROM_SIGNED | Op.FP_FROM_UNSIGNED:
                source = floats[0] if term.op is Op.FP_CAST else args[0]
                return floats[1] == function(nearest, source, floats[1].sort())
            case _:
                return floats[-1] == function(nearest, *floats[:-1])

    def _to_fp(self, native: Any, term: Term) -> Any:
        """A bit pattern as a number (others stay)."""
        if not isinstance(term.sort, BitVec) or term.sort.width not in (32, 64):
            return native
        size = (8, 24) if term.sort.width == 32 else (11, 53)
        return self.z3.fpBVToFP(native, self.z3.FPSort(*size, self.context), self.context)


class Z3:
    def __init__(self, cores: Cores = Cores.NONE, megabytes: int | None = None, terms: TermsOfZ3 | None = None) -> None:
        """Cores come for free: `cores` changes nothing. Solvers over the same `terms` share their translation."""
        shared = TermsOfZ3() if terms is None else terms  # an empty one is false
        self._z3, self._context, self._translate = shared.z3, shared.context, shared.translate
        self._solver: Any = self._z3.Solver(ctx=self._context)
        if megabytes is not None:
            self._solver.set("max_memory", megabytes)
        self._model: Any = None
        self._core: list[Term] = []
        self._exhausted = False

    def add(self, formula: Term) -> None:
        self._solver.add(self._translate(formula))

    def push(self) -> None:
        self._solver.push()

    def pop(self) -> None:
        self._solver.pop()

    def check(self, assumptions: Sequence[Term], seconds: float | None) -> SolverVerdict:
        self._solver.set("timeout", _FOREVER if seconds is None else max(1, math.ceil(seconds * 1000)))
        try:
            return SolverVerdict.OUT_OF_MEMORY if self._exhausted else self._check(assumptions)
        except self._z3.Z3Exception as error:
            if "memory" not in str(error):
                raise
            self._exhausted = True  # and who knows in what state
            return SolverVerdict.OUT_OF_MEMORY

    def _check(self, assumptions: Sequence[Term]) -> SolverVerdict:
        """z3 takes literals only for assumptions: each gets one that implies it."""
        literals = {f"assumed!{formula.id}": formula for formula in assumptions}
        native = [self._z3.Bool(name, self._context) for name in literals]
        self._solver.push()
        for literal, formula in zip(native, literals.values(), strict=True):
            self._solver.add(self._z3.Implies(literal, self._translate(formula)))
        verdict = self._answer(self._solver.check(*native), literals)
        self._solver.pop()
        return verdict

    def _answer(self, result: Any, literals: dict[str, Term]) -> SolverVerdict:
        if result == self._z3.sat:
            self._model = self._solver.model()
            return SolverVerdict.SAT
        if result == self._z3.unsat:
            self._core = [literals[str(literal)] for literal in self._solver.unsat_core()]
            return SolverVerdict.UNSAT
        reason = str(self._solver.reason_unknown())
        if "interrupted" in reason:
            raise KeyboardInterrupt
        if "memory" in reason:
            return SolverVerdict.OUT_OF_MEMORY
        return SolverVerdict.OUT_OF_TIME if reason in ("timeout", "canceled") else SolverVerdict.GAVE_UP

    def core(self) -> list[Term]:
        return self._core

    # --- values -----------------------------------------------------------------------------------------------------

    def values(self, variables: Sequence[Term]) -> dict[str, Value]:
        return {v.name: self._value_of(v) for v in variables}

    def _value_of(self, variable: Term) -> Value:
        native, sort = self._translate(variable), variable.sort
        if isinstance(sort, FunctionSort):
            return self._function(self._model[native], sort)
        return self._value(sort, self._model.eval(native, model_completion=True))

    def _function(self, native: Any, sort: FunctionSort) -> FunctionValue:
        if native is None:  # it does not matter
            return FunctionValue(0, {})
        *entries, default = native.as_list()
        read = [[self._number(part) for part in entry] for entry in entries]
        return FunctionValue(self._number(default), {tuple(arguments): value for *arguments, value in read})

    def _number(self, native: Any) -> int:
        """Of a scalar that is a constant."""
        native = self._model.eval(native, model_completion=True)
        return int(self._z3.is_true(native)) if self._z3.is_bool(native) else int(native.as_long())

    def _value(self, sort: Sort, native: Any) -> Value:
        if sort is BOOL:
            return int(self._z3.is_true(native))
        return self._array(native) if isinstance(sort, Array) else int(native.as_long())

    def _array(self, native: Any) -> ArrayValue:
        """Stores into a constant array, the last one outside."""
        entries: dict[int, int] = {}
        while self._z3.is_store(native):
            native, index, value = native.children()
            entries.setdefault(index.as_long(), value.as_long())
        if not self._z3.is_K(native):
            raise InternalError(f"z3 gives an array that cannot be read: {native}")
        return ArrayValue(native.arg(0).as_long(), entries)
