"""What all threads of one generated program share: names, objects, what is asked for on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from threadproof.codegen.sequential.options import Options, Reduction
from threadproof.codegen.sequential.plan.registers import read_first, read_registers, register_kinds, stack_objects
from threadproof.codegen.sequential.plan.tables import Tables
from threadproof.codegen.sequential.plan.threads import FunctionCopy, SequentialCode, ThreadCode
from threadproof.codegen.sequential.text.names import TextNames
from threadproof.codegen.sequential.values.scalars import CKind
from threadproof.codegen.sequential.values.shapes import CShape, shape
from threadproof.codegen.sequential.values.typed import Object
from threadproof.core.source import SourceLoc
from threadproof.ir.control_flow import Site
from threadproof.ir.expr import const
from threadproof.ir.instr import Alloc, ObjectSize, Sync
from threadproof.ir.program import Function, GlobalVar, Program
from threadproof.sync.facts import Act, does


@dataclass(slots=True)
class FunctionFacts:
    kinds: dict[str, CKind]
    read: frozenset[str]
    objects: dict[str, Alloc]
    read_first: frozenset[str]


def _syncs(program: Program) -> Iterator[Sync]:
    return (i for f in program.functions.values() for i in f.instrs() if isinstance(i, Sync))


def _may_join_itself(program: Program) -> bool:
    """Main knows its own handle by asking for it only; others may find theirs where their creators left it."""
    asks = any(does(i, Act.SELF) for i in _syncs(program))
    others = (f for name, f in program.functions.items() if name != program.entry)
    return asks or any(does(i, Act.JOIN) for f in others for i in f.instrs())


def cancels(program: Program) -> bool:
    return any(does(i, Act.CANCEL) for i in _syncs(program))


@dataclass(slots=True)
class Module:
    program: Program
    code: SequentialCode
    options: Options
    threads: list[ThreadCode]
    tables: Tables
    names: TextNames = field(default_factory=TextNames)
    sync: set[str] = field(default_factory=set[str])  # operations that are called
    functions_named: dict[str, str] = field(default_factory=dict[str, str])
    globals_used: dict[str, set[int | None]] = field(default_factory=dict[str, set[int | None]])  # by which threads
    typedefs: dict[str, str] = field(default_factory=dict[str, str])
    locals: list[str] = field(default_factory=list[str])  # declarations inside main
    without_c: dict[Site, str] = field(default_factory=dict[Site, str])  # instructions that cannot be written, and why
    asks_results: bool = field(init=False)  # whether a join wants to know what a thread returned
    asks_itself: bool = field(init=False)  # whether a thread could join itself
    asks_cancellation: bool = field(init=False)
    asks_sizes: bool = field(init=False)  # whether the sizes of heap blocks are asked for: `realloc`
    _global_names: set[str] = field(init=False)
    _facts: dict[str, FunctionFacts] = field(default_factory=dict[str, FunctionFacts])
    _declared: set[str] = field(default_factory=set[str])
    _lines: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    _shapes: dict[str, CShape] = field(default_factory=dict[str, CShape])

    def __post_init__(self) -> None:
        joins = [i for i in _syncs(self.program) if does(i, Act.JOIN)]
        self.asks_results = any(i.args[1] != const(0, i.args[1].width) for i in joins)
        self.asks_itself = _may_join_itself(self.program)
        self.asks_cancellation = cancels(self.program)
        self._global_names = {variable.c_name or name for name, variable in self.program.globals.items()}
        functions = self.program.functions.values()
        self.asks_sizes = any(isinstance(i, ObjectSize) for function in functions for i in function.instrs())

    @property
    def pointer_bits(self) -> int:
        return self.program.data_model.pointer_bits

    @property
    def forgets(self) -> bool:
        """Whether values that nobody reads any more are set to zero."""
        return self.options.reduction is Reduction.FULL

    def facts(self, function: str) -> FunctionFacts:
        found = self._facts.get(function)
        if found is None:
            code = self.program.functions[function]
            kinds = register_kinds(self.program, code)
            objects = stack_objects(code)
            first = read_first(code, objects)
            found = self._facts[function] = FunctionFacts(kinds, read_registers(code), objects, first)
        return found

    def declare(self, name: str, text: str) -> None:
        """A variable of main, declared when it is first mentioned."""
        if name not in self._declared:
            self._declared.add(name)
            self.locals.append(text)

    def typed(self, found: CShape) -> CShape:
        """The shape with its type declared; types of the same name and different content get different names."""
        if not found.typedef:
            return found
        wish = f"{found.type}_{found.element_size}" if found.type in self._global_names else found.type
        name = self.names.name(("type", found.type, found.typedef), wish)
        self.typedefs[name] = found.typedef.replace("{name}", name)
        return replace(found, type=name, typedef="")

    def shape_of(self, variable: GlobalVar) -> CShape:
        found = self._shapes.get(variable.name)
        if found is None:
            plain = shape(variable.ctype, variable.size, max(1, variable.align), self.pointer_bits)
            found = self._shapes[variable.name] = self.typed(plain)
        return found

    def global_object(self, name: str, thread: int | None) -> Object:
        """A global variable; of a thread-local one the thread's own."""
        variable = self.program.globals[name]
        self.globals_used.setdefault(name, set()).add(thread)
        wish = variable.c_name or name
        if thread is not None:
            return Object(self.names.name(("tls", thread, name), f"T{thread}_{wish}"), self.shape_of(variable))
        return Object(self.names.name(("global", name), wish), self.shape_of(variable))

    def function_mark(self, name: str) -> str:
        """Functions have no code of their own any more; an object stands for the address of each."""
        mark = self.names.name(("function", name), f"{name}_function")
        self.functions_named[name] = mark
        return f"&{mark}"

    def register_name(self, thread: int, copy: FunctionCopy, name: str) -> str:
        """T1_x for the variable x; T1_5 for a temporary value."""
        function = self.program.functions[copy.function]
        variable = function.variables.get(name)
        wish = variable.c_name if variable is not None else name.lstrip("%")
        if variable is None and name.lstrip("%").isdigit():
            wish = self._parameter(function, name) or wish
        return self.names.name(("reg", thread, copy, name), f"T{thread}_{wish}")

    def _parameter(self, function: Function, name: str) -> str:
        """The C name of a parameter, which the debug information tells of the variable clang copies it to."""
        number = next((n for n, param in enumerate(function.params) if param.name == name), None)
        if number is None:
            return ""
        names = [(key, v.c_name) for key, v in function.variables.items() if v.loc.line == function.loc.line]
        if len(names) != len(function.params):
            return f"{function.name}_arg{number}"
        key, c_name = names[number]
        return f"{c_name}_arg" if key in self.facts(function.name).read else c_name

    def source(self, loc: SourceLoc) -> str:
        """The text of a source line, fit for a comment."""
        if not loc.line:
            return ""
        lines = self._lines.get(loc.file)
        if lines is None:
            path = next((s for s in self.program.sources if Path(s).name == Path(loc.file).name), loc.file)
            try:
                lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
            except OSError:
                lines = []
            self._lines[loc.file] = lines
        text = lines[loc.line - 1] if loc.line <= len(lines) else ""
        text = re.sub(r"\s+", " ", text).strip().replace("??", "? ?")[:90].rstrip("\\ ")
        return f"{loc.line}: {text}" if text else str(loc.line)
