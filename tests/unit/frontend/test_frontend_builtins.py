"""Everything that clang emits for the builtins of C has a meaning, but for a known list."""

from __future__ import annotations

import re
from pathlib import Path

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Safe
from threadproof.engines.explicit import check
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions, load
from threadproof.ir.instr import Unsupported
from threadproof.portfolio import prepare

SOURCE = Path(__file__).parent / "builtins.c"
WITHOUT_MEANING = {
    "frame": "llvm.frameaddress",  # addresses of the machine's stack, which we do not have
    "ret": "llvm.returnaddress",
    "thread_pointer": "llvm.thread.pointer",
    "rdtscp": "llvm.x86.rdtscp",
    "transcendental": "llvm.powi",
    "complex_": "__muldc3",  # products and quotients of complex numbers
    "complex_div": "__divdc3",
}


def test_builtins_have_a_meaning(tmp_path: Path) -> None:
    text = SOURCE.read_text(encoding="utf-8")
    functions = re.findall(r"^F\((\w+),", text, re.MULTILINE)
    table = f"void *keep[] = {{{', '.join(functions)}, sum}};\nint main(void) {{ (void)keep[0];"
    file = tmp_path / "all.c"
    file.write_text(text.replace("int main(void) {", table), encoding="utf-8")
    program = load([str(file)], FrontendOptions())
    refused = {
        name: instr.construct
        for name, function in program.functions.items()
        for block in function.blocks
        for instr in block.instrs
        if isinstance(instr, Unsupported)
    }
    assert refused.keys() == WITHOUT_MEANING.keys(), refused
    assert all(WITHOUT_MEANING[name] in construct for name, construct in refused.items())


VALUES = """
    int s; unsigned u; volatile int i = 2147483647; volatile unsigned v = 5;
    if (!__builtin_add_overflow(i, 1, &s) || s != -2147483647 - 1) return 1;
    if (__builtin_sub_overflow(v, 3u, &u) || u != 2 || !__builtin_sub_overflow(v, 6u, &u)) return 2;
    if (__builtin_elementwise_add_sat(i, 3) != 2147483647 || __builtin_elementwise_sub_sat(v, 9u) != 0) return 3;
    if (__builtin_elementwise_sub_sat(-2 - i / 2 * 2, i) != -2147483647 - 1) return 4;
    if (__builtin_elementwise_add_sat(v, ~2u) != ~0u || __builtin_elementwise_add_sat(v, 2u) != 7) return 5;
    if (__builtin_clzg(v - 5, 7) != 7 || __builtin_ctzg(v, 3) != 0 || __builtin_parity(v) != 0) return 6;
    if (__builtin_rotateleft32(v, 31) != 0x80000002u || __builtin_bitreverse8(v) != 0xa0) return 7;
    if (__builtin_bswap32(v) != 0x05000000 || __builtin_clrsb(-i) != 0 || __builtin_ffs(v) != 1) return 8;
    typedef int v4 __attribute__((vector_size(16))); v4 a = {v, -7, 3, i};
    if (__builtin_reduce_max(a) != i || __builtin_reduce_min(a) != -7) return 9;
    v4 b = __builtin_shufflevector(a, -a, 1, 4, 2, 0);
    if (b[0] != -7 || b[1] != -5 || b[2] != 3 || b[3] != 5) return 10;
    if (__builtin_flt_rounds() != 1 || __builtin_constant_p(v) || __builtin_abs(-i) != i) return 11;
    return 0;
"""


def test_builtins_give_their_values(tmp_path: Path) -> None:
    file = tmp_path / "values.c"
    text = f"void reach_error(void); int f(void) {{ {VALUES} }} int main(void) {{ if (f()) reach_error(); return 0; }}"
    file.write_text(text, encoding="utf-8")
    program = prepare([str(file)], Property.UNREACH_CALL, FrontendOptions())
    assert isinstance(check(Task(program, Property.UNREACH_CALL), Budget(900), Silent()), Safe)
