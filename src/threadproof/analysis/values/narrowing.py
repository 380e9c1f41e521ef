"""Which values of a nondeterministic choice survive what directly follows it.

Walks forward from the choice, through calls and branches, as long as only registers and private locals are touched,
and collects the values for which the path does not end at once in a failed assumption, `abort` or `exit`. The others
cannot matter: nothing was done that anybody could notice, unless a property asks what is left when the program ends.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from threadproof.analysis.values.conditions import CHOICE, Conditions, Intervals, complement, intersect, patterns, union
from threadproof.ir.ctypes import Enumeration, Scalar
from threadproof.ir.expr import (
    Expr,
    Reg,
    may_trap,
    rebuild,
    registers,
)
from threadproof.ir.instr import (
    Alloc,
    Assign,
    Assume,
    Branch,
    Call,
    Edge,
    Halt,
    HaltKind,
    Instr,
    Jump,
    Load,
    Nondet,
    Return,
    Storage,
    Store,
)
from threadproof.ir.program import Function, Program
from threadproof.ir.simplify import simplify

MAX_STEPS = 400


_Frame = tuple[Function, str, int, tuple[tuple[str, Expr], ...]]
"""A function, a place in it, and what its registers and private locals (`*p`) are known to hold."""


@dataclass(frozen=True, slots=True)
class _Point:
    """Where a path stands: a stack of (function, block label, index, register values), innermost last."""

    frames: tuple[_Frame, ...]
    values: Intervals


def surviving(
    program: Program, function: Function, label: str, index: int, noticed: Collection[HaltKind] = ()
) -> Intervals | None:
    """Bit patterns of the Nondet at that place that survive, None if nothing could be learned. `noticed`: ends of the
    program that matter themselves."""
    instr = function.block(label).instrs[index]
    assert isinstance(instr, Nondet)
    return _Walk(program, instr, noticed).run(function, label, index + 1)


class _Walk:
    def __init__(self, program: Program, choice: Nondet, noticed: Collection[HaltKind]) -> None:
        self._program = program
        self._noticed = noticed
        self._width = choice.dst.width
        self._choice = Reg(CHOICE, choice.dst.width)
        self._conditions = Conditions(choice.dst.width)
        self._name = choice.dst.name
        self._everything = patterns(choice.low, choice.high, choice.dst.width)
        self._survived: list[Intervals] = []
        self._steps = 0

    def run(self, function: Function, label: str, index: int) -> Intervals | None:
        env: tuple[tuple[str, Expr], ...] = ((self._name, self._choice),)
        todo = [_Point(((function, label, index, env),), self._everything)]
        while todo:
            self._steps += 1
            if self._steps > MAX_STEPS:
                return None
            todo.extend(self._step(todo.pop()))
        return union(*self._survived)

    def _survive(self, values: Intervals) -> list[_Point]:
        self._survived.append(values)
        return []

    def _step(self, point: _Point) -> list[_Point]:
        if not point.values:
            return []
        *below, (function, label, index, pairs) = point.frames
        env = dict(pairs)
        instr = function.block(label).instrs[index]

        def go_on(new: dict[str, Expr], where: str = label, at: int = index + 1) -> _Point:
            return _Point((*below, (function, where, at, tuple(new.items()))), point.values)

        match instr:
            case Assign() if not may_trap(instr.value):
                return [go_on(self._assigned(env, instr.dst.name, instr.value))]
            case Alloc() if instr.storage is Storage.STACK and instr.name in function.unshared:
                return [go_on({**env, instr.dst.name: Reg(f"&{instr.dst.name}", instr.dst.width)})]
            case Store(address=Reg(name=p)) if self._keeps(function, p, env, instr.value):
                return [go_on(self._assigned(env, f"*{p}", instr.value))]
            case Load(address=Reg(name=p)) if _local(function, p) is not None:
                return [go_on(self._loaded(env, instr, f"*{p}"))]
            case Nondet():
                return [go_on({k: v for k, v in env.items() if k != instr.dst.name})]
            case Jump():
                return [go_on(*self._along(env, instr.edge))]
            case Branch():
                return self._branch(instr, env, point)
            case Assume():
                holds = self._conditions.solve(self._value(env, instr.condition))
                if holds is None:
                    return self._survive(point.values)
                return [_Point(go_on(env).frames, intersect(point.values, holds))]
            case Halt() if instr.kind not in self._noticed:
                return []
            case Call(callee=str(name)) if name in self._program.functions and len(point.frames) < 4:
                return self._call(instr, name, env, below, function, label, index, point)
            case Return() if below:
                return [self._returned(instr, env, below, point)]
            case _:
                return self._survive(point.values)

    # --- values ---------------------------------------------------------------------------------------------

    def _value(self, env: dict[str, Expr], expr: Expr) -> Expr | None:
        """The expression over the choice alone; None if it depends on anything else."""
        if any(name not in env for name in registers(expr)):
            return None
        return _substitute(expr, env)

    def _assigned(self, env: dict[str, Expr], name: str, expr: Expr) -> dict[str, Expr]:
        value = self._value(env, expr)
        rest = {k: v for k, v in env.items() if k != name}
        return rest if value is None else {**rest, name: value}

    def _keeps(self, function: Function, pointer: str, env: dict[str, Expr], expr: Expr) -> bool:
        """Whether a store only records the choice in a number of the function's own. Overwriting a pointer would
        lose what it points to, and the path could not be dropped under memory safety."""
        value = self._value(env, expr)
        local = _local(function, pointer)
        if value is None or local is None or CHOICE not in registers(value):
            return False
        variable = function.variables.get(local.name)
        return variable is not None and isinstance(variable.ctype, Scalar | Enumeration)

    def _loaded(self, env: dict[str, Expr], instr: Load, place: str) -> dict[str, Expr]:
        rest = {k: v for k, v in env.items() if k != instr.dst.name}
        known = env.get(place)
        same = known is not None and known.width == instr.dst.width == 8 * instr.size
        return {**rest, instr.dst.name: known} if known is not None and same else rest

    def _along(self, env: dict[str, Expr], edge: Edge) -> tuple[dict[str, Expr], str, int]:
        new = env
        for dst, value in edge.moves:
            moved = self._value(env, value)
            new = {k: v for k, v in new.items() if k != dst.name}
            if moved is not None:
                new[dst.name] = moved
        return new, edge.target, 0

    def _branch(self, instr: Branch, env: dict[str, Expr], point: _Point) -> list[_Point]:
        holds = self._conditions.solve(self._value(env, instr.condition))
        if holds is None:
            return self._survive(point.values)
        *below, (function, _, _, _) = point.frames
        found: list[_Point] = []
        for edge, values in ((instr.then, holds), (instr.otherwise, complement(holds, self._width))):
            new, target, at = self._along(env, edge)
            frames = (*below, (function, target, at, tuple(new.items())))
            found.append(_Point(frames, intersect(point.values, values)))
        return found

    def _call(
        self,
        instr: Call,
        name: str,
        env: dict[str, Expr],
        below: list[_Frame],
        function: Function,
        label: str,
        index: int,
        point: _Point,
    ) -> list[_Point]:
        callee = self._program.functions[name]
        if len(callee.params) != len(instr.args):
            return self._survive(point.values)
        inner: dict[str, Expr] = {}
        for param, arg in zip(callee.params, instr.args, strict=True):
            value = self._value(env, arg)
            if value is not None:
                inner[param.name] = value
        caller = (function, label, index, tuple(env.items()))
        entry = (callee, callee.blocks[0].label, 0, tuple(inner.items()))
        return [_Point((*below, caller, entry), point.values)]

    def _returned(
        self,
        instr: Return,
        env: dict[str, Expr],
        below: list[_Frame],
        point: _Point,
    ) -> _Point:
        *rest, (function, label, index, pairs) = below
        call: Instr = function.block(label).instrs[index]
        assert isinstance(call, Call)
        outer = dict(pairs)
        if call.dst is not None:
            outer.pop(call.dst.name, None)
            value = None if instr.value is None else self._value(env, instr.value)
            if value is not None:
                outer[call.dst.name] = value
        return _Point((*rest, (function, label, index + 1, tuple(outer.items()))), point.values)


def _substitute(expr: Expr, env: dict[str, Expr]) -> Expr:
    if isinstance(expr, Reg):
        return env[expr.name]
    return simplify(rebuild(expr, lambda operand: _substitute(operand, env)))


def _local(function: Function, pointer: str) -> Alloc | None:
    """The private stack object a register points to."""
    for instr in function.instrs():
        if isinstance(instr, Alloc) and instr.dst.name == pointer and instr.storage is Storage.STACK:
            return instr if instr.name in function.unshared else None
    return None
