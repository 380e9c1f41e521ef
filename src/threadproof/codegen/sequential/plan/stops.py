"""Where threads may change: before an instruction that others can notice, and where a thread might run on forever.

What only ends the run (a failed assumption, the end of the program) is such a place too: until it happens, the others
can go on. Main needs no such places before the first thread is created, nor does anybody inside atomic blocks.
"""

from __future__ import annotations

from collections.abc import Callable

from threadproof.automaton.visibility import SharedMemory
from threadproof.codegen.sequential.options import Choices, Options, Reduction, Staying
from threadproof.codegen.sequential.plan.conflicts import Conflicts, may_block
from threadproof.codegen.sequential.plan.flow import FlowNode, ThreadFlow
from threadproof.codegen.sequential.plan.loops import Loops
from threadproof.codegen.sequential.plan.threads import FunctionCopy, SequentialCode
from threadproof.ir import instr as ir
from threadproof.ir.instr import Instr
from threadproof.sync.facts import Act, Seen, does, sync_facts

LOCAL = (ir.Assign, ir.Load, ir.Store, ir.Alloc)
_ENDS_RUN = (ir.Halt, ir.Undefined, ir.Unsupported)
_QUIET = (Act.END, Act.SIGNAL, Act.BROADCAST, Act.CANCEL_STATE)
"""Operations that change nothing here: waits may end by themselves, so nobody needs a signal."""


class Noticing(SharedMemory):
    """What others could notice in the generated program, and in the original."""

    def visible(self, function: str, instr: Instr) -> bool:
        match instr:
            case ir.Load() | ir.Store() | ir.Rmw() | ir.CompareExchange():
                return self.shared(function, instr.address)
            case ir.Free() | ir.Halt() | ir.Undefined() | ir.Unsupported():
                return True
            case ir.Sync() if does(instr, Act.CREATE):
                return self.shared(function, instr.args[0])
            case ir.Sync() if does(instr, Act.EXIT):
                return False  # whoever waits for the end can do nothing before it
            case ir.Sync():
                return not does(instr, *_QUIET) and sync_facts(instr).seen is Seen.BY_OTHERS
            case _:
                return False

    def noticed(self, function: str, instr: Instr) -> bool:
        """Whether the reference semantics begins a step with the instruction: of all operations but quiet ones."""
        if isinstance(instr, ir.Sync):
            return not does(instr, Act.END) and sync_facts(instr).seen is Seen.BY_OTHERS
        return self.visible(function, instr)


