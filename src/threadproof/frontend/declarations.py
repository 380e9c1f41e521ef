"""What C files declare, as clang's syntax tree tells it: functions and variables with their types, and the types.

Only for writing C (`stubs`). Clang names the file of a place only where it differs from that of the place before, so
the whole tree is walked in its order.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from threadproof.frontend.clang import syntax_tree
from threadproof.frontend.options import FrontendOptions

Node = dict[str, Any]
_TYPES = ("RecordDecl", "EnumDecl", "TypedefDecl")


@dataclass(frozen=True, slots=True)
class DeclaredFunction:
    name: str
    result: str  # its type as C writes it
    parameters: tuple[tuple[str, str], ...]  # names, which may be empty, and types
    variadic: bool
    prototype: bool  # `f(void)` and not `f()`
    returns: bool


@dataclass(frozen=True, slots=True)
class DeclaredType:
    """A record, enumeration or typedef, by the word that C calls it by; `text` if it stands in the file itself."""

    word: str
    text: str
    offset: int


@dataclass(slots=True)
class Declarations:
    """Of one file and all it includes."""

    functions: dict[str, DeclaredFunction] = field(default_factory=dict[str, DeclaredFunction])
    variables: dict[str, str] = field(default_factory=dict[str, str])  # -> type
    types: dict[str, DeclaredType] = field(default_factory=dict[str, DeclaredType])
    aliases: dict[str, str] = field(default_factory=dict[str, str])  # typedefs -> what they stand for
    members: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict[str, tuple[tuple[str, str], ...]])
    thread_local: set[str] = field(default_factory=set[str])  # variables
    unnamed: dict[str, DeclaredType] = field(default_factory=dict[str, DeclaredType])
    """Declarations of variables whose type has no name; those made with one `struct {...}` have one offset."""

    def plain(self, ctype: str) -> str:
        """Without qualifiers and typedefs."""
        words = [word for word in ctype.split() if word not in ("const", "volatile", "_Atomic", "restrict")]
        found = " ".join(words)
        return self.plain(self.aliases[found]) if self.aliases.get(found, found) != found else found


_ATTRIBUTE = re.compile(r"\s*__attribute__\(\((?:[^()]|\([^()]*\))*\)\)")
_PARENTHESIS = re.compile(r"(?<!\w)\(")  # of a declarator, and not of `_Atomic(int)`
UNNAMED = "(unnamed"
"""In clang's word for a type without a name."""


def declarations_of(path: str, options: FrontendOptions) -> Declarations:
    found = Declarations()
    with open(path, "rb") as source:
        text = source.read()
    tree = cast(Node, json.loads(syntax_tree(path, options)))
    _name_by_typedef(tree)
    for node, file in _top_level(tree, path):
        match node["kind"]:
            case "FunctionDecl":
                found.functions.setdefault(node["name"], _function(node))
            case "VarDecl":
                _note_variable(found, node, text if file == path else b"")
            case _:
                _note_type(found, node, text if file == path else b"")
    return found


def _top_level(tree: Node, path: str) -> Iterator[tuple[Node, str]]:
    """Declarations, each with the file it stands in."""
    file = path
    for node in cast(list[Node], tree.get("inner", [])):
        mine, file = _files(node, file)
        kind, name = node["kind"], node.get("name")
        if (kind in _TYPES and not node.get("isImplicit")) or (kind in ("FunctionDecl", "VarDecl") and name):
            yield node, mine


def _name_by_typedef(tree: Node) -> None:
    """`typedef struct {...} point`: the record has no other name. `typedef enum {...} color` is taken for an int."""
    tags: dict[str, Node] = {}
    for node in cast(list[Node], tree.get("inner", [])):
        if node["kind"] in ("RecordDecl", "EnumDecl") and not node.get("name"):
            tags[node["id"]] = node
        elif node["kind"] == "TypedefDecl":
            for inner in cast(list[Node], node.get("inner", [])):
                tag = tags.pop(inner.get("ownedTagDecl", {}).get("id", ""), None)
                if tag is not None and tag["kind"] == "EnumDecl":
                    node["type"]["desugaredQualType"] = "int"
                elif tag is not None:
                    tag["word"] = node["name"]


