"""One running step of one thread: the mutable scratch pad that `Machine.step` throws away afterwards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from threadproof.ir.instr import HaltKind, Order, UndefinedKind
from threadproof.ir.layout import OutOfAddresses
from threadproof.ir.program import Spurious
from threadproof.semantics.image import Image
from threadproof.semantics.memory import MemoryView, value_points_into
from threadproof.semantics.outcome import (
    Access,
    AccessKind,
    Effect,
    Happening,
    NeedChoice,
    OwnChoice,
    Telling,
    Trap,
    Unsupportable,
)
from threadproof.semantics.state import (
    Frame,
    Life,
    Obj,
    Pending,
    Phase,
    Sharing,
    State,
    Thread,
    Value,
)
from threadproof.semantics.thread_map import with_thread
from threadproof.sync.footprint import KEYS, Mode, Touch, heap_place, thread_place

if TYPE_CHECKING:
    from threadproof.core.source import SourceLoc
    from threadproof.semantics.code import Code

DESTRUCTOR_ROUNDS = 4  # PTHREAD_DESTRUCTOR_ITERATIONS
MAX_STACK_OBJECT = 1 << 26  # larger ones are unsupported when reached; no real stack holds them
MAX_FRAMES = 100_000  # about what a stack of 8 MB holds; deeper recursion is unsupported when reached
LEAVES_DESTRUCTOR = "a thread that ends in the destructor of a key while others are due"
STOP = -1  # an operation's answer instead of the next pc: "this is for the next step"
ENDED = -2  # the thread has finished


class Granularity(Enum):
    VISIBLE = "visible"
    INSTRUCTION = "instruction"


class Solo(Enum):
    """When a thread runs on without stopping at what others could notice."""

    LIVE = "while no other thread lives"
    EVER = "until the first thread is created: then what a step does depends only on what came before it"


def fitted(value: Value, given: int, width: int) -> Value:
    """A value of `given` bits in a register of `width`: where declarations disagree, the ABI drops high bits."""
    if given == width:
        return value
    if given < width or not isinstance(value, int):
        raise Unsupportable("a call whose argument or result has another size than the function says")
    return value & ((1 << width) - 1)


class StopHere(Exception):
    """Inside a step: end it before this instruction, although it is private: a choice begins a step of its own."""


class BlockedHere(Exception):
    def __init__(self, operation: str, address: int) -> None:
        super().__init__(operation, address)
        self.operation, self.address = operation, address


class HaltHere(Exception):
    def __init__(self, kind: HaltKind) -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Static:
    """What all steps of one machine share."""

    image: Image
    codes: dict[str, Code]
    functions_at: dict[int, Code]
    granularity: Granularity
    spurious: Spurious
    solo: Solo
    cancels: bool  # whether some thread may be cancelled


class Run(MemoryView):
    """The state a step works on. `open` tells whether an operation others can notice may happen now."""

    def __init__(self, static: Static, state: State, number: int, choices: tuple[int, ...]) -> None:
        super().__init__(static.image, state)
        self.static = static
        self.state = state
        self.keys = state.keys
        self.number = number
        self.thread: Thread = state.threads[number]
        self.choices = choices
        self.chosen = 0
        self.first = True
        self.effects: list[Effect] = []
        self.depth = self.thread.atomic_depth
        self.alone = static.granularity is Granularity.VISIBLE and self._is_alone()
        self.open = self.thread.pending is not Pending.LOCAL or self._never_closed()
        self.frames: list[Frame] = list(self.thread.frames)
        self._enter(self.frames.pop())

    def _enter(self, frame: Frame) -> None:
        self.code = self.static.codes[frame.function]
        self.pc = frame.pc
        self.r: list[Any] = list(frame.regs)
        self.mark, self.frame_cursor = frame.stack_mark, frame.cursor

    def _never_closed(self) -> bool:
        return self.alone or self.depth > 0 or self.static.granularity is Granularity.INSTRUCTION

    def _is_alone(self) -> bool:
        others = (t for n, t in self.threads.items() if n != self.number)
        if self.static.solo is Solo.EVER:
            return next(others, None) is None
        return all(t.phase is Phase.FINISHED for t in others)

    def now_visible_done(self) -> None:
        """After the first operation of a step: only invisible ones may follow."""
        self.first = False
        self.open = self.alone or self.depth > 0

    def thread_created(self, number: int, thread: Thread) -> None:
        self.threads = with_thread(self.threads, number, thread)
        self.alone = False
        self.open = self.first or self.depth > 0

    def change_thread(self, number: int, thread: Thread) -> None:
        if number == self.number:
            self.thread = thread
        else:
            self.threads = with_thread(self.threads, number, thread)

    def thread_by_handle(self, value: Value) -> tuple[int, Thread] | None:
        number = value - 1 if isinstance(value, int) else -1
        thread = self.thread if number == self.number else self.threads.get(number)
        return None if thread is None else (number, thread)

    # --- choices -----------------------------------------------------------------------------------------------

    def choose(self, source: str, low: int, high: int, bits: int, loc: SourceLoc, values: tuple[int, ...] = ()) -> int:
        """A value between `low` and `high`, as an unsigned number of `bits` bits."""
        if low == high:
            return low & ((1 << bits) - 1)
        if not self.first and not self.depth:
            raise StopHere
        if self.chosen == len(self.choices):
            raise NeedChoice(source, low, high, bits, values)
        value = self.choices[self.chosen]
        if not low <= value <= high:
            raise Unsupportable(f"a schedule that chooses {value} where {low} to {high} is possible")
        self.chosen += 1
        self.effects.append(Happening(Telling.CHOICE, source, loc, value=value, bits=bits))
        return value & ((1 << bits) - 1)

    # --- accesses by the program -------------------------------------------------------------------------------

    def load(self, address: Value, size: int, atomic: bool, loc: SourceLoc) -> Any:
        """The value, or None if this access must wait for the next step."""
        obj = self.find(address)
        if not obj.sharing and not self.open:
            return None
        value = self.read_int(
            obj, address, size, lambda bits: self.choose(f"uninitialised {obj.name}", 0, (1 << bits) - 1, bits, loc)
        )
        if not obj.sharing:
            self.effects.append(Access(address, size, AccessKind.READ, atomic or self.depth > 0, loc, value))
        return value

    def load_raw(self, address: Value, size: int, moves: bool, loc: SourceLoc) -> Any:
        """As `load`, for a value that is only going to be copied: arbitrary bytes come as (data, mask)."""
        obj = self.find(address)
        if not obj.sharing and not self.open:
            return None
        data, mask = self.raw(obj, address, size)
        if not obj.sharing:
            value = int.from_bytes(data, "little")
            self.effects.append(Access(address, size, AccessKind.READ, self.depth > 0, loc, value))
        if mask is None or not any(mask):
            return int.from_bytes(data, "little")
        return (data, mask if moves else self.mark_copied(obj, address, data, mask))

    def store(self, address: Value, value: Any, size: int, order: Order, loc: SourceLoc) -> bool:
        """False if this access must wait for the next step."""
        obj = self.find(address)
        if obj.constant:
            raise Trap(UndefinedKind.WRITE_TO_CONSTANT, obj.name, obj)
        if not obj.sharing and not self.open:
            return False
        if isinstance(value, tuple):
            data, mask = self._pair(value, size)
            self.write_raw(obj, address, data, mask)
        else:
            self.write_raw(obj, address, value.to_bytes(size, "little"), None)
        if not obj.sharing:
            shown = value if isinstance(value, int) else 0
            atomic = order is not Order.PLAIN or self.depth > 0
            self.effects.append(Access(address, size, AccessKind.WRITE, atomic, loc, shown))
        return True

    def _pair(self, value: Any, size: int) -> tuple[bytes, bytes]:
        if isinstance(value[0], int):
            raise Unsupportable("storing a pointer that points far outside its object")
        assert len(value[0]) == size
        return value

    def update(self, address: Value, old: int, new: Value, size: int, loc: SourceLoc, adds: bool = False) -> None:
        """The write half of an atomic read-modify-write, whose read was `load`ed just before."""
        obj = self.find(address)
        if obj.constant:
            raise Trap(UndefinedKind.WRITE_TO_CONSTANT, obj.name, obj)
        if not isinstance(new, int):
            raise Unsupportable("storing a pointer that points far outside its object")
        self.write_raw(obj, address, new.to_bytes(size, "little"), None)
        if not obj.sharing:
            self.effects.pop()
            self.effects.append(Access(address, size, AccessKind.UPDATE, True, loc, new, old, adds))

    def _settle(self, obj: Obj, address: int, data: bytes, mask: bytes, choose: Callable[[int], int]) -> bytes:
        self._writes_arbitrary(obj, address, len(data))
        return super()._settle(obj, address, data, mask, choose)

    def mark_copied(self, obj: Obj, address: int, data: bytes, mask: bytes) -> bytes:
        self._writes_arbitrary(obj, address, len(data))
        return super().mark_copied(obj, address, data, mask)

    def _writes_arbitrary(self, obj: Obj, address: int, size: int) -> None:
        """Reading arbitrary bytes changes what they are, for the others too."""
        if not obj.sharing:
            self.effects.append(Touch(address, size, Mode.WRITE))

    def store_result(self, address: Value, value: int, bits: int, loc: SourceLoc) -> None:
        """What a library function stores through a pointer it was given is an access like any other."""
        self.poke_word(address, value, bits)
        if not self.find(address).sharing:
            self.effects.append(Access(address, bits // 8, AccessKind.WRITE, self.depth > 0, loc, value))

    # --- objects -----------------------------------------------------------------------------------------------

    def allocate_stack(self, size: int, name: str, align: int, sharing: Sharing) -> int:
        layout, thread = self.image.layout, self.thread
        if size > MAX_STACK_OBJECT:
            raise OutOfAddresses(f"a local of {size} bytes (an array of negative size?)")
        start, after = layout.place_after(thread.cursor, size, align, layout.heap_start(thread.id))
        obj = Obj(start, size, name, sharing, Life.ALIVE, False)
        self.thread = thread._replace(stack=(*thread.stack, obj), cursor=after)
        return start

    def allocate_heap(self, size: int, name: str, zeroed: bool, loc: SourceLoc) -> int:
        """A fresh block, or any block of this size that was freed before."""
        freed = [
            (number, obj)
            for number, thread in sorted(with_thread(self.threads, self.number, self.thread).items())
            for obj in thread.heap
            if obj.life is Life.FREED and obj.size == size
        ]
        pick = self.choose(OwnChoice.BLOCK.value, 0, len(freed), 32, loc) if freed else 0
        self.effects.append(Touch(heap_place(size), 1, Mode.WRITE if freed else Mode.READ))
        if pick:
            number, old = freed[pick - 1]
            owner = self.thread if number == self.number else self.threads[number]
            again = Obj(old.start, size, name, Sharing.SHARED, Life.ALIVE, zeroed)
            heap = tuple(again if obj.start == old.start else obj for obj in owner.heap)
            self.change_thread(number, owner._replace(heap=heap))
            self.forget(again)
            return old.start
        layout, thread = self.image.layout, self.thread
        start, after = layout.place_after(thread.heap_cursor, size, 16, layout.heap_end(thread.id))
        obj = Obj(start, size, name, Sharing.SHARED, Life.ALIVE, zeroed)
        self.thread = thread._replace(heap=(*thread.heap, obj), heap_cursor=after)
        return start

    def free(self, address: Value, loc: SourceLoc) -> None:
        """Traps for everything but the start of a live block. For races it is an access to the whole block."""
        owner = self._heap_owner(address)
        block = next((obj for obj in owner[1].heap if obj.start == address), None) if owner else None
        if owner is None or block is None:
            raise Trap(UndefinedKind.INVALID_FREE)
        if block.life is Life.FREED:
            raise Trap(UndefinedKind.DOUBLE_FREE, block.name, block)
        number, thread = owner
        heap = tuple(obj._replace(life=Life.FREED) if obj is block else obj for obj in thread.heap)
        self.change_thread(number, thread._replace(heap=heap))
        self.effects.append(Touch(heap_place(block.size), 1, Mode.WRITE))
        atomic = self.depth > 0
        self.effects.append(Access(block.start, max(block.size, 1), AccessKind.FREE, atomic, loc, 0))
        self.forget(block)

    def _heap_owner(self, address: Value) -> tuple[int, Thread] | None:
        if not isinstance(address, int):
            return None
        everyone = with_thread(self.threads, self.number, self.thread)
        for number, thread in everyone.items():
            if any(obj.start == address for obj in thread.heap):
                return number, thread
        return None

    def block_size(self, address: Value) -> int:
        """Size of the live heap block that starts there (what realloc needs to know)."""
        owner = self._heap_owner(address)
        for obj in owner[1].heap if owner else ():
            if obj.start == address:
                if obj.life is Life.FREED:
                    raise Trap(UndefinedKind.DOUBLE_FREE, obj.name, obj)
                return obj.size
        raise Trap(UndefinedKind.INVALID_FREE)

    def drop_stack(self, mark: int, cursor: int, kept: tuple[Value, ...]) -> bool:
        """Kill the stack objects above `mark`; False if another thread could notice and it must wait.

        The address of one that something still points to (`kept` are the values of this call that outlive it) is not
        used again, so that following the pointer is noticed.
        """
        dying = self.thread.stack[mark:]
        if not self.open and any(not obj.sharing for obj in dying):
            return False
        for obj in dying:
            self.forget(obj)
        shared = [obj for obj in dying if not obj.sharing]
        self.effects.extend(Touch(obj.start, max(obj.size, 1), Mode.WRITE) for obj in shared)
        dangling = tuple(obj._replace(life=Life.DEAD) for obj in dying if self._is_pointed_to(obj, kept))
        if dangling:
            last = dangling[-1]
            cursor = max(cursor, last.start + max(last.size, 1) + self.image.layout.plan.red_zone)
        self.thread = self.thread._replace(stack=(*self.thread.stack[:mark], *dangling), cursor=cursor)
        return True

    def _is_pointed_to(self, obj: Obj, kept: tuple[Value, ...]) -> bool:
        """Of an object whose address never leaves its call nothing else can know."""
        if obj.sharing:
            return value_points_into(obj, kept, self.image.pointer_bytes)
        values: list[Value] = list(kept)
        for thread in with_thread(self.threads, self.number, self.thread).values():  # itself as it is now
            values.append(thread.result)
            values.extend(value for _, value in thread.specifics)
            if thread.id != self.thread.id:
                values.extend(value for frame in thread.frames for value in frame.regs[1:])
        values.extend(value for frame in self.frames for value in frame.regs[1:])
        return self.points_into(obj, values)

    # --- calls ---------------------------------------------------------------------------------------------------

    def call(self, code: Code, args: list[Any], return_pc: int) -> int:
        """Enter a function; the caller's frame keeps what it still needs."""
        if len(args) != len(code.params):
            raise Trap(UndefinedKind.BAD_CALL, code.name)
        if len(self.frames) >= MAX_FRAMES:
            raise Unsupportable(f"recursion deeper than {MAX_FRAMES} calls")
        kept = self.code.kept_over_call(self.r, return_pc)
        self.frames.append(Frame(self.code.name, return_pc, kept, self.mark, self.frame_cursor))
        self._begin(code, args)
        return 0

    def _begin(self, code: Code, args: list[Any]) -> None:
        base = self.r[0]
        self.code = code
        self.r = [base] + [None] * code.slot_count
        for slot, value in zip(code.params, args, strict=True):
            self.r[slot] = value
        self.mark, self.frame_cursor = len(self.thread.stack), self.thread.cursor

    def leave(self, value: Any) -> int:
        """Return from the running function: the caller's next pc, or the end of the thread."""
        if not self.frames:
            return self.finish_thread(value)
        if not self.drop_stack(self.mark, self.frame_cursor, (value,)):
            return STOP
        frame = self.frames.pop()
        given = self.code.function.result_width
        self._enter(frame)
        result = self.code.result(frame.pc)
        if result is not None:
            slot, width = result
            self.r[slot] = fitted(value, given, width)
        return frame.pc

    def finish_thread(self, value: Any) -> int:
        """The end of the outermost function: of main the end of the program, else of the thread."""
        if self.open and self.number == 0 and self.thread.phase is Phase.RUNNING:
            raise HaltHere(HaltKind.RETURN)
        return self.end_thread(value, Phase.RETURNED if self.static.cancels else Phase.ENDING)

    def end_thread(self, value: Any, phase: Phase = Phase.ENDING) -> int:
        """Run the destructors of thread-specific data, one call after the other, then finish."""
        if not self.open:
            return STOP
        again = self.thread.phase is Phase.RETURNED and phase is Phase.ENDING  # one of them was cancelled, or exits
        if self.thread.phase is Phase.RUNNING or again:
            self.thread = self.thread._replace(phase=phase, result=value)
        if again and self._next_destructor() is not None:
            raise Unsupportable(LEAVES_DESTRUCTOR)
        self.frames = []
        if self.keys:
            self.effects.append(Touch(KEYS, 1, Mode.READ))
        due = self._next_destructor()
        if due is not None:
            return self._run_destructor(*due)
        self.drop_stack(0, self.image.layout.stack_start(self.thread.id), (self.thread.result,))
        self.thread = self.thread._replace(
            frames=(),
            phase=Phase.FINISHED,
            waiting=None,
            specifics=(),
            atomic_depth=0,
            pending=Pending.VISIBLE,
            round=0,
            next_key=0,
            result=0 if self.thread.detached else self.thread.result,
        )
        self.depth = 0
        self.effects.append(Touch(thread_place(self.handle()), 1, Mode.WRITE))
        return ENDED

    def _next_destructor(self) -> tuple[int, Value] | None:
        """The key whose destructor runs next: all keys in order, up to DESTRUCTOR_ROUNDS times."""
        thread = self.thread
        for round_, first in ((thread.round, thread.next_key), (thread.round + 1, 0)):
            for key, specific in thread.specifics if round_ < DESTRUCTOR_ROUNDS else ():
                if key >= first and self.keys[key]:
                    self.thread = thread._replace(round=round_, next_key=key + 1)
                    return key, specific
        return None

    def _run_destructor(self, key: int, value: Any) -> int:
        rest = tuple((k, v) for k, v in self.thread.specifics if k != key)
        self.thread = self.thread._replace(specifics=rest)
        code = self.static.functions_at.get(self.keys[key])
        if code is None:
            raise Trap(UndefinedKind.WILD_CALL, "destructor of a thread-specific key")
        if len(code.params) != 1:
            raise Trap(UndefinedKind.BAD_CALL, "destructor of a thread-specific key")
        self._begin(code, [fitted(value, 8 * self.image.pointer_bytes, code.function.params[0].width)])
        return 0

    # --- the end of the step -------------------------------------------------------------------------------------

    def freeze(self, pc: int, pending: Pending) -> State:
        """The state after the step; `pc` is where the thread goes on (ENDED: nowhere)."""
        thread = self.thread
        if pc != ENDED:
            top = Frame(self.code.name, pc, self.code.kept_at(self.r, pc), self.mark, self.frame_cursor)
            thread = thread._replace(frames=(*self.frames, top), pending=pending, atomic_depth=self.depth)
        threads = with_thread(self.threads, self.number, thread)
        holder = self.number if self.depth and pc != ENDED else None
        return State(self.memory, threads, self.keys, holder)
