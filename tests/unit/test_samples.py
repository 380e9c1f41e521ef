"""The quick suite's samples: of tests that there are, and by name, so that a new case changes nothing for others."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parents[1]
BY_ORDER = re.compile(r"^([A-Z_]+ = |@pytest\.mark\.parametrize).*\[[\w /]*::[ \dA-Z]")


def conftest(config: pytest.Config) -> Any:
    return config.pluginmanager.get_plugin(str(TESTS / "conftest.py"))


def test_every_spread_is_of_a_test(pytestconfig: pytest.Config) -> None:
    """Under another name all cases of the test would run."""
    plugin = conftest(pytestconfig)
    for name in (*plugin.SPREAD, *plugin.OFTEN):
        path, _, function = name.partition("::")
        assert f"def {function}(" in (TESTS / path).read_text(encoding="utf-8"), name


def test_no_sample_is_by_order() -> None:
    """`cases()[::60]` is another sample with every new program: `SPREAD` of `conftest.py` says how many are taken."""
    assert BY_ORDER.search('@pytest.mark.parametrize("case", cases()[7::99], ids=str)')
    assert BY_ORDER.search("OFTEN = ALL[SPARSE // 2 :: SPARSE]")
    found = {
        str(path.relative_to(TESTS)): line
        for path in TESTS.rglob("test_*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if BY_ORDER.search(line) and path != Path(__file__)
    }
    assert not found
