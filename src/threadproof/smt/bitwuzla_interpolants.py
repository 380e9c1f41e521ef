"""Interpolants as bitwuzla proposes them, and its terms as ours again.

The time limit holds for the proof; making interpolants of it cannot be stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from threadproof.smt.bitwuzla_backend import TermsOfBitwuzla, Watch
from threadproof.smt.term import Term, variables
from threadproof.smt.terms import Terms


class _Foreign(Exception):
    """Something that is no term of ours."""


class BitwuzlaInterpolants:
    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._native = TermsOfBitwuzla()
        self._ops = {kind: op for op, kind in self._native.kinds.items()}

    def propose(self, formulas: Sequence[Term], seconds: float | None) -> list[Term] | None:
        bitwuzla = self._native.bitwuzla
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_INTERPOLANTS, True)
        solver = bitwuzla.Bitwuzla(self._native.manager, options)
        native = [self._native.translate(formula) for formula in formulas]
        solver.assert_formula(*native)
        if Watch(seconds).watched(solver, (), self._native) != bitwuzla.Result.UNSAT:
            return None
        try:
            proposed = solver.get_interpolants([[formula] for formula in native[:-1]])
            return self._back(proposed, {variable.name: variable for variable in variables(formulas)})
        except (bitwuzla.BitwuzlaException, _Foreign):  # arrays and floats only work in part
            return None

    def _back(self, roots: Sequence[Any], ours: dict[str, Term]) -> list[Term]:
        """bitwuzla's terms as ours. Not recursive, and each once."""
        done: dict[int, Term] = {}
        work = list(roots)
        while work:
            native = work[-1]
            missing = [child for child in native.children() if child.id() not in done]
            if native.id() not in done and missing:
                work.extend(missing)
                continue
            work.pop()
            if native.id() not in done:
                done[native.id()] = self._term(native, [done[child.id()] for child in native.children()], ours)
        return [done[root.id()] for root in roots]

    def _term(self, native: Any, args: list[Term], ours: dict[str, Term]) -> Term:
        if native.is_value():
            return self._value(native)
        if native.is_const():
            if native.symbol() not in ours:
                raise _Foreign(native.symbol())
            return ours[native.symbol()]
        if native.kind() == self._native.bitwuzla.Kind.CONST_ARRAY:
            return self._terms.fill(args[0], native.sort().array_index().bv_size())
        op = self._ops.get(native.kind())
        if op is None or op.startswith("fp."):
            raise _Foreign(str(native.kind()))
        return self._terms.make(op, tuple(args), tuple(native.indices()))

    def _value(self, native: Any) -> Term:
        if native.sort().is_bool():
            return self._terms.bool(native.value())
        if not native.sort().is_bv():
            raise _Foreign(str(native))
        return self._terms.bv(int(native.value(10)), native.sort().bv_size())
