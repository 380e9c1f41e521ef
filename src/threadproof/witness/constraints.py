"""WaypointConstraints of waypoints: C expressions over the program's variables, and `\\result == N` about a call.

They are evaluated as the simulator evaluates conditions. What it cannot evaluate (a cast, a local that the normal form
does not keep) is left open: such a constraint holds back nobody.
"""

from __future__ import annotations

import re
from functools import lru_cache

from threadproof.core.property import Property
from threadproof.core.thread_id import ThreadId
from threadproof.ir.ctypes import signed
from threadproof.semantics.machine import Machine
from threadproof.semantics.state import State
from threadproof.simulate.evaluate import NameScope, Undetermined, Wrong
from threadproof.simulate.syntax import Node, SyntaxProblem, parse
from threadproof.simulate.world import SimulatedProgram
from threadproof.witness.model import ViolationWitness

_RESULT = re.compile(r"\s*\(?\s*\\result\s*(==|!=|<=|>=|<|>)\s*\(?\s*(-?)\s*\(?\s*(\d+)[uUlL]*[\s)]*")

_EQUALS = re.compile(r"[\w\]]\s*==\s*(-?\d+)\b")


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Node | None:
    try:
        return parse(text)
    except (SyntaxProblem, RecursionError):
        return None


class WaypointConstraints:
    def __init__(self, machine: Machine, prop: Property) -> None:
        self._world = SimulatedProgram(machine, prop)

    def holds(self, text: str, state: State, thread: ThreadId) -> bool:
        """Whether a condition is true, or open."""
        node = None if text in ("", "1", "true") else _parsed(text)
        if node is None:
            return True
        try:
            return bool(NameScope(self._world, state, thread).number(node))
        except (Undetermined, Wrong, ArithmeticError):
            return True

    def value(self, name: str, state: State, thread: ThreadId) -> int | None:
        """The number that a global variable holds, None if it holds none, or an arbitrary one."""
        node = _parsed(name)
        if node is None:
            return None
        try:
            found = NameScope(self._world, state, thread).number(node)
        except (Undetermined, Wrong, ArithmeticError):
            return None
        return found if isinstance(found, int) else None


def named_numbers(witness: ViolationWitness) -> list[int]:
    """That some variable is said to be equal to, each once: values to try first where no waypoint says which."""
    texts = (waypoint.constraint for segment in witness.segments for waypoint in segment)
    return list(dict.fromkeys(int(number) for text in texts for number in _EQUALS.findall(text) if int(number)))


def wanted_result(text: str) -> int | None:
    """The number that `\\result == N` names."""
    found = _RESULT.fullmatch(text)
    return int(found[2] + found[3]) if found is not None and found[1] == "==" else None


def result_fits(text: str, value: int | None) -> bool:
    """Whether a call may have returned this value; what is not known fits."""
    found = _RESULT.fullmatch(text)
    if found is None or value is None:
        return True
    number = int(found[2] + found[3])
    candidates = {value, *(signed(value & ((1 << bits) - 1), bits) for bits in (8, 16, 32, 64)), value % (1 << 32)}
    if found[1] == "==":
        return number in candidates
    return _compare(found[1], value, number)


def _compare(op: str, left: int, right: int) -> bool:
    match op:
        case "!=":
            return left != right
        case "<=":
            return left <= right
        case ">=":
            return left >= right
        case "<":
            return left < right
        case _:
            return left > right
