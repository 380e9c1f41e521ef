"""A sample of the comparison of the library model with the real C library; `library_sweep.py` makes all of it."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from library_case import Case, Kind
from library_compare import compare
from library_families import FAMILIES, cases_of
from library_native import NoRealRuns

EACH = 5  # functions of each family
LONG = {"kill"}  # many interleavings of signals: in the sweep only
KNOWN: frozenset[str] = frozenset()


def _order(text: str) -> int:
    """Mixed, and the same whatever else there is: a new case takes the place of another at most."""
    return zlib.crc32(text.encode())


def test_the_model_does_what_the_library_does(tmp_path: Path) -> None:
    sample: list[Case] = []
    for family in FAMILIES:
        fit = [
            case
            for case in cases_of(family)
            if case.kind in (Kind.SAFE, Kind.UNSAFE) and case.function not in KNOWN | LONG
        ]
        chosen = sorted({case.function for case in fit}, key=_order)[:EACH]
        sample += [min((c for c in fit if c.function == name), key=lambda c: _order(c.body)) for name in chosen]
    found = outcomes(sample, tmp_path)
    assert len(found) == EACH * len(FAMILIES)
    assert [(case.body, said) for case, said in found if said] == []


def test_a_difference_shows(tmp_path: Path) -> None:
    """Cases that are not the same on both sides, each in one of the ways that count; the first two are the same."""
    cases = [
        Case("strlen", 'obs(strlen("ab"));'),
        Case("strlen", "obs(1); *(volatile char *)0 = 1;", kind=Kind.UNSAFE),
        Case("strlen", "\n#ifdef NATIVE\nobs(1);\n#else\nobs(2);\n#endif\n"),
        Case("strlen", "\n#ifdef NATIVE\nobs(1);\n#endif\n"),
        Case("strlen", "obs(1);\n#ifndef NATIVE\nexit(0);\n#endif\n"),
        Case("strlen", "obs(1);\n#ifndef NATIVE\n*(volatile char *)0 = 1;\n#endif\n"),
        Case("strlen", "\n#ifdef NATIVE\n*(volatile char *)0 = 1;\n#endif\n", kind=Kind.UNSAFE),
    ]
    same = [case for case, said in outcomes(cases, tmp_path) if not said]
    assert same == cases[:2]


def outcomes(cases: list[Case], folder: Path) -> list[tuple[Case, list[str]]]:
    try:
        return [(outcome.case, outcome.differences + outcome.doubts) for outcome in compare(cases, folder)]
    except NoRealRuns as error:
        pytest.skip(f"no real runs here: {error}")
