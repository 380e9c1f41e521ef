"""Memory objects of an unwound program, each at an address of its own.

Globals lie where the layout puts them. Every other object is an instance: a place in the program text in a context
(thread, calls, iterations), so a program unwound again has the same objects at the same addresses. No address is ever
used twice: a block that was freed is not given out again, which whoever claims completeness has to justify.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum

from threadproof.core.thread_id import MAIN
from threadproof.encoding.errors import CannotEncode
from threadproof.ir.content import initial_bytes
from threadproof.ir.layout import Layout, align_up
from threadproof.ir.program import Lifetime, Mutability, Origin, Program, Relocation
from threadproof.smt.term import Term


class ObjectStorage(Enum):
    GLOBAL = "global"
    STACK = "stack"
    HEAP = "heap"
    THREAD_LOCAL = "thread-local"


@dataclass(frozen=True, slots=True, eq=False)
class UnwoundObject:
    start: int
    size: int
    name: str
    storage: ObjectStorage
    content: bytes | None  # at first; None: arbitrary
    constant: bool = False
    private: bool = False  # the reference semantics knows that only one thread gets at it
    elsewhere: bool = False  # declared, defined nowhere
    extent: Term | None = None  # its size, if that is not known: `size` is how far it is looked at

    def initial(self, offset: int, size: int) -> int | None:
        """The number those bytes are at first, None if arbitrary."""
        if self.content is None:
            return None
        return int.from_bytes(self.content[offset : offset + size].ljust(size, b"\0"), "little")


class UnwoundObjects:
    def __init__(self, program: Program, layout: Layout) -> None:
        self._layout = layout
        self._program = program
        self._pointer_bytes = program.data_model.pointer_bytes
        for variable in program.globals.values():
            for relocation in variable.relocations:
                self._require_near(relocation)
        self._starts: list[int] = []
        self._at: dict[int, UnwoundObject] = {}
        self._instances: dict[Hashable, UnwoundObject] = {}
        self._cursor = layout.heap_start(MAIN)
        self._end = layout.heap_end(MAIN)
        for variable in program.globals.values():
            if variable.lifetime is Lifetime.PROGRAM:
                constant = variable.mutability is Mutability.CONSTANT
                self._add(
                    UnwoundObject(
                        layout.globals[variable.name],
                        variable.size,
                        variable.name,
                        ObjectStorage.GLOBAL,
                        initial_bytes(variable, layout, self._pointer_bytes),
                        constant,
                        constant or variable.name in program.unshared,
                        variable.origin is Origin.ELSEWHERE,
                    )
                )

    def __len__(self) -> int:
        return len(self._starts)

    def _require_near(self, relocation: Relocation) -> None:
        target, half = self._program.globals.get(relocation.target), self._layout.plan.red_zone // 2
        if not -half <= relocation.addend < (0 if target is None else target.size) + half:
            raise CannotEncode(f"an initial value that points far outside {relocation.target}")

    def _add(self, found: UnwoundObject) -> UnwoundObject:
        insort(self._starts, found.start)
        self._at[found.start] = found
        return found

    def instance(
        self,
        key: Hashable,
        size: int,
        name: str,
        storage: ObjectStorage,
        content: bytes | None,
        private: bool,
        extent: Term | None = None,
    ) -> UnwoundObject:
        found = self._instances.get(key)
        if found is None:
            room = size if extent is None else self.reserve
            start, self._cursor = self._layout.place_after(self._cursor, room, 16, self._end)
            found = self._add(UnwoundObject(start, size, name, storage, content, private=private, extent=extent))
            self._instances[key] = found
        return found

    @property
    def reserve(self) -> int:
        """Addresses kept free for a block whose size is not known."""
        return 1 << 18 if self._pointer_bytes == 4 else 1 << 28

    def thread_locals(self, key: Hashable) -> int:
        """The base of a thread's own copies of the thread-local variables."""
        found = self._instances.get(key)
        if found is not None:
            return found.start
        base = align_up(self._cursor, 16)
        self._cursor = base + self._layout.tls_size + 2 * self._layout.plan.red_zone
        self._instances[key] = UnwoundObject(base, 0, "", ObjectStorage.THREAD_LOCAL, b"")
        for variable in self._program.globals.values():
            if variable.lifetime is Lifetime.THREAD:
                start = base + self._layout.tls[variable.name]
                content = initial_bytes(variable, self._layout, self._pointer_bytes)
                private = variable.name in self._program.unshared
                self._add(
                    UnwoundObject(
                        start, variable.size, variable.name, ObjectStorage.THREAD_LOCAL, content, private=private
                    )
                )
        return base

    def thread_local_objects(self, base: int) -> list[UnwoundObject]:
        starts = (base + offset for offset in self._layout.tls.values())
        return [self._at[start] for start in starts if start in self._at]

    def is_heap(self, start: int) -> bool:
        return self._at[start].storage is ObjectStorage.HEAP

    def near(self, address: int) -> UnwoundObject | None:
        """The object that holds the address, or that it is near to."""
        half = self._layout.plan.red_zone // 2
        index = bisect_right(self._starts, address)
        for start in self._starts[max(0, index - 1) : index + 1]:
            found = self._at[start]
            room = found.size if found.extent is None else self.reserve
            if start - half <= address < start + room + half:
                return found
        return None
