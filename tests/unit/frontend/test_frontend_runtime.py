"""The runtime library is linked in as far as it is used."""

from __future__ import annotations

from pathlib import Path

import pytest
from frontend_support import Loader, only

from threadproof.frontend.library import Library
from threadproof.frontend.loading import load
from threadproof.frontend.options import FrontendOptions
from threadproof.ir.instr import Call, Load, Sync
from threadproof.ir.program import DataModel
from threadproof.sync.rows import InRuntime
from threadproof.sync.table import TABLE
from threadproof.toolchain.cache import cache_folder

_LOWERED_IN_PLACE = {"__pthread_register_cancel", "__pthread_unregister_cancel", "puts", "fputs"}


@pytest.mark.parametrize("model", list(DataModel))
def test_every_function_the_table_promises_exists(model: DataModel) -> None:
    defined = Library(model, FrontendOptions()).functions()
    promised = {name for name, row in TABLE.items() if isinstance(row.effect, InRuntime)}
    assert promised - defined - _LOWERED_IN_PLACE == set()


def test_only_what_is_reached_is_linked(c: Loader) -> None:
    program = c('#include <string.h>\nint main(int n, char **v) { return strcmp(v[0], "x"); }')
    assert set(program.functions) == {"main", "strcmp"}
    assert {i.loc.file for i in only(program, "strcmp", Load)} == {"<runtime>"}


def test_helpers_come_along(c: Loader) -> None:
    program = c("#include <stdlib.h>\nint k(const void *a, const void *b) { return 0; }"
                "int main(void) { int a[3]; qsort(a, 3, 4, k); return 0; }")  # fmt: skip
    assert set(program.functions) == {"k", "main", "qsort", "exchange"}


@pytest.mark.parametrize(("model", "word"), [(DataModel.LP64, 8), (DataModel.ILP32, 4)])
def test_copies_are_made_of_words_and_bytes(c: Loader, model: DataModel, word: int) -> None:
    program = c(
        "#include <string.h>\nchar a[99], b[99]; int main(int n, char **v) { memcpy(a, b, n); return 0; }", model=model
    )
    assert {i.size for i in only(program, "memcpy", Load)} == {1, word}


def test_once(c: Loader) -> None:
    program = c(
        "#include <pthread.h>\npthread_once_t o; void f(void) { } int main(void) { return pthread_once(&o, f); }"
    )
    assert [i.op for i in only(program, "pthread_once", Sync)] == ["once_enter", "once_leave"]
    assert not isinstance(only(program, "pthread_once", Call)[0].callee, str)


def test_the_cache_may_be_unwritable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert not str(cache_folder()).startswith(str(tmp_path))
    (tmp_path / "a.c").write_text("int main(void) { return 0; }")
    assert set(load([str(tmp_path / "a.c")]).functions) == {"main"}


def test_the_cache_follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "threadproof"
