"""What heap blocks are called: as the program calls them where it has one name for them, else by type and number.

A block has the name of the global pointer that never points to another (`pool`, `table[2]`); a member of a global
record gives its name only to the one block of its type. A block without members of its own (an array, a number) may
have that of the member that never points to another: `pool->queue`. All others are called by their type: `node` where
there is only one, `node#1`, `node#2` in the order in which they were allocated. What has no type is called by the
variable that first pointed to it, or by the function that allocated it.

Names are stable: whoever tells of an execution lets all its states be seen first. In the simulator, where the future is
open, a name may change when a second block appears.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from threadproof.core.thread_id import name
from threadproof.ir.ctypes import CArray, CPointer, CRecord, CType, Enumeration, Opaque, Scalar, type_name
from threadproof.ir.program import Program
from threadproof.semantics.image import Image
from threadproof.semantics.state import CHUNK, Chunk, Life, Obj, State
from threadproof.semantics.thread_map import ThreadMap, perhaps_changed
from threadproof.sync.objects import SYNC_TYPES

Key = tuple[int, str]
"""A block: where it begins, and the name of the place that allocated it. Memory that is used again keeps the name."""

WATCHED_BYTES = 8 * CHUNK  # of one object in which pointers are looked for
WATCHED_OBJECTS = 512
DEEPEST = 3  # `a->b->c`


@dataclass(slots=True)
class _Watched:
    """An object in which pointers lie: their offsets and paths, and what was seen there last."""

    start: int
    owner: Key | None  # the block it is; None: a global variable
    paths: dict[int, str]
    chunks: list[Chunk | None] = field(default_factory=list[Chunk | None])


@dataclass(slots=True)
class _Block:
    obj: Obj
    base: str
    number: int
    thread: str
    pointers: dict[int, str] = field(default_factory=dict[int, str])  # cells that point to it, with their paths


class HeapNames:
    def __init__(self, program: Program, image: Image) -> None:
        self._program = program
        self._image = image
        self._word = program.data_model.pointer_bytes
        self._taken = {variable.c_name for variable in program.globals.values()}
        self._blocks: dict[Key, _Block] = {}
        self._starts: dict[int, Key] = {}
        self._counts: dict[str, int] = {}
        self._held: dict[int, set[int]] = {}  # what each pointer has held, apart from NULL
        self._owner: dict[int, tuple[Key | None, str]] = {}  # of each pointer: the block it lies in, and its path
        self._heaps: dict[int, tuple[Obj, ...]] = {}
        self._threads: ThreadMap = {}  # of the last state
        self._watched = list(self._globals())

    def see(self, state: State) -> None:
        """Blocks and pointers of a state. The order of states is the order of numbers."""
        for number, thread in perhaps_changed(self._threads, state.threads):
            if self._heaps.get(number) is not thread.heap:
                self._heaps[number] = thread.heap
                for obj in thread.heap:
                    self._enter(obj, name(thread.id))
        self._threads = state.threads
        for watched in self._watched:
            self._look(watched, state)

    def knows(self, obj: Obj) -> bool:
        return (obj.start, obj.name) in self._blocks

    def type_of(self, obj: Obj) -> CType | None:
        """What it holds, or what each of its elements is."""
        use = self._program.blocks.get(obj.name)
        return None if use is None else fitting(use.types, obj.size)

    def title(self, obj: Obj) -> str:
        """As a pointer to it is shown."""
        key = (obj.start, obj.name)
        return obj.name if key not in self._blocks else self._title(key, DEEPEST)

    def story(self, obj: Obj) -> str:
        """`struct node, allocated in push at a.c:41 by T1`"""
        block, use = self._blocks.get((obj.start, obj.name)), self._program.blocks.get(obj.name)
        if block is None or use is None:
            return f"{obj.size} bytes"
        what = self.written(obj)
        where = f", allocated in {use.function} at {use.loc} by {block.thread}" if use.loc.line else ""
        return what + where

    def written(self, obj: Obj) -> str:
        """`struct node`, `int[10]`, `24 bytes`"""
        ctype = self.type_of(obj)
        return f"{obj.size} bytes" if ctype is None else _written(ctype, obj.size)

    # --- seeing ----------------------------------------------------------------------------------------------------

    def _enter(self, obj: Obj, thread: str) -> None:
        key = (obj.start, obj.name)
        if key in self._blocks:
            self._blocks[key].obj = obj
            return
        base = self._base(obj)
        self._counts[base] = number = self._counts.get(base, 0) + 1
        self._blocks[key] = _Block(obj, base, number, thread)
        self._starts[obj.start] = key
        ctype = self.type_of(obj)
        if ctype is not None and ctype.bits and len(self._watched) < WATCHED_OBJECTS:
            single = self._is_record(obj)
            whole = ctype if single else CArray(ctype, elements(ctype, obj.size), 8 * obj.size)
            paths = {offset: f"->{path[1:]}" if single else path for offset, path in _pointers(whole)}
            if paths:
                self._watched.append(_Watched(obj.start, key, paths))

    def _base(self, obj: Obj) -> str:
        use = self._program.blocks.get(obj.name)
        ctype = self.type_of(obj)
        if isinstance(ctype, CRecord) and ctype.name not in ("struct", "union"):
            return _tag(ctype.name)
        return (use and use.holder) or obj.name.partition("@")[0]

    def _globals(self) -> Iterator[_Watched]:
        for variable in self._program.globals.values():
            address = self._image.layout.globals.get(variable.name)
            if address is None or variable.ctype is None or not variable.c_name:
                continue
            paths = {offset: variable.c_name + path for offset, path in _pointers(variable.ctype)}
            if paths:
                yield _Watched(address, None, paths)

    def _look(self, watched: _Watched, state: State) -> None:
        last = max(watched.paths) + self._word
        now = [state.memory.get(watched.start + offset) for offset in range(0, last, CHUNK)]
        if len(now) == len(watched.chunks) and all(a is b for a, b in zip(now, watched.chunks, strict=True)):
            return
        watched.chunks = now
        for offset, path in watched.paths.items():
            value = _word_at(now, offset, self._word)
            if value:
                cell = watched.start + offset
                self._held.setdefault(cell, set()).add(value)
                self._owner[cell] = (watched.owner, path)
                key = self._starts.get(value)
                if key is not None and self._blocks[key].obj.life is Life.ALIVE:
                    self._blocks[key].pointers.setdefault(cell, path)

    # --- naming ----------------------------------------------------------------------------------------------------

    def _title(self, key: Key, depth: int) -> str:
        block = self._blocks[key]
        for cell in sorted(block.pointers):
            owner, path = self._owner[cell]
            if len(self._held[cell]) > 1:
                continue  # it has pointed elsewhere, too
            if owner is None and ("." not in path or self._counts[block.base] == 1):
                return path  # a member of a global may point to any of several, by chance to one only
            if owner is not None and depth and owner != key and not self._is_record(block.obj):
                return self._title(owner, depth - 1) + path
        alone = self._counts[block.base] == 1 and block.base not in self._taken
        return block.base if alone else f"{block.base}#{block.number}"

    def _is_record(self, obj: Obj) -> bool:
        ctype = self.type_of(obj)
        return isinstance(ctype, CRecord) and elements(ctype, obj.size) == 1


def fitting(types: list[CType], size: int) -> CType | None:
    """The one that fills a block of that size, else one of which only whole ones fit into it; records come first."""
    exact = [ctype for ctype in types if ctype.bits == 8 * size]
    several = [ctype for ctype in types if ctype.bits and 8 * size % ctype.bits == 0]
    flexible = [ctype for ctype in types if isinstance(ctype, CRecord) and 0 < ctype.bits <= 8 * size]
    found = exact or several or flexible
    return max(found, key=lambda ctype: (isinstance(ctype, CRecord), ctype.bits)) if found else None


def elements(ctype: CType, size: int) -> int:
    """How many of that type a block of so many bytes holds; one with something behind it is one."""
    return 1 if not ctype.bits or 8 * size % ctype.bits else max(1, 8 * size // ctype.bits)


def _tag(written: str) -> str:
    """`node` of `struct node`, `mutex` of `pthread_mutex_t`."""
    tag = written.removeprefix("struct ").removeprefix("union ")
    return tag.removeprefix("pthread_").removesuffix("_t") if written in SYNC_TYPES else tag


def _written(ctype: CType, size: int) -> str:
    title, count = type_name(ctype), elements(ctype, size)
    return title if count == 1 else f"{title}[{count}]"


def _pointers(ctype: CType, offset: int = 0, path: str = "") -> Iterator[tuple[int, str]]:
    """Offsets and paths of the pointers in the first bytes of a variable of that type."""
    match ctype:
        case CPointer() if offset < WATCHED_BYTES:
            yield offset, path
        case CArray(element=element, count=count) if count and ctype.bits:
            size = ctype.bits // count // 8
            for index in range(min(count, WATCHED_BYTES // max(1, size))):
                yield from _pointers(element, offset + index * size, f"{path}[{index}]")
        case CRecord(members=members) if ctype.name not in SYNC_TYPES:
            for member in members:
                inside = f"{path}.{member.name}" if member.name else path
                yield from _pointers(member.type, offset + member.offset_bits // 8, inside)
        case Scalar() | Enumeration() | Opaque() | CPointer() | CArray() | CRecord():
            return


def _word_at(chunks: list[Chunk | None], offset: int, size: int) -> int:
    """0 where nothing was written, or where the pointer is arbitrary."""
    chunk = chunks[offset // CHUNK]
    if chunk is None:
        return 0
    data, mask = (chunk, b"") if isinstance(chunk, bytes) else chunk
    inside = offset % CHUNK
    if any(mask[inside : inside + size]):
        return 0
    return int.from_bytes(data[inside : inside + size], "little")
