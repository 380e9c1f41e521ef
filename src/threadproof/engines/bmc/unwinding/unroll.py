"""A program unwound to a bound: every thread as guarded straight-line code with events.

Functions are entered where they are called, loops repeated up to their bound; paths that part meet again as choices
between terms. What one round of unwinding needs to know about the others' writes it takes from the round before, until
a round finds what it relied on (`RoundFacts`): then every read sees what is written somewhere, by induction over any
execution.
"""

from __future__ import annotations

from collections.abc import Hashable
from heapq import heappop, heappush

from threadproof.encoding.encoded import NotEncoded
from threadproof.encoding.errors import CannotEncode
from threadproof.engines.bmc.unwinding.calls import UnwoundCall, again, by_block
from threadproof.engines.bmc.unwinding.encodings import Encodings
from threadproof.engines.bmc.unwinding.evaluation import Evaluation
from threadproof.engines.bmc.unwinding.events import Atomic, Limit, UnwoundThread, Why
from threadproof.engines.bmc.unwinding.instructions import Instructions
from threadproof.engines.bmc.unwinding.learning import learn
from threadproof.engines.bmc.unwinding.memory import PendingAccess, UnwoundMemory
from threadproof.engines.bmc.unwinding.objects import UnwoundObject
from threadproof.engines.bmc.unwinding.shape import Key, Position, UnwindingShape
from threadproof.engines.bmc.unwinding.state import Arrival, Merging, PathState, Registers
from threadproof.engines.bmc.unwinding.sync_steps import SyncSteps
from threadproof.engines.bmc.unwinding.world import Ends, Unwound, UnwoundStep
from threadproof.ir import instr as ir
from threadproof.ir.expr import Expr
from threadproof.ir.instr import UndefinedKind
from threadproof.ir.program import Function
from threadproof.smt.term import Term
from threadproof.sync.facts import Act, does

DEPTH = 60  # calls inside each other


