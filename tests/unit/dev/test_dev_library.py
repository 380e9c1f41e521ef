"""`docs/library.md` is what the sync table says."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.dev.library import document, main
from threadproof.sync.operations import OPERATIONS
from threadproof.sync.table import GROUPS, TABLE

DOCUMENT = Path(__file__).parents[3] / "docs" / "library.md"


def test_the_document_is_up_to_date() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "run python -m threadproof.dev.library"


def test_every_function_and_operation_is_in_it() -> None:
    text = document()
    for name in TABLE:
        kind = name.split("nondet_", 1)[-1]
        assert (f"`{kind}`" in text) != name.startswith("__threadproof_"), name
    for name in OPERATIONS:
        assert f"`{name}`" in text


def test_every_row_is_in_one_group() -> None:
    names = [row.name for rows in GROUPS.values() for row in rows]
    assert len(names) == len(set(names)) == len(TABLE)


def test_it_is_written_where_asked(tmp_path: Path) -> None:
    target = tmp_path / "out.md"
    assert main([str(target)]) == 0
    assert target.read_text(encoding="utf-8") == document()


def test_what_cannot_be_written_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "no" / "folder.md")]) == 3
    assert "cannot write" in capsys.readouterr().err
    assert main(["one", "two"]) == 3
