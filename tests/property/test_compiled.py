"""The reference evaluator against C: expressions become functions on `_BitInt`, compiled by the bundled clang."""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from expressions import any_expression, valuations
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from test_evaluate import defined, reference

from threadproof.dev.native import shared_object
from threadproof.ir.expr import (
    Binary,
    BinaryOp,
    Compare,
    CompareOp,
    Const,
    Convert,
    ConvertOp,
    Expr,
    FloatBinary,
    FloatCompare,
    FloatConvert,
    FloatConvertOp,
    FloatOp,
    FloatUnary,
    FloatUnaryOp,
    Reg,
    Select,
)
from threadproof.semantics.outcome import Unsupportable

NARROW = (1, 2, 7, 8, 16, 24, 32, 33, 64)  # C divides 128 bits by calling a library


def loaded(text: str, folder: Path) -> ctypes.CDLL:
    source = folder / "functions.c"
    source.write_text(text, encoding="utf-8")
    native = shared_object([source], folder)
    try:
        return ctypes.CDLL(str(native))
    except OSError as reason:
        pytest.skip(f"no native code here: {reason}")


# --- integers --------------------------------------------------------------------------------------------------------

_PLAIN = {
    BinaryOp.ADD: "+", BinaryOp.SUB: "-", BinaryOp.MUL: "*", BinaryOp.UDIV: "/", BinaryOp.UREM: "%",
    BinaryOp.SHL: "<<", BinaryOp.LSHR: ">>", BinaryOp.AND: "&", BinaryOp.OR: "|", BinaryOp.XOR: "^",
}  # fmt: skip
_COMPARED = {
    CompareOp.EQ: "==", CompareOp.NE: "!=", CompareOp.ULT: "<", CompareOp.ULE: "<=",
    CompareOp.SLT: "<", CompareOp.SLE: "<=",
}  # fmt: skip
_SIGNED = (CompareOp.SLT, CompareOp.SLE)


def c_text(expr: Expr) -> str:
    """The expression in C; every part has type `unsigned _BitInt(width)`."""
    match expr:
        case Const():
            return f"((U({expr.width})){expr.value}ull)"
        case Reg():
            return f"((U({expr.width})){expr.name})"
        case Binary():
            return f"((U({expr.width}))({_binary(expr)}))"
        case Compare():
            kind = "S" if expr.op in _SIGNED else "U"
            left, right = (_as(kind, side) for side in (expr.left, expr.right))
            return f"((U(1))({left} {_COMPARED[expr.op]} {right}))"
        case Convert():
            kind = "S" if expr.op is ConvertOp.SEXT else "U"
            return f"((U({expr.width})){_as(kind, expr.operand)})"
        case Select():
            return f"({c_text(expr.condition)} ? {c_text(expr.then)} : {c_text(expr.otherwise)})"
        case _:
            raise AssertionError(f"no C for {expr}")


def _as(kind: str, expr: Expr) -> str:
    if kind == "S" and expr.width == 1:  # C has no signed type of one bit
        return f"(-(S(8)){c_text(expr)})"
    return f"(({kind}({expr.width})){c_text(expr)})"


def _binary(expr: Binary) -> str:
    if expr.op in _PLAIN:
        return f"{c_text(expr.left)} {_PLAIN[expr.op]} {c_text(expr.right)}"
    left, right = _as("S", expr.left), _as("S", expr.right)
    match expr.op:
        case BinaryOp.ASHR:
            return f"{left} >> {c_text(expr.right)}"
        case BinaryOp.SDIV:  # the smallest number divided by -1 wraps for us and is undefined in C
            return f"{right} == -1 ? 0 - {left} : {left} / {right}"
        case _:
            return f"{right} == -1 ? 0 : {left} % {right}"


@st.composite
def examples(draw: st.DrawFn) -> tuple[Expr, dict[str, int]]:
    expr = draw(any_expression(NARROW))
    return expr, draw(valuations(expr))


