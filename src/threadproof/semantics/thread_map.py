"""The threads of a state, by number. A state is never changed, so that every step copies them: a dictionary for a few
threads, and for thousands a dictionary of blocks, of which a step copies one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from threadproof.semantics.state import Thread

ThreadMap = Mapping[int, Thread]

FEW = 256
BLOCK = 128  # numbers in a block


class ManyThreads(Mapping[int, Thread]):
    __slots__ = ("_blocks", "_count")

    def __init__(self, blocks: dict[int, dict[int, Thread]], count: int) -> None:
        self._blocks = blocks
        self._count = count

    @staticmethod
    def of(threads: ThreadMap) -> ManyThreads:
        blocks: dict[int, dict[int, Thread]] = {}
        for number, thread in threads.items():
            blocks.setdefault(number // BLOCK, {})[number] = thread
        return ManyThreads(blocks, len(threads))

    def changed(self, number: int, thread: Thread) -> ManyThreads:
        block = self._blocks.get(number // BLOCK, {})
        new = {**block, number: thread}
        return ManyThreads({**self._blocks, number // BLOCK: new}, self._count + len(new) - len(block))

    def __getitem__(self, number: int) -> Thread:
        return self._blocks[number // BLOCK][number]

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and number in self._blocks.get(number // BLOCK, {})

    def __iter__(self) -> Iterator[int]:
        for block in self._blocks.values():
            yield from block

    def __len__(self) -> int:
        return self._count

    def since(self, before: ManyThreads) -> Iterator[tuple[int, Thread]]:
        """Those in blocks that are not the same as before: all that have changed, and some others."""
        for at, block in self._blocks.items():
            if before._blocks.get(at) is not block:
                yield from block.items()

    def __hash__(self) -> int:
        raise TypeError("compare keys of states instead")


def with_thread(threads: ThreadMap, number: int, thread: Thread) -> ThreadMap:
    """The same threads, but this one as it is now."""
    if isinstance(threads, ManyThreads):
        return threads.changed(number, thread)
    if len(threads) < FEW:
        return {**threads, number: thread}
    return ManyThreads.of(threads).changed(number, thread)


def perhaps_changed(before: ThreadMap, after: ThreadMap) -> Iterable[tuple[int, Thread]]:
    """At least those threads of the second that are not the same in the first, in the order of their numbers."""
    if isinstance(before, ManyThreads) and isinstance(after, ManyThreads):
        return after.since(before)
    return after.items()
