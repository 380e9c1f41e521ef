"""Reading a module: named types, variables, declarations, metadata; bodies are kept as lines until needed."""

from __future__ import annotations

import re

from threadproof.core.errors import InputError
from threadproof.frontend.llvm.attributes import skip_param_attributes, skip_result_attributes
from threadproof.frontend.llvm.module import LlvmFunction, LlvmModule, LlvmVariable, Param, Value
from threadproof.frontend.llvm.types import Arity, Type, TypeTable
from threadproof.frontend.llvm.values import Cursor, ParseError, bare_name, tokenize

_METADATA = re.compile(r"!(\d+) = (.*)")
_DEBUG = re.compile(r"!dbg !(\d+)")
_DATALAYOUT = re.compile(r'^target datalayout = "([^"]*)"', re.MULTILINE)
_LINKAGES = frozenset((
    "private", "internal", "available_externally", "linkonce", "weak", "common", "appending", "extern_weak",
    "linkonce_odr", "weak_odr", "external",
))  # fmt: skip


def parse_module(text: str, file: str, pointer_bytes: int) -> LlvmModule:
    """`pointer_bytes` is for modules that do not say for which machine they are."""
    layout = _DATALAYOUT.search(text)
    module = LlvmModule(file, TypeTable.of(layout[1] if layout else "", pointer_bytes))
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        try:
            match line[:1]:
                case "!":
                    if found := _METADATA.match(line):
                        module.metadata[int(found[1])] = found[2]
                case "%":
                    _named_type(module, line)
                case "@":
                    _global(module, line)
                case "d":
                    at = _function(module, line, lines, at)
                case _:
                    pass
        except (ParseError, ValueError) as error:
            raise InputError(f"{file}: cannot read this LLVM line: {line[:120]} ({error})") from None
    return module


def _named_type(module: LlvmModule, line: str) -> None:
    c = Cursor(tokenize(line))
    name = bare_name(c.next())
    c.expect("=")
    c.expect("type")
    module.types.named[name] = None if c.peek() == "opaque" else c.type()


def _global(module: LlvmModule, line: str) -> None:
    c = Cursor(tokenize(line))
    name = bare_name(c.next())
    c.expect("=")
    linkage, scope = "external", ""
    while c.peek() not in ("global", "constant", "alias", "ifunc"):
        word = c.next()
        linkage = word if word in _LINKAGES else linkage
        scope = word if word == "thread_local" else scope
        c.skip_parens()
    storage = c.next()
    type_ = c.type()
    if storage in ("alias", "ifunc"):
        _alias(module, c, name, linkage, type_)
        return
    defined = c.peek() not in ("", ",")
    initial: Value | None = c.value(type_) if defined else None
    tail = " ".join(c.tokens[c.at :])
    align = re.search(r", align (\d+)", tail)
    debug = tuple(int(number) for number in re.findall(r"!dbg !(\d+)", tail))
    module.variables[name] = LlvmVariable(
        name, linkage, type_, initial, storage, scope, int(align[1]) if align else 0, debug
    )


def _alias(module: LlvmModule, c: Cursor, name: str, linkage: str, type_: Type) -> None:
    c.maybe_function_type(type_)
    c.expect(",")
    module.aliases[name] = (linkage, c.typed_value())


def _function(module: LlvmModule, line: str, lines: list[str], at: int) -> int:
    """Reads a `declare` or `define` line; gives the number of the line behind the body."""
    body: list[str] | None = None
    if line.startswith("define"):
        end = lines.index("}", at)
        body = lines[at:end]
        at = end + 1
    elif not line.startswith("declare"):
        return at
    c = Cursor(tokenize(line), 1)
    linkage = "external"
    while c.peek() in _LINKAGES or c.peek() in (
        "dso_local",
        "dso_preemptable",
        "!",
        "hidden",
        "protected",
        "default",
    ):
        word = c.next()
        linkage = word if word in _LINKAGES else linkage
    while c.peek().startswith("!"):  # `declare !dbg !5 i32 @f()`
        c.next()
    skip_result_attributes(c)
    result = c.type()
    name = bare_name(c.next())
    params, arity = _params(c)
    debug = _DEBUG.search(line)
    number = int(debug[1]) if debug else -1
    module.functions[name] = LlvmFunction(name, linkage, result, params, arity, number, body)
    return at


def _params(c: Cursor) -> tuple[tuple[Param, ...], Arity]:
    c.expect("(")
    found: list[Param] = []
    arity = Arity.FIXED
    while not c.accept(")"):
        if c.accept("..."):
            arity = Arity.VARIADIC
            continue
        type_ = c.type()
        byval, _ = skip_param_attributes(c)
        name = bare_name(c.next()) if c.peek().startswith("%") else str(len(found))
        found.append(Param(name, type_, byval))
        c.accept(",")
    return tuple(found), arity
