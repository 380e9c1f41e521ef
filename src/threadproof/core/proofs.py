"""What a `true` rests on, by kind. Values of plain data: they go through pipes, and into files.

Formulas are text: `labels` of a proof is one script, as `smt.smtlib.script` writes and `smt.reading.read` reads it, and
a label is the number of an assertion in it. Variables are those of `encoding.transitions.Space`. Threads are instances
of the automaton (template and number), steps are letters by their number; both follow from the program.

`kind` and `facts` are what people and reports read. What is checked of each kind before `true` is said:
`evidence/proofs`. A kind without a checker is never `true`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

Facts = dict[str, Any]


class Covered(Enum):
    """What an exploration has looked at."""

    STATES = "complete exploration"
    EXECUTIONS = "every execution explored, up to the order of independent steps"


@dataclass(frozen=True, slots=True)
class CompleteExploration:
    covered: Covered
    figures: Mapping[str, int | str] = field(default_factory=dict[str, int | str])
    cut: tuple[str, ...] = ()  # why something was left out; then it is no proof

    @property
    def kind(self) -> str:
        return self.covered.value

    @property
    def facts(self) -> Facts:
        return {**self.figures, "cut": list(self.cut)}


@dataclass(frozen=True, slots=True)
class CompleteUnwinding:
    """Every execution is in a formula, and that has no model."""

    threads: int
    events: int
    iterations: int
    memory_model: str

    @property
    def kind(self) -> str:
        return "complete unwinding"

    @property
    def facts(self) -> Facts:
        figures = {"threads": self.threads, "events": self.events, "iterations": self.iterations}
        return {**figures, "memory model": self.memory_model}


@dataclass(frozen=True, slots=True)
class SequentializedProof:
    """A proof of the program written as a sequential one, with bounds that no run gets beyond."""

    of: CompleteExploration | CompleteUnwinding
    reduction: str
    threads: int

    @property
    def kind(self) -> str:
        return f"{self.of.kind} of the sequentialized program, whose bounds suffice"

    @property
    def facts(self) -> Facts:
        return {**self.of.facts, "reduction": self.reduction, "threads": self.threads}


# --- races -----------------------------------------------------------------------------------------------------------


class ClaimKind(Enum):
    READ = "read"  # nobody writes
    ATOMIC = "atomic"
    THREAD = "thread"  # one thread alone
    LOCK = "lock"  # always under this lock


@dataclass(frozen=True, slots=True)
class RaceClaim:
    """About the bytes `start`, `start + stride`, ... of a global variable."""

    object: str
    start: int
    stride: int
    size: int
    says: str  # in words
    kind: ClaimKind
    lock: str = ""
    lock_offset: int = 0
    shared: bool = False  # some hold the lock for reading

    @property
    def facts(self) -> Facts:
        where = {"object": self.object, "start": self.start, "stride": self.stride, "size": self.size}
        of_lock = {"shared": self.shared, "lock": self.lock, "lock_offset": self.lock_offset}
        return {**where, "says": self.says, "kind": self.kind.value, **(of_lock if self.lock else {})}


@dataclass(frozen=True, slots=True)
class RaceProof:
    """Every pair of accesses is ordered or excluded. `lines` and `unreached` are all lines with accesses."""

    threads: tuple[str, ...]
    shared: Mapping[str, str]  # why nobody races for an object, in words
    claims: tuple[RaceClaim, ...]
    lines: tuple[str, ...]
    unreached: tuple[str, ...]

    @property
    def kind(self) -> str:
        return "every pair of accesses is ordered or excluded"

    @property
    def facts(self) -> Facts:
        return {
            "threads": list(self.threads),
            "shared": dict(self.shared),
            "assuming": "accesses stay inside the object their pointer was made from, and inside its life",
            "claims": [claim.facts for claim in self.claims],
            "lines": list(self.lines),
            "unreached": list(self.unreached),
        }


# --- proofs by labels -------------------------------------------------------------------------------------------------

ThreadName = tuple[str, int]
"""A thread instance: its template, and which of them it is (`automaton.Instance`)."""


@dataclass(frozen=True, slots=True)
class TreeNode:
    """The root has no parent. `thread` and `letter` (by `Letter.id`) are the edge that leads here."""

    label: int
    parent: int | None = None
    thread: ThreadName = ("", 0)
    letter: int = 0
    covered_by: int | None = None


@dataclass(frozen=True, slots=True)
class SkippedLetter:
    """A letter that a reduction leaves out at a node: it may as well come before the letter that leads there, at the
    node's parent (`evidence/proofs/skips.py`)."""

    node: int
    thread: ThreadName
    letter: int


