"""The words everyone uses."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from threadproof.core import budget
from threadproof.core.budget import Budget
from threadproof.core.errors import InputError
from threadproof.core.property import Property, parse_property
from threadproof.core.schedule import Move, context_switches, from_json, to_json
from threadproof.core.thread_id import handle, identity, name, number


def test_thread_numbers_are_distinct_and_main_is_zero() -> None:
    identities = [()] + [path for depth in (1, 2, 3) for path in itertools.product(range(6), repeat=depth)]
    assert number(()) == 0
    assert len({number(path) for path in identities}) == len(identities)
    assert all(handle(path) > 0 for path in identities)
    assert all(identity(number(path)) == path for path in identities)
    assert number((0,) * 8) < 400_000, "a chain of creations has room in the address layout"


def test_thread_names_count_from_one() -> None:
    assert [name(()), name((0,)), name((0, 2))] == ["main", "T1", "T1.3"]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("CHECK( init(main()), LTL(G ! call(reach_error())) )", Property.UNREACH_CALL),
        ("CHECK( init(main()), LTL(G ! data-race) )", Property.NO_DATA_RACE),
        ("CHECK( init(main()), LTL(G ! overflow) )", Property.NO_OVERFLOW),
        (
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )",
            Property.VALID_MEMSAFETY,
        ),
    ],
)
def test_prp_files(tmp_path: Path, formula: str, expected: Property) -> None:
    file = tmp_path / "some.prp"
    file.write_text(formula, encoding="utf-8")
    assert parse_property(str(file)) is expected


def test_bad_properties_name_the_choices(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no-data-race"):
        parse_property("no-races")
    with pytest.raises(InputError, match=r"cannot read.*missing\.prp"):
        parse_property(str(tmp_path / "missing.prp"))
    empty = tmp_path / "empty.prp"
    empty.write_text("", encoding="utf-8")
    with pytest.raises(InputError, match=r"empty\.prp:1"):
        parse_property(str(empty))


def test_schedules_survive_json() -> None:
    schedule = (Move((), (1,)), Move((0,)), Move((0, 1), (-3, 4)), Move((0, 1)))
    assert from_json(to_json(schedule)) == schedule
    assert context_switches(schedule) == 2


def test_a_budget_ends() -> None:
    assert Budget(0.0).exhausted() == "time"
    assert Budget(None).exhausted() is None
    assert Budget(100, memory_mb=1).exhausted() == "memory"
    assert Budget(100).part(0.5).left() <= 50


def test_time_of_the_processor_is_a_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    used = [5.0]
    monkeypatch.setattr(budget, "processor_seconds", lambda: used[0])
    limited = Budget(processor_s=2.0, used_before=used[0])
    assert limited.left() == 2.0
    used[0] = 6.5
    assert limited.left() == 0.5
    assert limited.part(0.5).left() <= 0.25
    used[0] = 7.0
    assert limited.exhausted() == "time"
