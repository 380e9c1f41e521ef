"""Feeds damaged programs to the command line: exit code 3 or an honest verdict, never a traceback, never a hang.

python -m threadproof.dev.programs.mutate tests/programs [--count 500] [--timeout 5] [--jobs 2] [--seed 1] [--keep DIR]
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

GRACE_S = 3.0  # interpreter start and the end of the child, on a busy machine
PROPERTIES = ("unreach-call", "no-data-race", "no-deadlock", "no-overflow", "valid-memsafety")
Mutation = Callable[[str, random.Random], bytes]


@dataclass(frozen=True, slots=True)
class MutantRun:
    name: str
    kind: str
    code: int
    seconds: float
    problem: str


def truncated(text: str, rng: random.Random) -> bytes:
    return text[: rng.randrange(len(text))].encode()


def flipped_tokens(text: str, rng: random.Random) -> bytes:
    tokens = re.findall(r"\w+|\s+|.", text)
    for _ in range(rng.randint(1, 4)):
        i, j = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        tokens[i], tokens[j] = tokens[j], tokens[i]
    return "".join(tokens).encode()


def binary_junk(text: str, rng: random.Random) -> bytes:
    junk = rng.randbytes(rng.randint(1, 400))
    at = rng.randrange(len(text))
    return junk if rng.random() < 0.3 else text[:at].encode() + junk + text[at:].encode()


def enormous_array(text: str, rng: random.Random) -> bytes:
    size = rng.choice(["1 << 30", "2000000000u", "0x7fffffff", "1ull << 40", "99999999999999999999"])
    where = rng.choice(["static int huge[{}];\n", "char huge[{}] = {{1}};\n", "struct {{ int a[{}]; }} huge;\n"])
    body = text.replace("return 0;", "huge_user(); return 0;", 1)
    declaration = where.format(size)
    user = "static void huge_user(void) { volatile void *p = &huge; (void)p; }\n"
    local = f"static void huge_user(void) {{ int big[{size}]; big[0] = 1; }}\n"
    return ((local if rng.random() < 0.3 else declaration + user) + body).encode()


def missing_include(text: str, rng: random.Random) -> bytes:
    lines = [line for line in text.splitlines() if not line.startswith("#include")]
    absent = '#include "no_such_header.h"\n' if rng.random() < 0.5 else ""
    return (absent + "\n".join(lines)).encode()


def dropped_line(text: str, rng: random.Random) -> bytes:
    lines = text.splitlines()
    for _ in range(rng.randint(1, 3)):
        if lines:
            del lines[rng.randrange(len(lines))]
    return "\n".join(lines).encode()


def changed_number(text: str, rng: random.Random) -> bytes:
    numbers = ["0", "-1", "1", "2147483647", "4294967295", "1000000", "-2147483648", "0x7fffffffffffffff"]
    places = list(re.finditer(r"\b\d+\b", text))
    if not places:
        return truncated(text, rng)
    place = rng.choice(places)
    return (text[: place.start()] + rng.choice(numbers) + text[place.end() :]).encode()


def doubled_line(text: str, rng: random.Random) -> bytes:
    lines = text.splitlines()
    at = rng.randrange(len(lines))
    return "\n".join(lines[: at + 1] + [lines[at]] * rng.randint(1, 3) + lines[at + 1 :]).encode()


MUTATIONS: tuple[Mutation, ...] = (
    truncated,
    flipped_tokens,
    binary_junk,
    enormous_array,
    missing_include,
    dropped_line,
    changed_number,
    doubled_line,
)


def attempt(folder: Path, sources: list[Path], index: int, seed: int, timeout: float) -> MutantRun:
    """One damaged file, one property, one run of the command line."""
    rng = random.Random(seed * 1_000_003 + index)
    source = rng.choice(sources)
    mutation = MUTATIONS[index % len(MUTATIONS)]
    path = folder / f"{index:04d}-{mutation.__name__}{rng.choice(['.c', '.c', '.i', '.ll'])}"
    path.write_bytes(mutation(source.read_text(encoding="utf-8"), rng))
    command = [sys.executable, "-m", "threadproof", "verify", str(path), "--timeout", str(timeout)]
    command += ["--property", rng.choice(PROPERTIES), "--data-model", rng.choice(["ILP32", "LP64"])]
    started = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, timeout=timeout + 10 * GRACE_S, check=False)
        code, said = done.returncode, (done.stdout + done.stderr).decode(errors="replace")
    except subprocess.TimeoutExpired:
        code, said = -9, "hang"
    seconds = time.monotonic() - started
    return MutantRun(path.name, mutation.__name__, code, seconds, _problem(code, said, seconds, timeout))


def _problem(code: int, said: str, seconds: float, timeout: float) -> str:
    if "Traceback" in said:
        return "traceback"
    if code not in (0, 1, 2, 3):
        return f"exit code {code}"
    if seconds > timeout + GRACE_S:
        return f"{seconds:.1f} s with --timeout {timeout}"
    return "no message" if code == 3 and not said.strip() else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--timeout", type=float, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    keep: Path | None = options.keep
    sources = sorted(Path(options.sources).rglob("*.c"))
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(options.jobs) as pool:
        folder = keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        seed, timeout = int(options.seed), float(options.timeout)
        count = int(options.count)

        def one(index: int) -> MutantRun:
            return attempt(folder, sources, index, seed, timeout)

        runs = list(pool.map(one, range(count)))
    _print(runs)
    return 1 if any(run.problem for run in runs) else 0


def _print(runs: list[MutantRun]) -> None:
    for run in runs:
        if run.problem:
            print(f"PROBLEM {run.name}: {run.problem}")
    codes = Counter(run.code for run in runs)
    meaning = {0: "true", 1: "false", 2: "unknown", 3: "refused with a message"}
    for code, count in sorted(codes.items()):
        print(f"{count:5} x exit code {code} ({meaning.get(code, 'a bug')})")
    slowest = max(run.seconds for run in runs)
    bad = sum(1 for run in runs if run.problem)
    print(f"{len(runs)} damaged inputs, {bad} problems, slowest {slowest:.1f} s")


if __name__ == "__main__":
    sys.exit(main())
