"""The seeded bugs of examples/projects are found, each by its property."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof import verify
from threadproof.cli.compile_lines import of_project
from threadproof.frontend import FrontendOptions

PROJECTS = Path(__file__).parents[3] / "examples" / "projects"
QUICK = [("logger", "BUG_LEVEL", "no-data-race"), ("logger", "BUG_OUTSIDE", "valid-memsafety")]
OTHERS = [
    ("channel", "BUG_IF", "unreach-call"),
    ("channel", "BUG_CLOSE", "no-deadlock"),
    ("pool", "BUG_STOP", "no-data-race"),
    ("pool", "BUG_DONE", "no-data-race"),
    ("cache", "BUG_HITS", "no-data-race"),
    ("cache", "BUG_EVICT", "valid-memsafety"),
    ("stack", "BUG_FREE", "valid-memsafety"),
    ("stack", "BUG_CHECK", "valid-memsafety"),
    ("eventloop", "BUG_ORDER", "unreach-call"),
    ("eventloop", "BUG_LOCK", "no-data-race"),
]


@pytest.mark.parametrize(("project", "bug", "prop"), QUICK)
def test_seeded_bugs(project: str, bug: str, prop: str) -> None:
    assert verdict(project, bug, prop) == "false"


@pytest.mark.slow
@pytest.mark.parametrize(("project", "bug", "prop"), OTHERS)
def test_seeded_bugs_at_length(project: str, bug: str, prop: str) -> None:
    assert verdict(project, bug, prop) == "false"


def verdict(project: str, bug: str, prop: str) -> str:
    files = [word for word in of_project(str(PROJECTS / project)) if word.endswith(".c")]
    reading = FrontendOptions(include_dirs=(str(PROJECTS / project),), defines=(bug,))
    (answer,) = verify(files, [prop], frontend=reading, timeout=120)
    return answer.verdict.value
