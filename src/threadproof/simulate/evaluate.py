"""Values of conditions in a state.

Differs from C: integers do not wrap and are not converted to a common type, so `-1 < 1u` is true, as on paper.
Variables have their C values, division rounds towards zero.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass

from threadproof.core.thread_id import ThreadId, name
from threadproof.ir.ctypes import CPointer, Enumeration, type_name
from threadproof.ir.program import GlobalVar, Lifetime
from threadproof.semantics.outcome import Trap, Unsupportable
from threadproof.semantics.state import State
from threadproof.simulate.data import Datum, is_scalar, part_at, read, show
from threadproof.simulate.syntax import (
    ConditionBinary,
    ConditionChoice,
    ConditionIndex,
    ConditionMember,
    ConditionName,
    ConditionNumber,
    ConditionUnary,
    Node,
    parse,
)
from threadproof.simulate.variables import locals_of, read_global
from threadproof.simulate.world import SimulatedProgram

Numeric = int | float


class Wrong(Exception):
    """The condition makes no sense for this program: no such variable, no such member."""


class Undetermined(Exception):
    """It makes sense, but has no value now: an arbitrary value, a local out of scope, a null pointer."""


@dataclass(frozen=True, slots=True)
class NameScope:
    world: SimulatedProgram
    state: State
    focus: ThreadId

    def holds(self, node: Node) -> bool:
        """Whether a condition is true now; what has no value is not."""
        try:
            return bool(self.number(node))
        except Undetermined:
            return False

    def number(self, node: Node) -> Numeric:
        match node:
            case ConditionNumber():
                return node.value
            case ConditionUnary(op="&"):
                return self._address(node.operand)
            case ConditionUnary(op="!" | "-" | "+" | "~"):
                return _UNARY[node.op](self.number(node.operand))
            case ConditionBinary(op="&&"):
                return int(bool(self.number(node.left)) and bool(self.number(node.right)))
            case ConditionBinary(op="||"):
                return int(bool(self.number(node.left)) or bool(self.number(node.right)))
            case ConditionBinary():
                return _apply(node.op, self.number(node.left), self.number(node.right))
            case ConditionChoice():
                return self.number(node.then if self.number(node.condition) else node.otherwise)
            case ConditionName() if not node.scope and (constant := self._constant(node.name)) is not None:
                return constant
            case _:
                value = self.datum(node).number()
                if value is None:
                    raise Undetermined("a value that is arbitrary, or a whole array or structure")
                return value

    def datum(self, node: Node) -> Datum:
        """What a place holds."""
        match node:
            case ConditionName():
                return self._variable(node)
            case ConditionMember():
                return _known(self._base(node).member(node.name), f"no member {node.name} there")
            case ConditionIndex():
                base, index = self.datum(node.base), self.number(node.index)
                if isinstance(base.ctype, CPointer):
                    raise Wrong("only arrays can be indexed, not pointers")
                found = base.element(int(index))
                if found is None and base.element(0) is not None:
                    raise Undetermined(f"index {index} is out of range")
                return _known(found, "only arrays can be indexed")
            case ConditionUnary(op="*"):
                return self._followed(self.datum(node.operand))
            case _:
                raise Wrong("this is not a place in memory")

    def _base(self, node: ConditionMember) -> Datum:
        if isinstance(node.base, ConditionUnary) and node.base.op == "*":
            return self._pointed(self.datum(node.base.operand), lambda part: part.member(node.name) is not None)
        return self.datum(node.base)

    def _address(self, node: Node) -> int:
        address = self.datum(node).address
        if address is None:
            raise Undetermined("the address of a variable kept in a register")
        return address

    def _followed(self, pointer: Datum) -> Datum:
        """`*p`: what has the type that the pointer is declared to point to, else a scalar."""
        target = pointer.ctype.target if isinstance(pointer.ctype, CPointer) else ""
        try:
            return self._pointed(pointer, lambda part: part.ctype is not None and type_name(part.ctype) == target)
        except Undetermined:
            return self._pointed(pointer, is_scalar)

    def _pointed(self, pointer: Datum, accept: Callable[[Datum], bool]) -> Datum:
        """What a pointer points to: typed by the variable it points into, the outermost part that is accepted."""
        address = pointer.number()
        if not isinstance(pointer.ctype, CPointer):
            raise Wrong("only pointers can be followed")
        view = self.world.memory(self.state)
        try:
            obj = view.find(address)
        except (Trap, Unsupportable):
            raise Undetermined("a pointer to nothing") from None
        datum = read(view, obj.start, 8 * obj.size, self.world.names.type_of(obj))
        found = datum and part_at(datum, 8 * (int(address or 0) - obj.start), accept)
        if found is None:
            raise Undetermined("a pointer to memory whose C type is not known")
        return found

    # --- names -----------------------------------------------------------------------------------------------------

    def _variable(self, node: ConditionName) -> Datum:
        if node.scope:
            return self._scoped(node)
        same = self._globals(node.name)
        if len(same) > 1:
            raise Wrong(f"{node.name} is one of {', '.join(v.name for v in same)}: say which")
        if same:
            found = read_global(self.world, self.state, same[0], self.focus)
            return _known(found, f"{node.name} cannot be read")
        return self._local(node.name, self.focus, "")

    def _globals(self, wanted: str) -> list[GlobalVar]:
        variables = self.world.machine.program.globals.values()
        return [v for v in variables if v.c_name == wanted] or [v for v in variables if v.name == wanted]

    def _scoped(self, node: ConditionName) -> Datum:
        threads = {name(thread.id): thread.id for thread in self.state.threads.values()}
        static = self.world.machine.program.globals.get(f"{node.scope}.{node.name}")
        if static is not None:
            return _known(read_global(self.world, self.state, static, self.focus), f"{node.name} cannot be read")
        own = [v for v in self._globals(node.name) if v.lifetime is Lifetime.THREAD]
        if node.scope in threads and own:
            return _known(read_global(self.world, self.state, own[0], threads[node.scope]), "cannot be read")
        if node.scope in threads:
            return self._local(node.name, threads[node.scope], "")
        functions = self.world.machine.program.functions
        if node.scope in functions:
            if all(variable.c_name != node.name for variable in functions[node.scope].variables.values()):
                raise Wrong(f"no variable {node.name} in {node.scope}")
            for thread in (self.focus, *threads.values()):
                found = [n for n in locals_of(self.world, self.state, thread, node.scope) if n.title == node.name]
                if found:
                    return found[0].datum
            raise Undetermined(f"{node.scope}::{node.name} is not in scope now")
        if re.fullmatch(r"T\d+(\.\d+)*", node.scope):
            raise self._missing(node.name)  # of a thread yet to come
        raise Wrong(f"no thread or function {node.scope}")

    def _local(self, wanted: str, thread: ThreadId, function: str) -> Datum:
        for found in locals_of(self.world, self.state, thread, function):
            if found.title == wanted:
                return found.datum
        raise self._missing(wanted)

    def _missing(self, wanted: str) -> Exception:
        functions = self.world.machine.program.functions.values()
        if self._globals(wanted) or any(
            variable.c_name == wanted for f in functions for variable in f.variables.values()
        ):
            return Undetermined(f"{wanted} is not in scope now, or nobody reads it again")
        return Wrong(f"no variable {wanted}")

    def _constant(self, wanted: str) -> int | None:
        """A constant of an enumeration that a variable of the program has."""
        program = self.world.machine.program
        if any(variable.c_name == wanted for variable in program.globals.values()):
            return None
        kinds = [v.ctype for v in program.globals.values()]
        kinds += [v.ctype for f in program.functions.values() for v in f.variables.values()]
        for kind in kinds:
            if isinstance(kind, Enumeration):
                for title, value in kind.constants:
                    if title == wanted:
                        return value
        return None


def value_of(scope: NameScope, text: str) -> str:
    """An expression's value in words: whole structures where it is a place, else a number."""
    node = parse(text)
    if isinstance(node, ConditionName | ConditionMember | ConditionIndex) or (
        isinstance(node, ConditionUnary) and node.op == "*"
    ):
        try:
            return show(scope.world.names, scope.state, scope.datum(node))
        except Wrong:
            pass  # an enumeration's constant is a name and no place
    return str(scope.number(node))