@dataclass(frozen=True, slots=True)
class LabelledTree:
    """Labels of the nodes of an unwinding, as in K. McMillan, Lazy Abstraction with Interpolants, CAV 2006.

    The labels of nodes that are not covered, with the places of the threads there, are an inductive invariant: a letter
    without an edge is impossible under the label, and what forbids `true` is, too. `instances` is how many threads of
    each template `Space` was made for. `unproved` are the lines of accesses that are assumed to be valid. Under TSO and
    PSO the tree is about the program with store buffers (`automaton/store_buffers`) of so many `slots`.
    """

    labels: str
    nodes: tuple[TreeNode, ...]
    instances: tuple[tuple[str, int], ...] = ()
    skipped: tuple[SkippedLetter, ...] = ()
    unproved: tuple[str, ...] = ()
    slots: int = 0

    @property
    def kind(self) -> str:
        return "labelled tree"

    @property
    def facts(self) -> Facts:
        covered = sum(node.covered_by is not None for node in self.nodes)
        figures: Facts = {"nodes": len(self.nodes), "covered": covered, "labels": len({n.label for n in self.nodes})}
        figures |= {"slots of store buffers": self.slots} if self.slots else {}
        return figures | ({"unproved": list(self.unproved)} if self.unproved else {})


@dataclass(frozen=True, slots=True)
class ProductLetter:
    """A letter of a thread at a node. No target: it is impossible under the node's label. With others, the state behind
    it has the label of one of them all."""

    thread: ThreadName
    letter: int
    target: int | None
    others: tuple[int, ...] = ()

    @property
    def targets(self) -> tuple[int, ...]:
        return self.others if self.target is None else (self.target, *self.others)


@dataclass(frozen=True, slots=True)
class ProductNode:
    """`letters` are in the order in which a reduction prefers them. `asleep` are left out (a sleep set): each of them
    may as well come earlier, at a node on the way here where it was preferred. With a `membrane`, only letters of these
    threads need be there: nothing goes wrong before one of them moves, and that may as well be at once. If all of these
    are asleep, the node is a dead end."""

    label: int
    letters: tuple[ProductLetter, ...]
    asleep: tuple[tuple[ThreadName, int], ...] = ()
    membrane: tuple[ThreadName, ...] = ()


@dataclass(frozen=True, slots=True)
class ReducedProduct:
    """A product of the threads that has one execution, at least, for every one that ends in an error, with labels that
    exclude errors (A. Farzan, D. Klumpp, A. Podelski, Sound sequentialization for concurrent program verification, PLDI
    2022; `evidence/proofs/products.py` has what is checked, and why it suffices).

    Node 0 is the first. `instances` and `unproved` are as in labelled trees. `order` names the order of the letters.
    Errors are those in the thread `goal`, or in all threads. `most` is how many threads of each template there are: to
    start more is an error, too. There may be one instance more, to speak of that. The letters are those of the program
    without the assumptions on the lines `dropped`. With `kept`, letters know no other variables than these, and what
    others can ask of threads: the product is about the program of such letters, which can do more
    (`encoding/transitions/forgetting.py`).
    """

    labels: str
    nodes: tuple[ProductNode, ...]
    instances: tuple[tuple[str, int], ...] = ()
    order: str = ""
    unproved: tuple[str, ...] = ()
    goal: ThreadName | None = None
    most: tuple[tuple[str, int], ...] = ()
    dropped: tuple[str, ...] = ()
    kept: tuple[str, ...] | None = None
    invariants: tuple[tuple[str, str], ...] = ()  # where the threads stand, and what holds there, in C; for people only

    @property
    def kind(self) -> str:
        return "reduced product"

    @property
    def facts(self) -> Facts:
        edges = sum(len(letter.targets) for node in self.nodes for letter in node.letters)
        asleep = sum(len(node.asleep) for node in self.nodes)
        figures: Facts = {"nodes": len(self.nodes), "edges": edges, "asleep": asleep, "order": self.order}
        figures |= {"without the assumptions at": list(self.dropped)} if self.dropped else {}
        figures |= {} if self.kept is None else {"variables": len(self.kept)}
        return figures | ({"unproved": list(self.unproved)} if self.unproved else {})


@dataclass(frozen=True, slots=True)
class ReducedProducts:
    """One for each thread in which something may go wrong, but for those that are shown `alone`. What goes wrong first,
    wherever, is excluded by one of these."""

    parts: tuple[ReducedProduct, ...]
    alone: SingleThreads | None = None

    @property
    def kind(self) -> str:
        return "reduced products"

    @property
    def facts(self) -> Facts:
        told = {
            f"nothing goes wrong in {_shown(part.goal)}": f"{len(part.nodes)} nodes ({part.order})"
            for part in self.parts
        }
        if self.alone is not None:
            told |= {f"nothing goes wrong in {name}": "labels of single threads" for name in self.alone.templates}
        invariants = {where: holds for part in self.parts for where, holds in part.invariants}
        facts: Facts = {"products": told}
        facts |= {"without the assumptions at": list(self.dropped)} if self.dropped else {}
        return facts | ({"invariants": invariants} if invariants else {})

    @property
    def dropped(self) -> tuple[str, ...]:
        return self.parts[0].dropped if self.parts else ()

    @property
    def unproved(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(line for part in self.parts for line in part.unproved))


