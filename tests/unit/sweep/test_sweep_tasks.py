"""What a sweep asks about, from folders, task definitions, sets and tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.errors import InputError
from threadproof.core.property import Property
from threadproof.sweep.tasks import require_distinct, tasks_of

DEFINITION = """
format_version: '2.0'
input_files: 'a.c'
properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: true
  - property_file: ../properties/no-data-race.prp
    expected_verdict: false
  - property_file: ../properties/termination.prp
options:
  language: C
  data_model: LP64
"""


def test_a_task_definition_has_a_task_for_each_property_that_is_known(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text(DEFINITION, encoding="utf-8")
    (tmp_path / "a.c").write_text("int main(void) { return 0; }", encoding="utf-8")
    found = tasks_of(str(tmp_path / "a.yml"), [])
    assert [(one.property, one.expected) for one in found] == [
        (Property.UNREACH_CALL, "true"),
        (Property.NO_DATA_RACE, "false"),
    ]
    assert found[0].files == (str(tmp_path / "a.c"),)
    assert found[0].options[:2] == ("--data-model", "LP64")
    assert [one.property for one in tasks_of(str(tmp_path), [Property.NO_DATA_RACE])] == [Property.NO_DATA_RACE]


def test_a_set_names_definitions_by_patterns(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a.yml").write_text(DEFINITION, encoding="utf-8")
    (tmp_path / "all.set").write_text("# tasks\none/*.yml\n\n", encoding="utf-8")
    assert len(tasks_of(str(tmp_path / "all.set"), [])) == 2
    (tmp_path / "none.set").write_text("two/*.yml\n", encoding="utf-8")
    with pytest.raises(InputError, match="nothing matches"):
        tasks_of(str(tmp_path / "none.set"), [])


def test_a_folder_of_c_means_each_file_that_has_a_main(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }", encoding="utf-8")
    (tmp_path / "b.c").write_text("int helper(void) { return 0; }", encoding="utf-8")
    (tmp_path / "settings.yml").write_text("timeout: 3", encoding="utf-8")
    assert [one.files for one in tasks_of(str(tmp_path), [])] == [(str(tmp_path / "a.c"),)]


def test_a_table_has_tasks_with_verdicts(tmp_path: Path) -> None:
    table = tmp_path / "tasks.csv"
    table.write_text("id,path,property,expected\none,a.c,no-overflow,true\n", encoding="utf-8")
    [task] = tasks_of(str(table), [])
    assert (task.name, task.expected, task.property) == ("one", "true", Property.NO_OVERFLOW)
    table.write_text("file\na.c\n", encoding="utf-8")
    with pytest.raises(InputError, match="columns"):
        tasks_of(str(table), [])


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="a sweep takes"):
        tasks_of(str(tmp_path / "a.txt"), [])


def test_the_content_of_a_task_changes_with_its_files_and_options(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text("int main(void) { return 0; }", encoding="utf-8")
    [first] = tasks_of(str(file), [])
    before = first.content()
    assert tasks_of(str(file), [Property.NO_DEADLOCK])[0].content() != before
    file.write_text("int main(void) { return 1; }", encoding="utf-8")
    assert first.content() != before


def test_nothing_is_asked_twice(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text("int main(void) { return 0; }", encoding="utf-8")
    with pytest.raises(InputError, match="asked twice"):
        require_distinct(tasks_of(str(file), []) * 2)
