"""Global variables with their initial values. Addresses among these are assigned when main begins."""

from __future__ import annotations

from collections.abc import Iterator

from threadproof.codegen.sequential.text.module import Module
from threadproof.codegen.sequential.values.scalars import CKind, Sign
from threadproof.codegen.sequential.values.shapes import CShape
from threadproof.codegen.sequential.values.typed import Object
from threadproof.ir.program import GlobalVar, Lifetime


def global_lines(module: Module) -> tuple[list[str], list[str]]:
    """Declarations, and the assignments main begins with. What initial values point to is declared too."""
    declared: list[str] = []
    assigned: list[str] = []
    done: set[str] = set()
    while module.globals_used.keys() - done:
        for name in [n for n in module.program.globals if n in module.globals_used.keys() - done]:
            done.add(name)
            variable = module.program.globals[name]
            for found in _instances(module, variable):
                declared.append(_declaration(found, variable))
                assigned += _relocations(module, found, variable)
    return declared, assigned


def _instances(module: Module, variable: GlobalVar) -> Iterator[Object]:
    if variable.lifetime is Lifetime.PROGRAM:
        yield module.global_object(variable.name, None)
        return
    for thread in module.threads:
        if thread.index in module.globals_used[variable.name]:
            yield module.global_object(variable.name, thread.index)


def _declaration(found: Object, variable: GlobalVar) -> str:
    text = f"static {found.shape.declare(found.name)}"
    image = variable.image[: variable.size].ljust(variable.size, b"\0")
    if any(image):
        text += f" = {_initial(found.shape, image)}"
    where = f"  // {variable.loc.line}" if variable.loc.line else ""
    return f"{text};{where}"


def _initial(shape: CShape, image: bytes) -> str:
    if shape.fields:
        parts = [image[at : at + shape.element_size] for at in range(0, len(image), shape.element_size)]
        return _nested([_members(shape, part) for part in parts], shape.dimensions)
    if shape.element is None:
        return _words(shape, image)
    size = shape.element_size
    values = [_value(shape.element, image[at : at + size]) for at in range(0, len(image), size)]
    return _nested(values, shape.dimensions)


def _words(shape: CShape, image: bytes) -> str:
    """A record: its words inside a struct, bytes at least."""
    size = shape.element_size
    parts = [image[at : at + size] for at in range(0, len(image), size)]
    word = shape.word
    texts: list[str] = []
    for part in parts:
        numbers = [int.from_bytes(part[at : at + word], "little") for at in range(0, size, word)]
        texts.append(f"{{{{{', '.join(_plain(n, word) for n in numbers)}}}}}")
    return _nested(texts, shape.dimensions)


def _plain(value: int, size: int) -> str:
    return f"{value}{'ull' if size == 8 else 'u'}" if value else "0"


def _members(shape: CShape, image: bytes) -> str:
    """A record: the members that are not zero."""
    texts: list[str] = []
    for field in shape.fields:
        starts = range(field.offset, field.offset + field.size, field.step)
        values = [_value(field.kind, image[at : at + field.step]) for at in starts]
        if any(image[field.offset : field.offset + field.size]):
            several = f"{{{', '.join(values)}}}"
            texts.append(f".{field.name} = {values[0] if field.length is None else several}")
    return f"{{{', '.join(texts)}}}"


def _value(kind: CKind, content: bytes) -> str:
    value = int.from_bytes(content, "little")
    if kind.sign is Sign.POINTER:
        return f"(void *){value}" if value else "0"
    if kind.sign is Sign.SIGNED and value >> (8 * len(content) - 1):
        value -= 1 << (8 * len(content))
        if value == -(1 << (8 * len(content) - 1)):
            return f"{value + 1}{'ll' if len(content) == 8 else ''} - 1"
    if len(content) == 16 and value >> 64:
        return f"(u128){value >> 64}ull << 64 | {value & (1 << 64) - 1}ull"
    suffix = "" if len(content) < 4 or kind.sign is Sign.SIGNED else "u"
    return f"{value}{suffix}{'ll' if len(content) == 8 and abs(value) >> 31 else ''}"


def _nested(values: list[str], dimensions: tuple[int, ...]) -> str:
    for count in reversed(dimensions[1:]):
        values = [f"{{{', '.join(values[at : at + count])}}}" for at in range(0, len(values), count)]
    return f"{{{', '.join(values)}}}" if dimensions else values[0]


def _relocations(module: Module, found: Object, variable: GlobalVar) -> Iterator[str]:
    for relocation in variable.relocations:
        if relocation.target in module.program.globals:
            target = module.global_object(relocation.target, None).address
        else:
            target = module.function_mark(relocation.target)
        value = f"(char *){target} + {relocation.addend}" if relocation.addend else target
        element = found.shape.element
        if element is not None and element.sign is Sign.POINTER and not found.shape.dimensions:
            yield f"{found.name} = {value};"
        else:
            yield f"*(void **)((char *){found.address} + {relocation.offset}) = {value};"
