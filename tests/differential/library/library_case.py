"""A case: a small program about one library function, and the texts that many cases make up.

`top` stands before the case's function, `body` is inside it; `@` in both becomes a number of the case's own, so that many
cases can be compiled as one text. What a case observes it gives to `obs` and its kin (`observe.h`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

HERE = Path(__file__).parent


class Kind(Enum):
    SAFE = "safe"  # comes to an end, without undefined behaviour
    UNSAFE = "unsafe"  # an invalid access or free
    ASK = "ask"  # safe or not: the checkers of memory on the real machine decide
    HANGS = "hangs"  # waits for ever


@dataclass(frozen=True, slots=True)
class Case:
    function: str  # of the C library
    body: str
    top: str = ""
    kind: Kind = Kind.SAFE
    among: bool = False  # the real machine shows one of several outcomes that are allowed

    def text(self, number: int) -> str:
        own = f"{self.top}\nstatic void case_@(void) {{ {self.body} }}\n"
        return own.replace("@", str(number))


@dataclass(frozen=True, slots=True)
class Observed:
    """How a case ended on the real machine."""

    how: str  # ended, exit, signal, hang
    code: int
    errors: int  # that a checker of memory counted
    values: tuple[int, ...]


def native_text(cases: Sequence[Case]) -> str:
    texts = [f'#define NATIVE\n#include "{HERE / "observe.h"}"\n']
    texts += [case.text(number) for number, case in enumerate(cases)]
    names = ", ".join(f"case_{number}" for number in range(len(cases)))
    texts.append(f'static void (*cases[])(void) = {{{names}}};\n#include "{HERE / "harness.c"}"\n')
    return "".join(texts)


def model_text(cases: Sequence[Case], observed: Sequence[Observed]) -> str:
    """Three entries per case: `forward_N`, `backward_N` and `plain_N`, which expects nothing."""
    texts = [f'#include "{HERE / "observe.h"}"\n']
    calls: list[str] = []
    for number, (case, seen) in enumerate(zip(cases, observed, strict=True)):
        texts.append(case.text(number) + _entries(number, seen))
        calls.append(f"forward_{number}(); backward_{number}(); plain_{number}();")
    # All is compiled that main reaches; which entry is run is the model's matter.
    texts.append(f"int main(void) {{ {' '.join(calls)} return 0; }}\n")
    return "\n".join(texts)


def _entries(number: int, seen: Observed) -> str:
    values = ", ".join(_literal(value) for value in seen.values) or "0"
    count, returns = len(seen.values), int(seen.how == "ended")

    def entry(name: str, back: int) -> str:
        start = f"expect(values_{number}, {count}, {back}, {returns});"
        return f"int {name}_{number}(void) {{ {start} case_{number}(); ended(); return 0; }}\n"

    table = f"static const long long values_{number}[] = {{{values}}};\n"
    plain = f"int plain_{number}(void) {{ case_{number}(); return 0; }}\n"
    return table + entry("forward", 0) + entry("backward", 1) + plain


def _literal(value: int) -> str:
    return f"({value + 1}LL - 1)" if value < 0 else f"{value}LL"
