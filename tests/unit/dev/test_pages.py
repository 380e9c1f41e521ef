"""The documentation: what it shows is what the program prints, links lead somewhere, and every page is in the site."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from threadproof.core.property import Property
from threadproof.dev.pages import pages, quickly_remade, remade, same
from threadproof.engines.rows import ENGINES

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_files_and_tables_are_up_to_date() -> None:
    stale = [path for path in pages() if quickly_remade(_text(path)) != _text(path)]
    assert not stale, "python -m threadproof.dev.pages writes them anew"


def test_a_page_with_output_is_up_to_date() -> None:
    text = _text(DOCS / "engines" / "deadlocks.md")
    assert "locks in an order" in text
    assert same(remade(text, ["run"]), text)


@pytest.mark.slow
@pytest.mark.parametrize("path", [path.relative_to(ROOT).as_posix() for path in sorted(DOCS.rglob("*.md"))])
def test_every_page_is_up_to_date(path: str) -> None:
    text = _text(ROOT / path)
    assert same(remade(text, ["run"]), text)


def test_every_property_and_engine_has_a_page() -> None:
    assert {one.stem for one in (DOCS / "properties").glob("*.md")} == {"index", *(one.value for one in Property)}
    assert {one.stem for one in (DOCS / "engines").glob("*.md")} == {"index", "auto", "smc", *ENGINES}


def test_links_lead_to_pages_and_headings() -> None:
    broken = [f"{path}: {link}" for path in DOCS.rglob("*.md") for link in _links(path) if not _leads(path, link)]
    assert not broken


def test_the_site_has_all_pages() -> None:
    listed = set(_names(yaml.safe_load(_text(ROOT / "mkdocs.yml"))["nav"]))
    there = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert listed == {name for name in there if not name.startswith("adr/")}, "the list is `nav` in mkdocs.yml"


def test_the_site_builds(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="the extra `docs`")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "engines" / "trace.html").exists()


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _links(path: Path) -> Iterator[str]:
    outside_of_code = re.sub(r"```.*?```|`[^`\n]*`", "", _text(path), flags=re.DOTALL)
    return (link for link in _LINK.findall(outside_of_code) if not re.match(r"[a-z]+:", link))


def _leads(path: Path, link: str) -> bool:
    name, _, anchor = link.partition("#")
    target = (path.parent / name).resolve() if name else path
    if not target.is_file() or not target.is_relative_to(DOCS):
        return False
    return not anchor or anchor in {_slug(heading) for heading in _HEADING.findall(_text(target))}


def _slug(heading: str) -> str:
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def _names(nav: object) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    elif isinstance(nav, list):
        for one in nav:
            yield from _names(one)
    elif isinstance(nav, dict):
        for one in nav.values():
            yield from _names(one)