class Unroller:
    def __init__(self, world: Unwound, shapes: dict[str, UnwindingShape], encodings: Encodings) -> None:
        self.world = world
        self.terms = world.terms
        self.memory = UnwoundMemory(world)
        self.sync = SyncSteps(world, self.memory, self._thread)
        self._merging = Merging(world.terms, world.initial, self.memory.fetch, self._flush)
        self._running: list[UnwoundCall] = []
        self._shapes = shapes  # of functions, made when first entered
        self._evaluation = Evaluation(world, self.memory, encodings)
        self._instructions = Instructions(world, self.memory, self.sync, self._evaluation)
        self._exits: dict[int, list[Arrival]] = {}
        self._active: dict[tuple[int, str], list[int]] = {}

    def run(self) -> None:
        world = self.world
        main = UnwoundThread(0, "main", 1, world.objects.thread_locals(("tls", 0)), None)
        world.names.number(("thread", "main"))
        world.threads[0] = main
        entry = world.program.functions[world.program.entry]
        self._thread(main, entry, [], PathState((), {}, {}, frozenset()))

    # --- threads and calls -----------------------------------------------------------------------------------------

    def _thread(self, thread: UnwoundThread, function: Function, args: list[Term], state: PathState) -> None:
        self._exits[thread.number] = []
        done = self.call(thread, function, args, state, ("thread", thread.number), 0)
        if done is not None:
            self._exits[thread.number].append(done)
        exits = self._exits[thread.number]
        for left in exits:
            self.memory.leave_all(UnwoundStep(thread, left.state, function.name, ir.Return(), 0))
        if exits:
            over = self._merging.merged(exits, frozenset(("result",)))
            if thread.number:
                owned = self.world.objects.thread_local_objects(thread.tls)
                self._drop(thread, function.name, [o for o in owned if not o.private], over)
            # Main may end by pthread_exit before other threads: then the end of the program is no event of any thread.
            self.world.may_wait = self.world.may_wait or bool(over.state.held) or not thread.number
            thread.end, thread.end_clock = over.state.guard, dict(over.state.clock)
            thread.result = over.registers.get("result")
        learn(self.world, thread)

    def call(
        self, thread: UnwoundThread, function: Function, args: list[Term], state: PathState, site: Hashable, depth: int
    ) -> Arrival | None:
        """The state after the call and its `result`; None if no path comes back."""
        shape = self._shape(function)
        call = UnwoundCall(shape, thread, self.world.names.number(("call", site)), depth)
        registers = {param.name: arg for param, arg in zip(function.params, args, strict=True)}
        self._arrive(call, shape.start(), Arrival(state, registers))
        self._running.append(call)
        while call.queue:
            key = heappop(call.queue)
            position, arrivals = call.waiting.pop(key)
            for variant, together in enumerate(by_block(arrivals)):
                arrival = self._merging.merged(together, shape.live[position.label])
                if position.label in shape.heads:
                    call.headers[key] = Arrival(arrival.state.copy(), dict(arrival.registers))
                    call.parts[key] = len(thread.entries)
                self._block(call, position, key, arrival, variant)
        done = self._merging.merged(call.returns, frozenset(("result",))) if call.returns else None
        self._running.pop()
        if done is None:
            return None
        if depth or thread.number:
            self._drop(thread, function.name, call.locals, done)
        return done

    def _shape(self, function: Function) -> UnwindingShape:
        found = self._shapes.get(function.name)
        if found is None:
            found = self._shapes[function.name] = UnwindingShape(function)
            if found.irreducible:
                raise CannotEncode(f"a loop with several entries in {function.name}")
        return found

    def _drop(self, thread: UnwoundThread, function: str, dying: list[UnwoundObject], done: Arrival) -> None:
        """Locals die with their function, thread-local variables with their thread."""
        for owner in dying:
            step = UnwoundStep(thread, done.state, function, ir.Return(), 0)
            self.memory.end_life(PendingAccess(step, Atomic.NO_ACCESS, drains=True), owner, self.terms.true)

    def _flush(self, state: PathState, section: int) -> None:
        call = self._running[-1]
        self.memory.flush(UnwoundStep(call.thread, state, call.shape.function.name, ir.Return(), 0), section)

    def _arrive(self, call: UnwoundCall, position: Position, arrival: Arrival) -> None:
        key = call.shape.key(position)
        if key not in call.waiting:
            call.waiting[key] = (position, [])
            heappush(call.queue, key)
        call.waiting[key][1].append(arrival)

    # --- blocks ----------------------------------------------------------------------------------------------------

    def _block(self, call: UnwoundCall, position: Position, key: Key, arrival: Arrival, variant: int) -> None:
        function = call.shape.function
        instrs = call.shape.blocks[position.label].instrs
        for index, instr in enumerate(instrs):
            site = (call.site, key, index, variant)
            step = UnwoundStep(call.thread, arrival.state, function.name, instr, site)
            self.world.spend(step)
            if index == len(instrs) - 1:
                self._terminator(call, position, key, step, arrival.registers)
                return
            if isinstance(instr, ir.Call):
                self._call(call, step, instr, arrival)
            else:
                self._instructions.execute(step, arrival.registers, call.locals)
            if not step.alive:
                return
            if isinstance(instr, ir.Sync) and does(instr, Act.EXIT):
                arrival.registers["result"] = self._value(step, arrival.registers, instr.args[0])
                for left in self._running:
                    if left.thread is call.thread:
                        self._drop(left.thread, left.shape.function.name, left.locals, arrival)
                self._exits[call.thread.number].append(arrival)
                return
            arrival.state = step.state

    def _value(self, step: UnwoundStep, registers: Registers, expr: Expr) -> Term:
        return self._evaluation.value(step, registers, expr)

    def _call(self, call: UnwoundCall, step: UnwoundStep, instr: ir.Call, arrival: Arrival) -> None:
        world, terms = self.world, self.terms
        args = [self._value(step, arrival.registers, arg) for arg in instr.args]
        if isinstance(instr.callee, str):
            targets = [(instr.callee, terms.true)]
        else:
            targets = self._callees(step, self._value(step, arrival.registers, instr.callee))
        if not step.alive:
            return
        done: list[Arrival] = []
        for name, when in targets:
            found = self._enter(call, step, name, args, when)
            if found is not None:
                done.append(found)
        if not done:
            step.alive = False
            return
        after = self._merging.merged(done, frozenset(("result",)))
        step.state = after.state
        if instr.dst is not None:
            result = after.registers.get("result", terms.bv(0, instr.dst.width))
            if result.width < instr.dst.width:
                world.end(step, terms.true, NotEncoded("a call whose result has another size"))
                result = terms.bv(0, instr.dst.width)
            arrival.registers[instr.dst.name] = terms.extract(result, instr.dst.width - 1, 0)

    def _callees(self, step: UnwoundStep, callee: Term) -> list[tuple[str, Term]]:
        world, terms = self.world, self.terms
        numbers = world.values.of(callee)
        targets = [
            (world.functions_at[n], terms.eq(callee, terms.bv(n, callee.width)))
            for n in sorted(numbers or ())
            if n in world.functions_at
        ]
        what = UndefinedKind.WILD_CALL if numbers is not None else NotEncoded("a call through an unknown pointer")
        world.end(step, terms.not_(terms.any(when for _, when in targets)), what)
        return targets

    def _enter(self, call: UnwoundCall, step: UnwoundStep, name: str, args: list[Term], when: Term) -> Arrival | None:
        world, terms = self.world, self.terms
        function = world.program.functions[name]
        inner = UnwoundStep(step.thread, step.state.copy(), step.function, step.instr, step.site)
        world.assume(inner, when)
        if not inner.alive:
            return None
        if not function.takes(len(args)):
            world.end(inner, terms.true, UndefinedKind.BAD_CALL)
            return None
        fitted: list[Term] = []
        for arg, param in zip(args, function.params, strict=False):
            if arg.width < param.width:
                world.end(inner, terms.true, NotEncoded("a call whose argument has another size"))
                return None
            fitted.append(terms.extract(arg, param.width - 1, 0))
        if not self._may_recurse(call, inner, name):
            return None
        active = self._active.setdefault((step.thread.number, name), [])
        active.append(len(inner.state.guard))
        done = self.call(step.thread, function, fitted, inner.state, (step.site, name), call.depth + 1)
        active.pop()
        return done

    def _may_recurse(self, call: UnwoundCall, step: UnwoundStep, name: str) -> bool:
        """Calls of a function inside itself count against the bound if something was decided in between."""
        active = self._active.get((step.thread.number, name), [])
        undecided = len(set(active))
        if undecided > self.world.bounds.recursion or call.depth > DEPTH:
            self.world.end(step, self.terms.true, Limit(Why.RECURSION, (name, "")))
            return False
        return True

    # --- terminators -------------------------------------------------------------------------------------------------

    def _terminator(
        self, call: UnwoundCall, position: Position, key: Key, step: UnwoundStep, registers: Registers
    ) -> None:
        world, terms, instr = self.world, self.terms, step.instr
        match instr:
            case ir.Jump():
                self._edge(call, position, step, registers, instr.edge, terms.true)
            case ir.Branch():
                found = self._evaluation.condition(step, registers, instr.condition)
                if not step.alive:
                    return
                self._edge(call, position, step, registers, instr.then, found)
                self._edge(call, position, step, registers, instr.otherwise, terms.not_(found))
            case ir.Switch():
                self._switch(call, position, step, registers, instr)
            case ir.Return():
                given = terms.bv(0, 32) if instr.value is None else self._value(step, registers, instr.value)
                if not step.alive:
                    return
                if not call.depth:
                    world.log(step, visible=True)
                    if not call.thread.number:
                        self._finish(step)
                        return
                call.note_exit(position, None, True)
                call.returns.append(Arrival(step.state, {"result": given}))
            case ir.Error():
                world.log(step, visible=True)
                self._finish(step)
                world.end(step, terms.true, instr.kind)
            case ir.Halt():
                world.log(step, visible=True)
                self._finish(step)
            case ir.Undefined():
                world.end(step, terms.true, instr.kind)
            case ir.Unsupported():
                world.end(step, terms.true, NotEncoded(instr.construct))
            case _:
                raise CannotEncode(f"a block that ends with {instr}")

    def _finish(self, step: UnwoundStep) -> None:
        """The program ends here, if the path is taken."""
        if self.world.bounds.ends is Ends.POINTERS and step.alive:
            self.memory.stop(step)
        if step.alive:
            self.world.halts.append(self.terms.all(step.state.guard))

    def _switch(
        self, call: UnwoundCall, position: Position, step: UnwoundStep, registers: Registers, instr: ir.Switch
    ) -> None:
        terms = self.terms
        chosen = self._value(step, registers, instr.value)
        if not step.alive:
            return
        others = terms.true
        for constant, edge in instr.cases:
            hit = self.world.values.folded(terms.eq(chosen, terms.bv(constant, chosen.width)))
            self._edge(call, position, step, registers, edge, terms.and_(others, hit))
            others = terms.and_(others, terms.not_(hit))
        self._edge(call, position, step, registers, instr.default, others)

    def _edge(
        self, call: UnwoundCall, position: Position, step: UnwoundStep, registers: Registers, edge: ir.Edge, when: Term
    ) -> None:
        branch = UnwoundStep(step.thread, step.state.copy(), step.function, step.instr, step.site)
        self.world.assume(branch, when)
        call.note_exit(position, edge.target, branch.alive)
        if not branch.alive:
            return
        moved = dict(registers)
        for dst, expr in edge.moves:
            moved[dst.name] = self._value(branch, registers, expr)
        if not branch.alive:
            return
        target, header = call.shape.follow(position, edge.target)
        arrival = Arrival(branch.state, moved)
        if header is not None and not again(self.world, call, target, header, branch, arrival):
            return
        self._arrive(call, target, arrival)
