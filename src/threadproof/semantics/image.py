"""The parts of memory no step changes: where the globals lie and what they hold at first."""

from __future__ import annotations

from threadproof.ir.content import initial_bytes
from threadproof.ir.layout import Layout
from threadproof.ir.program import GlobalVar, Lifetime, Mutability, Origin, Program, Relocation
from threadproof.semantics.state import CHUNK, Life, Obj, Sharing


class Image:
    def __init__(self, program: Program, layout: Layout) -> None:
        self.layout = layout
        self.pointer_bytes = program.data_model.pointer_bytes
        self.address_mask = (1 << program.data_model.pointer_bits) - 1
        self.half_zone = layout.plan.red_zone // 2
        self.refusal = ""  # why no step can be made, if so
        self.globals: list[Obj] = []
        self.initial: dict[int, bytes] = {}
        self.tls: list[tuple[int, int, str]] = []  # offset, size, name
        self._tls_bytes: dict[str, bytes] = {}
        self.unshared_tls = program.unshared
        for variable in program.globals.values():
            content = self._bytes(variable, program)
            if variable.lifetime is Lifetime.THREAD:
                self.tls.append((layout.tls[variable.name], variable.size, variable.name))
                self._tls_bytes[variable.name] = content
            else:
                self._add_global(variable, content, program.unshared)
        self.globals.sort()
        self.tls.sort()
        self.elsewhere = {name for name, v in program.globals.items() if v.origin is Origin.ELSEWHERE}
        self.by_address: dict[int, Obj] = {obj.start: obj for obj in self.globals if obj.size}

    def _add_global(self, variable: GlobalVar, content: bytes, unshared: frozenset[str]) -> None:
        start = self.layout.globals[variable.name]
        sharing = Sharing.UNSHARED if variable.name in unshared else Sharing.SHARED
        constant = variable.mutability is Mutability.CONSTANT
        if constant:
            sharing = Sharing.UNSHARED
        self.globals.append(Obj(start, variable.size, variable.name, sharing, Life.ALIVE, True, constant))
        for offset in range(0, len(content), CHUNK):
            piece = content[offset : offset + CHUNK]
            length = min(CHUNK, variable.size - offset)
            self.initial[start + offset] = piece + bytes(length - len(piece))

    def _bytes(self, variable: GlobalVar, program: Program) -> bytes:
        for relocation in variable.relocations:
            self._require_near(relocation, program)
        return initial_bytes(variable, self.layout, self.pointer_bytes)

    def _require_near(self, relocation: Relocation, program: Program) -> None:
        target = program.globals.get(relocation.target)
        size = 0 if target is None else target.size
        if not -self.half_zone <= relocation.addend < size + self.half_zone:
            self.refusal = f"an initial value that points far outside {relocation.target}"

    def tls_chunk(self, name: str, offset: int, length: int) -> bytes:
        piece = self._tls_bytes[name][offset : offset + length]
        return piece + bytes(length - len(piece))