def _files(node: Node, file: str) -> tuple[str, str]:
    """The file of this node's own place, and the one that was named last inside of it."""
    mine: str | None = None
    waiting: list[Any] = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting += reversed(cast(list[Any], one))
        elif isinstance(one, dict):
            known = cast(Node, one)
            if "offset" in known:
                file = cast(str, known.get("file", file))
                mine = mine or file
            waiting += [value for key, value in reversed(known.items()) if key != "includedFrom"]
    return mine or file, file


def _function(node: Node) -> DeclaredFunction:
    inner = cast(list[Node], node.get("inner", []))
    parameters = [one for one in inner if one["kind"] == "ParmVarDecl"]
    ctype = cast(str, node["type"]["qualType"])
    result, listed = _result(ctype)
    return DeclaredFunction(
        node["name"],
        result,
        tuple((cast(str, one.get("name", "")), cast(str, one["type"]["qualType"])) for one in parameters),
        bool(node.get("variadic")),
        listed != "()",
        not any(one["kind"] == "NoReturnAttr" for one in inner) and "noreturn" not in ctype,
    )


def _result(ctype: str) -> tuple[str, str]:
    """The result's type and the list of parameters: of `struct node *(int)` they are `struct node *` and `(int)`, of
    `void (*(int))(void)` they are `void (*)(void)` and `(int)`."""
    ctype = _ATTRIBUTE.sub("", ctype)
    at = 0
    while found := _PARENTHESIS.search(ctype, at):
        at = found.end()
        if not ctype[at:].startswith("*"):  # else around what the function returns a pointer to
            end = _closing(ctype, at)
            return ctype[: at - 1].strip() + ctype[end:], ctype[at - 1 : end]
    return ctype, ""


def _closing(text: str, at: int) -> int:
    """Behind the parenthesis that closes the one just before `at`."""
    depth = 1
    while depth and at < len(text):
        depth += (text[at] == "(") - (text[at] == ")")
        at += 1
    return at


def _note_variable(found: Declarations, node: Node, text: bytes) -> None:
    name, ctype = cast(str, node["name"]), cast(str, node["type"]["qualType"])
    known = found.variables.get(name, "[]")
    if known.endswith("[]"):  # a later declaration may say how large it is
        found.variables[name] = ctype
    if node.get("tls"):
        found.thread_local.add(name)
    if UNNAMED in ctype:
        found.unnamed[name] = DeclaredType(name, _text(node, text), node["range"]["begin"].get("offset", 0))


def _text(node: Node, text: bytes) -> str:
    """As it stands in the file; empty without the file's text, or where a macro made it."""
    begin, end = node["range"]["begin"], node["range"]["end"]
    if not text or "offset" not in begin or "offset" not in end:
        return ""
    return text[begin["offset"] : end["offset"] + end["tokLen"]].decode("utf-8", errors="replace") + ";"


def _note_type(found: Declarations, node: Node, text: bytes) -> None:
    name = cast(str, node.get("name", ""))
    shown, offset = _text(node, text), node["range"]["begin"].get("offset", 0)
    if node["kind"] == "TypedefDecl":
        found.aliases[name] = node["type"].get("desugaredQualType", node["type"]["qualType"])
        found.types[name] = DeclaredType(name, shown, offset)
        return
    word = cast(str, node.get("word") or f"{node.get('tagUsed', 'enum')} {name}")
    if node["kind"] == "RecordDecl" and node.get("completeDefinition"):
        inner = cast(list[Node], node.get("inner", []))
        fields = [one for one in inner if one["kind"] == "FieldDecl" and one.get("name")]
        found.members[word] = tuple((one["name"], one["type"]["qualType"]) for one in fields)
    if name and (word not in found.types or node.get("completeDefinition") or node["kind"] == "EnumDecl"):
        found.types[word] = DeclaredType(word, shown, offset)
