"""What texts come to that are compiled as they are: all executions of those that leave choices open, some of those that
choose at random. Our own front end and engines have no part in it; `sequential_harness.c` explores and runs.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from sequential_merged import merged
from sequential_outcomes import Outcomes

from threadproof.dev.native import compiled, linked, shared_object

_HARNESS = Path(__file__).parent / "sequential_harness.c"
_LOADER = "import ctypes, sys; ctypes.CDLL(sys.argv[1]).all_texts(*map(int, sys.argv[2:]))"
_SIGNALS = {4: "a place that is said not to be reached", 8: "a division", 11: "an access"}
_DECLARED = """
extern long text_choice(long, long);
extern void *text_memory(unsigned long);
extern void text_failed(int), text_over(void) __attribute__((noreturn));
extern void tell_begin(void), tell_value(const char *, const void *, unsigned long), tell_end(void);
#define CHECK_BOUNDS
#define __text_failed text_failed
#define abort() text_over()
#define exit(code) text_over()
#define malloc(size) text_memory(size)
#define calloc(count, size) text_memory((count) * (size))
#define free(block) ((void)(block))
"""
_OURS = re.compile(r"void reach_error|extern .*\b(abort|exit|malloc|calloc|free|__assert_fail|__VERIFIER_\w+)\(")
"""What the harness has instead."""
NARROW = {"bool": ("_Bool", 0, 1), "char": ("signed char", -128, 127), "uchar": ("unsigned char", 0, 255)}
NEAR = 300
"""Values of larger types are tried up to here, and all numbers that a text mentions."""


class CannotRun(Exception):
    """A text needs more than the C library that is there: 128-bit division, say."""


def of_texts_directly(
    explored: Sequence[str], run: Sequence[str], names: set[str], limit: int, seeds: int
) -> list[Outcomes | None]:
    """Of those explored, then of those run. None: there are too many states."""
    texts = [*explored, *run]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "texts.c").write_text(_together(texts, sorted(names), len(explored)), encoding="utf-8")
        native = linked([compiled(folder / "texts.c", folder / "texts.o"), _harness()], folder)
        numbers = map(str, (len(explored), len(texts), limit, seeds))
        command = [sys.executable, "-I", "-S", "-c", _LOADER, str(native), *numbers]
        done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    if done.returncode:
        raise CannotRun(done.stderr)
    found: list[Outcomes | None] = [Outcomes() for _ in texts]
    ended: set[str] = set()
    for line in done.stdout.splitlines():
        number, how, *rest = line.split()
        outcomes = found[int(number)]
        if how == "many":
            found[int(number)] = None
        elif how != "done" and outcomes is not None:
            _enter(outcomes, how, rest)
        ended |= {number} if how in ("many", "done", "crashed") else set()
    assert ended >= {str(number) for number in range(len(explored))}, done.stdout
    return found


def _enter(outcomes: Outcomes, how: str, rest: list[str]) -> None:
    match how:
        case "failed":
            outcomes.errors.add(int(rest[0]))
        case "ended":
            values = (part.split("=") for part in rest)
            outcomes.finals.add(tuple((name, bytes.fromhex(value)) for name, value in values))
        case _:
            assert how == "crashed", how
            outcomes.undefined.add(_SIGNALS.get(int(rest[0]), f"signal {rest[0]}"))


@lru_cache(maxsize=1)
def _harness() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="threadproof-"))
    shared_object([_HARNESS], folder)
    return folder / f"{_HARNESS.stem}.o"


def _together(texts: Sequence[str], names: list[str], random: int) -> str:
    def changed(number: int, source: int, line: str) -> str:
        if number >= random:
            return line.replace("reach_error();", f"__text_failed({source});").replace("__VERIFIER_", "own_")
        line = line.replace("reach_error();", f"__text_failed({source});")
        return line.replace(
            "next_thread = __VERIFIER_nondet_int()", "next_thread = 0; next_thread = __text_choice(THREADS)"
        )

    parts = [line for line in merged(texts, changed).text.splitlines() if not _OURS.match(line)]
    parts.sort(key=lambda line: not line.startswith("typedef"))
    types = [line for line in parts if line.startswith("typedef")]
    begins: list[str] = [_DECLARED, *types, *_choices(texts)]
    dumps: list[str] = []
    for number, text in enumerate(texts):
        # A variable of the program has its line beside it; the text may have one of its own by that name.
        known = [name for name in names if re.search(rf"^static .*\b{name}\b[^(]*;  // \d+$", text, re.MULTILINE)]
        values = " ".join(f'tell_value("{name}", &t{number}_{name}, sizeof t{number}_{name});' for name in known)
        count = f"int live = 0; for (int i = 0; i < t{number}_THREADS; i++) live += t{number}_pc[i] > 0;"
        count += " if (live > returned) return;"
        dumps.append(f"static void end{number}(int returned) {{ {count} tell_begin(); {values} tell_end(); }}")
        bounds = [f"__{end}_{kind}{number}" for kind in ("data", "bss") for end in ("start", "stop")]
        begins += [f"extern char {', '.join(f'{bound}[] __attribute__((weak))' for bound in bounds)};"]
        dumps.append(f"#define TEXT{number} {{t{number}_main, end{number}, {', '.join(bounds)}}}")
    table = ", ".join(f"TEXT{number}" for number in range(len(texts)))
    table_type = "struct text { int (*main)(void); void (*dump)(int); char *data, *data_end, *bss, *bss_end; }"
    return "\n".join([*begins, *_in_sections(parts[len(types) :]), *dumps, f"{table_type} texts[] = {{{table}}};", ""])


def _in_sections(lines: list[str]) -> list[str]:
    """The variables of each text have a section of their own."""
    found: list[str] = []
    for line in lines:
        declared = re.match(r"static (?!const)(?=[^()]*(=|;)).*?\bt(\d+)_\w+", line)
        kind = "data" if " = " in line else "bss"
        section = f'__attribute__((section("{kind}{declared[2]}")))' if declared else ""
        found.append(f"{section} {line}" if declared else line)
    return found


def _choices(texts: Sequence[str]) -> list[str]:
    lines = ["#define __text_choice(threads) (int)text_choice(0, (threads) - 1)"]
    lines += [
        f"static inline {kind} __VERIFIER_nondet_{name}(void) {{ return ({kind})text_choice({low}, {high}); }}"
        for name, (kind, low, high) in NARROW.items()
    ]
    numbers = {int(number) for text in texts for number in re.findall(r"\b\d+\b", text.split("int main", 1)[1])}
    values = sorted({*range(-NEAR, NEAR + 1), *numbers, *(-number for number in numbers)})
    lines.append(f"static const long long any_value[] = {{{', '.join(f'{v}ll' for v in values if abs(v) < 1 << 63)}}};")
    asked = set(re.findall(r"extern ([^;(]*?) __VERIFIER_nondet_(\w+)\(void\);", "\n".join(texts)))
    for kind, name in sorted((kind, name) for kind, name in asked if name not in NARROW):
        value = f"any_value[text_choice(0, {len(values) - 1})]"
        lines.append(f"static inline {kind} __VERIFIER_nondet_{name}(void) {{ return ({kind}){value}; }}")
    return lines
