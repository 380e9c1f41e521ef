"""Programs with one function body removed: none may be `true` unless the function is among the assumptions.

    PYTHONPATH=src python tests/differential/removed_bodies.py [FOLDER...] [--programs 300] [--seconds 5] [--seed 0]

Takes C programs from the folders (`tests/programs` if none is given), compiles them, turns one function that is called
into a declaration, and asks twice. With `--undefined unknown` a `true` must not need the body: it is asked again with a
body that fails, and must stay `true`. With `--undefined pure` every decided answer must list the function. The last
line counts.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

from threadproof.api import verify
from threadproof.core.errors import ThreadproofError
from threadproof.core.result import Answer, Verdict
from threadproof.frontend.loading import llvm_text
from threadproof.frontend.options import FrontendOptions
from threadproof.ir.program import Taken

_DEFINED = re.compile(
    r"^define (?P<before>[^@\n]*)@(?P<name>[\w.]+)\((?P<params>[^\n]*)\)[^()\n]*\{\n.*?^\}\n", re.M | re.S
)
_KEPT = re.compile(r"main|reach_error|__VERIFIER_\w+|abort|exit|assume\w*")
_ERROR = "declare void @reach_error()\n"


class Unsupported(ThreadproofError):
    """The program ends before the call, with its body and without."""


def candidates(text: str) -> list[str]:
    """Functions of the program that it calls by name."""
    names = [found["name"] for found in _DEFINED.finditer(text) if not _KEPT.fullmatch(found["name"])]
    return [name for name in names if re.search(rf"call [^\n]*@{re.escape(name)}\(", text)]


def without_body(text: str, name: str, body: str = "") -> str:
    """The function as a declaration, or with another body."""
    found = next(one for one in _DEFINED.finditer(text) if one["name"] == name)
    before = re.sub(r"\b(internal|private) ", "", found["before"])
    params = found["params"] if body else re.sub(r" %[\w.]+", "", found["params"])
    word = "define" if body else "declare"
    changed = f"{word} {before}@{name}({params}) {body}\n"
    if body and not re.search(r"^(define|declare) [^\n]*@reach_error\(", text, re.M):
        changed += _ERROR
    return text[: found.start()] + changed + text[found.end() :]


def ask(text: str, taken: Taken, seconds: float) -> Answer:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.ll"
        path.write_text(text, encoding="utf-8")
        [answer] = verify(str(path), timeout=seconds, frontend=FrontendOptions(undefined=taken))
    return answer


def fault(text: str, name: str, seconds: float, count: Counter[str]) -> str:
    """What is wrong with the answers about the program without the body of `name`, if anything is."""
    removed = without_body(text, name)
    strict = ask(removed, Taken.UNKNOWN, seconds)
    count[strict.verdict.value] += 1
    if strict.verdict is Verdict.TRUE:
        failing = without_body(text, name, "{\n  call void @reach_error()\n  unreachable\n}")
        if ask(failing, Taken.UNKNOWN, seconds).verdict is Verdict.FALSE:
            return "true, although the call is reached"
    if strict.verdict is Verdict.UNKNOWN and name not in strict.reason and "time" not in strict.reason:
        if "unsupported" in ask(text, Taken.UNKNOWN, seconds).reason:
            raise Unsupported(strict.reason)
        return f"unknown without its name: {strict.reason}"
    pure = ask(removed, Taken.PURE, seconds)
    count[f"{pure.verdict.value} if pure"] += 1
    if pure.verdict is not Verdict.UNKNOWN and not any(name in text for text in pure.assumptions):
        return f"{pure.verdict.value} if pure, and not among the assumptions"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", default=["tests/programs"])
    parser.add_argument("--programs", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each question")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    files = sorted(path for folder in options.folders for path in Path(folder).rglob("*.[ci]"))
    chance.shuffle(files)
    count: Counter[str] = Counter()
    programs = faults = 0
    for file in files:
        if programs == options.programs:
            break
        try:
            text = llvm_text([str(file)])
            names = candidates(text)
            if not names:
                continue
            name = chance.choice(names)
            found = fault(text, name, options.seconds, count)
        except ThreadproofError as error:
            print(f"{file}: left out: {error}", file=sys.stderr)
            continue
        programs += 1
        if found:
            faults += 1
            print(f"{file} without {name}: {found}", flush=True)
    figures = ", ".join(f"{number} {what}" for what, number in sorted(count.items()))
    print(f"{programs} programs with one body removed: {figures}; {faults} true without the assumption or unnamed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