@settings(max_examples=3, phases=[Phase.generate])
@given(batch=st.lists(examples().filter(lambda e: _is_plain(e[0])), min_size=60, max_size=60))
def test_expressions_mean_what_c_says(batch: list[tuple[Expr, dict[str, int]]], tmp_path_factory: object) -> None:
    folder = Path(tmp_path_factory.mktemp("c"))  # type: ignore[attr-defined]
    usable = [(expr, registers) for expr, registers in batch if defined(expr, registers) is not None]
    lines = ["#define U(n) unsigned _BitInt(n)", "#define S(n) _BitInt(n)", "typedef unsigned long long word;"]
    for index, (expr, registers) in enumerate(usable):
        params = ", ".join(f"word {name}" for name in sorted(registers)) or "void"
        lines.append(f"word e{index}({params}) {{ return {c_text(expr)}; }}")
    library = loaded("\n".join(lines) + "\n", folder)
    for index, (expr, registers) in enumerate(usable):
        function = getattr(library, f"e{index}")
        function.restype = ctypes.c_uint64
        got = function(*(ctypes.c_uint64(registers[name]) for name in sorted(registers)))
        assert got == reference(expr, registers), expr


def _is_plain(expr: Expr) -> bool:
    return len(c_text(expr)) < 20_000


# --- floating point --------------------------------------------------------------------------------------------------

_FLOAT_C = """
#include <string.h>
double fmod(double, double); double sqrt(double); double floor(double); double ceil(double); double trunc(double);
double fabs(double); float fmodf(float, float); float sqrtf(float); float floorf(float); float ceilf(float);
float truncf(float); float fabsf(float);
typedef unsigned long long word;
#define KIND(T, W, F) \\
    static T in_##F(word a) { W w = a; T x; memcpy(&x, &w, sizeof x); return x; } \\
    static word out_##F(T x) { W w; memcpy(&w, &x, sizeof x); return w; } \\
    word add_##F(word a, word b) { return out_##F(in_##F(a) + in_##F(b)); } \\
    word sub_##F(word a, word b) { return out_##F(in_##F(a) - in_##F(b)); } \\
    word mul_##F(word a, word b) { return out_##F(in_##F(a) * in_##F(b)); } \\
    word div_##F(word a, word b) { return out_##F(in_##F(a) / in_##F(b)); } \\
    word neg_##F(word a, word b) { return out_##F(-in_##F(a)); } \\
    word lt_##F(word a, word b) { return in_##F(a) < in_##F(b); } \\
    word le_##F(word a, word b) { return in_##F(a) <= in_##F(b); } \\
    word eq_##F(word a, word b) { return in_##F(a) == in_##F(b); } \\
    word from_s64_##F(word a, word b) { return out_##F((T)(long long)a); } \\
    word from_u64_##F(word a, word b) { return out_##F((T)a); } \\
    word from_s32_##F(word a, word b) { return out_##F((T)(int)a); } \\
    word to_s64_##F(word a, word b) { return (word)(long long)in_##F(a); } \\
    word to_s8_##F(word a, word b) { return (unsigned char)(signed char)in_##F(a); } \\
    word to_u32_##F(word a, word b) { return (unsigned)in_##F(a); }
KIND(double, word, 64)
KIND(float, unsigned, 32)
word rem_64(word a, word b) { return out_64(fmod(in_64(a), in_64(b))); }
word rem_32(word a, word b) { return out_32(fmodf(in_32(a), in_32(b))); }
word sqrt_64(word a, word b) { return out_64(sqrt(in_64(a))); }
word sqrt_32(word a, word b) { return out_32(sqrtf(in_32(a))); }
word floor_64(word a, word b) { return out_64(floor(in_64(a))); }
word floor_32(word a, word b) { return out_32(floorf(in_32(a))); }
word ceil_64(word a, word b) { return out_64(ceil(in_64(a))); }
word ceil_32(word a, word b) { return out_32(ceilf(in_32(a))); }
word trunc_64(word a, word b) { return out_64(trunc(in_64(a))); }
word trunc_32(word a, word b) { return out_32(truncf(in_32(a))); }
word abs_64(word a, word b) { return out_64(fabs(in_64(a))); }
word abs_32(word a, word b) { return out_32(fabsf(in_32(a))); }
word cast_64(word a, word b) { return out_32((float)in_64(a)); }
word cast_32(word a, word b) { return out_64((double)in_32(a)); }
"""

Make = Callable[[int], Expr]


