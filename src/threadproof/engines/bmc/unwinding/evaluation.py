"""What expressions come to at an instruction: their terms, and the paths on which they are undefined.

Freed memory is never given out again, so the address of a freed block must not be looked at: where that could happen is
noted (`Unwound.compared`).
"""

from __future__ import annotations

from threadproof.encoding.encoded import Encoded
from threadproof.encoding.expressions import address, condition, value
from threadproof.engines.bmc.unwinding.encodings import Encode, Encodings
from threadproof.engines.bmc.unwinding.memory import UnwoundMemory
from threadproof.engines.bmc.unwinding.objects import ObjectStorage
from threadproof.engines.bmc.unwinding.state import Registers
from threadproof.engines.bmc.unwinding.world import Unwound, UnwoundStep
from threadproof.ir.expr import Binary, Compare, Const, Convert, Expr, Reg, children, walk
from threadproof.smt.term import Term


class Evaluation:
    def __init__(self, world: Unwound, memory: UnwoundMemory, encodings: Encodings) -> None:
        self._world = world
        self._terms = world.terms
        self._memory = memory
        self._encodings = encodings

    def _encoded(self, how: Encode, step: UnwoundStep, registers: Registers, expr: Expr) -> Encoded:
        tls = self._terms.bv(step.thread.tls, self._world.pointer_bits)
        return self._encodings.encoded(how, expr, registers, tls, self._memory.places)

    def _checked(self, how: Encode, step: UnwoundStep, registers: Registers, expr: Expr) -> Term:
        self._watch(step, registers, expr)
        found = self._encoded(how, step, registers, expr)
        self._world.definitions.extend(found.definitions)
        for trap in found.traps:
            self._world.end(step, trap.condition, trap.what)
        return self._world.values.folded(found.value)

    def value(self, step: UnwoundStep, registers: Registers, expr: Expr) -> Term:
        if isinstance(expr, Const):
            return self._terms.bv(expr.value, expr.width)
        if isinstance(expr, Reg):
            return self._world.values.folded(registers[expr.name])
        return self._checked(value, step, registers, expr)

    def condition(self, step: UnwoundStep, registers: Registers, expr: Expr) -> Term:
        return self._checked(condition, step, registers, expr)

    def address(self, step: UnwoundStep, registers: Registers, expr: Expr) -> Term:
        return self._checked(address, step, registers, expr)

    # --- addresses of freed blocks -----------------------------------------------------------------------------------

    def _watch(self, step: UnwoundStep, registers: Registers, expr: Expr) -> None:
        """Notes where the address of a freed block is more than handed on: it could be that of a new one."""
        world = self._world
        if world.compared or not world.frees_heap:
            return
        for part in walk(expr):
            if isinstance(part, Compare):
                sides = (self._encoded(value, step, registers, side).value for side in (part.left, part.right))
                self.compared(*sides)
            elif isinstance(part, Binary | Convert):
                for side in children(part):
                    self._looked_at(self._encoded(value, step, registers, side).value)

    def _looked_at(self, term: Term) -> None:
        owners = self._memory.places.owners(term)
        if any(o.storage is ObjectStorage.HEAP and o.start in self._world.facts.ended for o in owners):
            self._world.compared = True

    def compared(self, left: Term, right: Term) -> None:
        """Nothing is learnt from a comparison with null, or with what is not on the heap."""
        for one, two in ((left, right), (right, left)):
            owners = self._memory.places.owners(two)
            elsewhere = bool(owners) and all(o.storage is not ObjectStorage.HEAP for o in owners)
            if self._world.values.of(two) != frozenset((0,)) and not elsewhere:
                self._looked_at(one)
