"""What a generated file begins with: types, functions of the outside, and the small functions of every such text.

Only what the rest of the text mentions is declared; comments, which show the original's source, mention nothing.
"""

from __future__ import annotations

import re

from threadproof.codegen.sequential.options import Choices
from threadproof.codegen.sequential.text import random_text
from threadproof.codegen.sequential.text.choice_text import NONDET
from threadproof.codegen.sequential.text.module import Module
from threadproof.codegen.sequential.values.floats import float_functions
from threadproof.ir.program import DataModel

_TYPES = {
    "u8": "unsigned char",
    "u16": "unsigned short",
    "u32": "unsigned int",
    "u64": "unsigned long long",
    "u128": "unsigned __int128",
}
_LIBRARY = {
    "malloc": "extern void *malloc(__SIZE_TYPE__);",
    "calloc": "extern void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);",
    "free": "extern void free(void *);",
    "memcpy": "extern void *memcpy(void *, const void *, __SIZE_TYPE__);",
}
_ABORT = "extern void abort(void) __attribute__((noreturn));"
_ASSERT = "extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((noreturn));"
_ASSUME = "static void assume(int condition) { if (!condition) abort(); }"
_BEYOND = """// What lies beyond the bounds of this file: nothing is known about a program that gets here.
static void beyond(const char *what) __attribute__((noreturn));
static void beyond(const char *what) {
  (void)what;
#ifdef CHECK_BOUNDS
  reach_error();
#endif
  abort();
}"""
_RELEASE = "static void release(void *memory) { free(memory); }"
_SIZES = """// The heap blocks there are: realloc must know how much to copy.
enum {{ BLOCKS = {blocks} }};
static struct {{ void *start; uptr size; }} blocks[BLOCKS];
static __attribute__((unused)) void *sized(void *start, uptr size) {{
  if (!start) return 0;
  for (int i = 0; i < BLOCKS; i++) {{
    if (blocks[i].start) continue;
    blocks[i].start = start;
    blocks[i].size = size;
    return start;
  }}
  beyond("the bound on blocks of the heap");
}}
static __attribute__((unused)) uptr size_of(void *start) {{
  for (int i = 0; i < BLOCKS; i++) if (blocks[i].start == start) return blocks[i].size;
  __builtin_unreachable();
}}
static __attribute__((unused)) void release(void *memory) {{
  for (int i = 0; i < BLOCKS && memory; i++) if (blocks[i].start == memory) blocks[i].start = 0;
  free(memory);
}}"""
BLOCKS_PER_DEPTH = 4
"""There is no bound of its own on heap blocks: it grows with that on recursion."""
_ANYTHING = "#define ANYTHING(x) do { __typeof__(x) fresh; memcpy(&(x), &fresh, sizeof fresh); } while (0)"


def opening(module: Module) -> list[str]:
    program, model, rounds = module.program, module.program.data_model, module.options.rounds
    flag = " (gcc -m32)" if model is DataModel.ILP32 else ""
    bound = "" if rounds is None else f"; no more than {rounds} rounds of all threads, which are not all runs"
    return [
        f"// {program.name}, sequentialized: reach_error can be reached here exactly if it can be reached there.",
        "// pc[i] is where thread i stands, T1_x the variable x of thread 1; the numbers in comments are lines.",
        f"// Data model {model.value}{flag}; reduction {module.options.reduction.value}{bound}.",
        "",
    ]


def prelude(module: Module, rest: str) -> list[str]:
    code = without_comments(rest)
    code += "".join(_heap(module, code))
    outside = _outside(module, code)
    return [
        *_types(module, code + "".join(outside)),
        "",
        *outside,
        *_inside(module, code),
        "",
        *(f"static char {mark};" for mark in module.functions_named.values()),
    ]


def without_comments(text: str) -> str:
    return re.sub(r"//.*", "", text)


def _types(module: Module, code: str) -> list[str]:
    mentioned = set(["uptr"] if module.asks_sizes else []) | set(
        re.findall(r"\w+", code + "".join(module.typedefs.values()))
    )
    word = "int" if module.program.data_model is DataModel.ILP32 else "long"
    types = {**_TYPES, "uptr": f"unsigned {word}", "pthread_t": f"unsigned {word}"}
    plain = [f"typedef {text} {name};" for name, text in types.items() if name in mentioned]
    return [*plain, *module.typedefs.values()]


def _outside(module: Module, code: str) -> list[str]:
    """Functions without a body. A text that runs makes its choices itself."""
    called: set[str] = set(re.findall(r"\w+(?=\()", code))
    if "ANYTHING" in called:
        called.add("memcpy")
    library = [text for name, text in _LIBRARY.items() if name in called]
    if module.options.choices is Choices.RANDOM:
        return [*library, _ASSERT]
    choices = [n for n in NONDET if f"__VERIFIER_nondet_{n}" in called or n == "int"]
    return [_ABORT, *library, *(f"extern {NONDET[n]} __VERIFIER_nondet_{n}(void);" for n in choices), _ASSERT]


def _inside(module: Module, code: str) -> list[str]:
    name = module.program.name.replace("\\", "/").replace('"', "'")
    lines = [f'void reach_error(void) {{ __assert_fail("0", "{name}", 0, "reach_error"); }}']
    lines += random_text.functions(code) if module.options.choices is Choices.RANDOM else [_ASSUME]
    lines += [_BEYOND] if "beyond(" in code else []
    lines += _heap(module, code)
    lines += [_ANYTHING] if "ANYTHING(" in code else []
    return lines + float_functions(code)


def _heap(module: Module, code: str) -> list[str]:
    if module.asks_sizes:
        return [_SIZES.format(blocks=BLOCKS_PER_DEPTH * module.options.depth)]
    return [_RELEASE] if "release(" in code else []
