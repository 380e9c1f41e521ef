"""What all configurations share: the program's letters, their formulas, and what was found out about them."""

from __future__ import annotations

from dataclasses import dataclass

from threadproof.abstraction.liveness import Liveness
from threadproof.abstraction.predicates import Predicates
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.abstraction.triples import Triples
from threadproof.automaton import FillingLoops, for_letters, program_automaton
from threadproof.automaton.bounds import instance_bounds
from threadproof.encoding.errors import CannotEncode
from threadproof.engines.task import Task
from threadproof.ir.expr import Binary, BinaryOp, Const, walk
from threadproof.ir.instr import Nondet, all_uses
from threadproof.smt.context import Context

PRODUCTS = (BinaryOp.MUL, BinaryOp.UDIV, BinaryOp.SDIV, BinaryOp.UREM, BinaryOp.SREM)
MOST_INSTANCES = 6
SMALL_CHOICE = 16
MOST_STEPS = 12_000
"""In all letters: the formulas of more take longer than most limits, and nobody asks for the time meanwhile."""


@dataclass(frozen=True, slots=True)
class Substrate:
    """For so many threads."""

    product: ThreadProduct
    context: Context
    triples: Triples
    liveness: Liveness


class CegarSetting:
    """Raises CannotUnfold, CannotEncode, OutOfAddresses."""

    def __init__(self, task: Task, loops: FillingLoops) -> None:
        self.property = task.property
        self.program = for_letters(task.program, task.property, loops)
        self._automaton = program_automaton(self.program)
        steps = sum(len(letter.steps) for letter in self._automaton.letters)
        if steps > MOST_STEPS:
            raise CannotEncode(f"{steps:,} instructions in letters: cegar looks at {MOST_STEPS:,} at most")
        bounds = instance_bounds(self._automaton)
        self.most = {name: often if often <= MOST_INSTANCES else 2 for name, often in bounds.items()}
        """Threads of each template that are looked at: all there may be; two at first, where loops create them."""
        self._made: dict[tuple[tuple[str, int], ...], Substrate] = {}

    @property
    def has_loops(self) -> bool:
        return any(thread.loop_heads for thread in self._automaton.templates.values())

    @property
    def asks_for_numbers(self) -> bool:
        """From outside, so that variables may have any value."""
        wide = (one for one in self.program.instrs() if isinstance(one, Nondet) and not one.values)
        return any(one.high - one.low > SMALL_CHOICE for one in wide)

    @property
    def has_products(self) -> bool:
        """Or quotients, of numbers that are both not constants."""
        parts = (part for instr in self.program.instrs() for used in all_uses(instr) for part in walk(used))
        numbers = (part for part in parts if isinstance(part, Binary) and part.op in PRODUCTS)
        return any(not isinstance(one.left, Const) and not isinstance(one.right, Const) for one in numbers)

    @property
    def threads_have_loops(self) -> bool:
        """Those that are started."""
        return any(one.loop_heads for name, one in self._automaton.templates.items() if name != self._automaton.main)

    @property
    def can_look_at_more(self) -> bool:
        return max(self.most.values()) < MOST_INSTANCES

    def look_at_more(self) -> bool:
        """Whether that is possible; for all configurations from now on."""
        if not self.can_look_at_more:
            return False
        self.most = {name: min(often * 2, MOST_INSTANCES) for name, often in self.most.items()}
        return True

    def substrate(self) -> Substrate:
        key = tuple(sorted(self.most.items()))
        if key not in self._made:
            product = ThreadProduct(self.program, self._automaton, self.property, self.most)
            context = Context(product.terms)
            triples = Triples(Predicates(context), product.space.facts())
            self._made[key] = Substrate(product, context, triples, Liveness(product.space))
        return self._made[key]
