"""The transition of a letter: its instructions one after the other, then what is asked for afterwards."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

from threadproof.automaton.letters import End, Letter
from threadproof.automaton.program import Instance
from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.errors import CannotEncode
from threadproof.encoding.transitions.allocation import HugeBlocks
from threadproof.encoding.transitions.forgetting import forgetting
from threadproof.encoding.transitions.instructions import LetterInstructions
from threadproof.encoding.transitions.live import live_registers
from threadproof.encoding.transitions.memory import ANYWHERE, CellMemory
from threadproof.encoding.transitions.run import LetterAccess, LetterRun
from threadproof.encoding.transitions.space import ORDINAL_BITS, Space
from threadproof.encoding.transitions.transition import Input, Transition, Wrong
from threadproof.ir import instr as ir
from threadproof.ir.instr import UndefinedKind
from threadproof.ir.program import Spurious
from threadproof.smt.term import Term

_Key = tuple[Instance, int, tuple[Instance, ...]]


class Encoder:
    """Raises CannotEncode for letters that have no formula; engines turn that into `unknown`. They and checkers leave
    `huge` as it is: `portfolio.assumptions` tells it with every `true` of theirs."""

    def __init__(
        self, space: Space, spurious: Spurious = Spurious.ON, huge: HugeBlocks = HugeBlocks.IMPOSSIBLE
    ) -> None:
        self.space = space
        self._memory = CellMemory(space)
        self._instructions = LetterInstructions(space, self._memory, spurious, huge)
        self._known: dict[_Key, Transition] = {}
        self._forgotten: frozenset[Term] = frozenset()
        self._forgetting: dict[tuple[_Key, frozenset[Term]], Transition] = {}
        self._runs: dict[_Key, LetterRun] = {}

    def transition(self, instance: Instance, letter: Letter, starts: tuple[Instance, ...] = ()) -> Transition:
        """`starts` are the instances that its forks start, as `ProgramAutomaton.starts` counts them."""
        key = (instance, letter.id, starts)
        if key not in self._known:
            self._known[key] = self.general(instance, letter, starts).with_known(self.space.known)
        return self._without_forgotten(key) if self._forgotten else self._known[key]

    def forgetting(self, variables: frozenset[Term]) -> Encoder:
        """The same letters, which do not know these variables (`forgetting.py`); all encoders share what was made."""
        found = copy(self)
        found._forgotten = variables
        return found

    def _without_forgotten(self, key: _Key) -> Transition:
        plain = self._known[key]
        mine = self._forgotten & (plain.reads | plain.writes)
        if not mine:
            return plain
        if (key, mine) not in self._forgetting:
            instance, letter, starts = key
            name = f"{instance} a{letter}" + "".join(f" {one}" for one in starts)
            self._forgetting[key, mine] = forgetting(plain, mine, name)
        return self._forgetting[key, mine]

    def general(self, instance: Instance, letter: Letter, starts: tuple[Instance, ...] = ()) -> Transition:
        """With a variable for every handle, also where it is known: `renamed` gives that of another instance."""
        run = self._run(instance, letter, starts)
        return run.transition(live_registers(self.space, instance, letter.target))

    def accesses(
        self, instance: Instance, letter: Letter, starts: tuple[Instance, ...] = ()
    ) -> tuple[LetterAccess, ...]:
        """What it touches in memory; words of synchronisation objects do not count."""
        found = self._run(instance, letter, starts).accesses
        parts = [part for one in found for part in (one.when, one.address, one.size)]
        known = self.space.terms.substitute(parts, self.space.known)
        return tuple(
            replace(one, when=known[3 * n], address=known[3 * n + 1], size=known[3 * n + 2])
            for n, one in enumerate(found)
        )

    def inputs(self, instance: Instance, letter: Letter, starts: tuple[Instance, ...] = ()) -> tuple[Input, ...]:
        """All, also those that only `accesses`, `loaded` and `waits` speak of."""
        return tuple(self._run(instance, letter, starts).inputs)

    def loaded(self, instance: Instance, letter: Letter, starts: tuple[Instance, ...] = ()) -> dict[int, Term]:
        """What its steps that load find, over the state before and the inputs."""
        found = self._run(instance, letter, starts).loaded
        return dict(zip(found, self.space.terms.substitute(found.values(), self.space.known), strict=True))

    def waits(self, instance: Instance, letter: Letter, starts: tuple[Instance, ...] = ()) -> Term:
        """Holds where the letter comes to an operation that cannot proceed before another thread does something."""
        found = self._run(instance, letter, starts).waits
        return self.space.terms.any(self.space.terms.substitute(found, self.space.known))

    def _run(self, instance: Instance, letter: Letter, starts: tuple[Instance, ...]) -> LetterRun:
        key = (instance, letter.id, starts)
        found = self._runs.get(key)
        if found is None:
            found = self._runs[key] = self._executed(instance, letter, starts)
        return found

    def _executed(self, instance: Instance, letter: Letter, starts: tuple[Instance, ...]) -> LetterRun:
        if self.space.cloned_points_to.wild:
            raise CannotEncode(ANYWHERE)
        if len(letter.forks) != len(starts):
            raise CannotEncode("no instance for a thread that is created")
        run = LetterRun(self.space, instance, letter, self._memory.zones, self.space.terms.true)
        run.depth = letter.source.depth
        self._begin_atomic(run)
        todo = list(starts)
        for index in range(len(letter.steps)):
            run.index = index
            self._instructions.execute(run, todo)
        self._end_atomic(run)
        self._ends_wrong(run)
        return run

    # --- atomic blocks -----------------------------------------------------------------------------------------------

    def _begin_atomic(self, run: LetterRun) -> None:
        """Letters of others wait. Who stands inside a block is the one who owns it."""
        if self.space.has_atomic and not run.letter.source.depth:
            run.assume(self.space.terms.eq(self.space.owner, self.space.terms.bv(0, ORDINAL_BITS)))

    def _end_atomic(self, run: LetterRun) -> None:
        before, after = run.letter.source.depth, run.letter.target.depth
        if self.space.has_atomic and bool(before) != bool(after):
            number = self.space.ordinal(run.instance) if after else 0
            run.set(self.space.owner, self.space.terms.bv(number, ORDINAL_BITS))

    # --- ends --------------------------------------------------------------------------------------------------------

    def _ends_wrong(self, run: LetterRun) -> None:
        """A letter that leads to an error is an error where it is possible, and is made all the same."""
        instr = run.letter.steps[-1].instr
        what: Wrong | None = None
        match instr:
            case ir.Error():
                what = instr.kind
            case ir.Undefined():
                what = instr.kind
            case ir.Unsupported():
                what = NotEncoded(instr.construct)
            case _ if run.letter.target.at is End.UNDEFINED:  # a call, or a creation, that has nothing to call
                what = UndefinedKind.WILD_CALL
            case _:
                pass
        if what is not None:
            possible = run.path
            run.trap(self.space.terms.true, what)
            run.path = possible
