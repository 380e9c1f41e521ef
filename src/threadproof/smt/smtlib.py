"""Terms as SMT-LIB text that any solver reads. What is used more than once is defined once, so text grows with the
number of terms and not with the number of paths through them; long single uses are cut by a definition, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from threadproof.smt.term import BitVec, FunctionSort, Op, Sort, Term, in_order, variables

_LONG = 200  # characters of a term that is written where it is used
_FLOATS = {32: "8 24", 64: "11 53"}


def script(assertions: Sequence[Term], assumptions: Sequence[Term] = ()) -> str:
    """The query whether the assertions hold together under the assumptions."""
    roots = [*assertions, *assumptions]
    lines = ["(set-logic ALL)"]
    lines += [_declared(v.name, v.sort) for v in variables(roots)]
    written = _written(roots, lambda part, body: lines.append(f"(define-fun t{part.id} () {part.sort} {body})"))
    lines += [f"(assert {written[term]})" for term in assertions]
    names = [f"assumption{i}" for i in range(len(assumptions))]
    lines += [f"(define-fun {n} () Bool {written[t]})" for n, t in zip(names, assumptions, strict=True)]
    lines.append(f"(check-sat-assuming ({' '.join(names)}))" if names else "(check-sat)")
    return "\n".join(lines) + "\n"


def text(term: Term) -> str:
    """One term, its shared parts bound by `let`."""
    definitions: list[tuple[str, str]] = []
    written = _written([term], lambda part, body: definitions.append((f"t{part.id}", body)))
    result = written[term]
    for name, body in reversed(definitions):
        result = f"(let (({name} {body})) {result})"
    return result


def symbol(name: str) -> str:
    return f"|{name}|"


def _declared(name: str, sort: Sort) -> str:
    kind = "fun" if isinstance(sort, FunctionSort) else "const"
    return f"(declare-{kind} {symbol(name)} {sort})"


def _written(roots: list[Term], define: Callable[[Term, str], None]) -> dict[Term, str]:
    parts = in_order(roots)
    uses = Counter(arg for part in parts for arg in part.args)
    written: dict[Term, str] = {}
    for part in parts:
        body = _body(part, [written[arg] for arg in part.args])
        if part.args and (uses[part] > 1 or len(body) > _LONG):
            define(part, body)
            body = f"t{part.id}"
        written[part] = body
    return written


def _body(term: Term, args: list[str]) -> str:
    match term.op:
        case Op.VAR:
            return symbol(term.name)
        case Op.TRUE | Op.FALSE:
            return term.op.value
        case Op.VALUE:
            return f"(_ bv{term.value} {term.width})"
        case Op.INTEGER:
            return str(term.value) if term.value >= 0 else f"(- {-term.value})"
        case Op.APPLY:
            return f"({' '.join(args)})"
        case Op.EXTRACT | Op.ZEXT | Op.SEXT | Op.INT_TO_BV:
            return f"((_ {term.op} {' '.join(map(str, term.params))}) {args[0]})"
        case Op.FILL:
            return f"((as const {term.sort}) {args[0]})"
        case _ if term.op.startswith("fp."):
            return _float(term, args)
        case _:
            return f"({term.op} {' '.join(args)})"


def _float(term: Term, args: list[str]) -> str:
    floats = [_to_fp(body, arg) for body, arg in zip(args, term.args, strict=True)]
    match term.op:
        case Op.FP_LT | Op.FP_LEQ | Op.FP_EQ | Op.FP_NAN:
            return f"({term.op} {' '.join(floats)})"
        case Op.FP_TO_SIGNED | Op.FP_TO_UNSIGNED:
            return f"(ite {args[0]} ((_ {term.op} {term.width}) RTZ {floats[1]}) (_ bv0 {term.width}))"
        case Op.FP_ROUND:
            return f"(= {floats[1]} ({term.op} {term.params[0]} {floats[0]}))"
        case Op.FP_CAST | Op.FP_FROM_SIGNED | Op.FP_FROM_UNSIGNED:
            how = "to_fp_unsigned" if term.op is Op.FP_FROM_UNSIGNED else "to_fp"
            source = floats[0] if term.op is Op.FP_CAST else args[0]
            return f"(= {floats[1]} ((_ {how} {_FLOATS[term.args[1].width]}) RNE {source}))"
        case _:
            return f"(= {floats[-1]} ({term.op} RNE {' '.join(floats[:-1])}))"


def _to_fp(body: str, term: Term) -> str:
    """A bit pattern as a number (others stay)."""
    size = _FLOATS.get(term.sort.width) if isinstance(term.sort, BitVec) else None
    return body if size is None else f"((_ to_fp {size}) {body})"
