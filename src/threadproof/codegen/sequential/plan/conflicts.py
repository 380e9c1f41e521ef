"""What steps touch and what threads may still touch, as bits: a step that meets nothing of the others commutes with it.

Paper: A. Farzan, D. Klumpp, A. Podelski, Sound Sequentialization for Concurrent Program Verification, PLDI 2022: the
conflict relation between a step and all that another thread may still do, and weakly persistent sets made from it.
Differs: the relation is asked while the generated program runs, from tables; sets have one thread, the one that goes
on (or, with `full`, any one that can).
While a thread holds a lock, what the others may do only after taking it does not count: they cannot come to it before
this thread moves (`analysis.footprints.futures` says more).
Invariants: a step has the bits of everything executed up to the next place where threads may change. What a thread
may still do includes what the threads may do that it has yet to create. Nobody stays with a step that may have to wait
or may end the run; and the loops of `Stops.heads` give up their turn in every round, so that no thread is passed over
forever (the cycle proviso).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from threadproof.analysis.footprints.touch_bits import BITS, ENDS, LockWord, touch_bits
from threadproof.analysis.points_to import PointsTo
from threadproof.codegen.sequential.plan.flow import FlowNode, ThreadFlow
from threadproof.codegen.sequential.plan.threads import SequentialCode
from threadproof.ir import instr as ir
from threadproof.ir.instr import Instr
from threadproof.ir.program import Program
from threadproof.sync.facts import Act, does, sync_facts


@dataclass(frozen=True, slots=True)
class Touched:
    reads: int = 0
    writes: int = 0

    def __or__(self, other: Touched) -> Touched:
        return Touched(self.reads | other.reads, self.writes | other.writes)

    def meets(self, other: Touched) -> bool:
        return bool((self.reads | self.writes) & other.writes or self.writes & other.reads)


NOTHING = Touched()
MOST_NODES = 20_000
"""Instructions of all threads together beyond which nothing is asked: the tables would be larger than the program."""
ALL = (1 << BITS) - 1


def may_block(instr: Instr) -> bool:
    """Whether the instruction may have to wait for another thread."""
    return isinstance(instr, ir.Sync) and sync_facts(instr).may_block


class Conflicts:
    """The bits of all threads. Made before it is known where threads may change."""

    def __init__(self, program: Program, points_to: PointsTo, code: SequentialCode, flows: list[ThreadFlow]) -> None:
        self._code, self._flows = code, flows
        small = sum(len(flow.nodes) for flow in flows) <= MOST_NODES
        self._bits = touch_bits(program, points_to) if len(flows) > 1 and small else None
        self.known = self._bits is not None
        self._own: list[dict[FlowNode, Touched]] = []
        self.locks: tuple[LockWord, ...] = ()
        if self._bits is not None:
            self._own = [{node: self._of(node, instr) for node, instr in flow.nodes.items()} for flow in flows]
            self._totals = [_union(own.values()) for own in self._own]
            self.locks = tuple(self._bits.locks)

    def _of(self, node: FlowNode, instr: Instr) -> Touched:
        """Joining only waits for an end, and that is asked before staying: ends have no bit."""
        assert self._bits is not None
        found = self._bits.of(node.copy.function, instr)
        return Touched(found.reads & ~ENDS, found.writes & ~ENDS)

    def meets_somebody(self, flow: ThreadFlow, node: FlowNode) -> bool:
        """Whether the instruction meets anything that another thread ever does."""
        if not self.known:
            return True
        own = self._own[flow.thread.index][node]
        return any(own.meets(self._totals[other.thread.index]) for other in self._flows if other is not flow)

    def futures(self, lock: int | None) -> list[dict[FlowNode, Touched]]:
        """For each thread: what it, and the threads it has yet to create, may do from each instruction on.

        With a lock: as long as another thread holds it. Whoever could free that other thread's lock gets the whole
        future. Threads are created by threads with smaller numbers, so the last ones are done first.
        """
        found: list[dict[FlowNode, Touched]] = [{} for _ in self._flows]
        for flow in reversed(self._flows):
            ahead = flow.accumulated(
                lambda node, flow=flow: self._packed(flow, node, found, lock),
                lambda node, flow=flow: lock is not None and self._taken(flow, node) == lock,
            )
            found[flow.thread.index] = {node: _unpacked(value) for node, value in ahead.items()}
            if lock is not None:
                free = {node for node, value in ahead.items() if value >> 2 * BITS}
                found[flow.thread.index].update(dict.fromkeys(free, Touched(ALL, ALL)))
        return found

    def _taken(self, flow: ThreadFlow, node: FlowNode) -> int | None:
        assert self._bits is not None
        return self._bits.taken(node.copy.function, flow.nodes[node])

    def _packed(self, flow: ThreadFlow, node: FlowNode, found: list[dict[FlowNode, Touched]], lock: int | None) -> int:
        """Reads, writes, and whether the lock may be free afterwards, in one number."""
        assert self._bits is not None
        touched = self._own[flow.thread.index][node] | self._children(flow, node, found)
        releases = self._bits.of(node.copy.function, flow.nodes[node]).releases
        freed = 1 if lock is not None and releases >> lock & 1 else 0
        if touched == Touched(ALL, ALL):
            freed = 1
        return touched.reads | touched.writes << BITS | freed << 2 * BITS

    def _children(self, flow: ThreadFlow, node: FlowNode, found: list[dict[FlowNode, Touched]]) -> Touched:
        """What the threads may do that an instruction creates."""
        instr = flow.nodes[node]
        if not isinstance(instr, ir.Sync) or not does(instr, Act.CREATE):
            return NOTHING
        starts = self._code.callees.of(node.site, instr)
        members = [member for start in starts for member in flow.thread.pools[start].members]
        return _union(found[member][self._flows[member].start] for member in members)

    def step(self, flow: ThreadFlow, nodes: set[FlowNode]) -> Touched:
        own = self._own[flow.thread.index]
        return _union(own[node] for node in nodes)


def _unpacked(value: int) -> Touched:
    return Touched(value & ALL, value >> BITS & ALL)


def _union(parts: Iterable[Touched]) -> Touched:
    found = NOTHING
    for part in parts:
        found |= part
    return found
