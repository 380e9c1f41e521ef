"""The manual page is made from what `--help` says, and is up to date."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from threadproof.dev.man import DEFAULT_FILE, document

ROOT = Path(__file__).parents[3]


def test_the_page_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert DEFAULT_FILE.read_text(encoding="utf-8") == document(), "python -m threadproof.dev.man"


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff")
def test_roff_has_no_complaint() -> None:
    page = str(ROOT / DEFAULT_FILE)
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", page], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "threadproof - verifier for multi-threaded C programs" in done.stdout