def _operations() -> dict[str, tuple[Make, int]]:
    """Name in C -> (the expression for a float width, width of the result or 0 for the float's own)."""

    def a(width: int) -> Reg:
        return Reg("a", width)

    def b(width: int) -> Reg:
        return Reg("b", width)

    binary = {"add": FloatOp.ADD, "sub": FloatOp.SUB, "mul": FloatOp.MUL, "div": FloatOp.DIV, "rem": FloatOp.REM}
    unary = {
        "neg": FloatUnaryOp.NEG, "abs": FloatUnaryOp.ABS, "sqrt": FloatUnaryOp.SQRT, "floor": FloatUnaryOp.FLOOR,
        "ceil": FloatUnaryOp.CEIL, "trunc": FloatUnaryOp.TRUNC,
    }  # fmt: skip
    found: dict[str, tuple[Make, int]] = {}
    for name, op in binary.items():
        found[name] = (lambda w, op=op: FloatBinary(op, a(w), b(w)), 0)
    for name, one in unary.items():
        found[name] = (lambda w, one=one: FloatUnary(one, a(w)), 0)
    for name, predicate in (("lt", "olt"), ("le", "ole"), ("eq", "oeq")):
        found[name] = (lambda w, p=predicate: FloatCompare(p, a(w), b(w)), 1)
    to_float, to_int = FloatConvertOp.SIGNED_TO_FLOAT, FloatConvertOp.FLOAT_TO_SIGNED
    found["from_s64"] = (lambda w: FloatConvert(to_float, a(64), w), 0)
    found["from_u64"] = (lambda w: FloatConvert(FloatConvertOp.UNSIGNED_TO_FLOAT, a(64), w), 0)
    found["from_s32"] = (lambda w: FloatConvert(to_float, a(32), w), 0)
    found["to_s64"] = (lambda w: FloatConvert(to_int, a(w), 64), 64)
    found["to_s8"] = (lambda w: FloatConvert(to_int, a(w), 8), 8)
    found["to_u32"] = (lambda w: FloatConvert(FloatConvertOp.FLOAT_TO_UNSIGNED, a(w), 32), 32)
    found["cast"] = (lambda w: FloatConvert(FloatConvertOp.FLOAT_TO_FLOAT, a(w), 96 - w), -1)
    return found


def _patterns(rng: Random, width: int) -> int:
    """Bits of a float: anything, small numbers, halves, the ends of the range."""
    layout = "<f" if width == 32 else "<d"
    special = (
        0.0,
        -0.0,
        1.0,
        -1.5,
        0.5,
        2.5,
        -2.5,
        127.0,
        128.0,
        1e9,
        4294967295.0,
        9.3e18,
        math.inf,
        -math.inf,
        math.nan,
    )
    match rng.randrange(3):
        case 0:
            return rng.getrandbits(width)
        case 1:
            return int.from_bytes(struct.pack(layout, rng.choice(special)), "little")
        case _:
            return int.from_bytes(struct.pack(layout, rng.randint(-4000, 4000) / 8), "little")


def _is_nan(bits: int, width: int) -> bool:
    return math.isnan(struct.unpack("<f" if width == 32 else "<d", bits.to_bytes(width // 8, "little"))[0])


def test_floats_mean_what_c_says(tmp_path: Path) -> None:
    library, rng = loaded(_FLOAT_C, tmp_path), Random(1)
    for name, (make, kind) in _operations().items():
        for width in (32, 64):
            function = getattr(library, f"{name}_{width}")
            function.restype = ctypes.c_uint64
            result = {0: width, -1: 96 - width}.get(kind, kind)
            for _ in range(300):
                expr = make(width)
                source = int(name[-2:]) if name.startswith("from") else width
                a = rng.getrandbits(source) if name.startswith("from") else _patterns(rng, width)
                b = _patterns(rng, width)
                try:
                    said = reference(expr, {"a": a, "b": b})
                except Unsupportable:
                    continue  # a number that does not fit: undefined in C
                got = function(ctypes.c_uint64(a), ctypes.c_uint64(b)) & ((1 << result) - 1)
                both_nan = kind in (0, -1) and _is_nan(said, result) and _is_nan(got, result)
                assert said == got or both_nan, (name, width, hex(a), hex(b), hex(said), hex(got))


@given(st.sampled_from(("oeq", "ogt", "oge", "olt", "ole", "one", "ord")), st.floats(), st.floats())
def test_unordered_predicates_are_the_opposites(predicate: str, x: float, y: float) -> None:
    """LLVM: not (x olt y) is exactly x uge y, and so on."""
    opposite = {"oeq": "une", "ogt": "ule", "oge": "ult", "olt": "uge", "ole": "ugt", "one": "ueq", "ord": "uno"}
    bits = {n: int.from_bytes(struct.pack("<d", v), "little") for n, v in (("a", x), ("b", y))}
    a, b = Reg("a", 64), Reg("b", 64)
    ordered = reference(FloatCompare(predicate, a, b), bits)
    assert ordered != reference(FloatCompare(opposite[predicate], a, b), bits)
    if math.isnan(x) or math.isnan(y):
        assert not ordered
