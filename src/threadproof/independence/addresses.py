"""Conditional dependence: two letters that would swap if they accessed different addresses.

Paper: B. Wachter, D. Kroening, J. Ouaknine, Verifying multi-threaded software with Impact, FMCAD 2013, section IV-D
(alias expressions). Differs: the condition is the negated alias expression, and it is shown that it suffices.
Invariants: the condition is about the state before both letters. Who prunes by it has to prove it there, and to keep
it in what he knows of that state.
"""

from __future__ import annotations

from typing import NamedTuple

from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions import Encoder
from threadproof.encoding.transitions.allocation import HugeBlocks
from threadproof.encoding.transitions.instructions import LetterInstructions
from threadproof.encoding.transitions.memory import CellMemory
from threadproof.encoding.transitions.run import LetterRun
from threadproof.independence.answers import LayerName, SwapAnswer, When
from threadproof.independence.inclusions import Given, Inclusions, split
from threadproof.independence.pairs import InstanceLetter
from threadproof.independence.sums import Sums
from threadproof.ir import instr as ir
from threadproof.ir.program import Spurious
from threadproof.smt.term import Op, Term, variables

_MOST = 6
"""Pairs of accesses that may meet; with more, a condition would help nobody."""


class AddressedAccess(NamedTuple):
    address: Term  # over the state before the letter
    size: int
    writes: bool


class AddressLayer:
    def __init__(self, encoder: Encoder, inclusions: Inclusions) -> None:
        self._space = encoder.space
        self._terms = encoder.space.terms
        self._inclusions = inclusions
        self._memory = CellMemory(encoder.space)
        self._instructions = LetterInstructions(encoder.space, self._memory, Spurious.ON, HugeBlocks.OBSTRUCT)
        self._sums = Sums(encoder.space.terms)
        self._known: dict[InstanceLetter, tuple[AddressedAccess, ...]] = {}
        self._inputs: dict[InstanceLetter, frozenset[Term]] = {}

    def decide(self, a: InstanceLetter, b: InstanceLetter, given: Given) -> SwapAnswer | None:
        condition = self.condition(a, b)
        if condition is None:
            return None
        apart = given | split([condition])
        if self._inclusions.holds(a, b, apart) and self._inclusions.holds(b, a, apart):
            return When(condition, LayerName.ADDRESSES)
        return None

    def condition(self, a: InstanceLetter, b: InstanceLetter) -> Term | None:
        """That accesses of the two, one of which writes, are to different addresses; None if that cannot be, or if
        addresses depend on what the letters leave open: then no state says whether they differ."""
        pairs = [(x, y) for x in self.accesses(a) for y in self.accesses(b) if x.writes or y.writes]
        apart = [one for one in (self._apart(x, y) for x, y in pairs) if one.op is not Op.TRUE]
        if not 0 < len(apart) <= _MOST or any(one.op is Op.FALSE for one in apart):
            return None
        open_values = self._inputs[a] | self._inputs[b]
        return None if open_values.intersection(variables(apart)) else self._terms.all(dict.fromkeys(apart))

    def _apart(self, x: AddressedAccess, y: AddressedAccess) -> Term:
        terms = self._terms
        if x.size == y.size:  # cells of one part do not overlap unless they are the same; if they do, it is not shown
            return self._sums.apart(x.address, y.address)
        far = terms.ule(terms.bv(x.size, x.address.width), terms.sub(y.address, x.address))
        return terms.and_(far, terms.ule(terms.bv(y.size, x.address.width), terms.sub(x.address, y.address)))

    # --- accesses ----------------------------------------------------------------------------------------------------

    def accesses(self, one: InstanceLetter) -> tuple[AddressedAccess, ...]:
        """Of memory that is not its thread's own, by loads and stores; none if a letter has no formula."""
        if one not in self._known:
            self._inputs[one] = frozenset()
            try:
                self._known[one] = tuple(self._found(one))
            except CannotEncode:
                self._known[one] = ()
        return self._known[one]

    def _found(self, one: InstanceLetter) -> list[AddressedAccess]:
        run = LetterRun(self._space, one.instance, one.letter, self._memory.zones, self._terms.true)
        starts, found = list(one.starts), list[AddressedAccess]()
        for index, step in enumerate(one.letter.steps):
            run.index = index
            match step.instr:
                case ir.Load(address=address, size=size):
                    found.append(AddressedAccess(run.address(address), size, writes=False))
                case ir.Store(address=address, size=size):
                    found.append(AddressedAccess(run.address(address), size, writes=True))
                case ir.Rmw(address=address, size=size) | ir.CompareExchange(address=address, size=size):
                    found.append(AddressedAccess(run.address(address), size, writes=True))
                case _:
                    pass
            self._instructions.execute(run, starts)
        known = self._space.known
        self._inputs[one] = frozenset(given.term for given in run.inputs)
        return [AddressedAccess(self._terms.substitute([x.address], known)[0], x.size, x.writes) for x in found]
