"""Registers, flags and memory while one assembly statement is carried out on expressions.

A register holds the low bits that are known: an operand of 32 bits says nothing about the upper half of its register.
Reading what nothing has set is refused, not guessed.
"""

from __future__ import annotations

from threadproof.frontend.lower.builder import Builder
from threadproof.frontend.lower.constants import offset_pointer, resized
from threadproof.frontend.lower.scope import Unlowerable
from threadproof.frontend.x86.operands import BoundOperand, Early, Operands
from threadproof.frontend.x86.text import Immediate, Memory, Operand, Place, X86Register
from threadproof.ir.expr import Binary, BinaryOp, Const, ConvertOp, Expr, const, negate

_PARTS = {"b": 8, "w": 16, "k": 32, "q": 64}
_SAME = frozenset(("", "P", "c", "a"))
_TOO_EARLY = "an output that is written before an input is read, which may live in the same register"
STACK = "sp"


def _names() -> dict[str, tuple[str, int]]:
    """Name of a register -> (its family, bits). The high bytes (ah, ...) are left out."""
    names: dict[str, tuple[str, int]] = {}
    for family in ("a", "b", "c", "d"):
        names |= {f"{family}l": (family, 8), f"{family}x": (family, 16)}
        names |= {f"e{family}x": (family, 32), f"r{family}x": (family, 64)}
    for family in ("si", "di", "bp", STACK):
        names |= {
            f"{family}l": (family, 8),
            family: (family, 16),
            f"e{family}": (family, 32),
            f"r{family}": (family, 64),
        }
    for number in range(8, 16):
        family = f"r{number}"
        names |= {
            f"{family}b": (family, 8),
            f"{family}w": (family, 16),
            f"{family}d": (family, 32),
            family: (family, 64),
        }
    return names


REGISTERS = _names()


