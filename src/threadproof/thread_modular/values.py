"""What labels can say at a location: small sets of values, literals of the program's text, who holds which lock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from threadproof.analysis.points_to import ObjectKind
from threadproof.automaton import Instance, Location
from threadproof.core.graph import reached
from threadproof.domains.box import StateBox
from threadproof.domains.by_models import Weakened
from threadproof.domains.equations import Equations
from threadproof.domains.literals import Literals
from threadproof.domains.small_sets import SmallSets
from threadproof.encoding.transitions.any_number import AnyNumber
from threadproof.encoding.transitions.live import live_registers
from threadproof.encoding.transitions.space import is_variable
from threadproof.smt.term import BOOL, BitVec, Op, Term, variables
from threadproof.thread_modular.cone import Cone, OwnLetter, cone, loop_counters, made_of
from threadproof.thread_modular.label_value import LabelValue
from threadproof.thread_modular.locks import protecting, ways
from threadproof.thread_modular.near_marks import NearMarks
from threadproof.thread_modular.text_literals import TextLiterals

_VALUES = 8  # of one column
_EQUATED = 40  # columns of one width between which there are equations
_LITERALS = 240  # of one location


class ModularValues:
    """`letters` are all of one thread of each template."""

    def __init__(self, any_number: AnyNumber, letters: Sequence[OwnLetter], size: Cone) -> None:
        self._any = any_number
        self._terms = any_number.terms
        self._space = any_number.space
        self._owners = any_number.owners()
        self._handles = frozenset(thread.handle for thread in self._space.threads.values())
        self._support: dict[Term, frozenset[Term]] = {}
        self._registers = self._space.registers()
        self._sync = any_number.sync_words()
        of_threads = {variable for thread in self._space.threads.values() for variable in thread.all}
        words = self._space.global_words().keys()
        self._deciding = cone(letters, size, of_threads | self._sync, words)
        self._asked_by = {
            name: cone(self._of_template(letters, name), size, of_threads | self._sync, words)
            for name in (any_number.automaton.templates if size is not Cone.WAYS else ())
        }
        locks = self.words = self._lock_words() if self._cells_of_all() else ()
        if size is Cone.VALUES:
            data = [cell for cell in self._cells_of_all() if cell not in self._sync]
            self.words = protecting(any_number.automaton, letters, locks, data)
        if self.words:  # how locking works depends on the kind of a mutex
            self._deciding |= (self._sync & cone(letters, Cone.WAYS, frozenset(), words)).difference(locks)
        ghosts = any_number.ghosts
        self._loop_counters = frozenset(loop_counters(any_number.automaton, letters))
        narrow = size is not Cone.WAYS
        of_cells = made_of(letters, (*ghosts.cells, *ghosts.marked.marks)).difference(ghosts.added.values())
        self._deciding -= ghosts.marks.keys()
        self._summed = frozenset(of_cells if narrow else ())  # sums bound them, nothing else
        wide = (one.term for own in letters for one in own.transition.inputs if isinstance(one.term.sort, BitVec))
        numbers = made_of(letters, (one for one in wide if one.width > 8)) if narrow else ()
        counters = self._summed.union(ghosts.threads.values(), self._loop_counters, numbers)
        counters = counters.difference(ghosts.added.values())
        self._unlisted = (counters if narrow else frozenset[Term]()) | ghosts.marks.keys()  # no small sets of values
        near_marks = NearMarks(any_number, letters, self._loop_counters)
        self.beside = near_marks.beside()
        lives = (slot.life for slot in self._space.objects.slots.values() if slot.root.kind is ObjectKind.STACK)
        # who holds a lock is said by literals of its own, whether a local lives by small sets
        apart = self._handles.union(self.words, self._summed, (one for one in lives if one is not None))
        text = TextLiterals(any_number, letters, self._deciding, apart, self._loop_counters, narrow=narrow)
        literals = (*near_marks.literals(), *text.all())
        self._literals = list(islice(dict.fromkeys(literals), 12 * _LITERALS))
        self.shared = self._shared_columns()
        self._holders = {word: frozenset(self._held(word)) for word in self.words}

    def _of_template(self, letters: Sequence[OwnLetter], name: str) -> list[OwnLetter]:
        """Its letters, and those of threads that it starts, or that these start."""
        forks: dict[str, set[str]] = {}
        for own in letters:
            forks.setdefault(own.letter.template, set()).update(own.letter.forks)
        templates = set(reached([name], lambda one: forks.get(one, ())))
        return [own for own in letters if own.letter.template in templates]

    def _lock_words(self) -> tuple[Term, ...]:
        """Global words that become the handle of who takes a lock, and what says so of words that are locks by hand."""
        handles = {thread.handle for thread in self._space.threads.values()}
        general = (self._any.general(letter) for letter in self._any.automaton.letters)
        taken = {
            v: None
            for transition in general
            for v, new in transition.updates.items()
            if v in self._sync and not handles.isdisjoint(ways(new))
        }
        by_hand = (holder for cell, holder in self._any.ghosts.holders.items() if cell in self._deciding)
        return (*taken, *by_hand)

    def _cells_of_all(self) -> list[Term]:
        return [
            cell.term
            for one in self._space.objects
            if one.owner is None
            for cell in self._space.objects.cells(one)
            if is_variable(cell) and not cell.stride and cell.term in self._deciding
        ]

    def _shared_columns(self) -> tuple[Term, ...]:
        """What labels of all threads may speak of: single words of global memory, blocks, and which threads there
        are."""
        found = dict.fromkeys(one for one in self._cells_of_all() if one not in self.words)
        found.update(dict.fromkeys(one for one in self._any.blocks() if one in self._deciding))
        ghosts = self._any.ghosts
        found.update(dict.fromkeys((*ghosts.exists.values(), *ghosts.threads.values(), *ghosts.marks)))
        for instance, thread in self._space.threads.items():
            if instance.template not in self._any.many and instance.template != self._any.automaton.main:
                found.update({thread.started: None, thread.finished: None})
        return tuple(found)

    def support(self, formula: Term) -> frozenset[Term]:
        """The columns that it speaks of: that handles differ is known anyway."""
        found = self._support.get(formula)
        if found is None:
            found = self._support[formula] = frozenset(variables([formula])) - self._handles
        return found

    # --- values ------------------------------------------------------------------------------------------------------

    def free(self) -> LabelValue:
        """For states in which nobody holds a lock; no state yet."""
        literals = [one for one in self._literals if self.support(one) <= frozenset(self.shared)]
        return self._product(self.shared, literals[:_LITERALS])

    def at(self, location: Location) -> LabelValue:
        """No state yet."""
        mine = self._any.one(location.template)
        columns = (*self._shared_at(location), *self._own_columns(mine, location))
        there = frozenset(columns)
        literals = [one for one in self._literals if self.support(one) <= there][:_LITERALS]
        arena = self._space.objects.arena(mine)  # where its own memory is: pointers to that are equations
        return self._product(columns, [*self._holding(mine), *literals], () if arena.op is Op.VALUE else (arena,))

    def _shared_at(self, location: Location) -> Iterable[Term]:
        """Without words that neither the thread asks about nor those that it starts."""
        asked = self._asked_by.get(location.template)
        if asked is None:
            return self.shared
        return (one for one in self.shared if one in asked or one not in self._deciding)

    def _own_columns(self, mine: Instance, location: Location) -> list[Term]:
        live = live_registers(self._space, mine, location)
        thread = self._space.threads[mine]
        left_out = {thread.handle, thread.started, thread.finished, thread.children}
        left_out |= set(self.shared)
        left_out.update(self._over(mine, location))
        own = (v for v in self._deciding if self._owners.get(v) == mine and v not in left_out)
        kept = (v for v in own if v not in self._registers or v in live)
        plain = (v for v in kept if v.sort is BOOL or isinstance(v.sort, BitVec))
        added = [v for (_, one), v in self._any.ghosts.added.items() if one == mine]
        return [*added, *sorted(plain, key=lambda v: v.id)]

    def _over(self, mine: Instance, location: Location) -> Iterator[Term]:
        """Locals of calls that are over there, or have not begun."""
        for (instance, context, _), slot in self._space.objects.slots.items():
            if instance == mine and slot.root.kind is ObjectKind.STACK and location.context[: len(context)] != context:
                yield from (cell.term for cell in self._space.objects.cells(slot))

    def is_mine(self, word: Term, mine: Instance) -> Term:
        handle = self._space.threads[mine].handle
        return self._terms.eq(word, self._space.known.get(handle, handle))

    def _holding(self, mine: Instance) -> Iterator[Term]:
        for word in self.words:
            is_mine = self.is_mine(word, mine)
            yield from (is_mine, self._terms.not_(is_mine), self.is_free(word))

    def _held(self, word: Term) -> Iterator[Term]:
        return (self.is_mine(word, self._any.one(name)) for name in self._any.automaton.templates)

    def contradict(self, one: LabelValue, other: LabelValue) -> bool:
        """Whether no two threads can have these labels at once."""
        for word in self.words:
            free = self.is_free(word)
            holders = [self._holds(value, word) for value in (one, other)]
            if all(holders) or (any(holders) and free in one.literals.kept | other.literals.kept):
                return True
        known = frozenset(one.box.columns).intersection(other.box.columns)
        listed = (column for column in self.shared if column in known)
        return any(one.box[column].meet(other.box[column]).is_empty for column in listed)

    def _holds(self, value: LabelValue, word: Term) -> bool:
        return not self._holders[word].isdisjoint(value.literals.kept)

    def is_free(self, word: Term) -> Term:
        return self._terms.eq(word, self._terms.bv(0, word.width))

    def _product(self, columns: Iterable[Term], literals: list[Term], fixed: tuple[Term, ...] = ()) -> LabelValue:
        parts: list[Weakened] = [Literals(self._terms, literals)]
        columns = tuple(columns)
        listed = tuple(one for one in columns if one not in self._unlisted)
        parts.append(StateBox(self._terms, SmallSets(_VALUES), listed))
        data = [one for one in columns if isinstance(one.sort, BitVec) and one.width > 1 and one not in self._sync]
        data = [one for one in data if one not in self._any.ghosts.marks]  # they are compared, not calculated with
        data.sort(key=lambda one: one not in self._owners)  # the thread's own first, if there are too many
        for width in sorted({one.width for one in data}):
            wide = tuple(one for one in data if one.width == width)[:_EQUATED]
            parts.append(Equations(self._terms, (*wide, *(one for one in fixed if one.width == width))))
        return LabelValue(*parts).bottom()