def _known(datum: Datum | None, otherwise: str) -> Datum:
    if datum is None:
        raise Wrong(otherwise)
    return datum


def _apply(op: str, left: Numeric, right: Numeric) -> Numeric:
    if op in ("/", "%") and right == 0:
        raise Undetermined("division by zero")
    if op in ("<<", ">>") and not 0 <= right < 128:
        raise Undetermined("a shift by a negative or huge amount")
    if op not in _BITWISE:
        return _BINARY[op](left, right)
    if isinstance(left, float) or isinstance(right, float):
        raise Wrong(f"{op} needs integers")
    return _BITWISE[op](left, right)


def _divide(left: Numeric, right: Numeric) -> Numeric:
    if isinstance(left, float) or isinstance(right, float):
        return left / right
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


_UNARY: dict[str, Callable[[Numeric], Numeric]] = {
    "!": lambda value: int(not value),
    "-": operator.neg,
    "+": operator.pos,
    "~": lambda value: ~int(value),
}
_BINARY: dict[str, Callable[[Numeric, Numeric], Numeric]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divide,
    "%": lambda left, right: left - right * _divide(left, right),
    "==": lambda left, right: int(left == right),
    "!=": lambda left, right: int(left != right),
    "<": lambda left, right: int(left < right),
    "<=": lambda left, right: int(left <= right),
    ">": lambda left, right: int(left > right),
    ">=": lambda left, right: int(left >= right),
}
_BITWISE: dict[str, Callable[[int, int], int]] = {
    "&": lambda left, right: left & right,
    "|": lambda left, right: left | right,
    "^": lambda left, right: left ^ right,
    "<<": lambda left, right: left << right,
    ">>": lambda left, right: left >> right,
}
