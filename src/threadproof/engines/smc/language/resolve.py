"""Names of a query get their meaning from the program; an unknown one is answered with those that come close."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import reduce

from threadproof.analysis.control.call_graph import address_taken
from threadproof.core.thread_id import number
from threadproof.engines.smc.language import expression as e
from threadproof.engines.smc.language import sites
from threadproof.engines.smc.language import syntax as s
from threadproof.engines.smc.language.parse import QueryError
from threadproof.engines.smc.language.places import QueryPlace, Types, of_parts
from threadproof.ir.ctypes import Encoding, Scalar
from threadproof.ir.expr import Reg
from threadproof.ir.instr import defs
from threadproof.ir.program import Lifetime, Program

_REGISTER_TYPES: dict[str, tuple[int, Encoding]] = {
    "char": (8, Encoding.SIGNED), "short": (16, Encoding.SIGNED), "int": (32, Encoding.SIGNED),
    "long": (64, Encoding.SIGNED), "float": (32, Encoding.FLOAT), "double": (64, Encoding.FLOAT),
    "unsigned": (32, Encoding.UNSIGNED), "bool": (1, Encoding.UNSIGNED), "ptr": (64, Encoding.UNSIGNED),
    **{f"i{n}": (n, Encoding.SIGNED) for n in (1, 8, 16, 32, 64)},
    **{f"int{n}": (n, Encoding.SIGNED) for n in (8, 16, 32, 64)},
    **{f"int{n}_t": (n, Encoding.SIGNED) for n in (8, 16, 32, 64)},
    **{f"uint{n}": (n, Encoding.UNSIGNED) for n in (8, 16, 32, 64)},
    **{f"uint{n}_t": (n, Encoding.UNSIGNED) for n in (8, 16, 32, 64)},
}  # fmt: skip


class Resolver:
    """Turns expressions of one text into terms over the states of one program."""

    def __init__(self, program: Program, text: str) -> None:
        self._program = program
        self._text = text
        self._types = Types(program)
        self._bound: list[str] = []
        self._globals = {
            (variable.c_name or name): name
            for name, variable in reversed(program.globals.items())
            if not name.startswith(".str")
        }

    def fail(self, at: s.QuerySpan, why: str) -> QueryError:
        """The error to raise."""
        return QueryError(self._text, at, why)

    def unknown(self, at: s.QuerySpan, what: str, asked: str, known: Iterable[str]) -> QueryError:
        names = list(dict.fromkeys(known))
        close = get_close_matches(asked, names, 3, 0.6)
        if close:
            hint = f"; did you mean {' or '.join(close)}?"
        elif names and len(names) <= 12:
            hint = f"; known: {', '.join(sorted(names))}"
        else:
            hint = ""
        return self.fail(at, f"no {what} '{asked}'{hint}")

    def term(self, expr: s.Expr) -> e.Term:
        match expr:
            case s.QueryNumber():
                return e.Num(expr.value)
            case s.QueryUnary():
                operand = self.term(expr.operand)
                self._only_integers(expr, operand)
                return e.Un(expr.op, operand)
            case s.QueryBinary():
                left, right = self.term(expr.left), self.term(expr.right)
                self._only_integers(expr, left, right)
                return e.Bin(expr.op, left, right)
            case s.QueryChoice():
                return e.If(self.term(expr.condition), self.term(expr.then), self.term(expr.otherwise))
            case s.Calls():
                return self._calls(expr)
            case s.StandsAt():
                return self._stands_at(expr)
            case s.Quantified():
                return self._quantified(expr)
            case s.QueryRegister():
                return self._register(expr)
            case s.QueryPosition():
                return self._position(expr)
            case s.QueryName():
                return self._value(expr)

    def _only_integers(self, expr: s.QueryUnary | s.QueryBinary, *operands: e.Term) -> None:
        if expr.op in ("%", "<<", ">>", "&", "|", "^", "~") and any(e.is_float(operand) for operand in operands):
            raise self.fail(expr.at, f"'{expr.op}' needs integers, not a floating-point number")

    # --- processes and positions -------------------------------------------------------------------------------------

    def _process(self, process: s.Process, at: s.QuerySpan) -> e.Proc:
        if isinstance(process, int):
            return e.Fixed(process_number(process))
        if process in self._bound:
            return e.BoundProcess(len(self._bound) - 1 - self._bound[::-1].index(process))
        known = ", ".join(self._bound)
        hint = f"; bound here: {known}" if known else f": a number, or a variable as in Exists ({process})(...)"
        raise self.fail(at, f"no process '{process}'{hint}")

    def _quantified(self, expr: s.Quantified) -> e.Term:
        self._bound.append(expr.variable)
        try:
            return e.Quant(expr.quantifier, len(self._bound) - 1, self.term(expr.body))
        finally:
            self._bound.pop()

    def _calls(self, expr: s.Calls) -> e.Term:
        process = self._process(expr.process, expr.at)
        direct = sites.call_sites(self._program, expr.function)
        found: list[e.Term] = [e.Stands(process, direct)] if direct else []
        found += self._indirect_calls(process, expr.function)
        if not found:
            if expr.function in self._program.functions:
                raise self.fail(expr.at, f"nothing in {self._program.name} calls {expr.function}")
            raise self.unknown(expr.at, "function that is called", expr.function, sites.callable_names(self._program))
        return reduce(lambda left, right: e.Bin("||", left, right), found)

    def _indirect_calls(self, process: e.Proc, function: str) -> list[e.Term]:
        """Where a pointer is called: the process stands there and the pointer's register holds the address."""
        if function not in address_taken(self._program):
            return []
        address = e.Num(self._program.layout().functions[function])
        return [
            e.Bin("&&", e.Stands(process, {site.function: frozenset({site.pc})}), e.Bin("==", pointer, address))
            for site in sites.pointer_calls(self._program)
            for pointer in [e.RegValue(process, site.function, site.register, 64, Encoding.UNSIGNED)]
        ]

    def _stands_at(self, expr: s.StandsAt) -> e.Term:
        found = sites.source_sites(self._program, expr.file, expr.line)
        if not found:
            where = f"{expr.file}:{expr.line}" if expr.file else f"line {expr.line}"
            raise self.fail(expr.at, f"no instruction stands at {where}")
        return e.Stands(self._process(expr.process, expr.at), found)

    def _position(self, expr: s.QueryPosition) -> e.Term:
        process, name, parts = self._split_process(expr.name)
        if parts:
            raise self.fail(expr.at, "a position is written function@line")
        if name not in self._program.functions:
            raise self.unknown(expr.at, "function", name, self._program.functions)
        found = sites.line_sites(self._program, name, expr.line)
        if not found:
            lines = ", ".join(str(line) for line in sites.lines_of(self._program, name))
            raise self.fail(expr.at, f"no instruction of {name} stands at line {expr.line}; its lines: {lines}")
        return e.Stands(process, found)

    def _split_process(self, name: s.QueryName) -> tuple[e.Proc | None, str, tuple[s.NamePart, ...]]:
        """`1.worker` and, under a quantifier, `p.worker`."""
        if name.process is not None:
            return e.Fixed(process_number(name.process)), name.first, name.parts
        if name.first in self._bound and name.parts and name.parts[0].kind is s.PartKind.MEMBER:
            return self._process(name.first, name.at), name.parts[0].name, name.parts[1:]
        return None, name.first, name.parts

    # --- registers and variables -------------------------------------------------------------------------------------

    def _register(self, expr: s.QueryRegister) -> e.Term:
        function = self._program.functions.get(expr.function)
        if function is None:
            raise self.unknown(expr.at, "function", expr.function, self._program.functions)
        registers: dict[str, Reg] = {reg.name: reg for reg in function.params}
        for instr in function.instrs():
            registers.update((reg.name, reg) for reg in defs(instr))
        found = registers.get(expr.register)
        if found is None:
            raise self.unknown(expr.at, f"register of {expr.function}", expr.register, registers)
        bits, encoding = found.width, Encoding.SIGNED
        if expr.type:
            words = expr.type.split()
            if words[-1] not in _REGISTER_TYPES:
                raise self.unknown(expr.at, "type", expr.type, _REGISTER_TYPES)
            bits, encoding = _REGISTER_TYPES[words[-1]]
            if words[0] == "unsigned":
                encoding = Encoding.UNSIGNED
        return e.RegValue(self._process(expr.process, expr.at), expr.function, expr.register, bits, encoding)

    def _value(self, name: s.QueryName) -> e.Term:
        process, first, parts = self._split_process(name)
        if parts and parts[0].kind is s.PartKind.LOCAL:
            place = self._local(process, first, parts[0], name.at)
            parts = parts[1:]
        elif first in self._globals:
            place = self._global(process, first, name.at)
        elif not parts and process is None and first in self._types.constants:
            return e.Num(self._types.constants[first])
        else:
            raise self._no_variable(name.at, first)
        return of_parts(self, self._types, place, parts, name.at)

    def _no_variable(self, at: s.QuerySpan, name: str) -> QueryError:
        owners = [f.name for f in self._program.functions.values() for v in f.variables.values() if v.c_name == name]
        if owners:
            return self.fail(at, f"'{name}' is no global variable; the local one is written {owners[0]}::{name}")
        return self.unknown(at, "variable", name, [*self._globals, *self._types.constants])

    def _global(self, process: e.Proc | None, c_name: str, at: s.QuerySpan) -> QueryPlace:
        variable = self._program.globals[self._globals[c_name]]
        ctype = variable.ctype
        if ctype is None and variable.size in (1, 2, 4, 8):
            ctype = Scalar("int", 8 * variable.size, Encoding.SIGNED)
        if variable.lifetime is not Lifetime.THREAD:
            return QueryPlace(c_name, e.StaticBase(variable.name), e.Num(0), 0, ctype)
        if process is None:
            raise self.fail(at, f"'{c_name}' is thread-local: say whose, as in 1.{c_name}")
        return QueryPlace(c_name, e.ThreadBase(process, variable.name), e.Num(0), 0, ctype)

    def _local(self, process: e.Proc | None, function: str, part: s.NamePart, at: s.QuerySpan) -> QueryPlace:
        found = self._program.functions.get(function)
        if found is None:
            raise self.unknown(at, "function", function, self._program.functions)
        for key, variable in found.variables.items():
            if variable.c_name == part.name:
                return QueryPlace(
                    f"{function}::{part.name}", e.LocalBase(process, function, key), e.Num(0), 0, variable.ctype
                )
        if f"{function}.{part.name}" in self._program.globals:  # a static variable of the function
            variable = self._program.globals[f"{function}.{part.name}"]
            return QueryPlace(f"{function}::{part.name}", e.StaticBase(variable.name), e.Num(0), 0, variable.ctype)
        raise self.unknown(
            part.at, f"variable of {function}", part.name, [variable.c_name for variable in found.variables.values()]
        )


def process_number(process: int) -> int:
    """Process 0 is main, process n the n-th thread that main creates."""
    return number(()) if process == 0 else number((process - 1,))
