"""What expressions come to at an instruction: their terms, and the paths on which they are undefined.

Freed memory is never given out again, so the address of a freed block must not be looked at: where that could happen is
noted (`Unwound.compared`).
"""

from __future__ import annotations

from threadproof.encoding.encoded import Encoded, Environment
from threadproof.encoding.expressions import address, condition, value
from threadproof.engines.bmc.unwinding.memory import UnwoundMemory
from threadproof.engines.bmc.unwinding.objects import ObjectStorage
from threadproof.engines.bmc.unwinding.state import Registers
from threadproof.engines.bmc.unwinding.world import Unwound, UnwoundStep
from threadproof.ir.expr import Binary, Compare, Convert, Expr, children, walk
from threadproof.smt.term import Term


class Evaluation:
    def __init__(self, world: Unwound, memory: UnwoundMemory) -> None:
        self._world = world
        self._terms = world.terms
        self._memory = memory

    def _environment(self, step: UnwoundStep, registers: Registers) -> Environment:
        terms = self._terms
        tls = terms.bv(step.thread.tls, self._world.pointer_bits)
        here = Environment(self._world.layout, registers, tls, lambda expr: self._memory.places.zones(base(expr)))

        def base(expr: Expr) -> Term:
            return value(terms, here, expr).value

        return here

    def _checked(self, step: UnwoundStep, found: Encoded) -> Term:
        self._world.definitions.extend(found.definitions)
        for trap in found.traps:
            self._world.end(step, trap.condition, trap.what)
        return found.value

    def value(self, step: UnwoundStep, registers: Registers, expr: Expr) -> Term:
        self._watch(step, registers, expr)
        found = self._checked(step, value(self._terms, self._environment(step, registers), expr))
        return self._world.values.folded(found)

    def condition(self, step: UnwoundStep, registers: Registers, expr: Expr) -> Term:
        self._watch(step, registers, expr)
        found = self._checked(step, condition(self._terms, self._environment(step, registers), expr))
        return self._world.values.folded(found)

    def address(self, step: UnwoundStep, registers: Registers, expr: Expr) -> Term:
        self._watch(step, registers, expr)
        found = self._checked(step, address(self._terms, self._environment(step, registers), expr))
        return self._world.values.folded(found)

    # --- addresses of freed blocks -----------------------------------------------------------------------------------

    def _watch(self, step: UnwoundStep, registers: Registers, expr: Expr) -> None:
        """Notes where the address of a freed block is more than handed on: it could be that of a new one."""
        world = self._world
        if world.compared or not any(world.objects.is_heap(start) for start in world.facts.ended):
            return
        here = self._environment(step, registers)
        for part in walk(expr):
            if isinstance(part, Compare):
                self.compared(*(value(self._terms, here, side).value for side in (part.left, part.right)))
            elif isinstance(part, Binary | Convert):
                for side in children(part):
                    self._looked_at(value(self._terms, here, side).value)

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
