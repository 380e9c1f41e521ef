"""Reading types and values from a line of LLVM text: a cursor over its tokens."""

from __future__ import annotations

import re

from threadproof.frontend.llvm.floats import float_bits
from threadproof.frontend.llvm.module import (
    BlockAddress,
    ConstExpr,
    LlvmAggregate,
    LlvmLocal,
    LlvmNumber,
    LlvmText,
    Odd,
    Symbol,
    Undef,
    Value,
    Zero,
)
from threadproof.frontend.llvm.types import (
    FLOATS,
    PTR,
    Arity,
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    NamedType,
    Packing,
    StructType,
    Type,
    VectorType,
    VoidType,
)

_TOKEN = re.compile(
    r"""
      c?"[^"]*"                          # strings: LLVM escapes quotes as \22
    | [%@](?:"[^"]*"|[-\w$.]+)           # names
    | !(?:"[^"]*"|[-\w.]+)?              # metadata
    | \#\d+                              # attribute groups
    | [-+]?\d+\.\d*(?:[eE][-+]?\d+)?     # floats
    | -?\d+(?![\w.])
    | \.\.\.
    | [-+]?[\w.$]+(?:-[\w.$]+)*
    | [^\s]
    """,
    re.VERBOSE,
)
_INT_TYPE = re.compile(r"i(\d+)$")
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2}|\\)")

_SIMPLE_TYPES: dict[str, Type] = {
    **FLOATS,
    **{f"i{bits}": IntType(bits) for bits in (1, 8, 16, 24, 32, 48, 64, 128)},
    "ptr": PTR,
    **{name: VoidType(name) for name in ("void", "label", "token", "metadata", "x86_mmx", "opaque")},
}
_CAST_EXPRS = frozenset(("bitcast", "ptrtoint", "inttoptr", "addrspacecast", "trunc", "zext", "sext", "ptrtoaddr"))
_BINARY_EXPRS = frozenset(("add", "sub", "mul", "xor", "and", "or", "shl", "lshr", "ashr"))
_FLAGS = frozenset(("nsw", "nuw", "nusw", "exact", "inbounds", "nneg", "disjoint", "samesign"))


class ParseError(Exception):
    """This line is not LLVM as we know it."""


def tokenize(line: str) -> list[str]:
    tokens: list[str] = _TOKEN.findall(line)
    tokens.append("")  # the end, so that looking ahead is always possible
    return tokens


def bare_name(token: str) -> str:
    """`%"odd name"` and `@plain` without the sigil and quotes, and without the \\01 that says "verbatim"."""
    return token[2:-1].removeprefix("\\01") if token[1:2] == '"' else token[1:]


def unescape(quoted: str) -> bytes:
    """The bytes of `"..."` or `c"..."`."""
    body = quoted[quoted.index('"') + 1 : -1].encode("utf-8", errors="surrogateescape")
    return _ESCAPE.sub(lambda m: b"\\" if m[1] == b"\\" else bytes([int(m[1], 16)]), body)


