"""Rows of a sweep in the formats that others read, by the ending of the file's name."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, fields

from threadproof.sweep.page import page
from threadproof.sweep.store import SweepRow

FORMATS = (".csv", ".json", ".html")


def as_text(rows: Sequence[SweepRow], ending: str, title: str, other: tuple[str, Sequence[SweepRow]] | None) -> str:
    match ending:
        case ".csv":
            out = io.StringIO()
            writer = csv.DictWriter(out, [one.name for one in fields(SweepRow)], lineterminator="\n")
            writer.writeheader()
            writer.writerows(asdict(row) for row in rows)
            return out.getvalue()
        case ".json":
            every = [asdict(row) | {"stats": json.loads(row.stats)} for row in rows]
            return json.dumps(every, indent=1, ensure_ascii=False) + "\n"
        case _:
            return page(rows, title, other)
