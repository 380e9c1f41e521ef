"""Several programs as one, so that one call of the compiler serves them all: `main` chooses which of them to be.

Each program's names are renamed by macros, so that its lines stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_KEYWORDS = {"int", "void", "char", "short", "long", "unsigned", "double", "_Bool"}
_DECLARED = re.compile(r"\b([A-Za-z_]\w*)\s*(?=[;\[(,)]|$)|struct (\w+) \{")


def merged(sources: Sequence[str]) -> str:
    """A program whose first choice, from 0 to 255, is the program to be; beyond the last it ends at once."""
    lines = [line for source in sources for line in source.splitlines()]
    headers = [line for line in lines if line.startswith("#")]
    headers.sort(key=lambda line: not line.startswith("#define"))
    declarations = [line for line in lines if line.startswith("extern")]
    parts = [*dict.fromkeys((*headers, *declarations, "extern unsigned char __VERIFIER_nondet_uchar(void);"))]
    for number, source in enumerate(sources):
        parts += _renamed(source, number)
    cases = [f"    case {number}: return main_{number}();" for number in range(len(sources))]
    main = ["int main(void) {", "    switch (__VERIFIER_nondet_uchar()) {", *cases, "    }", "    return 0;", "}"]
    return "\n".join([*parts, *main]) + "\n"


def _renamed(source: str, number: int) -> Iterator[str]:
    lines = [line for line in source.splitlines() if not line.startswith(("#", "extern"))]
    names = dict.fromkeys(name for line in lines for name in _declared(line))
    yield from (f"#define {name} {name}_{number}" for name in names)
    yield from lines
    yield from (f"#undef {name}" for name in names)


def _declared(line: str) -> Iterator[str]:
    """The names that a line at the outermost level declares, with some more (fields, parameters): no harm."""
    if not line[:1].isalpha() and not line.startswith("_"):
        return
    for match in _DECLARED.finditer(line.split("=")[0]):
        name = match[1] or match[2]
        if name not in _KEYWORDS:
            yield name
