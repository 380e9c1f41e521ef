"""`python -m threadproof.cli.each_file FILE...`: each file is a program of its own, as pre-commit gives them.

Files without a `main` are parts of other programs, and are left out. Options begin with `-` and come first.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from threadproof.cli.main import ExitCode, run

_MAIN = re.compile(r"\bmain\s*\(")


def verify_each(arguments: list[str]) -> int:
    """The worst exit code; unknown counts as no failure."""
    files = [one for one in arguments if not one.startswith("-")]
    options = [one for one in arguments if one.startswith("-")]
    worst = ExitCode.TRUE
    for file in files:
        if not _MAIN.search(Path(file).read_text(encoding="utf-8", errors="replace")):
            continue
        code = run(["verify", file, *(options or ["--timeout=60"])])
        if code != ExitCode.UNKNOWN:
            worst = max(worst, ExitCode(code))
    return worst


if __name__ == "__main__":
    sys.exit(verify_each(sys.argv[1:]))
