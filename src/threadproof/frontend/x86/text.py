"""The text of an inline assembly template (AT&T syntax) as instructions."""

from __future__ import annotations

import re
from dataclasses import dataclass

from threadproof.frontend.lower.scope import Unlowerable


@dataclass(frozen=True, slots=True)
class Immediate:
    value: int


@dataclass(frozen=True, slots=True)
class X86Register:
    name: str  # without the %


@dataclass(frozen=True, slots=True)
class Operand:
    """`$0`, `${0:b}`: an operand of the C statement; the letter says which part of it."""

    number: int
    modifier: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """`displacement(base, index, scale)`."""

    displacement: int
    base: X86Register | Operand | None
    index: X86Register | Operand | None = None
    scale: int = 1


Place = Immediate | X86Register | Operand | Memory


@dataclass(frozen=True, slots=True)
class Instruction:
    prefix: str  # "", "lock" or "rep"
    mnemonic: str
    places: tuple[Place, ...]  # as written: the source first


_ALTERNATIVES = re.compile(r"\$\((.*?)\$\|.*?\$\)", re.DOTALL)  # {AT&T|Intel}
_COMMENT = re.compile(r"/\*.*?\*/|#[^\n]*", re.DOTALL)
_SEPARATOR = re.compile(r"[;\n]")
_LABEL = re.compile(r"^[\w.]+:\s*")
_PREFIXES = ("lock", "rep", "repz", "repe")
_LEAVES = (".section", ".pushsection")
_RETURNS = (".previous", ".popsection", ".text")
_ALIGNS = (".align", ".balign", ".p2align")
_NUMBER = re.compile(r"-?(?:0[xX][0-9a-fA-F]+|\d+)")
_OPERAND = re.compile(r"\$(?:(\d+)|\{(\d+):(\w)\})")
_ADDRESS = re.compile(r"([^()]*)\(([^()]*)\)")


def instructions(template: str) -> list[Instruction]:
    """Those of the text section, in order. Labels that nothing here jumps to say nothing."""
    found: list[Instruction] = []
    prefix, elsewhere = "", False
    text = _COMMENT.sub(" ", _ALTERNATIVES.sub(r"\1", template))
    for part in _SEPARATOR.split(text):
        words = _LABEL.sub("", part.strip())
        if words.startswith("."):
            elsewhere = _directive(words, elsewhere)
            continue
        while words:
            if elsewhere:
                raise Unlowerable(f"instructions in another section: {words}")
            head, rest = _first_word(words)
            if head.lower() in _PREFIXES and not prefix:
                prefix, words = ("lock" if head.lower() == "lock" else "rep"), rest.strip()
                continue
            found.append(Instruction(prefix, head.lower(), _places(rest)))
            prefix, words = "", ""
    if prefix == "lock":
        raise Unlowerable("lock without an instruction")
    if prefix:
        found.append(Instruction(prefix, "nop", ()))
    return found


def _first_word(words: str) -> tuple[str, str]:
    parts = words.split(None, 1)
    return parts[0], parts[1] if len(parts) > 1 else ""


def _directive(words: str, elsewhere: bool) -> bool:
    """Whether what follows is in another section. Data in the text section would be instructions."""
    name = words.split(None, 1)[0]
    if name in _LEAVES:
        return True
    if name in _RETURNS:
        return False
    if not elsewhere and name not in _ALIGNS:
        raise Unlowerable(f"the directive {name}")
    return elsewhere


def _places(text: str) -> tuple[Place, ...]:
    return tuple(_place(part.strip()) for part in re.split(r",(?![^()]*\))", text) if part.strip())


def _place(text: str) -> Place:
    if text.startswith("$$"):
        return Immediate(_number(text[2:]))
    if text.startswith("%") and ":" not in text:
        return X86Register(text[1:].lower())
    if (found := _OPERAND.fullmatch(text)) is not None:
        return _operand(found)
    if (found := _ADDRESS.fullmatch(text)) is not None:
        return _memory(found[1].strip(), [part.strip() for part in found[2].split(",")])
    raise Unlowerable(f"the operand {text}")


def _operand(found: re.Match[str]) -> Operand:
    return Operand(int(found[1] or found[2]), found[3] or "")


def _memory(displacement: str, parts: list[str]) -> Memory:
    places = [_place(part) if part else None for part in parts[:2]]
    if not all(place is None or isinstance(place, X86Register | Operand) for place in places) or len(parts) > 3:
        raise Unlowerable(f"the operand {displacement}({','.join(parts)})")
    base, index = places[0], places[1] if len(places) > 1 else None
    assert not isinstance(base, Immediate | Memory)
    assert not isinstance(index, Immediate | Memory)
    scale = _number(parts[2]) if len(parts) == 3 else 1
    return Memory(_number(displacement) if displacement else 0, base, index, scale)


def _number(text: str) -> int:
    if _NUMBER.fullmatch(text.strip()) is None:
        raise Unlowerable(f"the number {text}")
    return int(text, 0)
