"""`threadproof stubs`: what is missing gets a definition that compiles, and the program is complete with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.cli.main import ExitCode, run
from threadproof.core.memory_model import MemoryModel
from threadproof.core.property import Property
from threadproof.core.result import Answer, Verdict
from threadproof.frontend import FrontendOptions, load
from threadproof.ir.program import Lifetime
from threadproof.portfolio.assumptions import told

HEADER = "typedef struct pool pool_t;\npool_t *pool_new(unsigned size);\nextern long pool_count;\n"
PROGRAM = """
#include <stddef.h>
#include "pool.h"
struct node { int v; struct node *next; };
enum color { RED, GREEN };
typedef unsigned long long u64;
extern int helper(int a, const char *s);
extern struct node *make_node(int v);
extern struct node by_value(struct node n);
extern void callback_set(void (*f)(void *), void *p);
extern u64 big(void);
extern float real(double d);
extern enum color paint(void);
extern int say(const char *fmt, ...);
extern void die(void) __attribute__((noreturn));
extern int table[10], unknown[], limit;
extern const int fixed;
extern struct node *head;
static void cb(void *p) { (void)p; }
int main(void) {
  struct node *n = make_node(helper(1, "a")), m = {0};
  if (n) m = by_value(*n);
  callback_set(cb, n);
  say("%d", m.v);
  if (big() > 3 && real(1.0) > 0 && paint() == RED) die();
  return table[limit & 7] + unknown[0] + fixed + !head + !pool_new(3) + (int)pool_count + undeclared(3);
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "pool.h").write_text(HEADER)
    file = tmp_path / "sub" / "main.c"
    file.write_text(PROGRAM)
    return file


def test_the_program_is_complete_with_its_stubs(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = program.parent.parent / "stubs.c"
    assert run(["stubs", str(program), "-o", str(out)]) == ExitCode.TRUE
    said = capsys.readouterr().out
    assert f"{out}: 11 functions, 6 variables" in said
    assert f"threadproof verify {program} {out}" in said
    outside = load([str(program), str(out)], FrontendOptions()).outside
    assert (outside.missing, outside.variables) == ((), ())
    text = out.read_text()
    assert '#include "sub/pool.h"' in text
    assert "null or a new block of one struct node, all zero" in text
    assert "null, always: what struct pool holds is not known here" in text
    assert "/* called at " in text
    assert "limit = __VERIFIER_nondet_int();" in text
    assert "fixed = " not in text


def test_what_may_have_been_edited_is_kept(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = program.parent / "stubs.c"
    out.write_text("mine")
    assert run(["stubs", str(program), "-o", str(out)]) == ExitCode.UNUSABLE
    assert "--force" in capsys.readouterr().err
    assert out.read_text() == "mine"
    assert run(["stubs", str(program), "-o", str(out), "--force"]) == ExitCode.TRUE
    assert "by_value" in out.read_text()


def test_a_complete_program_needs_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.c"
    file.write_text("int main(void) { return 0; }")
    assert run(["stubs", str(file), "-o", str(tmp_path / "stubs.c")]) == ExitCode.TRUE
    assert "nothing is missing" in capsys.readouterr().out
    assert not (tmp_path / "stubs.c").exists()


def test_who_synchronises_gets_no_stub(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.c"
    file.write_text(
        "int pthread_mutex_of_my_own(int); int f(void); int main(void) { return pthread_mutex_of_my_own(f()); }"
    )
    assert run(["stubs", str(file), "-o", str(tmp_path / "stubs.c")]) == ExitCode.TRUE
    assert "not written: pthread_mutex_of_my_own" in capsys.readouterr().out
    assert "pthread_mutex" not in (tmp_path / "stubs.c").read_text()


def test_whoever_misses_something_is_told_of_the_command(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text("int f(void); int main(void) { return f(); }")
    answer = Answer(Property.UNREACH_CALL, Verdict.UNKNOWN, "auto", reason="time")
    assert "threadproof stubs" in told(load([str(file)], FrontendOptions()), answer, MemoryModel.SC).reason


UNNAMED = """
#include "pool.h"
typedef struct { int x; struct { int a; } in; } point;
typedef enum { RED, GREEN } color;
extern struct { int q; } thing, *second;
extern struct { int v; } deep[3];
extern enum { A, B } mode;
extern point make(int a);
extern point *where(void);
extern color paint(point p);
int main(void) {
  point *p = where();
  thing.q = deep[1].v + (second ? second->q : mode) + of_header.h;
  return paint(make(p ? p->x : 0));
}
"""


def test_types_without_a_name(tmp_path: Path) -> None:
    (tmp_path / "pool.h").write_text("extern struct { int h; } of_header;\n")
    (tmp_path / "main.c").write_text(UNNAMED)
    files = [str(tmp_path / "main.c"), str(tmp_path / "stubs.c")]
    assert run(["stubs", files[0], "-o", files[1]]) == ExitCode.TRUE
    outside = load(files, FrontendOptions()).outside
    assert (outside.missing, outside.variables) == ((), ())
    text = Path(files[1]).read_text()
    assert "struct { int q; } thing, *second;" in text
    assert "calloc(1, sizeof(point))" in text
    assert "result.x = __VERIFIER_nondet_int();" in text
    assert "mode = __VERIFIER_nondet_int();" in text


DERIVED = """
typedef void (*handler)(void);
extern void (*choose(int))(void);
extern handler (*several(int, void (*)(int)))[3];
extern void (*stop(int))(int) __attribute__((noreturn));
extern _Thread_local int mine;
extern _Thread_local struct { int a; } ours;
int main(void) {
  choose(1)();
  (*several(1, 0))[0]();
  if (mine + ours.a) stop(1)(2);
}
"""


def test_pointers_to_functions_and_variables_of_a_thread(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(DERIVED)
    files = [str(tmp_path / "main.c"), str(tmp_path / "stubs.c")]
    assert run(["stubs", files[0], "-o", files[1]]) == ExitCode.TRUE
    program = load(files, FrontendOptions())
    assert (program.outside.missing, program.outside.variables) == ((), ())
    assert {program.globals[name].lifetime for name in ("mine", "ours")} == {Lifetime.THREAD}
    assert "__typeof__(void (*)(void)) choose(int a1) {" in Path(files[1]).read_text()
