"""Conditions as people write them: a C expression without assignments and calls, parsed by precedence climbing.

    x == 3 && !flag[1]      main::i % 2      head->next == NULL      T1::seen > counter

`T1::seen` is the local `seen` of thread T1, `worker::seen` that of a call of `worker`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


class SyntaxProblem(Exception):
    """The text is no condition: what is wrong, and from which column on."""

    def __init__(self, what: str, column: int) -> None:
        super().__init__(f"{what} (column {column + 1})")


@dataclass(frozen=True, slots=True)
class ConditionNumber:
    value: int | float


@dataclass(frozen=True, slots=True)
class ConditionName:
    name: str
    scope: str = ""  # a thread or a function


@dataclass(frozen=True, slots=True)
class ConditionMember:
    base: Node
    name: str


@dataclass(frozen=True, slots=True)
class ConditionIndex:
    base: Node
    index: Node


@dataclass(frozen=True, slots=True)
class ConditionUnary:
    op: str  # ! - + ~ * &
    operand: Node


@dataclass(frozen=True, slots=True)
class ConditionBinary:
    op: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class ConditionChoice:
    condition: Node
    then: Node
    otherwise: Node


Node = (
    ConditionNumber
    | ConditionName
    | ConditionMember
    | ConditionIndex
    | ConditionUnary
    | ConditionBinary
    | ConditionChoice
)

PRECEDENCE = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip
_CONSTANTS = {"true": 1, "false": 0, "NULL": 0}
_TOKEN = re.compile(
    r"\s*(?:(?P<float>\d+\.\d*(?:[eE][-+]?\d+)?)|(?P<number>0[xX][0-9a-fA-F]+|\d+)[uUlL]*"
    r"|(?P<char>'(?:\\.|[^'\\])')|(?P<name>[A-Za-z_$][\w$]*|T\d+(?:\.\d+)+)"
    r"|(?P<op>::|->|\|\||&&|==|!=|<=|>=|<<|>>|[-+*/%<>!~&|^()\[\].?:=]))"
)
_ESCAPES = {"n": 10, "t": 9, "0": 0, "r": 13, "\\": 92, "'": 39}


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    column: int


def parse(text: str) -> Node:
    parser = _Parser(_tokens(text))
    found = parser.conditional()
    parser.expect_end()
    return found


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    at = 0
    thread = re.compile(r"\s*(T\d+(?:\.\d+)+)(?=\s*::)")
    while text[at:].strip():
        dotted = thread.match(text, at)
        match = dotted or _TOKEN.match(text, at)
        if match is None:
            start = at + len(text[at:]) - len(text[at:].lstrip())
            raise SyntaxProblem(f"'{text[start]}' has no meaning in a condition", start)
        kind = "name" if dotted else str(match.lastgroup)
        word = match.group(1) if dotted else match.group(kind)
        found.append(_Token(kind, word, match.end() - len(match.group().lstrip())))
        at = match.end()
    return [*found, _Token("end", "the end", len(text))]


class _Parser:
    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0

    @property
    def _now(self) -> _Token:
        return self._tokens[self._at]

    def _take(self) -> _Token:
        token = self._now
        self._at += 1
        return token

    def _accept(self, *texts: str) -> bool:
        if self._now.kind == "op" and self._now.text in texts:
            self._at += 1
            return True
        return False

    def _expect(self, text: str) -> None:
        if not self._accept(text):
            raise SyntaxProblem(f"expected '{text}', found {_said(self._now)}", self._now.column)

    def expect_end(self) -> None:
        if self._now.text == "=":
            raise SyntaxProblem("nothing is assigned here: compare with ==", self._now.column)
        if self._now.kind != "end":
            raise SyntaxProblem(f"expected an operator, found {_said(self._now)}", self._now.column)

    def conditional(self) -> Node:
        condition = self._binary(1)
        if not self._accept("?"):
            return condition
        then = self.conditional()
        self._expect(":")
        return ConditionChoice(condition, then, self.conditional())

    def _binary(self, least: int) -> Node:
        left = self._unary()
        while self._now.kind == "op" and PRECEDENCE.get(self._now.text, 0) >= least:
            op = self._take().text
            left = ConditionBinary(op, left, self._binary(PRECEDENCE[op] + 1))
        return left

    def _unary(self) -> Node:
        if self._now.kind == "op" and self._now.text in ("!", "-", "+", "~", "*", "&"):
            return ConditionUnary(self._take().text, self._unary())
        return self._postfix(self._primary())

    def _postfix(self, base: Node) -> Node:
        while True:
            if self._accept("["):
                base = ConditionIndex(base, self.conditional())
                self._expect("]")
            elif self._accept("."):
                base = ConditionMember(base, self._name())
            elif self._accept("->"):
                base = ConditionMember(ConditionUnary("*", base), self._name())
            else:
                return base

    def _name(self) -> str:
        token = self._take()
        if token.kind != "name":
            raise SyntaxProblem(f"expected a name, found {_said(token)}", token.column)
        return token.text

    def _primary(self) -> Node:
        token = self._take()
        match token.kind:
            case "number":
                return ConditionNumber(_integer(token.text))
            case "float":
                return ConditionNumber(float(token.text))
            case "char":
                sign = token.text[1:-1]
                return ConditionNumber(_ESCAPES.get(sign[1], ord(sign[1])) if len(sign) > 1 else ord(sign))
            case "name" if token.text in _CONSTANTS:
                return ConditionNumber(_CONSTANTS[token.text])
            case "name" if self._accept("::"):
                return ConditionName(self._name(), token.text)
            case "name":
                return ConditionName(token.text)
            case "op" if token.text == "(":
                inner = self.conditional()
                self._expect(")")
                return inner
            case _:
                raise SyntaxProblem(f"expected a value, found {_said(token)}", token.column)


def _integer(text: str) -> int:
    if text.lower().startswith("0x"):
        return int(text, 16)
    return int(text, 8) if text.startswith("0") and text.strip("01234567") == "" else int(text)


def _said(token: _Token) -> str:
    return token.text if token.kind == "end" else f"'{token.text}'"
