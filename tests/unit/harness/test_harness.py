"""Counterexamples on real threads: compiled with gcc, the harness reproduces them each time."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from threadproof.cli.main import run

HEAD = """#include <pthread.h>
#include <semaphore.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int x;
static int y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
sem_t s;
"""
CASES = {
    "between two accesses of one expression": (
        "unreach-call",
        """void *inc(void *p) { x++; return 0; }
int main(void) {
  pthread_t a[2];
  y = __VERIFIER_nondet_int();
  for (int i = 0; i < 2; i++) pthread_create(&a[i], 0, inc, 0);
  for (int i = 0; i < 2; i++) pthread_join(a[i], 0);
  if (x == 1 && y == 7) reach_error();
  return 0;
}
""",
    ),
    "locks in two orders": (
        "no-deadlock",
        """void *other(void *p) { pthread_mutex_lock(&n); x = 1; pthread_mutex_lock(&m); return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, other, 0);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  return 0;
}
""",
    ),
    "a signal that comes too early": (
        "no-deadlock",
        """void *waits(void *p) {
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, waits, 0);
  pthread_cond_signal(&c);
  pthread_join(a, 0);
  return 0;
}
""",
    ),
    "a signal, a semaphore and an assertion": (
        "unreach-call",
        """#include <assert.h>
void *waits(void *p) {
  pthread_mutex_lock(&m);
  while (!y) pthread_cond_wait(&c, &m);
  x = 2;
  pthread_mutex_unlock(&m);
  sem_post(&s);
  return 0;
}
int main(void) {
  pthread_t a;
  sem_init(&s, 0, 0);
  pthread_create(&a, 0, waits, 0);
  pthread_mutex_lock(&m);
  y = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  sem_wait(&s);
  assert(x != 2);
  return 0;
}
""",
    ),
    "one signal for two who wait": (
        "no-deadlock",
        """
void *waits(void *p) {
  pthread_mutex_lock(&m);
  while (!y) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, waits, 0);
  pthread_create(&b, 0, waits, 0);
  pthread_mutex_lock(&m);
  y = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
""",
    ),
}
needs_gcc = pytest.mark.skipif(not shutil.which("gcc") or not shutil.which("make"), reason="no gcc, no make")


@needs_gcc
@pytest.mark.parametrize("name", CASES)
def test_every_run_reproduces_it(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    prop, body = CASES[name]
    file, folder = tmp_path / "a $b.c", tmp_path / "on real threads"
    file.write_text(HEAD + body, encoding="utf-8")
    assert run(["verify", str(file), "-p", prop, "--harness", str(folder)]) == 1
    assert f"make -C {shlex.quote(str(folder))}" in capsys.readouterr().out
    assert (folder / "threadproof.gdb").exists()
    made = subprocess.run(["make", "-C", str(folder), "harness"], capture_output=True, text=True, timeout=300)
    assert made.returncode == 0, made.stderr
    for _ in range(3):
        one = subprocess.run([f"{folder}/harness"], capture_output=True, text=True, timeout=300)
        assert one.returncode == 1, one.stderr
        assert "reproduced: " in one.stderr


@needs_gcc
def test_values_of_one_function_do_not_move_by_those_of_another(tmp_path: Path) -> None:
    """The program is one for 32 bits; compiled for 64, the loop asks for more values."""
    body = """extern char __VERIFIER_nondet_char(void);
struct two { char *first, *second; } it;
int main(void) {
  for (unsigned i = 0; i < sizeof it; i++) ((char *)&it)[i] = __VERIFIER_nondet_char();
  x = __VERIFIER_nondet_int();
  if (x == 7) reach_error();
  return 0;
}
"""
    file, folder = tmp_path / "a.c", tmp_path / "harness"
    file.write_text(HEAD + body, encoding="utf-8")
    assert run(["verify", str(file), "--data-model", "ILP32", "--engine", "bmc", "--harness", str(folder)]) == 1
    subprocess.run(["make", "-C", str(folder), "harness"], capture_output=True, check=True, timeout=300)
    one = subprocess.run([f"{folder}/harness"], capture_output=True, text=True, timeout=300)
    assert one.returncode == 1, one.stderr


@needs_gcc
def test_a_thread_whose_schedule_ends_with_a_pointer_of_32_bits_stops_there(tmp_path: Path) -> None:
    """Compiled for 64, the last thing it does in the schedule is an access of another size."""
    body = """pthread_mutex_t *lock = &m;
void *writes(void *p) {
  pthread_mutex_lock(lock);
  x = 1;
  pthread_mutex_unlock(lock);
  pthread_mutex_lock(lock);
  y = 1;
  pthread_mutex_unlock(lock);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, writes, 0);
  pthread_mutex_lock(lock);
  int one = x;
  pthread_mutex_unlock(lock);
  pthread_mutex_lock(lock);
  int other = y;
  pthread_mutex_unlock(lock);
  if (one && !other) reach_error();
  return 0;
}
"""
    file, folder = tmp_path / "a.c", tmp_path / "harness"
    file.write_text(HEAD + body, encoding="utf-8")
    assert run(["verify", str(file), "--data-model", "ILP32", "--engine", "random", "--harness", str(folder)]) == 1
    subprocess.run(["make", "-C", str(folder), "harness"], capture_output=True, check=True, timeout=300)
    one = subprocess.run([f"{folder}/harness"], capture_output=True, text=True, timeout=300)
    assert one.returncode == 1, one.stderr


def test_where_there_is_none_a_note_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.c"
    file.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    assert run(["verify", str(file), "--engine", "explicit", "--harness", str(tmp_path / "h")]) == 0
    assert "no harness: nothing was shown to be false" in capsys.readouterr().out
    assert not (tmp_path / "h").exists()


def test_a_file_is_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.c"
    file.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    assert run(["verify", str(file), "--harness", str(file)]) == 3
    assert "not a directory" in capsys.readouterr().err


@needs_gcc
@pytest.mark.skipif(shutil.which("gdb") is None, reason="gdb is not there")
def test_the_script_for_gdb_stops_in_the_program(tmp_path: Path) -> None:
    prop, text = CASES["locks in two orders"]
    source, folder = tmp_path / "main.c", tmp_path / "harness"
    source.write_text(HEAD + text, encoding="utf-8")
    run(["verify", str(source), "-p", prop, "--harness", str(folder)])
    subprocess.run(["make", "-C", str(folder), "harness"], capture_output=True, check=True, timeout=120)
    command = ["gdb", "-q", "-batch", "-x", "threadproof.gdb", "-ex", "continue", "./harness"]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120).stdout
    assert "thread 1 goes on" in said
    assert "main.c:10" in said
