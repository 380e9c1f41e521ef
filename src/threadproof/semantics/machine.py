"""`Machine.step`: the reference meaning of a program as one pure function from states to outcomes.

A visible step is one instruction that others can notice (a shared access, a sync operation, an atomic block, the end
of the thread or of the execution) and then the ones nobody notices, up to the next visible one. At instruction
granularity every instruction is a step.
"""

from __future__ import annotations

from threadproof.core.memory_model import MemoryModel
from threadproof.core.schedule import Move
from threadproof.core.source import NOWHERE, SourceLoc
from threadproof.core.thread_id import MAIN
from threadproof.core.thread_id import number as number_of
from threadproof.ir.instr import HaltKind, Instr, Return
from threadproof.ir.layout import OutOfAddresses
from threadproof.ir.program import Program
from threadproof.semantics.code import AssumeHere, Code, FailHere
from threadproof.semantics.image import Image
from threadproof.semantics.outcome import (
    AssumptionFailed,
    Blocked,
    Choose,
    Failed,
    Finished,
    Moved,
    NeedChoice,
    NotSupported,
    Outcome,
    Stuck,
    Trap,
    UndefinedBehaviour,
    Unsupportable,
)
from threadproof.semantics.run import (
    ENDED,
    STOP,
    BlockedHere,
    Granularity,
    HaltHere,
    Run,
    Solo,
    Spurious,
    Static,
    StopHere,
)
from threadproof.semantics.state import Frame, Pending, Phase, State, Thread
from threadproof.semantics.sync_ops import SyncOps
from threadproof.sync.facts import WAITS_FOR_THREAD, Act, does
from threadproof.sync.footprint import Mode, Touch, thread_place

MAX_SILENT = 5_000
"""Invisible instructions in one step; a longer run goes on in the thread's next step, so endless loops have states."""
MAX_ATOMIC = 2_000_000
"""Instructions in one atomic block before we give up."""


