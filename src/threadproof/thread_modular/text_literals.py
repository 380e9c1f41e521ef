"""Literals of labels that the program's text suggests: its conditions, and what has to hold some letters before.

They are guesses: what a label keeps of them is what holds, and more of them cost time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import islice

from threadproof.automaton import Location
from threadproof.encoding.transitions import Transition
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.smt.term import BOOL, BitVec, Op, Term, in_order, variables
from threadproof.thread_modular.cone import OwnLetter, is_answer
from threadproof.thread_modular.locks import ways

_ASKED = 120  # that are looked at some letters before
_BACK = 4  # letters from where something is asked to where it is said
_SMALL = 40  # terms in a literal
_WIDE = 64  # bits of numbers that literals are about at first: addresses without an end cost the most time
_CONNECTIVES = (Op.AND, Op.OR, Op.NOT, Op.TRUE, Op.FALSE)


class TextLiterals:
    def __init__(
        self,
        any_number: AnyNumber,
        letters: Sequence[OwnLetter],
        deciding: Set[Term],
        apart: Set[Term],
        loop_counters: Set[Term],
        *,
        narrow: bool,
    ) -> None:
        """About what is `deciding`, but not about what is said in other ways (`apart`)."""
        self._any = any_number
        self._terms = any_number.terms
        self._letters = letters
        self._transitions = [(own.transition, own.wrong) for own in letters]
        self._deciding = frozenset(deciding)
        self._apart = apart
        self._loop_counters = loop_counters
        self._narrow = narrow
        self._owners = any_number.owners()
        self._registers = any_number.space.registers()
        self._handles = frozenset(thread.handle for thread in any_number.space.threads.values())
        self._supports: dict[Term, frozenset[Term]] = {}

    def all(self) -> Iterator[Term]:
        """Conditions of branches and of what may go wrong, and how what is compared there compares with numbers."""
        terms = self._terms
        numbers: dict[int, dict[int, None]] = {}
        ordered: dict[Term, None] = {}
        asked = [one for transition, wrong in self._transitions for one in _all_of(transition, wrong)]
        for part in in_order(asked):
            if part.op in (Op.ULT, Op.SLT) and isinstance(part.args[0].sort, BitVec):
                for arg in part.args:
                    if arg.op is Op.VALUE:
                        numbers.setdefault(arg.width, {})[arg.value] = None
                    for one in arg.args if arg.op is Op.ADD else (arg,):
                        if one.op is Op.VAR and one not in self._apart:
                            ordered[one] = None
        yield from self._definitions()
        atoms = [one for one in self._atoms() if one.op not in _CONNECTIVES and self._is_literal(one)]
        right = [self._terms.not_(one) for _, wrong in self._transitions for one in wrong]
        parts = [*atoms, *(one for one in dict.fromkeys(map(self._stated, right)) if self._is_literal(one))]
        yield from self._both(parts)
        yield from self._needed()
        for one in ordered:
            for number in dict.fromkeys((0, *islice(numbers.get(one.width, ()), 6))):
                value = terms.bv(number, one.width)
                yield from (terms.not_(terms.slt(one, value)), terms.not_(terms.slt(value, one)))
        for _ in range(_BACK - 1):
            parts = list(islice((one for one in self._before(parts) if self._is_literal(one)), _ASKED))
            yield from self._both(parts)

    def _needed(self) -> Iterator[Term]:
        """What has to hold before letters that only ask a register of the thread, so that nothing goes wrong behind
        them: an answer that was kept decides then."""
        leading: dict[Location, list[OwnLetter]] = {}
        for own in self._letters:
            leading.setdefault(own.letter.target, []).append(own)
        needs = [(own.letter.source, self._terms.not_(wrong)) for own in self._letters for wrong in own.wrong]
        for _ in range(_BACK):
            before: list[tuple[Location, Term]] = []
            for place, need in needs:
                for own in leading.get(place, ()):
                    guard = own.transition.guard
                    if self._registers >= self._support(guard):
                        [after] = own.transition.after([need])
                        needed = self._terms.or_(self._terms.not_(guard), after)
                        if needed is not need and self._is_literal(needed):
                            before.append((own.letter.source, needed))
            yield from (needed for _, needed in before)
            needs = before[:_ASKED]

    def _both(self, parts: Iterable[Term]) -> Iterator[Term]:
        return (one for part in parts for one in (part, self._terms.not_(part)))

    def _definitions(self) -> Iterator[Term]:
        """Numbers made of a counter that is chosen by a pointer, answers, sizes of blocks made of narrower numbers: no
        linear equation says how."""
        cells = frozenset(self._any.ghosts.cells)
        sizes = frozenset(self._any.blocks())
        for transition, _ in self._transitions:
            got = {new: v for v, new in transition.updates.items() if new.op is Op.VAR}
            for variable, new in transition.updates.items():
                if variable in sizes and new.op is not Op.VALUE and isinstance(variable.sort, BitVec):
                    size = self._terms.eq(variable, self._terms.substitute([new], got)[0])
                    yield from (size,) if self._is_literal(size) else ()
                if variable not in self._owners or variable not in self._deciding:
                    continue
                names = variables([new])
                wanted = not cells.isdisjoint(names) or is_answer(new)
                if wanted and self._deciding.issuperset(names) and any(part.op is Op.ITE for part in in_order([new])):
                    yield self._terms.eq(variable, new)

    def _atoms(self) -> Iterator[Term]:
        """What is asked of a value is asked of the variable that gets it, too: where it is asked, and later."""
        parts = dict[Term, None]()
        for transition, wrong in self._transitions:
            mine = [one for one in in_order(list(_all_of(transition, wrong))) if one.sort is BOOL]
            parts.update(dict.fromkeys(mine))
            yield from mine
            got = {new: v for v, new in transition.updates.items() if new.op is not Op.VALUE and new.sort is not BOOL}
            yield from self._terms.substitute(mine, got) if got else ()
        later = [one for one in parts if one.op not in _CONNECTIVES and self._is_literal(one)]
        yield from self._of_what_gets(self._of_what_gets(later))

    def _of_what_gets(self, parts: Iterable[Term]) -> list[Term]:
        """These of the variables that get a value of which they speak."""
        found = dict.fromkeys(parts)
        for transition, _ in self._transitions:
            for variable, new in transition.updates.items():
                for way in ways(new):
                    if way.op is Op.ADD or (way.op is Op.VAR and way in self._registers):
                        about = [one for one in found if self._support(one).issuperset(variables([way]))]
                        found.update(dict.fromkeys(self._terms.substitute(about, {way: variable})))
        return list(found)

    def _before(self, parts: list[Term]) -> Iterable[Term]:
        """What has to hold for these to hold after some letter, where that is something else; in their order. Not what
        has to hold of a counter many rounds before."""
        found: dict[Term, list[Term]] = {part: [] for part in parts}
        for transition, _ in self._transitions:
            counted = {v for v in self._loop_counters if v in transition.updates and transition.updates[v].op is Op.ADD}
            near = (part for part in found if self._support(part).isdisjoint(counted))
            touched = [part for part in near if not self._support(part).isdisjoint(transition.updates)]
            for part, before in zip(touched, self._with_kept_inputs(transition, touched), strict=True):
                if before is not part and before.op not in (Op.TRUE, Op.FALSE):
                    found[part].append(before)
        return dict.fromkeys(before for befores in found.values() for before in befores)

    def _with_kept_inputs(self, transition: Transition, parts: list[Term]) -> Sequence[Term]:
        """What has to hold before the letter; of an input, said of the variable that keeps it."""
        inputs = {one.term for one in transition.inputs}
        kept = {new: variable for variable, new in transition.updates.items() if new in inputs}
        return self._terms.substitute(transition.after(parts), kept) if kept else transition.after(parts)

    def _stated(self, formula: Term) -> Term:
        """A disjunction without what does not concern the state: then less is said."""
        if formula.op is not Op.OR:
            return formula
        return self._terms.any(one for one in formula.args if self._is_literal(one))

    def _is_literal(self, part: Term) -> bool:
        names = variables([part])
        if not names or not self._deciding.issuperset(names) or not self._apart.isdisjoint(names):
            return False
        inside = list(islice(in_order([part]), _SMALL + 1))
        wide = self._narrow and any(isinstance(one.sort, BitVec) and one.width > _WIDE for one in inside)
        return len(inside) <= _SMALL and not wide

    def _support(self, formula: Term) -> frozenset[Term]:
        found = self._supports.get(formula)
        if found is None:
            found = self._supports[formula] = frozenset(variables([formula])) - self._handles
        return found


def _all_of(transition: Transition, wrong: tuple[Term, ...]) -> Iterator[Term]:
    yield from (transition.guard, *wrong, *transition.updates.values())
