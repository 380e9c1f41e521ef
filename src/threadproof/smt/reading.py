"""Reads back what `smtlib.script` writes: terms go through pipes and files as text that any solver understands.

Only what our printer writes is read; anything else is an error that names it. A float relation is written as an
equation between floats, `(= r (fp.add RNE a b))` with bit patterns inside `to_fp`, and read as the relation again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from threadproof.core.errors import InputError
from threadproof.smt.term import BOOL, INT, Array, FunctionSort, Op, Scalar, Sort, Term, bitvec
from threadproof.smt.terms import Terms

Tree = str | list["Tree"]

_TOKENS = re.compile(r"\|[^|]*\||[()]|[^\s()|]+")
_RELATIONS = {op.value: op for op in Op if op.startswith("fp.")}
_NO_OPS = (Op.VAR, Op.VALUE, Op.FILL, Op.INTEGER, Op.APPLY)
_OPS = {op.value: op for op in Op if not op.startswith("fp.") and op not in _NO_OPS}
_PREDICATES = (Op.FP_LT, Op.FP_LEQ, Op.FP_EQ, Op.FP_NAN)


class Unreadable(InputError):
    """Text that no printer of ours wrote."""


def read(terms: Terms, script: str) -> list[Term]:
    """The assertions of a script, made by `terms`."""
    reader = _Reader(terms)
    return [formula for command in _trees(script) for formula in reader.command(command)]


def _trees(text: str) -> Iterator[Tree]:
    open_lists: list[list[Tree]] = []
    for token in _TOKENS.findall(text):
        if token == "(":
            open_lists.append([])
            continue
        done: Tree = token
        if token == ")":
            if not open_lists:
                raise Unreadable("a bracket is closed that was not opened")
            done = open_lists.pop()
        if open_lists:
            open_lists[-1].append(done)
        else:
            yield done
    if open_lists:
        raise Unreadable("a bracket is not closed")


class _Reader:
    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._named: dict[str, Term] = {}

    def command(self, tree: Tree) -> list[Term]:
        match tree:
            case ["declare-const", str(name), sort]:
                self._named[name] = self._terms.var(name.strip("|"), _sort(sort))
            case ["declare-fun", str(name), [*arguments], result]:
                sort = FunctionSort(tuple(_scalar(arg) for arg in arguments), _scalar(result))
                self._named[name] = self._terms.var(name.strip("|"), sort)
            case ["define-fun", str(name), [], _, body]:
                self._named[name] = self.term(body)
            case ["assert", body]:
                return [self.term(body)]
            case ["set-logic", _] | ["check-sat"] | ["check-sat-assuming", _]:
                pass
            case _:
                raise Unreadable(f"no command: {_shown(tree)}")
        return []

    def term(self, tree: Tree) -> Term:
        match tree:
            case "true" | "false":
                return self._terms.bool(tree == "true")
            case str(name) if name in self._named:
                return self._named[name]
            case ["_", str(value), str(width)] if value.startswith("bv") and value[2:].isdigit():
                return self._terms.bv(int(value[2:]), int(width))
            case str(number) if number.isdigit():
                return self._terms.integer(int(number))
            case ["-", str(number)] if number.isdigit():
                return self._terms.integer(-int(number))
            case [["_", "int_to_bv", str(width)], arg]:
                return self._terms.make(Op.INT_TO_BV, (self.term(arg),), (int(width),))
            case [["_", "extract", str(high), str(low)], arg]:
                return self._terms.extract(self.term(arg), int(high), int(low))
            case [["_", "zero_extend" | "sign_extend" as how, str(bits)], arg]:
                return self._terms.make(_OPS[how], (self.term(arg),), (int(bits),))
            case [["as", "const", sort], arg]:
                return self._fill(_sort(sort), self.term(arg))
            case _:
                return self._float(tree) or self._operation(tree)

    def _fill(self, sort: Sort, value: Term) -> Term:
        if not isinstance(sort, Array):
            raise Unreadable(f"a constant array of sort {sort}")
        return self._terms.fill(value, sort.index)

    def _operation(self, tree: Tree) -> Term:
        match tree:
            case [str(name), *args] if name in _OPS and args:
                return self._terms.make(_OPS[name], tuple(self.term(arg) for arg in args))
            case [str(name), *args] if name in self._named and isinstance(self._named[name].sort, FunctionSort):
                return self._terms.apply(self._named[name], *(self.term(arg) for arg in args))
            case _:
                raise Unreadable(f"no term: {_shown(tree)}")

    # --- floats -----------------------------------------------------------------------------------------------------

    def _float(self, tree: Tree) -> Term | None:
        match tree:
            case [str(name), *args] if _RELATIONS.get(name) in _PREDICATES:
                return self._terms.make(_RELATIONS[name], tuple(self._pattern(arg) for arg in args))
            case ["ite", fits, [["_", "fp.to_sbv" | "fp.to_ubv" as name, str(width)], "RTZ", arg], _]:
                operands = (self.term(fits), self._pattern(arg))
                return self._terms.make(_RELATIONS[name], operands, (int(width),))
            case ["=", [["_", "to_fp", _, _], _] as result, operation]:
                return self._relation(operation, self._pattern(result))
            case _:
                return None

    def _relation(self, operation: Tree, result: Term) -> Term:
        make = self._terms.make
        match operation:
            case [["_", "to_fp_unsigned", _, _], "RNE", arg]:
                return make(Op.FP_FROM_UNSIGNED, (self.term(arg), result))
            case [["_", "to_fp", _, _], "RNE", [["_", "to_fp", _, _], arg]]:
                return make(Op.FP_CAST, (self.term(arg), result))
            case [["_", "to_fp", _, _], "RNE", arg]:
                return make(Op.FP_FROM_SIGNED, (self.term(arg), result))
            case ["fp.roundToIntegral", str(mode), arg]:
                return make(Op.FP_ROUND, (self._pattern(arg), result), (mode,))
            case [str(name), "RNE", *args] if name in _RELATIONS:
                return make(_RELATIONS[name], (*(self._pattern(arg) for arg in args), result))
            case _:
                raise Unreadable(f"no operation on floats: {_shown(operation)}")

    def _pattern(self, tree: Tree) -> Term:
        """The bit pattern that is read as a number."""
        match tree:
            case [["_", "to_fp", _, _], arg]:
                return self.term(arg)
            case _:
                raise Unreadable(f"no float: {_shown(tree)}")


def _sort(tree: Tree) -> Sort:
    match tree:
        case "Bool":
            return BOOL
        case "Int":
            return INT
        case ["_", "BitVec", str(width)]:
            return bitvec(int(width))
        case ["Array", ["_", "BitVec", str(index)], ["_", "BitVec", str(element)]]:
            return Array(int(index), int(element))
        case _:
            raise Unreadable(f"no sort: {_shown(tree)}")


def _scalar(tree: Tree) -> Scalar:
    sort = _sort(tree)
    if isinstance(sort, Array | FunctionSort):
        raise Unreadable(f"a function of {sort}")
    return sort


def _shown(tree: Tree) -> str:
    text = tree if isinstance(tree, str) else f"({' '.join(map(_shown, tree))})"
    return text if len(text) < 100 else f"{text[:100]}..."
