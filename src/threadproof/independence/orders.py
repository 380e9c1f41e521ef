"""Preference orders: which of equivalent words of letters is kept. The order decides which invariants a proof needs.

An order is a small automaton beside the program: `start` is its memory at first, `next` its memory after a letter, and
`order` sorts letters, the preferred one first. Whoever merges nodes of a search has to keep the memory in their keys.

Paper: A. Farzan, D. Klumpp, A. Podelski, Sound sequentialization for concurrent program verification, PLDI 2022,
section 4 (positional preference orders); names as in Ultimate GemCutter. Differs: the memory is explicit.
Invariants: memories are few (they do not grow with the word). Which of two letters comes first depends on the memory
and these two alone, not on what else is enabled; so every memory has one total order on the letters of all threads.
Letters of one thread stand side by side, in the order of their numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol

from threadproof.automaton import Instance, Location, ProgramAutomaton
from threadproof.core.errors import InternalError
from threadproof.core.graph import reached
from threadproof.independence.pairs import InstanceLetter

Memory = Hashable


class PreferenceOrder(Protocol):
    @property
    def start(self) -> Memory: ...

    def next(self, memory: Memory, letter: InstanceLetter) -> Memory:
        """The memory after this letter."""
        ...

    def order(self, memory: Memory, enabled: Iterable[InstanceLetter]) -> list[InstanceLetter]:
        """The preferred letter first."""
        ...


@dataclass(frozen=True, slots=True)
class ThreadByThread:
    """One thread after the other, as far as each can go: proves threads that have little to do with each other."""

    threads: tuple[Instance, ...]  # the preferred one first; those that are not named come last, by name

    @property
    def start(self) -> Memory:
        return None

    def next(self, memory: Memory, letter: InstanceLetter) -> Memory:
        return None

    def order(self, memory: Memory, enabled: Iterable[InstanceLetter]) -> list[InstanceLetter]:
        return _sorted(self.threads, 0, enabled)


@dataclass(frozen=True, slots=True)
class LetterRoundRobin:
    """A letter of each thread in turn: proves threads whose bodies are aligned."""

    threads: tuple[Instance, ...]

    @property
    def start(self) -> Memory:
        return 0

    def next(self, memory: Memory, letter: InstanceLetter) -> Memory:
        """The place of the thread whose turn it is."""
        return _after(self.threads, letter.instance)

    def order(self, memory: Memory, enabled: Iterable[InstanceLetter]) -> list[InstanceLetter]:
        assert isinstance(memory, int)
        return _sorted(self.threads, memory, enabled)


@dataclass(frozen=True, slots=True)
class LoopLockstep:
    """A thread runs until it comes to a loop head, then it is the next one's turn: proves twin loops, and producers
    and consumers whose queue stays short."""

    threads: tuple[Instance, ...]
    heads: frozenset[Location]

    @property
    def start(self) -> Memory:
        return 0

    def next(self, memory: Memory, letter: InstanceLetter) -> Memory:
        if letter.letter.target in self.heads:
            return _after(self.threads, letter.instance)
        return _place(self.threads, letter.instance)

    def order(self, memory: Memory, enabled: Iterable[InstanceLetter]) -> list[InstanceLetter]:
        assert isinstance(memory, int)
        return _sorted(self.threads, memory, enabled)


@dataclass(frozen=True, slots=True)
class GroupLockstep:
    """Lockstep of groups of threads: within a group one thread after the other, and when one of them has come to a loop
    head as often as its group's weight says, it is the next group's turn. Proves loops that are split among threads, or
    of which one goes round several times while another goes round once. Within a group, the next thread that comes to
    its first loop goes round at once: it goes on where the thread before it ended. Who has begun a round ends it before
    others of its group: what they have read and not yet added would have to be known of all."""

    groups: tuple[tuple[Instance, ...], ...]
    weights: tuple[int, ...]
    heads: frozenset[Location]
    looped: frozenset[Location]  # behind loop heads, and these

    @property
    def start(self) -> Memory:
        return 0, 0, 0

    def next(self, memory: Memory, letter: InstanceLetter) -> Memory:
        """Whose turn it is, how often that group has come to a loop head, and which of it is on its way to one."""
        turn, rounds, _ = _three(memory)
        group = next((n for n, threads in enumerate(self.groups) if letter.instance in threads), None)
        if group is None:
            return memory
        rounds = rounds if group == turn else 0
        arrives = letter.letter.source not in self.looped  # it has not gone round yet
        goes_on = letter.instance != self.groups[group][0] and arrives
        if letter.letter.target not in self.heads or goes_on:
            return group, rounds, self.groups[group].index(letter.instance)
        if rounds + 1 < self.weights[group] and not arrives:
            return group, rounds + 1, 0
        return (group + 1) % len(self.groups), 0, 0

    def order(self, memory: Memory, enabled: Iterable[InstanceLetter]) -> list[InstanceLetter]:
        turn, _, on_its_way = _three(memory)
        first = self.groups[turn][on_its_way]
        others = (one for group in (*self.groups[turn:], *self.groups[:turn]) for one in group if one != first)
        return _sorted((first, *others), 0, enabled)


@dataclass(frozen=True, slots=True)
class RandomOrder:
    """Threads in an order that depends on the seed and on the step, modulo `period`: the tail of a portfolio."""

    seed: int
    period: int = 7

    @property
    def start(self) -> Memory:
        return 0

    def next(self, memory: Memory, letter: InstanceLetter) -> Memory:
        assert isinstance(memory, int)
        return (memory + 1) % self.period

    def order(self, memory: Memory, enabled: Iterable[InstanceLetter]) -> list[InstanceLetter]:
        def key(one: InstanceLetter) -> tuple[bytes, int]:
            return self._drawn(memory, one.instance), one.letter.id

        return sorted(enabled, key=key)

    def _drawn(self, memory: Memory, instance: Instance) -> bytes:
        text = f"{self.seed} {memory} {instance.template} {instance.number}"
        return blake2b(text.encode(), digest_size=8).digest()


def loop_heads(automaton: ProgramAutomaton) -> frozenset[Location]:
    """Those of all threads."""
    return frozenset(head for thread in automaton.templates.values() for head in thread.loop_heads)


def outermost_loop_heads(automaton: ProgramAutomaton) -> frozenset[Location]:
    """For lockstep of a nested loop with a flat one."""
    return frozenset(head for thread in automaton.templates.values() for head in thread.outermost_loop_heads)


def orders(automaton: ProgramAutomaton, threads: Sequence[Instance]) -> Mapping[str, PreferenceOrder]:
    """Those that are worth trying, by name, the most promising first; `threads` as they are preferred."""
    every, heads = tuple(threads), loop_heads(automaton)
    outermost, looped = outermost_loop_heads(automaton), _behind(automaton, heads)
    if not any(head.template != automaton.main for head in heads):  # lockstep is one after the other
        return {"thread by thread": ThreadByThread(every), "last thread first": ThreadByThread(every[::-1])}
    found: dict[str, PreferenceOrder] = {"loop lockstep": LoopLockstep(every, heads)}
    for groups in _groupings(every):
        found[f"lockstep of {_shown(groups)}"] = GroupLockstep(groups, (1,) * len(groups), heads, looped)
    for weights in _weightings(len(every)):
        name = "loop lockstep " + ":".join(map(str, weights[1:]))
        found[name] = GroupLockstep(tuple((one,) for one in every), weights, heads, looped)
    if outermost != heads:
        found["outermost loop lockstep"] = LoopLockstep(every, outermost)
    found["thread by thread"] = ThreadByThread(every)
    found["last thread first"] = ThreadByThread(every[::-1])
    found["round robin"] = LetterRoundRobin(every)
    found["random"] = RandomOrder(0)
    return found


def _behind(automaton: ProgramAutomaton, heads: frozenset[Location]) -> frozenset[Location]:
    def following(at: Location) -> Iterator[Location]:
        return (letter.target for letter in automaton.templates[at.template].letters_from(at))

    return frozenset(reached(heads, following))


def _groupings(threads: tuple[Instance, ...]) -> Iterator[tuple[tuple[Instance, ...], ...]]:
    """The first thread (main) alone; of the others, two groups of one after the other."""
    main, rest = threads[:1], threads[1:]
    if len(rest) < 3:
        return
    if len(rest) == 3:
        yield from ((main, (*rest[:n], *rest[n + 1 :]), (rest[n],)) for n in (0, 2, 1))
        return
    half = (len(rest) + 1) // 2
    yield main, rest[:half], rest[half:]
    yield main, rest[::2], rest[1::2]


def _weightings(threads: int) -> Iterator[tuple[int, ...]]:
    """Two threads, one of which goes round twice as often; the first is main."""
    if threads == 3:
        yield from ((1, 2, 1), (1, 1, 2))


def _shown(groups: tuple[tuple[Instance, ...], ...]) -> str:
    return " and ".join(" then ".join(map(str, group)) for group in groups[1:])


def _three(memory: Memory) -> tuple[int, int, int]:
    match memory:
        case (int() as turn, int() as rounds, int() as on_its_way):
            return turn, rounds, on_its_way
        case _:
            raise InternalError(f"no memory of this order: {memory}")


def _place(threads: tuple[Instance, ...], instance: Instance) -> int:
    return threads.index(instance) if instance in threads else len(threads)


def _after(threads: tuple[Instance, ...], instance: Instance) -> int:
    place = _place(threads, instance) + 1
    return place if place < len(threads) else 0


def _sorted(threads: tuple[Instance, ...], first: int, enabled: Iterable[InstanceLetter]) -> list[InstanceLetter]:
    """From the thread at place `first` on, round to the one before it."""

    def key(one: InstanceLetter) -> tuple[bool, int, str, int, int]:
        place = _place(threads, one.instance)
        return place < first, place, one.instance.template, one.instance.number, one.letter.id

    return sorted(enabled, key=key)


def is_compatible(chosen: Collection[InstanceLetter], sorted_letters: Sequence[InstanceLetter]) -> bool:
    """Whether every chosen letter comes before every other: what a set of letters must be to be explored alone."""
    return set(sorted_letters[: len(chosen)]) == set(chosen)
