"""May two points of two threads be reached at the same time?

Paper: the thread identifiers of M. Schwarz et al., Clustered Relational Thread-Modular Abstract Interpretation with
Local Traces, ESOP 2023. Differs: which descendants may be running is part of every point's state, so creation and join
are one fact, and two threads are compared at each place where their lines of descent can part.
"""

from __future__ import annotations

from typing import Protocol

from threadproof.analysis.abstract_threads.thread_facts import ThreadFacts
from threadproof.analysis.abstract_threads.threads import Repetition


class Moment(Protocol):
    """A point of a thread, with the descendants that may be running there."""

    @property
    def thread(self) -> str: ...
    @property
    def running(self) -> frozenset[str]: ...


def may_happen_in_parallel(facts: ThreadFacts, a: Moment, b: Moment) -> bool:
    """Whether two different threads may be at `a` and at `b` at once."""
    tree = facts.tree
    if tree.is_recursive(a.thread) or tree.is_recursive(b.thread):
        return True
    ours, theirs = tree.path(a.thread), tree.path(b.thread)
    depth = 0
    while depth < min(len(ours), len(theirs)) and ours[depth] == theirs[depth]:
        again = depth > 0 and tree.threads[ours[depth]].repetition is not Repetition.ONCE
        if again and {a.thread, b.thread} & facts.at_creation[ours[depth]]:
            return True  # one parent makes two such threads, and one line is still running when the other begins
        depth += 1
    if len(ours) == depth and len(theirs) == depth:
        return False  # one and the same thread
    if len(ours) == depth:
        return b.thread in a.running
    if len(theirs) == depth:
        return a.thread in b.running
    return b.thread in facts.at_creation[ours[depth]] or a.thread in facts.at_creation[theirs[depth]]


def surely_absent(facts: ThreadFacts, at: Moment, other: Moment) -> bool:
    """Whether the thread of `other` has ended, or does not exist yet, when `at` is reached."""
    if may_happen_in_parallel(facts, at, other):
        return False
    mine, theirs = facts.tree.path(at.thread), facts.tree.path(other.thread)
    return theirs == mine or theirs != mine[: len(theirs)]  # an ancestor is there, if at another point