class Stops:
    """The numbered places of one thread. 1 is its beginning."""

    def __init__(
        self, code: SequentialCode, flow: ThreadFlow, noticing: Noticing, conflicts: Conflicts, options: Options
    ) -> None:
        self._code, self._flow, self._noticing, self._options = code, flow, noticing, options
        self.conflicts = conflicts if options.reduction in (Reduction.CONFLICT, Reduction.FULL) else None
        if self.conflicts is not None and not self.conflicts.known:
            self.conflicts = None
        self.everywhere = options.reduction is Reduction.NONE or options.staying is Staying.ASSUME
        self.enters = not self.everywhere and options.choices is Choices.OPEN
        """Whether the first step of a thread goes on to what may wait; a random run must not repeat what was before."""
        self.solo = self._solo()
        self.numbers: dict[FlowNode, int] = {flow.start: 1}
        self.heads: set[FlowNode] = set()
        self._always: set[FlowNode] = set()  # heads that let the others in whenever somebody comes there
        self.visible: set[FlowNode] = set()
        for copy in flow.thread.copies:
            self._number(copy)
        self.last = max(self.numbers.values())

    @property
    def ending(self) -> int:
        """The number of a thread that will end the program when it moves next."""
        return self.last + 1

    def _solo(self) -> set[FlowNode]:
        """Where main is the only thread there has been."""
        if self._flow.thread.index or not self.enters:
            return set()
        nodes = self._flow.nodes
        creations = [n for n, i in nodes.items() if does(i, Act.CREATE)]
        after = self._flow.reached_from([node for c in creations for node in self._flow.successors(c)])
        return nodes.keys() - after

    def _number(self, copy: FunctionCopy) -> None:
        loops = self._code.loops[copy.function]
        heads = self._heads(copy, loops)
        around = {label for head in heads if self._flow.atomic(FlowNode(copy, head, 0)) for label in loops.bodies[head]}
        for node, instr in self._flow.nodes.items():
            if node.copy != copy or node in self.solo or self._flow.atomic(node):
                continue
            visible = self._is_visible(node, instr)
            if visible:
                self.visible.add(node)
            head = node.number == 0 and node.block in heads
            if node.block in around and does(instr, Act.BEGIN):
                head = True  # in place of a head inside the block, where nobody can be let in
                self.visible.add(node)
                self._always.add(node)
            if head:
                self.heads.add(node)
            if visible or head or (self.everywhere and not isinstance(instr, ir.Jump)):
                self.numbers.setdefault(node, len(self.numbers) + 1)

    def _is_visible(self, node: FlowNode, instr: Instr) -> bool:
        if isinstance(instr, ir.Return):  # of main: the end of the program
            return not self._flow.thread.index and node.copy == self._flow.thread.copies[0]
        if not self._noticing.visible(node.copy.function, instr):
            return False
        if self.conflicts is None or isinstance(instr, _ENDS_RUN) or self._may_wait(node):
            return True
        return any(self.conflicts.meets_somebody(self._flow, part) for part in self._atomic_block(node))

    # --- steps -------------------------------------------------------------------------------------------------------

    def _atomic_block(self, node: FlowNode) -> set[FlowNode]:
        """The instruction, and if an atomic block begins there, all of that."""
        return self._until(node, lambda after: not self._flow.atomic(after))

    def _may_wait(self, node: FlowNode) -> bool:
        """Whether the instruction, or the atomic block that begins there, may have to wait or may end the run."""
        nodes = self._atomic_block(node)
        inside = any(isinstance(self._flow.nodes[n], (*_ENDS_RUN, ir.Assume)) for n in nodes)
        return inside or any(may_block(self._flow.nodes[n]) for n in nodes)

    def _until(self, node: FlowNode, ends: Callable[[FlowNode], bool]) -> set[FlowNode]:
        found, todo = {node}, list(self._flow.successors(node))
        while todo:
            after = todo.pop()
            if after not in found and not ends(after):
                found.add(after)
                todo.extend(self._flow.successors(after))
        return found

    def step(self, node: FlowNode) -> set[FlowNode]:
        """All that may be executed when a thread moves from a numbered place."""
        first = self._entered(node)
        return self._until(node, lambda after: after in self.numbers and after not in first) | first

    def _entered(self, node: FlowNode) -> set[FlowNode]:
        """The first instruction that others notice, if a new thread goes on to it at once (see `thread_text`)."""
        if not self.enters or node != self._flow.start or not self._flow.thread.index or node in self.visible:
            return set()
        after = node
        while isinstance(self._flow.nodes[after], LOCAL):
            after = after._replace(number=after.number + 1)
            if after in self.numbers:
                return self._until(after, lambda n: n in self.numbers)
        return set()

    def can_stay(self, node: FlowNode) -> bool:
        """Whether a thread may go on here without asking who is next, if nobody minds."""
        if self.conflicts is None or self._flow.atomic(node) or node in self._always:
            return False
        instr = self._flow.nodes[node]
        if self.is_join(node):
            return True
        return not isinstance(instr, (*_ENDS_RUN, ir.Return)) and not self._may_wait(node)

    def can_go(self, node: FlowNode) -> bool:
        """Whether the step from a numbered place never waits and never ends the run."""
        entered = [n for n in self._entered(node) if n in self.numbers]
        return all(self.can_stay(n) and not self.is_join(n) for n in (node, *entered))

    def only_waits(self, node: FlowNode) -> bool:
        """Whether the step may have to wait, but never ends the run."""
        if not may_block(self._flow.nodes[node]):
            return False
        rest = [self._flow.nodes[n] for n in self.step(node) - {node}]
        return not any(isinstance(instr, (*_ENDS_RUN, ir.Assume)) or may_block(instr) for instr in rest)

    def is_join(self, node: FlowNode) -> bool:
        return does(self._flow.nodes[node], Act.JOIN)

    @property
    def joins(self) -> bool:
        """Whether the thread has places where it is asked if another has ended."""
        return self.conflicts is not None and any(self.is_join(node) for node in self.numbers)

    def is_quiet(self, node: FlowNode) -> bool:
        """Whether nobody notices the step from a numbered place."""
        return not any(self._noticing.noticed(n.copy.function, self._flow.nodes[n]) for n in self.step(node))

    def noticed_from(self, node: FlowNode) -> set[FlowNode]:
        """Where a thread may stand that goes on from here until others could notice, or it has to choose."""
        found, todo, seen = set[FlowNode](), [node], set[FlowNode]()
        while todo:
            here = todo.pop()
            if here in seen:
                continue
            seen.add(here)
            instr = self._flow.nodes[here]
            ends = isinstance(instr, ir.Return) and here.copy == self._flow.thread.copies[0]
            if ends or isinstance(instr, ir.Nondet) or self._noticing.noticed(here.copy.function, instr):
                found.add(here)
            else:
                todo.extend(self._flow.successors(here))
        return found

    # --- loops -------------------------------------------------------------------------------------------------------

    def _heads(self, copy: FunctionCopy, loops: Loops) -> frozenset[str]:
        """Loops that let the others in when they begin again."""
        if self._options.reduction in (Reduction.CONFLICT, Reduction.FULL):
            return frozenset(loops.bodies)
        return frozenset(head for head, body in loops.bodies.items() if self._may_stay(copy, loops, head, body))

    def _may_stay(self, copy: FunctionCopy, loops: Loops, head: str, body: frozenset[str]) -> bool:
        """Whether a round of the loop may be made without any other stop."""
        function = self._code.function(copy)
        stopping = {
            block.label
            for block in function.blocks
            if block.label in body
            and any(self._stops_anyway(FlowNode(copy, block.label, n), i) for n, i in enumerate(block.instrs))
        }
        return head not in stopping and loops.cyclic_without(head, body - stopping)

    def _stops_anyway(self, node: FlowNode, instr: Instr) -> bool:
        if node not in self._flow.nodes or self._flow.atomic(node) or node in self.solo:
            return False
        everything = self._options.reduction is Reduction.NONE and not isinstance(instr, ir.Jump)
        return everything or self._is_visible(node, instr)