def _shown(thread: ThreadName | None) -> str:
    if thread is None:
        return "all"
    return f"{thread[0]}#{thread[1]}" if thread[1] else thread[0]


@dataclass(frozen=True, slots=True)
class AddedRange:
    """What a single thread of the template has added to a word of memory, at any time of its life: from `least` to
    `most`."""

    cell: str
    template: str
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class ThreadModularProof:
    """A label for each location of each template, over what is shared and the thread's own; they are inductive and free
    of interference (S. Owicki, D. Gries, An axiomatic proof technique for parallel programs I, 1976), however many
    threads there are.

    Labels are about instance 0 of the template. Of templates in `many` there may be any number of threads, of the
    others one at most. Variables of the proof's own: `exists T`, a thread of template T was started; `threads T`, how
    many were; `added C I`, what the thread I has added to the word C; `holder C`, the handle of the thread that gave C
    a value other than its first, 0 while it has that; `low C` and `high C`, the smallest and the largest value that
    the word or array C has had. A location that is not named has the label `true`. Where something is said of what is
    added to a word, or to a mark (`high C`), threads of other templates add nothing.

    Labels of two locations (`pairs`) are about any two threads that are there: the first instances of their templates,
    in this order.
    """

    labels: str
    at: tuple[tuple[str, int, int], ...]  # template, number of the location, label
    many: tuple[str, ...] = ()
    invariants: tuple[tuple[str, str], ...] = ()  # where, and what holds there, in C; for people only
    counted: tuple[str, ...] = ()  # words C of global memory
    added: tuple[AddedRange, ...] = ()  # to some of these
    threads: tuple[tuple[str, int], ...] = ()  # of templates in `many`: how many threads there are at most
    locks: tuple[str, ...] = ()  # words C of global memory whose holders labels speak of
    marked: tuple[str, ...] = ()  # words and arrays of global memory whose marks labels speak of
    pairs: tuple[tuple[str, int, str, int, int], ...] = ()  # template and location, twice, and label
    watched: tuple[tuple[str, str], ...] = ()  # steps of a template, looked at beside the thread of another one

    @property
    def kind(self) -> str:
        return "thread-modular invariants"

    @property
    def facts(self) -> Facts:
        figures: Facts = {"locations": len(self.at), "any number of": list(self.many)}
        figures |= {"pairs of locations": len(self.pairs)} if self.pairs else {}
        return figures | ({"invariants": dict(self.invariants)} if self.invariants else {})


@dataclass(frozen=True, slots=True)
class SingleThreads:
    """Nothing goes wrong in threads of these templates as long as nothing has gone wrong elsewhere: the labels are
    inductive, and exclude errors in these threads."""

    templates: tuple[str, ...]
    proof: ThreadModularProof


@dataclass(frozen=True, slots=True)
class LocksAtLocation:
    """Of threads that stand at a location: one of those that are about it holds. A lock is a global variable, or
    `NAME+OFFSET` inside one; `NAME[...]` stands for all locks in an object. `alone`: no thread has been created yet.

    `placed` are locks of which the address is known: each is the lock of its name whose address the first formulas of
    `knows` (SMT-LIB) say, `(= |the lock 0| ...)` and so on; its other formulas hold of the thread's registers. `done`
    are sentences about conditions, in the words of `core.lock_words`.
    """

    template: str
    location: int
    maybe: tuple[str, ...] = ()
    surely: tuple[str, ...] = ()
    alone: bool = False
    placed: tuple[str, ...] = ()
    knows: str = ""
    done: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LockOrderProof:
    """No circle of threads can wait for each other: what threads hold, by location, leaves no circle of locks, in which
    each is taken by a thread that has the one before, and no two of these threads have a lock in common."""

    held: tuple[LocksAtLocation, ...]
    order: tuple[tuple[str, str, str], ...] = ()  # a lock, one that is taken while it is held, and where; for people

    @property
    def kind(self) -> str:
        return "locks in an order"

    @property
    def facts(self) -> Facts:
        order = [f"{first}, then {second} ({where})" for first, second, where in self.order]
        return {"locations": len(self.held), "order": order}


Proof = (
    CompleteExploration
    | CompleteUnwinding
    | SequentializedProof
    | RaceProof
    | LabelledTree
    | ReducedProduct
    | ReducedProducts
    | ThreadModularProof
    | LockOrderProof
)
