"""Threadproof in trouble: killed children, no memory, Ctrl-C, a full disk. The verdict is clean, or there is none.

    PYTHONPATH=src python tests/differential/kills.py LAST [RESULTS.txt] [--first N]

Each seed is one run of `verify` that writes all its files while something happens at a random moment. What must hold:
a right verdict, `unknown`, or an error of the input (a file that cannot be written), with no traceback; no process
left; every file that is there is whole; nothing left in the folder for temporary files. With RESULTS, what is done is
noted there and not done again. The last line counts.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

PROGRAM = """#include <pthread.h>
extern void reach_error(void);
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *inc(void *p) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&m);
    x = x + 1;
    y = y + 1;
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, inc, 0);
  pthread_create(&b, 0, inc, 0);
  pthread_mutex_lock(&m);
  if (CONDITION) reach_error();
  pthread_mutex_unlock(&m);
  return 0;
}
"""
CONDITIONS = {"true": "x != y", "false": "x == 5"}
ENGINES = ("auto", "auto", "auto", "explicit", "impact", "trace", "bmc")
CODES = {0: "true", 1: "false", 2: "unknown", 3: "input error", 130: "interrupted"}
KINDS = ("child", "memory", "ctrl-c", "disk")
MOMENTS_S = 2.5  # from the start; about as long as it takes
TIMEOUT_S, ENDED_S = 25, 240.0
LEFT_S = 5.0  # for processes to be gone
MARK = "THREADPROOF_KILLS"


@dataclass(frozen=True)
class Trouble:
    seed: int
    kind: str
    verdict: str
    engine: str
    moment: float
    chance: random.Random

    @staticmethod
    def of(seed: int, moments: float = MOMENTS_S) -> Trouble:
        chance = random.Random(f"kills {seed}")
        verdict, engine = chance.choice(sorted(CONDITIONS)), chance.choice(ENGINES)
        return Trouble(seed, KINDS[seed % len(KINDS)], verdict, engine, chance.uniform(0.05, moments), chance)


# --- one run ---------------------------------------------------------------------------------------------------------


def tried(trouble: Trouble) -> tuple[str, list[str]]:
    """What it ended with (and whether that was before the moment came), and what is wrong with that."""
    with tempfile.TemporaryDirectory(prefix="kills-") as folder:
        source, scratch, out = Path(folder, "main.c"), Path(folder, "tmp"), Path(folder, "out")
        source.write_text(PROGRAM.replace("CONDITION", CONDITIONS[trouble.verdict]))
        scratch.mkdir()
        out.mkdir()
        mark = f"{os.getpid()}-{trouble.seed}-{time.monotonic_ns()}"
        environment = {**os.environ, "TMPDIR": str(scratch), MARK: mark}
        command = [sys.executable, "-m", "threadproof", "verify", str(source), "--engine", trouble.engine]
        command += ["--undefined", "pure", "--timeout", str(TIMEOUT_S), *_outputs(trouble, out)]
        with open(Path(folder, "said"), "w+", encoding="utf-8") as said:
            process = subprocess.Popen(
                command,
                stdout=said,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                env=environment,
                start_new_session=True,
                preexec_fn=_limits(trouble),
            )
            in_time = False
            try:
                in_time = _happens(trouble, process, mark)
                code: int | None = process.wait(ENDED_S)
            except subprocess.TimeoutExpired:
                code = None
            said.seek(0)
            text = said.read()
        wrong = list(_wrong(trouble, code, text, mark, out, scratch))
        for pid in marked(mark):
            os.kill(pid, signal.SIGKILL)
        process.wait()
    how = "no end" if code is None else CODES.get(code, f"code {code}")
    return how if in_time else f"{how} before", wrong


def _outputs(trouble: Trouble, out: Path) -> list[str]:
    files = {"witness": "w.yml", "proof": "p.json", "sarif": "s.sarif", "junit": "j.xml", "json": "r.json"}
    given = [part for option, name in files.items() for part in (f"--{option}", str(out / name))]
    given += ["--report", str(out / "report"), "--harness", str(out / "harness")]
    if trouble.kind == "disk" and trouble.chance.random() < 0.3:
        full = trouble.chance.choice(sorted(files))
        given[given.index(f"--{full}") + 1] = "/dev/full"
    return given


def _limits(trouble: Trouble) -> Callable[[], None]:
    def limit() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # shells ignore it for what runs in the background
        if trouble.kind == "memory":
            most = int(trouble.chance.uniform(60, 900)) << 20
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
        elif trouble.kind == "disk":
            most = int(trouble.chance.choice((0, 1_000, 5_000, 20_000, 100_000, 400_000)) * trouble.chance.random())
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return limit


def _happens(trouble: Trouble, process: subprocess.Popen[bytes], mark: str) -> bool:
    """Whether it was in time."""
    if trouble.kind not in ("child", "ctrl-c"):
        return True
    try:
        process.wait(trouble.moment)
        return False
    except subprocess.TimeoutExpired:
        pass
    if trouble.kind == "ctrl-c":
        os.killpg(process.pid, signal.SIGINT)
        return True
    killed = False
    for _ in range(trouble.chance.choice((1, 1, 2, 5))):
        children = sorted(set(marked(mark)) - {process.pid})
        if children:
            _kill(trouble.chance.choice(children))
            killed = True
        time.sleep(trouble.chance.uniform(0, 0.3))
    return killed


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def marked(mark: str) -> list[int]:
    """Processes that have the mark in their environment, and are not over."""
    wanted, found = f"{MARK}={mark}".encode(), list[int]()
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and wanted in Path("/proc", entry, "environ").read_bytes().split(b"\0"):
                found.append(int(entry))
        except OSError:
            continue
    return found


# --- what must hold --------------------------------------------------------------------------------------------------


def _wrong(trouble: Trouble, code: int | None, said: str, mark: str, out: Path, scratch: Path) -> Iterator[str]:
    if code is None:
        yield f"it does not end: {said[-300:]}"
    elif trouble.kind == "ctrl-c" and "KeyboardInterrupt" in said and "/threadproof/" not in said:
        return  # the interpreter was still about to start
    elif code not in CODES:
        yield f"it ends with {code}: {said[-600:]}"
    elif CODES[code] in CONDITIONS and CODES[code] != trouble.verdict:
        yield f"a wrong verdict: {said[-300:]}"
    if code == 130 and trouble.kind != "ctrl-c":
        yield "interrupted by nobody"
    if "Traceback" in said or "bug of ours" in said:
        yield f"not a clean end: {said[-800:]}"
    deadline = time.monotonic() + LEFT_S
    while (left := marked(mark)) and time.monotonic() < deadline:
        time.sleep(0.1)
    if left:
        yield f"processes left: {[Path('/proc', str(pid), 'cmdline').read_bytes()[:200] for pid in left]}"
    for file in sorted(one for one in out.rglob("*") if one.is_file()):
        why = _half(file)
        if why:
            yield f"{file.relative_to(out)}: {why}"
    rest = [str(one.relative_to(scratch)) for one in scratch.rglob("*")]
    if rest:
        yield f"left for good: {rest[:5]}"


def _half(file: Path) -> str:
    """Why a file is not whole."""
    text = file.read_text(encoding="utf-8", errors="replace")
    try:
        match file.suffix:
            case ".json" | ".sarif":
                json.loads(text)
            case ".xml" | ".graphml":
                ET.fromstring(text)
            case ".yml":
                yaml.safe_load(text)
            case ".html":
                return "" if text.rstrip().endswith("</html>") else "half a page"
            case ".part":
                return "an unfinished file"
            case _:
                return "" if text else "an empty file"
    except (ValueError, ET.ParseError, yaml.YAMLError) as error:
        return f"half a file: {error}"
    return "" if text.strip() else "an empty file"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("last", type=int)
    parser.add_argument("results", type=Path, nargs="?")
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    lines = given.results.read_text().splitlines() if given.results is not None and given.results.exists() else []
    done = {int(line.split()[0]): line for line in lines if line.split()[:1] and line.split()[0].isdigit()}
    ended: Counter[str] = Counter(" ".join(line.split()[1:3]) for line in done.values())
    bad = sum("WRONG" in line for line in done.values())
    for seed in range(given.first, given.last):
        if seed in done:
            continue
        trouble = Trouble.of(seed)
        how, wrong = tried(trouble)
        ended[f"{trouble.kind} {how.replace(' ', '-')}"] += 1
        bad += bool(wrong)
        line = f"{seed} {trouble.kind} {how.replace(' ', '-')} {trouble.engine} {trouble.verdict} {trouble.moment:.2f}"
        line += " WRONG " + json.dumps(wrong) if wrong else ""
        print(line, flush=True)
        if given.results is not None:
            with open(given.results, "a", encoding="utf-8") as out:
                out.write(line + "\n")
    print(f"{sum(ended.values())} runs, {bad} wrong: {dict(sorted(ended.items()))}")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
