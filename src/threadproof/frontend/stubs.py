"""C for what a program uses and does not define: a definition for each function and variable, to be edited.

A function returns any value of its type and changes nothing. What cannot be any value is written down in a comment:
pointers are null or point to a fresh block of zeros. Functions that synchronise are left out, since a stub that does
nothing would be wrong.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from threadproof.frontend.declarations import Declarations, DeclaredFunction, declarations_of
from threadproof.frontend.options import FrontendOptions
from threadproof.frontend.outside import synchronises
from threadproof.ir.program import Missing, Outside

NONDETS = {
    "_Bool": "bool", "char": "char", "signed char": "char", "unsigned char": "uchar", "short": "short",
    "unsigned short": "ushort", "int": "int", "unsigned int": "uint", "long": "long", "unsigned long": "ulong",
    "long long": "longlong", "unsigned long long": "ulonglong", "float": "float", "double": "double",
    "__int128": "int128", "unsigned __int128": "uint128",
}  # fmt: skip
BLOCK_BYTES = 64  # of a block that a pointer without a known type points to
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*(<[^>\n]+>|"[^"\n]+")', re.MULTILINE)
_HEAD = """/* Written by `threadproof stubs` for what is used in {files} and defined nowhere.

   A function returns any value of its type and changes nothing: it keeps no pointer, calls no callback and takes no
   lock. A pointer that it returns is null or points to a new block of zeros. A variable that is a number has any value
   at the start. Edit what does not fit: a verdict is about the program with what stands here. */
