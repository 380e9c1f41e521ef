"""Addresses: one fixed layout that no schedule changes.

    0 .. CODE                nothing: null and small integers
    CODE ..                  one address per function
    DATA ..                  global objects, with red zones between them
    arena(main), arena(T)    per thread: thread-local objects, then the stack, then the heap, each with red zones

Arenas of 32-bit programs are small where no thread can need more (`passes/arenas.py`): there are many then. A thread's
arena depends on its identity alone, and what it allocates there on its own history alone, so two
schedules that order independent steps differently reach the same addresses. Pointer arithmetic that leaves an
object by no more than its red zone stays recognisably outside every object; what goes further is not given an
address at all (`semantics` keeps such a pointer apart).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from threadproof.core.errors import InputError
from threadproof.core.thread_id import ThreadId, number

FUNCTION_SPACING = 16


class OutOfAddresses(InputError):
    """The fixed layout has no room: the verdict becomes `unknown`, never something else."""


class Arenas(Enum):
    """Which arenas a program's threads have, main aside."""

    LARGE = "large"
    SMALL = "small"  # for 30,000 threads and more also where pointers have 32 bits


@dataclass(frozen=True, slots=True)
class AddressPlan:
    """Sizes of the layout's areas for one pointer width."""

    code: int
    data: int
    data_end: int
    main_arena: int
    main_stack: int  # bytes of main's arena before its heap
    main_size: int
    arenas: int
    arena_stack: int
    arena_size: int
    arena_count: int
    red_zone: int


PLANS = {
    32: AddressPlan(
        code=0x10000,
        data=0xB5A0000,  # an unlikely number: kernel code likes to compare with 0x100100
        data_end=0x40000000,
        main_arena=0x40000000,
        main_stack=0x8000000,
        main_size=0x40000000,
        arenas=0x80000000,
        arena_stack=0x40000,
        arena_size=0x100000,
        arena_count=0x7C0,
        red_zone=0x80,
    ),
    64: AddressPlan(
        code=0x10000,
        data=0xB5A000000,
        data_end=0x100000000000,
        main_arena=0x100000000000,
        main_stack=0x40000000000,
        main_size=0x100000000000,
        arenas=0x200000000000,
        arena_stack=0x4000000,
        arena_size=0x10000000,
        arena_count=0x60000,
        red_zone=0x1000,
    ),
}


SMALL_ARENAS = {32: replace(PLANS[32], arena_stack=0x4000, arena_size=0x8000, arena_count=0xF800), 64: PLANS[64]}
"""Half of the arenas are of threads that main creates."""


def plan_of(pointer_bits: int, arenas: Arenas) -> AddressPlan:
    return (SMALL_ARENAS if arenas is Arenas.SMALL else PLANS)[pointer_bits]


def align_up(value: int, align: int) -> int:
    return -(-value // align) * align


@dataclass(frozen=True, slots=True)
class Layout:
    plan: AddressPlan
    functions: dict[str, int]
    globals: dict[str, int]
    tls: dict[str, int]  # offset inside a thread's arena
    tls_size: int

    @staticmethod
    def of(
        pointer_bits: int,
        functions: tuple[str, ...],
        variables: tuple[tuple[str, int, int], ...],
        thread_locals: tuple[tuple[str, int, int], ...],
        arenas: Arenas = Arenas.LARGE,
    ) -> Layout:
        plan = plan_of(pointer_bits, arenas)
        code = {name: plan.code + FUNCTION_SPACING * i for i, name in enumerate(functions)}
        start = max(plan.data, plan.code + FUNCTION_SPACING * (len(functions) + 1))
        placed, end = _place(start, variables, plan.red_zone)
        if end > plan.data_end:
            raise OutOfAddresses("the global variables need more memory than the address layout has")
        tls, tls_end = _place(plan.red_zone, thread_locals, plan.red_zone)
        return Layout(plan, code, placed, tls, tls_end)

    def address(self, name: str) -> int:
        found = self.globals.get(name)
        return self.functions[name] if found is None else found

    def arena(self, thread: ThreadId) -> int:
        if not thread:
            return self.plan.main_arena
        slot = number(thread) - 1
        if slot >= self.plan.arena_count:
            raise OutOfAddresses(f"more than {self.plan.arena_count // 2} threads")
        return self.plan.arenas + slot * self.plan.arena_size

    def stack_start(self, thread: ThreadId) -> int:
        return self.arena(thread) + align_up(self.tls_size + self.plan.red_zone, 16)

    def heap_start(self, thread: ThreadId) -> int:
        return self.arena(thread) + (self.plan.arena_stack if thread else self.plan.main_stack)

    def heap_end(self, thread: ThreadId) -> int:
        return self.arena(thread) + (self.plan.arena_size if thread else self.plan.main_size)

    def place_after(self, cursor: int, size: int, align: int, end: int) -> tuple[int, int]:
        """Address of a new object at or after `cursor`, and the cursor behind it and its red zone."""
        start = align_up(cursor, max(1, align))
        after = start + max(size, 1) + self.plan.red_zone
        if after > end:
            raise OutOfAddresses("an object larger than the memory a thread has in the address layout")
        return start, after


def _place(start: int, objects: tuple[tuple[str, int, int], ...], red_zone: int) -> tuple[dict[str, int], int]:
    placed: dict[str, int] = {}
    cursor = start + red_zone
    for name, size, align in objects:
        cursor = align_up(cursor, max(1, align))
        placed[name] = cursor
        cursor += max(size, 1) + red_zone
    return placed, cursor
