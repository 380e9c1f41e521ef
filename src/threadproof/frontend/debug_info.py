"""Debug metadata: source positions, and the names and types of C variables."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, replace

from threadproof.core.source import NOWHERE, SourceLoc
from threadproof.ir.ctypes import (
    CArray,
    CPointer,
    CRecord,
    CType,
    Encoding,
    Enumeration,
    Member,
    Opaque,
    Scalar,
)
from threadproof.ir.program import Variable

_KIND = re.compile(r"(?:distinct )?!(\w*)")
_FIELD = re.compile(r'(\w+): ("[^"]*"|!\w+|[^,()]+)')
_LOCATION = re.compile(r"(?:distinct )?!DILocation\(line: (\d+),(?: column: (\d+),)? scope: !(\d+)")
_TYPEDEF = re.compile(r'!DIDerivedType\(tag: DW_TAG_typedef, name: "(\w+)"')
_TYPEDEF_DEPTH = 16
_REFERENCE = re.compile(r"!(\d+)")

_ENCODINGS = {
    "DW_ATE_signed": Encoding.SIGNED,
    "DW_ATE_unsigned": Encoding.UNSIGNED,
    "DW_ATE_boolean": Encoding.BOOL,
    "DW_ATE_signed_char": Encoding.CHAR,
    "DW_ATE_unsigned_char": Encoding.CHAR,
    "DW_ATE_float": Encoding.FLOAT,
}
_RECORD_TAGS = {
    "DW_TAG_structure_type": "struct",
    "DW_TAG_union_type": "union",
    "DW_TAG_class_type": "struct",
}


@dataclass(frozen=True, slots=True)
class DebugNode:
    kind: str  # DILocation, ... or "" for a plain list
    fields: dict[str, str]
    parts: tuple[int, ...]  # of a plain list

    def reference(self, name: str) -> int | None:
        value = self.fields.get(name, "")
        return int(value[1:]) if value[:1] == "!" and value[1:].isdigit() else None

    def number(self, name: str) -> int:
        value = self.fields.get(name, "0")
        return int(value) if re.fullmatch(r"-?\d+", value) else 0

    def text(self, name: str) -> str:
        return self.fields.get(name, "").strip('"')


_NOTHING = DebugNode("", {}, ())


@dataclass(slots=True)
class DebugInfo:
    """Reads nodes when they are asked for: most of a module's metadata never is."""

    metadata: dict[int, str]
    given: dict[str, str] = field(default_factory=dict[str, str])
    """Absolute path -> the name on the command line, which is what people know the file by."""
    only_file: str | None = None  # everything stands in this file (the runtime library)
    _nodes: dict[int, DebugNode] = field(default_factory=dict[int, DebugNode])
    _locations: dict[int, SourceLoc] = field(default_factory=dict[int, SourceLoc])
    _files: dict[int, str] = field(default_factory=dict[int, str])
    _scopes: dict[int, str] = field(default_factory=dict[int, str])
    _typedefs: dict[str, int] | None = None
    _types: dict[int, CType] = field(default_factory=dict[int, CType])
    _pointees: dict[str, int] = field(default_factory=dict[str, int])

    def node(self, number: int | None) -> DebugNode:
        if number is None:
            return _NOTHING
        known = self._nodes.get(number)
        if known is None:
            known = self._nodes[number] = _parse(self.metadata.get(number, ""))
        return known

    # --- positions ---

    def location(self, number: int) -> SourceLoc:
        """Of a !DILocation."""
        if number < 0:
            return NOWHERE
        known = self._locations.get(number)
        if known is None:
            known = self._locations[number] = self._location(self.metadata.get(number, ""))
        return known

    def _location(self, text: str) -> SourceLoc:
        found = _LOCATION.match(text)
        if found is None:
            return NOWHERE
        line, column, scope = found.groups()
        file = self._file_of_scope(int(scope))
        return SourceLoc(file, int(line), int(column or 0)) if file else NOWHERE

    def declared_at(self, number: int) -> SourceLoc:
        """Of a variable or subprogram."""
        node = self.node(number)
        file = self._file(node.reference("file"))
        return SourceLoc(file, node.number("line")) if file else NOWHERE

    def _file_of_scope(self, scope: int | None) -> str:
        """The file of the innermost scope that has one."""
        if scope is None:
            return ""
        known = self._scopes.get(scope)
        if known is None:
            node = self.node(scope)
            file = node.reference("file")
            known = self._file_of_scope(node.reference("scope")) if file is None else self._file(file)
            self._scopes[scope] = known
        return known

    def _file(self, number: int | None) -> str:
        if number is None:
            return ""
        if self.only_file is not None:
            return self.only_file
        known = self._files.get(number)
        if known is None:
            node = self.node(number)
            known = self._files[number] = self._file_name(node.text("filename"), node.text("directory"))
        return known

    def _file_name(self, name: str, folder: str) -> str:
        """Clang moves a prefix of absolute names into `directory`; undo that."""
        full = os.path.normpath(os.path.join(folder, name))
        if full in self.given:
            return self.given[full]
        return name if os.path.normpath(folder or ".") in (".", os.getcwd()) else full

    # --- types ---

    def size_of(self, typedef: str) -> int | None:
        """Bytes of the type with this name, None if nothing has it."""
        if self._typedefs is None:
            self._typedefs = {
                found.group(1): number for number, text in self.metadata.items() if (found := _TYPEDEF.match(text))
            }
        number = self._typedefs.get(typedef)
        return None if number is None else self._size(number)

    def _size(self, number: int | None) -> int | None:
        """Behind typedefs and qualifiers."""
        for _ in range(_TYPEDEF_DEPTH):
            node = self.node(number)
            if node.number("size") or number is None:
                return node.number("size") // 8 or None
            number = node.reference("baseType")
        return None

    # --- variables ---

    def variable(self, number: int) -> Variable:
        """Of a !DILocalVariable."""
        node = self.node(number)
        return Variable(node.text("name"), self.ctype(node.reference("type")), self.declared_at(number))

    def global_variable(self, numbers: tuple[int, ...]) -> Variable | None:
        """Of the first !DIGlobalVariableExpression that has a name."""
        for number in numbers:
            found = self.node(number).reference("var")
            if found is not None and self.node(found).text("name"):
                return self.variable(found)
        return None

    # --- types ---

    def ctype(self, number: int | None) -> CType:
        if number is None:
            return Opaque("void")
        known = self._types.get(number)
        if known is None:
            known = self._types[number] = self._ctype(number)
        return known

    def pointees(self) -> dict[str, CType]:
        """What the pointers among the types that were asked for point to, and what the pointers inside that do."""
        for number in list(self._pointees.values()):
            self.ctype(number)
        return {name: self.ctype(number) for name, number in list(self._pointees.items())}

    def _ctype(self, number: int) -> CType:
        node = self.node(number)
        bits = node.number("size")
        match node.kind:
            case "DIBasicType":
                encoding = _ENCODINGS.get(node.fields.get("encoding", ""))
                name = node.text("name")
                return Opaque(name, bits) if encoding is None else Scalar(name, bits, encoding)
            case "DIDerivedType":
                return self._derived(node, bits)
            case "DICompositeType":
                return self._composite(node, bits)
            case _:
                return Opaque(self._name(number), bits)

    def _derived(self, node: DebugNode, bits: int) -> CType:
        base = node.reference("baseType")
        match node.fields.get("tag"):
            case "DW_TAG_pointer_type":
                name = self._name(base)
                if base is not None:
                    self._pointees.setdefault(name, base)
                return CPointer(name, bits)
            case "DW_TAG_typedef":
                below = self.ctype(base)
                named = isinstance(below, Scalar | Enumeration | CRecord | Opaque)
                return replace(below, name=node.text("name")) if named else below
            case _:
                return self.ctype(base)

    def _composite(self, node: DebugNode, bits: int) -> CType:
        tag = node.fields.get("tag", "")
        parts = self.node(node.reference("elements")).parts
        if tag in _RECORD_TAGS:
            members = tuple(self._member(self.node(part)) for part in parts)
            return CRecord(f"{_RECORD_TAGS[tag]} {node.text('name')}".strip(), members, bits)
        if tag == "DW_TAG_enumeration_type":
            constants = [(self.node(part).text("name"), self.node(part).number("value")) for part in parts]
            return Enumeration(f"enum {node.text('name')}".strip(), bits, tuple(constants))
        if tag == "DW_TAG_array_type":
            return self._array(node, parts)
        return Opaque(node.text("name"), bits)

    def _array(self, node: DebugNode, parts: tuple[int, ...]) -> CType:
        """Several dimensions are arrays of arrays."""
        result = self.ctype(node.reference("baseType"))
        for part in reversed(parts):
            count = max(0, self.node(part).number("count"))
            result = CArray(result, count, count * result.bits)
        return result

    def _member(self, node: DebugNode) -> Member:
        ctype = self.ctype(node.reference("baseType"))
        return Member(node.text("name"), node.number("offset"), ctype, node.number("size"))

    def _name(self, number: int | None) -> str:
        """A type's name without looking inside it, so that cycles through pointers end here."""
        if number is None:
            return "void"
        node = self.node(number)
        if name := node.text("name"):
            prefix = _RECORD_TAGS.get(node.fields.get("tag", ""), "")
            return f"{prefix} {name}".strip()
        match node.fields.get("tag"):
            case "DW_TAG_pointer_type":
                return f"{self._name(node.reference('baseType'))} *"
            case "DW_TAG_const_type" | "DW_TAG_volatile_type" | "DW_TAG_restrict_type" | "DW_TAG_atomic_type":
                return self._name(node.reference("baseType"))
            case "DW_TAG_array_type":
                counts = [self.node(part).number("count") for part in self.node(node.reference("elements")).parts]
                return self._name(node.reference("baseType")) + "".join(f"[{max(0, count)}]" for count in counts)
            case tag:
                return "function" if node.kind == "DISubroutineType" else _RECORD_TAGS.get(tag or "", "void")


def _parse(text: str) -> DebugNode:
    kind = _KIND.match(text)
    if kind is None:
        return _NOTHING
    if not kind[1]:
        return DebugNode("", {}, tuple(int(found) for found in _REFERENCE.findall(text)))
    return DebugNode(kind[1], {name: value.strip() for name, value in _FIELD.findall(text)}, ())
