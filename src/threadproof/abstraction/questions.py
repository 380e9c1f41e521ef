"""Whether formulas can hold together, asked in the smallest pieces: what the other files ask their solver.

Conjunctions are taken apart. Formulas that share no variable, also not by way of others, cannot contradict each other:
each group is a question of its own. A group is looked up by its shape, with variables numbered in the order in which
they occur, so that copies of a thread share their answers. What is remembered is bounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from threadproof.abstraction.clashes import plain_clash
from threadproof.abstraction.repair import repaired
from threadproof.abstraction.samples import ALL, COUNT, Samples
from threadproof.smt.backend import Cores
from threadproof.smt.conjunctions import flat
from threadproof.smt.context import Context
from threadproof.smt.meaning import Value
from threadproof.smt.solver import Sat, Undecided, Unsat
from threadproof.smt.term import Op, Term, in_order

QuestionShape = tuple[object, ...]
_MOST = 20_000
_STARTS = 4  # samples that are mended
_MOST_REPAIRED = 40  # formulas of a group
_NUMBERS = {op: number for number, op in enumerate(Op)}


@dataclass(frozen=True, slots=True)
class Clash:
    """These formulas cannot hold together."""

    core: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class _Compatible:
    """A group can hold: values of its variables, in the order of the shape."""

    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class _Clashing:
    """A group cannot: positions of a core."""

    positions: tuple[int, ...]


_Kept = _Compatible | _Clashing


@dataclass(slots=True)
class QuestionCounts:
    groups: int = 0
    by_sample: int = 0
    by_repair: int = 0
    by_looking: int = 0
    by_shape: int = 0
    by_solver: int = 0
    undecided: int = 0


@dataclass(slots=True)
class Questions:
    context: Context
    samples: Samples
    seconds: float = 1.0
    counts: QuestionCounts = field(default_factory=QuestionCounts)
    _known: dict[QuestionShape, _Kept] = field(default_factory=dict[QuestionShape, _Kept])
    _blind: dict[Term, int] = field(default_factory=dict[Term, int])
    _support: dict[Term, frozenset[Term]] = field(default_factory=dict[Term, frozenset[Term]])

    def together(self, formulas: Sequence[Term], seconds: float | None = None) -> Clash | dict[str, Value] | Undecided:
        """A core that cannot hold together, or values of all variables with which all hold."""
        model: dict[str, Value] = {}
        undecided: Undecided | None = None
        origin: dict[Term, Term] = {}
        for formula in formulas:
            for part in flat(formula):
                origin.setdefault(part, formula)
        for group in self._groups(origin):
            self.counts.groups += 1
            answer = self._looked(group)
            if answer is None:
                answer = self._group(group, seconds or self.seconds)
            if isinstance(answer, Clash):
                return Clash(tuple(dict.fromkeys(origin[part] for part in answer.core)))
            if isinstance(answer, Undecided):
                undecided = answer
            else:
                model.update(answer)
        return undecided or model

    def forget(self) -> None:
        self._known.clear()

    def support(self, term: Term) -> frozenset[Term]:
        """The variables of a formula."""
        found = self._support.get(term)
        if found is None:
            if len(self._support) > _MOST:
                self._support.clear()
            found = self._support[term] = frozenset(part for part in in_order((term,)) if part.op is Op.VAR)
        return found

    # --- groups ------------------------------------------------------------------------------------------------------

    def _groups(self, formulas: Iterable[Term]) -> list[list[Term]]:
        """Formulas that hang together by their variables. Constants are groups of their own."""
        groups: list[tuple[set[Term], list[Term]]] = []
        for formula in formulas:
            if formula.op is Op.TRUE:
                continue
            names = set(self.support(formula))
            mine = [formula]
            rest: list[tuple[set[Term], list[Term]]] = []
            for others, group in groups:
                if others.isdisjoint(names):
                    rest.append((others, group))
                else:
                    names |= others
                    mine = group + mine
            groups = [*rest, (names, mine)]
        return [group for _, group in groups]

    def _looked(self, group: list[Term]) -> Clash | dict[str, Value] | None:
        """A sample in which the group holds, or a contradiction that is plain to see."""
        together = ALL
        for formula in group:
            together &= self.samples.signature(formula)
        if together:
            self.counts.by_sample += 1
            names = set[Term]().union(*(self.support(formula) for formula in group))
            return self.samples.state(names, (together & -together).bit_length() - 1)
        core = plain_clash(group)
        self.counts.by_looking += core is not None
        return None if core is None else Clash(core)

    def _mended(self, group: list[Term], names: list[Term]) -> _Compatible | None:
        """A sample that was changed until the group holds in it."""
        if len(group) > _MOST_REPAIRED:
            return None
        for index in _nearest([self.samples.signature(formula) for formula in group]):
            found = repaired(group, self.samples.state(names, index), self.samples.in_one(index))
            if found is not None:
                self.counts.by_repair += 1
                return _Compatible(tuple(found[one.name] for one in names))
        return None

    def _group(self, group: list[Term], seconds: float) -> Clash | dict[str, Value] | Undecided:
        group = sorted(group, key=self._blind_hash)
        shape, names = self._shape(group)
        kept = self._known.get(shape)
        if kept is None:
            found = self._mended(group, names) or self._solve(group, names, seconds)
            if isinstance(found, Undecided):
                self.counts.undecided += 1
                return found
            if len(self._known) >= _MOST:
                self._known.clear()
            kept = self._known[shape] = found
        else:
            self.counts.by_shape += 1
        if isinstance(kept, _Clashing):
            return Clash(tuple(group[position] for position in kept.positions))
        return {variable.name: value for variable, value in zip(names, kept.values, strict=True)}

    def _solve(self, group: list[Term], names: list[Term], seconds: float) -> _Kept | Undecided:
        self.counts.by_solver += 1
        outcome = self.context.solver(Cores.WANTED).check(group, seconds=seconds)
        match outcome:
            case Sat(model):
                return _Compatible(tuple(model.value(variable) for variable in names))
            case Unsat(core):
                needed = set(core)
                return _Clashing(tuple(index for index, formula in enumerate(group) if formula in needed))
            case Undecided():
                return outcome

    # --- shapes ------------------------------------------------------------------------------------------------------

    def _blind_hash(self, term: Term) -> int:
        """Of a term without the names of its variables: an order in which alike groups are alike."""
        if term not in self._blind:
            if len(self._blind) > _MOST:
                self._blind.clear()
            for part in in_order((term,), self._blind):
                self._blind[part] = hash((_NUMBERS[part.op], *_numbers(part), *(self._blind[a] for a in part.args)))
        return self._blind[term]

    def _shape(self, group: list[Term]) -> tuple[QuestionShape, list[Term]]:
        """The formulas as numbers, and their variables in the order in which they occur."""
        number: dict[Term, int] = {}
        names: list[Term] = []
        shape: list[object] = []
        for formula in group:
            work = [formula]
            while work:
                term = work[-1]
                if term in number:
                    work.pop()
                    continue
                reached = len(work)
                work += [arg for arg in term.args[::-1] if arg not in number]
                if len(work) > reached:
                    continue
                work.pop()
                number[term] = len(number)
                if term.op is Op.VAR:
                    names.append(term)
                    shape.append(term.sort)
                else:
                    shape.append((term.op, term.params, *(number[arg] for arg in term.args)))
            shape.append(number[formula])
        return tuple(shape), names


def _nearest(signatures: list[int]) -> list[int]:
    """Samples in which most formulas hold."""
    counts = [sum(signature >> index & 1 for signature in signatures) for index in range(COUNT)]
    best = sorted(range(COUNT), key=lambda index: -counts[index])
    return best[:_STARTS]


def _numbers(term: Term) -> tuple[int, ...]:
    """What a term is besides its operands; no names, and no text, whose hash differs from run to run."""
    return tuple(param for param in term.params if isinstance(param, int))
