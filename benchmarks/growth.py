"""How engines grow with a program: processor seconds of whole commands, and what each step multiplies them by.

    python benchmarks/growth.py [FAMILY...] [--engines bmc explicit] [--timeout 60] [--before SRC] [--plots FOLDER]

Families are in families.py: threads that grow in number or length, and text that grows. A line ends where the limit
is hit, which is in seconds of the processor, so that a busy machine does not end it sooner. `--before`: the folder src
of an earlier version, asked in turn with this one. `--plots` draws a picture of each family.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from families import FAMILIES, ProgramFamily

from threadproof.report.growth import draw_growth

Points = list[tuple[float, float]]
VERIFY = (sys.executable, "-m", "threadproof", "verify")
BUSY = 20
"""Seconds on the wall that a second of the processor may take."""


def asked(text: str, engine: str, timeout: int, sources: str | None) -> tuple[str, float]:
    """The verdict, and processor seconds of the command and all its processes."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "main.c", Path(folder) / "out"
        path.write_text(text, encoding="utf-8")
        environment = {**os.environ, **({} if sources is None else {"PYTHONPATH": sources})}
        command = [*VERIFY, str(path), "--engine", engine, *_nothing_kept(sources)]
        flags = os.O_CREAT | os.O_WRONLY
        actions = [(os.POSIX_SPAWN_OPEN, fd, str(out), flags, 0o600) for fd in (1, 2)]
        started = os.posix_spawn(
            sys.executable, [*command, "--timeout", str(BUSY * timeout)], environment, file_actions=actions
        )
        resource.prlimit(started, resource.RLIMIT_CPU, (timeout, timeout))  # its processes inherit it
        used = os.wait4(started, 0)[2]
        said = out.read_text(encoding="utf-8")
    verdict = next((v for v in ("true", "false") if f"unreach-call: {v}" in said), "unknown")
    return verdict, used.ru_utime + used.ru_stime


@cache
def _nothing_kept(sources: str | None) -> tuple[str, ...]:
    """Earlier versions that keep no verdicts do not know the option."""
    if sources is None:
        return ("--no-cache",)
    environment = {**os.environ, "PYTHONPATH": sources}
    options = subprocess.run([*VERIFY, "--help"], capture_output=True, text=True, env=environment).stdout
    return ("--no-cache",) if "--no-cache" in options else ()


def line(family: ProgramFamily, engine: str, timeout: int, sources: str | None) -> tuple[str, Points]:
    """A row of the table, and its points."""
    row, points = "", Points()
    for size in family.sizes:
        verdict, took = asked(family.text(size), engine, timeout, sources)
        if verdict == "unknown":
            return f"{row}  {size}: unknown", points
        if verdict != family.verdict:
            raise SystemExit(f"expected {family.verdict}, {engine} says {verdict}")
        grown = f" ({took / points[-1][1]:.2f})" if points else ""
        points.append((size, took))
        row += f"  {size}: {took:.2f}{grown}"
    return row, points


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", nargs="*", default=list(FAMILIES))
    parser.add_argument("--engines", nargs="+", default=["bmc", "explicit", "auto"])
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--before")
    parser.add_argument("--plots", type=Path)
    options = parser.parse_args()
    for name in options.families:
        lines: dict[str, Points] = {}
        print(name, "(processor seconds; times the size before)", flush=True)
        for engine in options.engines:
            for version in ("before", "now") if options.before else ("now",):
                label = f"{engine}, before" if version == "before" else engine
                row, points = line(
                    FAMILIES[name], engine, options.timeout, options.before if version == "before" else None
                )
                print(f"  {label:16}{row}", flush=True)
                if len(points) > 1:
                    lines[label] = points
        if options.plots is not None and lines:
            title = f"{name}: processor seconds of whole commands"
            text = draw_growth(title, FAMILIES[name].across, "s", lines)
            (options.plots / f"growth-{name}.svg").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