class Cursor:
    """Reads one line's tokens from left to right."""

    __slots__ = ("at", "tokens")

    def __init__(self, tokens: list[str], at: int = 0) -> None:
        self.tokens = tokens
        self.at = at

    def peek(self) -> str:
        return self.tokens[self.at]

    def next(self) -> str:
        token = self.tokens[self.at]
        if not token:
            raise ParseError("unexpected end of line")
        self.at += 1
        return token

    def accept(self, token: str) -> bool:
        if self.tokens[self.at] == token:
            self.at += 1
            return True
        return False

    def expect(self, token: str) -> None:
        if self.tokens[self.at] != token:
            raise ParseError(f"expected {token!r}, found {self.tokens[self.at]!r}")
        self.at += 1

    def skip_parens(self) -> None:
        """Over a balanced `( ... )` if one starts here."""
        if not self.accept("("):
            return
        depth = 1
        while depth:
            token = self.next()
            depth += (token == "(") - (token == ")")

    # --- types ---

    def at_type(self) -> bool:
        token = self.tokens[self.at]
        return token in _SIMPLE_TYPES or token[:1] in ("%", "{", "[", "<") or _INT_TYPE.match(token) is not None

    def type(self) -> Type:
        token = self.next()
        found = _SIMPLE_TYPES.get(token)
        if found is None:
            found = self._complex_type(token)
        elif token == "ptr" and self.accept("addrspace"):
            self.skip_parens()
        return found

    def _complex_type(self, token: str) -> Type:
        if token[0] == "%":
            return NamedType(bare_name(token))
        if token == "{":
            return StructType(self._type_list("}"))
        if token == "[":
            return ArrayType(*self._counted("]"))
        if token == "<":
            if self.accept("{"):
                fields = self._type_list("}")
                self.expect(">")
                return StructType(fields, Packing.PACKED)
            return VectorType(*self._counted(">"))
        if number := _INT_TYPE.match(token):
            return IntType(int(number[1]))
        raise ParseError(f"no type: {token!r}")

    def _counted(self, end: str) -> tuple[int, Type]:
        count = self.next()
        if not count.isdigit():
            raise ParseError(f"no length: {count!r}")
        self.expect("x")
        element = self.type()
        self.expect(end)
        return int(count), element

    def _type_list(self, end: str) -> tuple[Type, ...]:
        if self.accept(end):
            return ()
        found = [self.type()]
        while self.accept(","):
            found.append(self.type())
        self.expect(end)
        return tuple(found)

    def maybe_function_type(self, result: Type) -> FunctionType | None:
        """After a result type: `(i32, ...)` if the call spells out the function's type."""
        if not self.accept("("):
            return None
        params, arity = list[Type](), Arity.FIXED
        while not self.accept(")"):
            if self.accept("..."):
                arity = Arity.VARIADIC
            else:
                params.append(self.type())
            self.accept(",")
        return FunctionType(result, tuple(params), arity)

    # --- values ---

    def typed_value(self) -> Value:
        return self.value(self.type())

    def value(self, type_: Type) -> Value:
        token = self.next()
        sigil = token[0]
        if sigil == "%":
            return LlvmLocal(type_, bare_name(token))
        if sigil == "@":
            return Symbol(type_, bare_name(token))
        if isinstance(type_, FloatType):
            number = float_bits(token, type_)
            if number is not None:
                return LlvmNumber(type_, number)
        elif sigil.isdigit() or sigil == "-":
            return LlvmNumber(type_, int(token))
        return self._constant(token, type_)

    def _constant(self, token: str, type_: Type) -> Value:
        match token:
            case "true":
                return LlvmNumber(type_, 1)
            case "false":
                return LlvmNumber(type_, 0)
            case "null" | "zeroinitializer" | "none":
                return Zero(type_)
            case "undef" | "poison":
                return Undef(type_, token)
            case "[" | "{":
                return LlvmAggregate(type_, self._parts("]" if token == "[" else "}"))
            case "<":
                return self._angle(type_)
            case "splat":
                self.expect("(")
                part = self.typed_value()
                self.expect(")")
                count = type_.count if isinstance(type_, VectorType) else 1
                return LlvmAggregate(type_, (part,) * count)
            case "blockaddress":
                self.expect("(")
                function = bare_name(self.next())
                self.expect(",")
                label = bare_name(self.next())
                self.expect(")")
                return BlockAddress(type_, function, label)
            case "dso_local_equivalent" | "no_cfi":
                return Symbol(type_, bare_name(self.next()))
            case _:
                if token.startswith('c"'):
                    return LlvmText(type_, unescape(token))
                return self._expression(token, type_)

    def _angle(self, type_: Type) -> Value:
        if self.accept("{"):
            parts = self._parts("}")
            self.expect(">")
            return LlvmAggregate(type_, parts)
        return LlvmAggregate(type_, self._parts(">"))

    def _parts(self, end: str) -> tuple[Value, ...]:
        if self.accept(end):
            return ()
        found = [self.typed_value()]
        while self.accept(","):
            found.append(self.typed_value())
        self.expect(end)
        return tuple(found)

    def skip_flags(self) -> None:
        while True:
            if self.accept("inrange"):
                self.skip_parens()
            elif self.tokens[self.at] not in _FLAGS:
                return
            else:
                self.at += 1

    def _expression(self, opcode: str, type_: Type) -> Value:
        start = self.at
        self.skip_flags()
        if self.peek() != "(":
            raise ParseError(f"no value: {opcode!r}")
        if opcode in _CAST_EXPRS:
            self.expect("(")
            operand = self.typed_value()
            self.expect("to")
            self.type()
            self.expect(")")
            return ConstExpr(type_, opcode, (operand,))
        if opcode == "getelementptr":
            self.expect("(")
            source = self.type()
            self.expect(",")
            return ConstExpr(type_, opcode, self._parts(")"), source)
        if opcode in _BINARY_EXPRS:
            self.expect("(")
            return ConstExpr(type_, opcode, self._parts(")"))
        self.skip_parens()
        return Odd(type_, " ".join((opcode, *self.tokens[start : self.at])))