"""


@dataclass(frozen=True, slots=True)
class Stubs:
    text: str
    functions: tuple[str, ...]
    variables: tuple[str, ...]
    left_out: tuple[str, ...]  # names with the reason why there is no stub


def stubs(paths: Sequence[str], options: FrontendOptions, outside: Outside, folder: str) -> Stubs:
    """For a file in `folder`: headers of the program are named from there."""
    declared = [(path, declarations_of(path, options)) for path in paths if not path.endswith(".ll")]
    writer = _Writer(declared, folder)
    for one in outside.missing:
        writer.function(one)
    for name in outside.variables:
        writer.variable(name)
    return writer.result(paths)


class _Writer:
    def __init__(self, declared: list[tuple[str, Declarations]], folder: str) -> None:
        self._declared = declared
        self._folder = folder
        self._nondets: dict[str, str] = {}  # function -> type of its result
        self._types: dict[tuple[int, int], str] = {}  # by place, so that they stand in their order
        self._bodies: list[str] = []
        self._initial: list[str] = []
        self._functions: list[str] = []
        self._variables: list[str] = []
        self._left_out: list[str] = []

    def function(self, missing: Missing) -> None:
        name = missing.name
        index, known = next(((i, d) for i, (_, d) in enumerate(self._declared) if name in d.functions), (0, None))
        if synchronises(name):
            self._left_out.append(f"{name}: it synchronises, or another verifier gives it a meaning: write it by hand")
            return
        known = known or Declarations()
        found = known.functions.get(name, DeclaredFunction(name, "int", (), False, False, True))  # as C had it once
        self._need(index, known, " ".join((found.result, *(ctype for _, ctype in found.parameters))))
        where = f"called at {missing.loc}" if missing.loc.line else "its address is taken"
        remarks, body = self._result(index, known, found)
        comment = f"/* {where}{''.join(f'; {one}' for one in remarks)} */"
        self._bodies.append("\n".join((comment, f"{_signature(found)} {{", *(f"  {line}" for line in body), "}", "")))
        self._functions.append(name)

    def variable(self, name: str) -> None:
        index, known = next(((i, d) for i, (_, d) in enumerate(self._declared) if name in d.variables), (0, None))
        if known is None:
            self._left_out.append(f"{name}: no declaration of it was found")
            return
        ctype = known.variables[name]
        if name in known.unnamed:
            self._unnamed(index, known, name, ctype)
            return
        self._need(index, known, ctype)
        sized = ctype[:-2] + "[1]" if ctype.endswith("[]") else ctype
        self._variables.append(name)
        value = None if "const" in ctype.rpartition("*")[2].split() else self._any(known, ctype)
        remarks = ["of unknown size: one element here"] if sized != ctype else []
        if value is None:
            remarks.append("zero at the start")
        else:
            self._initial.append(f"{name} = {value};")
            remarks += ["in main any number; zero at the start of every other thread"] * (name in known.thread_local)
        said = f" /* {'; '.join(remarks)} */" if remarks else ""
        storage = "_Thread_local " if name in known.thread_local else ""
        self._bodies.append(f"{storage}{_declarator(sized, name)};{said}\n")

    def _unnamed(self, index: int, known: Declarations, name: str, ctype: str) -> None:
        """A variable whose type has no name: its declaration, as it stands in the file or as its header has it."""
        written, number = known.unnamed[name], ctype.startswith("enum ") and ctype.endswith(")")
        said = "" if number else " /* zero at the start */"
        storage = "_Thread_local " if name in known.thread_local else ""
        self._variables.append(name)
        if not written.text:
            self._bodies.append(f"{storage}__typeof__({name}) {name};{said}\n")
        else:
            same = (one for one in known.unnamed.values() if one.offset == written.offset)
            whole = max((one.text for one in same), key=len)  # `struct {...} a, b;` is written once
            self._need(index, known, whole)
            text = f"{re.sub(r'^extern ', '', whole)}{said}\n"
            self._bodies += [] if text in self._bodies else [text]
        if number:
            self._initial.append(f"{name} = {self._nondet('int', 'int')};")

    def result(self, paths: Sequence[str]) -> Stubs:
        parts = [_HEAD.format(files=", ".join(os.path.basename(path) for path in paths))]
        headers = dict.fromkeys(["<stdlib.h>", *self._includes()])  # for calloc and abort
        parts.append("".join(f"#include {one}\n" for one in headers))
        parts.append("".join(f"extern {ctype} {name}(void);\n" for name, ctype in sorted(self._nondets.items())))
        parts.append("\n".join(text for _, text in sorted(self._types.items())))
        parts += self._bodies
        if self._initial:
            lines = "".join(f"  {line}\n" for line in self._initial)
            parts.append(f"static void __attribute__((constructor)) any_values(void) {{\n{lines}}}\n")
        text = "\n".join(part.rstrip("\n") + "\n" for part in parts if part)
        return Stubs(text, tuple(self._functions), tuple(self._variables), tuple(self._left_out))

    # --- bodies ------------------------------------------------------------------------------------------------------

    def _result(self, index: int, known: Declarations, found: DeclaredFunction) -> tuple[list[str], list[str]]:
        """Remarks for the comment, and the lines of the body."""
        plain = known.plain(found.result)
        if not found.returns:
            return ["it does not return"], ["abort();"]
        if plain == "void":
            return ["it changes nothing"], []
        value = self._any(known, found.result)
        if value is not None:
            return (["any number, not only its constants"] if plain.startswith("enum ") else []), [f"return {value};"]
        if plain.endswith("*"):
            return self._pointer(index, known, plain[:-1].strip())
        if plain in known.members:
            self._need(index, known, plain)
            members = [(name, self._any(known, ctype)) for name, ctype in known.members[plain]]
            given = [f"result.{name} = {value};" for name, value in members if value is not None]
            zeros = [name for name, value in members if value is None]
            remarks = [f"zero: {', '.join(zeros)}"] if zeros else []
            return remarks, [f"{plain} result = {{0}};", *given, "return result;"]
        if ")(" in plain:
            return ["null, always: give it a function to point to"], ["return 0;"]
        return ["zero, always"], [
            f"static {_declarator(found.result.replace('const ', ''), 'result')};",
            "return result;",
        ]

    def _pointer(self, index: int, known: Declarations, target: str) -> tuple[list[str], list[str]]:
        bare = known.plain(target)
        complete = bare in known.members or bare in NONDETS or bare.startswith("enum ") or bare.endswith("*")
        size, of = (f"sizeof({bare})", f"one {bare}") if complete else (str(BLOCK_BYTES), f"{BLOCK_BYTES} bytes")
        if bare in ("char", "void"):
            size, of = str(BLOCK_BYTES), f"{BLOCK_BYTES} bytes"
        elif not complete and bare.startswith(("struct ", "union ")):
            return [f"null, always: what {bare} holds is not known here"], ["return 0;"]
        self._need(index, known, bare)
        null = self._nondet("bool", "_Bool")
        return [f"null or a new block of {of}, all zero"], [f"return {null} ? 0 : calloc(1, {size});"]

    def _any(self, known: Declarations, ctype: str) -> str | None:
        """An expression for any value of a type of numbers."""
        plain = known.plain(ctype)
        if plain.startswith("enum "):
            return f"({plain}){self._nondet('int', 'int')}"
        if plain == "long double":
            return self._nondet("double", "double")
        return self._nondet(NONDETS[plain], plain) if plain in NONDETS else None

    def _nondet(self, kind: str, ctype: str) -> str:
        self._nondets[f"__VERIFIER_nondet_{kind}"] = ctype
        return f"__VERIFIER_nondet_{kind}()"

    # --- types and headers -------------------------------------------------------------------------------------------

    def _need(self, index: int, known: Declarations, ctype: str) -> None:
        """The types that a text names, as far as they stand in a C file and not in a header."""
        for word in re.findall(r"(?:struct|union|enum)\s+\w+|\w+", ctype):
            found = known.types.get(" ".join(word.split()))
            if found is None or not found.text or (index, found.offset) in self._types:
                continue
            self._types[index, found.offset] = found.text
            self._need(index, known, found.text)

    def _includes(self) -> Iterator[str]:
        seen: set[str] = set()
        for path, _ in self._declared:
            with open(path, "rb") as source:
                named = [one.decode("utf-8", errors="replace") for one in _INCLUDE.findall(source.read())]
            for one in named:
                beside = os.path.join(os.path.dirname(path), one[1:-1])
                if one.startswith('"') and os.path.exists(beside):
                    one = f'"{os.path.relpath(beside, self._folder)}"'
                if one not in seen:
                    seen.add(one)
                    yield one


def _signature(found: DeclaredFunction) -> str:
    parameters = [_declarator(ctype, name or f"a{n}") for n, (name, ctype) in enumerate(found.parameters, 1)]
    parameters += ["..."] if found.variadic and parameters else []
    listed = ", ".join(parameters) or ("void" if found.prototype else "")
    return f"{_declarator(found.result, found.name)}({listed})"


def _declarator(ctype: str, name: str) -> str:
    """`int *` -> `int *p`; what stands around a name (arrays, functions) is written with typeof."""
    array = re.fullmatch(r"([^()\[\]]+?)((?:\[\d+\])+)", ctype)
    if array:
        return f"{array[1].strip()} {name}{array[2]}"
    if "(" in ctype or "[" in ctype:
        return f"__typeof__({ctype}) {name}"
    return f"{ctype}{name}" if ctype.endswith("*") else f"{ctype} {name}"
