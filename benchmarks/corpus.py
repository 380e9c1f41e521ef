"""Tasks of a corpus, to be asked about as `threadproof sweep` does: a folder with INDEX.csv (id, path, property,
expected, data_model)."""

from __future__ import annotations

import random
from fnmatch import fnmatch
from pathlib import Path

from threadproof.core.property import parse_property
from threadproof.sweep.tasks import SweepTask, tasks_of


def chosen(
    corpus: Path, prop: str, only: str = "*", expected: str = "all", sample: int | None = None, seed: int = 0
) -> list[SweepTask]:
    """In the order of their names, or so many of them at random; a larger sample contains the smaller ones."""
    every = tasks_of(str(corpus / "INDEX.csv"), [parse_property(prop)])
    found = [task for task in every if fnmatch(task.name, only) and expected in ("all", task.expected)]
    found.sort(key=lambda task: task.name)
    if sample is not None:
        random.Random(seed).shuffle(found)
    return found[:sample]