class X86Machine:
    def __init__(self, b: Builder, operands: Operands) -> None:
        self.b = b
        self.operands = operands
        self.flags: dict[str, Expr] = {}  # z, s, c, o; one that is missing is undefined
        self._values: dict[str, Expr] = {}
        self._early: set[str] = set()  # outputs written although inputs may live in the same register
        for bound in operands.bound:
            if bound.register and bound.value is not None:
                self._values[bound.register] = bound.value

    # --- sizes ---

    def width(self, place: Place) -> int | None:
        """Bits that the place itself tells; None for memory and numbers."""
        match place:
            case X86Register():
                return self._register(place.name)[1]
            case Operand():
                bound = self._bound(place)
                if not bound.register or isinstance(bound.value, Const):
                    return None
                return _PARTS.get(place.modifier, bound.width)
            case Immediate() | Memory():
                return None

    def in_memory(self, place: Place) -> bool:
        return isinstance(place, Memory) or (isinstance(place, Operand) and not self._bound(place).register)

    def on_stack(self, place: Place) -> bool:
        """Memory below or at the stack pointer, which belongs to no object of the program."""
        base = place.base if isinstance(place, Memory) else None
        return isinstance(base, X86Register) and self._register(base.name)[0] == STACK

    # --- registers ---

    def get(self, place: Place, width: int) -> Expr:
        """The value of a register or number."""
        match place:
            case Immediate():
                return const(place.value, width)
            case X86Register():
                family, own = self._register(place.name)
                self._same(own, width)
                return self.read(family, width)
            case Operand():
                bound = self._bound(place)
                if bound.value is not None and self._early and bound.register not in self._early:
                    raise Unlowerable(_TOO_EARLY)
                if isinstance(bound.value, Const) and not bound.written:
                    return resized(self._values[bound.register], width, ConvertOp.SEXT)
                self._same(self.width(place) or 0, width)
                return self.read(bound.register, width)
            case Memory():
                raise AssertionError("memory is read by a load")

    def put(self, place: Place, value: Expr) -> None:
        match place:
            case X86Register():
                family, own = self._register(place.name)
                self._same(own, value.width)
                self.write(family, value)
            case Operand():
                bound = self._bound(place)
                self._same(self.width(place) or 0, value.width)
                self.write(bound.register, value)
            case Immediate() | Memory():
                raise Unlowerable("an instruction that writes to a number")

    def read(self, family: str, width: int) -> Expr:
        found = self._values.get(family)
        if found is None or found.width < width:
            raise Unlowerable(f"a register whose {width} bits nothing has set")
        return resized(found, width)

    def write(self, family: str, value: Expr) -> None:
        """32 bits clear the upper half, fewer keep what is above them."""
        old = self._values.get(family)
        if value.width == 32:
            value = resized(value, self.b.scope.pointer_bits)
        if old is not None and old.width > value.width:
            kept = Binary(BinaryOp.AND, old, const(-1 << value.width, old.width))
            value = Binary(BinaryOp.OR, kept, resized(value, old.width))
        self.replace(family, value)

    def replace(self, family: str, value: Expr) -> None:
        """Nothing but these bits is known of the register from now on."""
        self._values[family] = self.b.assign(value)
        for bound in self.operands.bound:
            if bound.register == family and bound.written and bound.early is Early.NO:
                self._early.add(family)

    def known(self, family: str, width: int) -> Expr | None:
        found = self._values.get(family)
        return None if found is None or found.width < width else resized(found, width)

    def family(self, place: Place) -> str:
        """The register behind a place, "" for memory and numbers."""
        match place:
            case X86Register():
                return self._register(place.name)[0]
            case Operand():
                return self._bound(place).register
            case Immediate() | Memory():
                return ""

    # --- memory ---

    def address(self, place: Place) -> Expr:
        if isinstance(place, Operand):
            bound = self._bound(place)
            assert bound.value is not None
            if self._early and not bound.written:
                raise Unlowerable(_TOO_EARLY)
            return bound.value
        assert isinstance(place, Memory)
        if place.base is None:
            raise Unlowerable("an absolute address")
        width = self.b.scope.pointer_bits
        address = offset_pointer(self.get(place.base, width), const(place.displacement, width))
        if place.index is not None:
            index = Binary(BinaryOp.MUL, self.get(place.index, width), const(place.scale, width))
            address = offset_pointer(address, index)
        return address

    # --- flags ---

    def flag(self, name: str) -> Expr:
        found = self.flags.get(name)
        if found is None:
            raise Unlowerable(f"the flag {name}f, which nothing has set")
        return found

    def condition(self, code: str) -> Expr:
        """The meaning of `z`, `ne`, `ae`, ... of setcc, cmovcc and flag outputs."""
        if code in _OPPOSITE:
            return negate(self.condition(_OPPOSITE[code]))
        match code:
            case "z" | "e":
                return self.flag("z")
            case "c" | "b" | "nae":
                return self.flag("c")
            case "s" | "o":
                return self.flag(code)
            case "be" | "na":
                return Binary(BinaryOp.OR, self.flag("c"), self.flag("z"))
            case "l" | "nge":
                return Binary(BinaryOp.XOR, self.flag("s"), self.flag("o"))
            case "le" | "ng":
                return Binary(BinaryOp.OR, self.flag("z"), self.condition("l"))
            case _:
                raise Unlowerable(f"the condition {code}")

    # --- helpers ---

    def _register(self, name: str) -> tuple[str, int]:
        found = REGISTERS.get(name)
        if found is None:
            raise Unlowerable(f"the register %{name}")
        return found

    def _bound(self, place: Operand) -> BoundOperand:
        if place.number >= len(self.operands.bound):
            raise Unlowerable(f"the operand ${place.number}")
        if place.modifier not in _SAME and place.modifier not in _PARTS:
            raise Unlowerable(f"an operand with the modifier {place.modifier}")
        return self.operands.bound[place.number]

    def _same(self, own: int, width: int) -> None:
        if own != width:
            raise Unlowerable(f"a register of {own} bits in an instruction for {width}")


_OPPOSITE = {
    "nz": "z", "ne": "z", "nc": "c", "ae": "c", "nb": "c", "ns": "s", "no": "o",
    "a": "be", "nbe": "be", "ge": "l", "nl": "l", "g": "le", "nle": "le",
}  # fmt: skip