class Machine:
    """Sequential consistency. `semantics.weak` has the machine with store buffers."""

    model = MemoryModel.SC
    code_of: type[Code] = Code
    run_of: type[Run] = Run

    def __init__(
        self,
        program: Program,
        granularity: Granularity = Granularity.VISIBLE,
        spurious: Spurious = Spurious.ON,
        solo: Solo = Solo.LIVE,
    ) -> None:
        self.program = program
        self.layout = program.layout()
        self.granularity = granularity
        bits = program.data_model.pointer_bits
        self.sync = SyncOps(self.layout, bits)
        cache: dict[str, object] = {}
        codes = {name: self.code_of(f, self.layout, self.sync, cache) for name, f in program.functions.items()}  # type: ignore[arg-type]
        by_address = {self.layout.functions[name]: code for name, code in codes.items()}
        image = Image(program, self.layout)
        cancels = any(does(instr, Act.CANCEL) for instr in program.instrs())
        self.static = Static(image, codes, by_address, granularity, spurious, solo, cancels)

    def initial(self) -> State:
        code = self.static.codes[self.program.entry]
        base, stack = self.layout.arena(MAIN), self.layout.stack_start(MAIN)
        regs = (base, *([None] * code.slot_count))
        frame = Frame(code.name, 0, regs, 0, stack)
        heap = self.layout.heap_start(MAIN)
        main = Thread(MAIN, (frame,), Phase.RUNNING, Pending.LOCAL, (), stack, (), heap)
        return State({}, {0: main})

    def next_instr(self, state: State, number: int) -> tuple[str, Instr] | None:
        """The function and instruction a thread stands at, None if it has finished."""
        frames = state.threads[number].frames
        if not frames:
            return None
        return frames[-1].function, self.static.codes[frames[-1].function].instrs[frames[-1].pc]

    def step(self, state: State, number: int, choices: tuple[int, ...] = ()) -> Outcome:
        """One step of thread `number`. Pure: the state is not changed."""
        if state.atomic is not None and state.atomic != number:
            return Blocked("atomic block", 0, NOWHERE)
        if self.static.image.refusal:
            return NotSupported(self.static.image.refusal, NOWHERE)
        if not state.threads[number].frames:
            return Blocked("finished thread", 0, NOWHERE)
        run = self.run_of(self.static, state, number, choices)
        try:
            return self._run(run)
        except OutOfAddresses as limit:
            return NotSupported(str(limit), _loc(run), tuple(run.effects))
        except TypeError as error:
            if not _from_far_pointer(error):
                raise
            what = "a pointer far outside its object used as a number"
            return NotSupported(what, _loc(run), tuple(run.effects))

    def move(self, state: State, move: Move) -> Outcome:
        """What a move of a schedule comes to. Nothing, if there is no such thread."""
        if number_of(move.thread) not in state.threads:
            return Blocked("thread that does not exist", 0, NOWHERE)
        if move.flush is not None:
            return self.flush(state, number_of(move.thread), move.flush)
        return self.step(state, number_of(move.thread), move.choices)

    def flush(self, state: State, number: int, place: int) -> Outcome:
        """The store at this place of the thread's buffer reaches memory: under SC there is none."""
        return Blocked("empty store buffer", 0, NOWHERE)

    def _run(self, run: Run) -> Outcome:
        steps = 0
        watch = _LoopWatch()
        while True:
            pc = run.pc
            try:
                following = run.code.ops[pc](run)
            except StopHere:
                return self._moved(run, pc, Pending.LOCAL)
            except (Trap, FailHere, AssumeHere, HaltHere, Unsupportable, NeedChoice, BlockedHere) as end:
                return self._end(run, end)
            if following == ENDED:
                return self._thread_ended(run)
            if following == STOP:
                return self._moved(run, pc, Pending.VISIBLE)
            run.pc = following
            run.now_visible_done()
            if self.granularity is Granularity.INSTRUCTION:
                return self._moved(run, following, Pending.VISIBLE)
            steps += 1
            if steps >= MAX_SILENT:
                if not run.depth:
                    return self._moved(run, following, Pending.LOCAL)
                if watch.seen_before(run):
                    return Stuck(_loc(run), tuple(run.effects), run.freeze(following, Pending.VISIBLE))
                if steps >= MAX_ATOMIC:
                    return NotSupported(
                        f"an atomic block of more than {MAX_ATOMIC} instructions", _loc(run), tuple(run.effects)
                    )

    def _moved(self, run: Run, pc: int, pending: Pending) -> Outcome:
        if pending is Pending.VISIBLE and _ends_quietly(run, pc):
            pending = Pending.END
        return Moved(run.freeze(pc, pending), tuple(run.effects))

    def _thread_ended(self, run: Run) -> Outcome:
        state = run.freeze(ENDED, Pending.VISIBLE)
        effects = tuple(run.effects)
        if all(thread.phase is Phase.FINISHED for thread in state.threads.values()):
            return Finished(HaltKind.EXIT, state, effects, NOWHERE)
        return Moved(state, effects)

    def _end(self, run: Run, end: Exception) -> Outcome:
        loc, effects = _loc(run), tuple(run.effects)
        state = None if isinstance(end, NeedChoice) else run.freeze(run.pc, Pending.VISIBLE)
        match end:
            case BlockedHere() if run.first and not run.depth:
                return Blocked(end.operation, end.address, loc)
            case BlockedHere() if run.depth:
                place = thread_place(end.address) if end.operation == WAITS_FOR_THREAD else end.address
                return Stuck(loc, (*effects, Touch(place, 1, Mode.READ)), state)
            case NeedChoice():
                return Choose(end.source, end.low, end.high, end.bits, loc, end.values)
            case _ if not run.open or isinstance(end, BlockedHere):
                # Met in the silent part of a step: others may go first.
                assert state is not None
                return Moved(state, effects)
            case Trap():
                return UndefinedBehaviour(end.kind, end.detail, loc, effects, state, end.about)
            case FailHere():
                return Failed(end.instr.kind, end.instr.message, loc, effects, state)
            case AssumeHere():
                return AssumptionFailed(loc, effects, state)
            case HaltHere():
                assert state is not None
                return Finished(end.kind, state, effects, loc)
            case _:
                return NotSupported(str(end), loc, effects)


class _LoopWatch:
    """Brent's cycle detection over the configurations of one long atomic block."""

    def __init__(self) -> None:
        self._power: int = 1
        self._count: int = 0
        self._seen: tuple[object, ...] | None = None

    def seen_before(self, run: Run) -> bool:
        now = (run.pc, tuple(run.r), tuple(run.frames), run.memory.copy(), run.thread)
        if now == self._seen:
            return True
        self._count += 1
        if self._count == self._power:
            self._power *= 2
            self._count = 0
            self._seen = now
        return False


def _ends_quietly(run: Run, pc: int) -> bool:
    """Whether the thread stands at its own end, which only enables others and takes nothing from them."""
    at_end = not run.frames and isinstance(run.code.instrs[pc], Return) and run.number != 0
    own = all(name in run.image.unshared_tls for _, _, name in run.image.tls)
    return at_end and own and all(obj.sharing for obj in run.thread.stack) and not run.thread.specifics


def _loc(run: Run) -> SourceLoc:
    return run.code.instrs[run.pc].loc


def _from_far_pointer(error: TypeError) -> bool:
    """Whether arithmetic met a far pointer (a tuple); any other TypeError is a bug of ours."""
    return "tuple" in str(error)
