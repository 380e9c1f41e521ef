"""From the text of a query to its syntax; a wrong query says where and why."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, cast

from lark import Lark, Token, Transformer, Tree, UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken
from lark.exceptions import VisitError

from threadproof.core.errors import InputError
from threadproof.engines.smc.language import syntax as s

_WORDS = {
    "INT": "a number", "FLOAT": "a number", "HEX": "a number", "NAME": "a name", "LPAR": "'('", "RPAR": "')'",
    "LSQB": "'['", "RSQB": "']'", "LBRACE": "'{'", "RBRACE": "'}'", "COMMA": "','", "DOT": "'.'", "COLON": "':'",
    "SEMICOLON": "';'", "AT": "'at'", "MEASURE": "max, min or avg", "FILE_LINE": "file:line", "REGISTER": "%register",
    "TYPE": "a type", "PR": "Pr", "ESTIMATE": "Estimate", "ENUMSTATESSMC": "EnumStatesSMC", "U": "U",
    "EXISTS": "Exists", "FORALL": "Forall", "AT_MOST": "'<='", "$END": "the end of the query",
}  # fmt: skip
_STARTS_EXPRESSION = {"INT", "NAME", "FLOAT", "CHAR", "LPAR", "BANG"}
_OPERATORS = {
    "OR", "AND", "BAR", "HAT", "AMP", "EQ", "NE", "AT_LEAST", "AT_MOST", "ABOVE", "BELOW", "SHL", "SHR", "PLUS",
    "MINUS", "STAR", "SLASH", "PERCENT", "QMARK",
}  # fmt: skip
_ESCAPES = {"n": 10, "t": 9, "r": 13, "0": 0, "\\": 92, "'": 39}


class QueryError(InputError):
    """A query that cannot be used: the sentence, then the line with a caret under the place."""

    def __init__(self, text: str, at: s.QuerySpan, why: str) -> None:
        lines = text.splitlines() or [""]
        line = lines[min(at.line, len(lines)) - 1]
        super().__init__(f"query:{at.line}:{at.column}: {why}\n  {line}\n  {' ' * (at.column - 1)}^")


def parse_query(text: str) -> s.Query:
    return _parse(text, "start")


def parse_expression(text: str) -> s.Expr:
    """An expression alone: a score, a level, a guard of an observer."""
    return _parse(text, "expr")


def _parse(text: str, start: str) -> Any:
    try:
        parser: Any = _parser()
        return _Build().transform(parser.parse(text, start=start))
    except UnexpectedInput as error:
        raise QueryError(text, _where(text, error), _why(error)) from None
    except VisitError as error:
        if isinstance(error.orig_exc, _Wrong):
            raise QueryError(text, error.orig_exc.at, str(error.orig_exc)) from None
        raise


@cache
def _parser() -> Lark:
    grammar = files("threadproof.engines.smc").joinpath("query.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", start=["start", "expr"], propagate_positions=True, maybe_placeholders=True)


def _where(text: str, error: UnexpectedInput) -> s.QuerySpan:
    at_end = isinstance(error, UnexpectedEOF) or (isinstance(error, UnexpectedToken) and _token(error).type == "$END")
    if at_end or error.line < 1:
        lines = text.splitlines() or [""]
        return s.QuerySpan(len(lines), len(lines[-1]) + 1)
    return s.QuerySpan(error.line, error.column)


def _why(error: UnexpectedInput) -> str:
    if isinstance(error, UnexpectedCharacters):
        character: Any = cast(Any, error).char
        expected, found = set(error.allowed or ()), f"'{character}'"
    elif isinstance(error, UnexpectedToken):
        expected = set(error.accepts or error.expected)
        found = "the end of the query" if _token(error).type == "$END" else f"'{_token(error)}'"
    else:
        return "the query is not complete"
    return f"expected {_expected(expected)}, found {found}"


def _token(error: UnexpectedToken) -> Token:
    return cast(Any, error).token


def _expected(names: set[str]) -> str:
    if names >= _STARTS_EXPRESSION:
        wanted = ["an expression"]
        if "__ANON_0" in names or "LESSTHANMORETHAN" in names:
            wanted.append("<>")
        return " or ".join(wanted)
    shown: list[str] = []
    if names & _OPERATORS >= {"PLUS", "STAR"}:
        shown.append("an operator")
        names = names - _OPERATORS
    shown.extend(dict.fromkeys(_WORDS[name] for name in sorted(names) if name in _WORDS))
    return " or ".join(shown) if shown else "something else"


class _Wrong(Exception):
    def __init__(self, at: s.QuerySpan, why: str) -> None:
        super().__init__(why)
        self.at = at


def _at(token: Any) -> s.QuerySpan:
    if isinstance(token, Token):
        return s.QuerySpan(token.line or 1, token.column or 1)
    return token.at


class _Build(Transformer[Token, Any]):
    """One method per rule of the grammar."""

    def start(self, items: list[Any]) -> s.Query:
        return items[0]

    # --- queries ---------------------------------------------------------------------------------------------------

    def probability(self, items: list[Any]) -> s.Probability:
        return s.Probability(int(items[0]), items[1], items[2])

    def estimate(self, items: list[Any]) -> s.Expectation:
        runs = int(items[1])
        if runs < 1:
            raise _Wrong(_at(items[1]), "at least one run is needed")
        return s.Expectation(int(items[0]), runs, s.Measure(str(items[2])), items[3])

    def enum_states(self, items: list[Any]) -> s.EnumStates:
        if int(items[1]) < 1:
            raise _Wrong(_at(items[1]), "at least one run is needed")
        return s.EnumStates(int(items[0]), int(items[1]))

    def bound(self, items: list[Any]) -> s.ProbabilityBound:
        value = float(items[1])
        if not 0 < value < 1:
            raise _Wrong(_at(items[1]), "a probability to compare with lies between 0 and 1")
        return s.ProbabilityBound(str(items[0]), value)

    def eventually(self, items: list[Any]) -> s.Path:
        return s.Path(s.PathKind.EVENTUALLY, items[0])

    def globally(self, items: list[Any]) -> s.Path:
        return s.Path(s.PathKind.GLOBALLY, items[0])

    def until(self, items: list[Any]) -> s.Path:
        return s.Path(s.PathKind.UNTIL, items[1], items[0])

    # --- expressions -----------------------------------------------------------------------------------------------

    def conditional(self, items: list[Any]) -> s.Expr:
        return s.QueryChoice(items[0], items[1], items[2], _at(items[0]))

    def binary(self, items: list[Any]) -> s.Expr:
        return s.QueryBinary(str(items[1]), items[0], items[2], _at(items[1]))

    def unary(self, items: list[Any]) -> s.Expr:
        return s.QueryUnary(str(items[0]), items[1], _at(items[0]))

    def integer(self, items: list[Any]) -> s.Expr:
        return s.QueryNumber(
            int(str(items[0]), 0) if str(items[0])[:2] in ("0x", "0X") else int(items[0]), _at(items[0])
        )

    def real(self, items: list[Any]) -> s.Expr:
        return s.QueryNumber(float(items[0]), _at(items[0]))

    def character(self, items: list[Any]) -> s.Expr:
        inside = str(items[0])[1:-1]
        if len(inside) == 1:
            return s.QueryNumber(ord(inside), _at(items[0]))
        if inside[1] not in _ESCAPES:
            raise _Wrong(_at(items[0]), f"no character {items[0]}")
        return s.QueryNumber(_ESCAPES[inside[1]], _at(items[0]))

    def true(self, items: list[Any]) -> s.Expr:
        return s.QueryNumber(1)

    def false(self, items: list[Any]) -> s.Expr:
        return s.QueryNumber(0)

    def process(self, items: list[Any]) -> Any:
        return items[0]

    def calls(self, items: list[Any]) -> s.Expr:
        return s.Calls(_process(items[0]), str(items[1]), _at(items[0]))

    def stands_at(self, items: list[Any]) -> s.Expr:
        file, _, line = str(items[1]).rpartition(":")
        return s.StandsAt(_process(items[0]), file, int(line), _at(items[0]))

    def quantified(self, items: list[Any]) -> s.Expr:
        return s.Quantified(s.Quantifier(str(items[0])), str(items[1]), items[2], _at(items[0]))

    def register(self, items: list[Any]) -> s.Expr:
        kind = "" if items[3] is None else str(items[3])
        return s.QueryRegister(_process(items[0]), str(items[1]), str(items[2]), kind, _at(items[0]))

    def value(self, items: list[Any]) -> s.Expr:
        return items[0]

    def position(self, items: list[Any]) -> s.Expr:
        return s.QueryPosition(items[0], int(items[1]), items[0].at)

    def name(self, items: list[Any]) -> s.QueryName:
        at = _at(items[0])
        process = int(items.pop(0)) if items[0].type == "INT" else None
        return s.QueryName(process, str(items[0]), tuple(items[1:]), at)

    def member(self, items: list[Any]) -> s.NamePart:
        return s.NamePart(s.PartKind.MEMBER, str(items[0]), at=_at(items[0]))

    def arrow(self, items: list[Any]) -> s.NamePart:
        return s.NamePart(s.PartKind.ARROW, str(items[0]), at=_at(items[0]))

    def local(self, items: list[Any]) -> s.NamePart:
        return s.NamePart(s.PartKind.LOCAL, str(items[0]), at=_at(items[0]))

    def element(self, items: list[Any]) -> s.NamePart:
        return s.NamePart(s.PartKind.ELEMENT, "", items[0], items[0].at)

    def __default__(self, data: Any, children: Any, meta: Any) -> Any:
        raise AssertionError(f"no method for the rule {data}: {Tree(data, children)}")


def _process(token: Token) -> s.Process:
    return int(token) if token.type == "INT" else str(token)
