"""Outputs, tables and pictures in the documentation, made by the program itself.

    python -m threadproof.dev.pages            writes them anew
    python -m threadproof.dev.pages --check    says which are not what the program makes today

A block of a page begins with a comment that says what stands in it, and ends with `<!-- end -->`:

    <!-- run: threadproof verify examples/mutex.c -->      the command and what it prints, without figures of time
    <!-- file: examples/mutex.c -->                        a file
    <!-- options: dpor -->                                 the options of an engine
    <!-- engines: no-deadlock -->                          the engines that answer a property
    <!-- picture: mutex.svg threadproof show ... -->       what a command prints, or writes to `{}`, as an image
    <!-- drawing: proof.svg threadproof verify ... -->     the drawing in the report page of a command
    <!-- screenshot: page.png threadproof verify ... -->   the report page of a command, where there is a Chromium

Commands run where the checkout begins.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from threadproof.core.property import Property
from threadproof.engines.rows import ENGINES, flag

DOCS = Path("docs")
IMAGES = DOCS / "images"
_BLOCK = re.compile(
    r"^<!-- (run|file|options|engines|picture|drawing|screenshot): (.*?) -->\n(.*?)^<!-- end -->$",
    re.MULTILINE | re.DOTALL,
)
_FIGURES = re.compile(r"^  \S+ · .* s( · \d+ MB)?$|^\d.* steps, .* s \(.*\)$")  # differ from run to run
_SUMMARY = re.compile(r"^(\S+ +(?:true|false|unknown) +\S+) +[\d.]+ s$", re.MULTILINE)
_FACT = re.compile(r"(?<=: )[\d,]+$", re.MULTILINE)
_LANES = re.compile(r"^(\S+: false — .*)\n[^`]*?^```", re.MULTILINE)
_QUICK = ("file", "options", "engines")
_DATA = re.compile(r'<script id="data" type="application/json">(.*?)</script>', re.DOTALL)


def pages() -> list[Path]:
    return sorted(path for path in DOCS.rglob("*.md") if _BLOCK.search(path.read_text(encoding="utf-8")))


def remade(text: str, kinds: Iterable[str] | None = None) -> str:
    """The page with its blocks made again, or those of some kinds. Pictures are written on the way."""
    wanted = set(_MAKERS if kinds is None else kinds)

    def make(found: re.Match[str]) -> str:
        kind, what, old = found.groups()
        body = _MAKERS[kind](what) if kind in wanted else old
        return f"<!-- {kind}: {what} -->\n{body}<!-- end -->"

    return _BLOCK.sub(make, text)


def quickly_remade(text: str) -> str:
    """Only what needs no command."""
    return remade(text, _QUICK)


def same(old: str, new: str) -> bool:
    """But for what depends on the speed of the machine: numbers in facts of proofs (how far a quick search came), and
    which of several counterexamples is found, and how many of its steps were tried."""
    return _essence(old) == _essence(new)


def _essence(text: str) -> str:
    return _LANES.sub(r"\1\n```", _FACT.sub("#", text))


# --- blocks ----------------------------------------------------------------------------------------------------------


def _run(what: str) -> str:
    lines = [line for line in _printed(what).splitlines() if not _FIGURES.match(line)]
    shown = _SUMMARY.sub(r"\1", "\n".join(lines).strip("\n"))
    return f"```text\n$ {what}\n{shown}\n```\n"


def _file(what: str) -> str:
    return f"```c\n{Path(what).read_text(encoding='utf-8')}```\n"


def _options(engine: str) -> str:
    rows = [f"| `{flag(one.name)} {one.metavar}` | {one.says} |" for one in ENGINES[engine].options]
    return "\n".join(["| option | meaning |", "|---|---|", *rows]) + "\n" if rows else "It has no options of its own.\n"


def _engines(name: str) -> str:
    wanted = Property(name)
    able = [f"[`{engine}`](../engines/{engine}.md)" for engine, row in ENGINES.items() if wanted in row.properties]
    return f"Asked by name: {', '.join(able)}.\n"


def _picture(what: str) -> str:
    name, command = what.split(" ", 1)
    if "{}" in command:
        _printed(command.replace("{}", str(IMAGES / name)))
    else:
        (IMAGES / name).write_text(_printed(command), encoding="utf-8")
    return _image(name, command)


def _drawing(what: str) -> str:
    name, command = what.split(" ", 1)
    with tempfile.TemporaryDirectory() as folder:
        _printed(f"{command} --report {folder}")
        found = _DATA.search((Path(folder) / "index.html").read_text(encoding="utf-8"))
    assert found is not None
    (IMAGES / name).write_text(json.loads(found[1])["answers"][0]["drawing"], encoding="utf-8")
    return _image(name, f"{command} --report DIR")


def _screenshot(what: str) -> str:
    name, command = what.split(" ", 1)
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is not None:
        with tempfile.TemporaryDirectory() as folder:
            _printed(f"{command} --report {folder}")
            options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1280,900"]
            page = (Path(folder) / "index.html").as_uri()
            shot = [f"--screenshot={IMAGES / name}", "--virtual-time-budget=2000", f"{page}#step=7"]
            subprocess.run([browser, *options, *shot], capture_output=True, check=False)
    return _image(name, f"{command} --report DIR")


def _image(name: str, command: str) -> str:
    return f"![made by: {command.replace('{}', 'FILE')}](../images/{name})\n"


def _printed(command: str) -> str:
    program, *words = shlex.split(command)
    if program != "threadproof":
        raise ValueError(f"not a command of ours: {command}")
    started = [sys.executable, "-m", "threadproof", *words]
    return subprocess.run(started, capture_output=True, text=True, encoding="utf-8", check=False).stdout


_MAKERS: dict[str, Callable[[str], str]] = {
    "run": _run,
    "file": _file,
    "options": _options,
    "engines": _engines,
    "picture": _picture,
    "drawing": _drawing,
    "screenshot": _screenshot,
}


def main(words: list[str]) -> int:
    """1: something was not what the program makes today."""
    check = "--check" in words
    chosen = [Path(word) for word in words if not word.startswith("--")] or pages()
    stale = 0
    for path in chosen:
        old = path.read_text(encoding="utf-8")
        new = remade(old, (*_QUICK, "run") if check else None)
        if not same(old, new) if check else old != new:
            stale += 1
            print(f"{path}: {'not up to date' if check else 'written'}", flush=True)
            if not check:
                path.write_text(new, encoding="utf-8")
    return int(check and stale > 0)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
