"""Abstract threads: where a thread is created decides which one it is.

An abstract thread stands for all threads that one creation (in one abstract parent, in one calling context) starts
with one start routine. The program it belongs to is written out (`passes.expand`): its code is one function.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from threadproof.ir.control_flow import Site
from threadproof.ir.program import Program


class Repetition(Enum):
    ONCE = "once"  # a parent executes the creation at most once
    REPEATED = "repeated"  # it lies in a loop
    RECURSIVE = "recursive"  # a thread creates its own kind


@dataclass(frozen=True, slots=True)
class AbstractThread:
    name: str  # of the function that is its code
    start: str  # the start routine in the program as written
    parent: str | None  # None: main
    site: Site | None  # the creation, in the parent's code
    repetition: Repetition


@dataclass(frozen=True, slots=True)
class ThreadTree:
    """The written-out program and its abstract threads, main first, parents before children."""

    program: Program
    threads: dict[str, AbstractThread]
    _paths: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    @property
    def main(self) -> str:
        return next(iter(self.threads))

    def path(self, name: str) -> tuple[str, ...]:
        """From main to the thread, both included."""
        known = self._paths.get(name)
        if known is None:
            parent = self.threads[name].parent
            known = (name,) if parent is None else (*self.path(parent), name)
            self._paths[name] = known
        return known

    def children(self, name: str) -> tuple[str, ...]:
        return tuple(thread.name for thread in self.threads.values() if thread.parent == name)

    def subtree(self, name: str) -> tuple[str, ...]:
        """The thread and all its descendants."""
        return tuple(other for other in self.threads if name in self.path(other))

    def is_recursive(self, name: str) -> bool:
        """Whether the thread descends from one that creates its own kind."""
        return any(self.threads[one].repetition is Repetition.RECURSIVE for one in self.path(name))

    def runs_once(self, name: str) -> bool:
        """Whether at most one such thread is ever created."""
        return all(self.threads[one].repetition is Repetition.ONCE for one in self.path(name))
