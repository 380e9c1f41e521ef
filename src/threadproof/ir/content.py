"""The bytes a global variable holds at first, addresses filled in."""

from __future__ import annotations

from threadproof.ir.layout import Layout
from threadproof.ir.program import GlobalVar


def initial_bytes(variable: GlobalVar, layout: Layout, pointer_bytes: int) -> bytes:
    """A shorter image is continued by zeros by whoever reads it."""
    content = bytearray(variable.image)
    for relocation in variable.relocations:
        value = (layout.address(relocation.target) + relocation.addend) & ((1 << 8 * pointer_bytes) - 1)
        end = relocation.offset + pointer_bytes
        content.extend(bytes(max(0, end - len(content))))
        content[relocation.offset : end] = value.to_bytes(pointer_bytes, "little")
    return bytes(content)
