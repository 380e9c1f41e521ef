"""C expressions that a witness may say of a state: conditions without effects.

They are put into C text, so nothing else may be hidden in them: no assignment, no call, no second statement. Names of
macros are refused, since nobody knows what they come to, unless that is a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-z_]\w*)|(?P<number>(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*)"
    r"|(?P<mark>->|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>?:.()\[\]]))"
)
_TYPES = frozenset(("int", "unsigned", "signed", "char", "short", "long", "_Bool", "const"))
_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        "auto break case continue default do double else enum extern float for goto if inline register restrict "
        "return sizeof static struct switch typedef union void volatile while asm typeof alignof",
    )
)
_CAST = "(type)"
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)(.*)$", re.MULTILINE)
_NUMBER = re.compile(r"[ \t]+\(*-?(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*\)*\s*")


def words(text: str) -> list[str]:
    """The names in an expression."""
    return [found["name"] for found in _TOKEN.finditer(text) if found["name"]]


def why_unfit(text: str, sources: Iterable[str] = ()) -> str:
    """Why the text is no condition that can be asked without changing anything; nothing, if it is one."""
    if re.search(r"--|\+\+|//|/\*", text):
        return "it may have effects, or is no expression"
    at, before = 0, ""
    groups: list[bool] = []  # of the open brackets, whether there are only words of a type in them
    text = text.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            return f"'{text[at : at + 10].strip()}' has no place in it"
        token = found[0].strip()
        if token in _KEYWORDS:
            return f"'{token}' has no place in it"
        if token == "(" and (before == "]" or before == ")" or (before[:1].isidentifier() and before not in _TYPES)):
            return "it may call a function"
        if token in ("(", "["):
            groups.append(token == "(")
        elif token in (")", "]"):
            if not groups:
                return "its brackets do not match"
            token = _CAST if groups.pop() and before != "(" else token
        elif groups and token not in _TYPES:
            groups[-1] = False
        at, before = found.end(), token
    if groups or not before:
        return "its brackets do not match" if groups else "it is empty"
    hidden = _macros(sources).intersection(words(text))
    return f"{min(hidden)} is a macro" if hidden else ""


def _macros(sources: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for source in sources:
        found |= {name for name, body in _MACRO.findall(source) if not _NUMBER.fullmatch(body)}
    return found
