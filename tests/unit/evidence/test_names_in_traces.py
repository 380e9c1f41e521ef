"""What people read in a trace: names of heap blocks, lines of their own files, nothing a terminal would obey."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof import verify
from threadproof.core.trace import Trace
from threadproof.report.lanes import plain, quote, steps

LIST = """
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct node { int v; struct node *next; };
struct node *head;
int *gone, *beyond;
void *push(void *p) {
  struct node *n = malloc(sizeof *n);
  n->v = 3 + (gone && beyond);
  n->next = head;
  head = n;
  return 0;
}
int main(void) {
  pthread_t t;
  int *room = calloc(4, sizeof *room), *end = room + 4, (*pair)[2] = malloc(sizeof *pair);
  room[2] = 7;
  (*pair)[1] = 8;
  pthread_create(&t, 0, push, 0);
  push(0);
  pthread_join(t, 0);
  free(room);
  gone = room;
  beyond = end;
  assert(head->next);
  return gone == beyond;
}
"""
LIBRARY = """
#include <pthread.h>
#include <string.h>
#include <assert.h>
char text[8];
void *f(void *p) { return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  strcpy(text, "ab");
  assert(strlen(text) == 3);
  return 0;
}
"""
DANGLING = """
#include <pthread.h>
#include <assert.h>
int *kept;
void *keep(void *p) { int here = 4; kept = &here; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, keep, 0);
  pthread_join(t, 0);
  assert(kept == 0);
  return 0;
}
"""


def trace_of(source: str, folder: Path, wanted: str = "unreach-call") -> Trace:
    file = folder / "main.c"
    file.write_text(source, encoding="utf-8")
    (answer,) = verify(str(file), properties=[wanted], engine="explicit", timeout=900)
    assert answer.trace is not None
    return answer.trace


def told(trace: Trace) -> list[str]:
    return [event.text for step in trace.steps for event in step.events]


def test_heap_blocks_are_named_by_type_and_number(tmp_path: Path) -> None:
    said = told(trace_of(LIST, tmp_path))
    assert {
        "allocates room (int[4])",
        "room[2] = 7",
        "(*pair)[1] = 8",
        "allocates node#1 (struct node)",
        "node#1->v = 3",
        "node#2->v = 3",
        "frees room",
        "gone = room (freed)",
        "beyond = room + 16 (freed)",
    } <= set(said)
    assert any(text in said for text in ("head = node#1", "head = node#2"))


POOL = """
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct slot { pthread_mutex_t lock; int jobs; };
struct pool { int count; struct slot *queue; char name[]; };
struct pool *pool;
void *xmalloc(size_t bytes) { return malloc(bytes); }
void *work(void *given) {
  struct slot *mine = given;
  pthread_mutex_lock(&mine->lock);
  mine->jobs++;
  pool->name[1] = 'x';
  assert(pool->count == 3);
  return 0;
}
int main(void) {
  pthread_t t;
  pool = xmalloc(sizeof *pool + 4);
  pool->count = 2;
  pool->queue = calloc(2, sizeof *pool->queue);
  pthread_create(&t, 0, work, &pool->queue[1]);
  pthread_join(t, 0);
  return 0;
}
"""


def test_a_block_has_the_name_of_the_pointer_that_never_leaves_it(tmp_path: Path) -> None:
    said = told(trace_of(POOL, tmp_path))
    assert {"pool is set", "locks pool->queue[1].lock", "pool->queue[1].jobs = 1", "pool->name[1] = 120 'x'"} <= set(
        said
    )
    assert not any("malloc@" in text or "+ " in text or "%" in text for text in said)


FREED = """
#include <stdlib.h>
struct node { int v; struct node *next; };
int main(void) {
  struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  a->next = b;
  free(b);
  return a->next->v;
}
"""


def test_undefined_behaviour_names_the_block(tmp_path: Path) -> None:
    assert trace_of(FREED, tmp_path, "valid-memsafety").cause.startswith("use after free (node#2)")
    left = FREED.replace("return a->next->v", "return 0")
    assert "node#1 (struct node, allocated in main at" in trace_of(left, tmp_path, "valid-memcleanup").cause


def test_what_the_library_does_stands_at_its_call(tmp_path: Path) -> None:
    trace = trace_of(LIBRARY, tmp_path)
    events = [event for step in trace.steps for event in step.events]
    assert {event.loc.line for event in events if event.text.startswith("text[")} == {11}
    assert {event.loc.line for event in events if event.text.startswith("reads text[")} == {12}
    assert "runtime" not in "".join(plain(line) for line in steps(trace, quote, 100))


def test_a_pointer_to_a_local_that_is_gone(tmp_path: Path) -> None:
    said = told(trace_of(DANGLING, tmp_path))
    assert "kept = &here" in said
    assert any(text.startswith("reads kept = ") and "gone" in text for text in said)


@pytest.mark.parametrize("sign", ["\x1b[31m", "\x07", "\x9b2J"])
def test_a_terminal_is_told_nothing(tmp_path: Path, sign: str) -> None:
    trace = trace_of(f'#include <assert.h>\nint x; int main(void) {{ assert(x && "a{sign}b"); return 0; }}', tmp_path)
    shown = [trace.cause, *told(trace), *(plain(line) for line in steps(trace, quote, 100))]
    assert all(text.isprintable() for text in shown)
    assert "\\x" in trace.cause


WAITED = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int x, flag;
void *work(void *arg) {
  int waited = 0;
  pthread_mutex_lock(&m);
  for (; !flag; waited = 1) pthread_cond_wait(&c, &m);
  if (waited) x = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_mutex_lock(&m);
  flag = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  x = 2;
  return 0;
}
"""


def test_who_has_waited_holds_the_mutex_and_not_the_condition_variable(tmp_path: Path) -> None:
    said = "\n".join(trace_of(WAITED, tmp_path, "no-data-race").details)
    assert "holding m" in said
    assert "m and c" not in said


FREED_AT_ONCE = """
#include <pthread.h>
#include <stdlib.h>
int *table;
void *set_up(void *arg) { if (!table) table = calloc(4, sizeof *table); return arg; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set_up, 0);
  set_up(0);
  pthread_join(t, 0);
  free(table);
  return 0;
}
"""


def test_a_pointer_that_is_read_to_be_freed_is_not_yet_freed(tmp_path: Path) -> None:
    trace = trace_of(FREED_AT_ONCE, tmp_path, "valid-memcleanup")
    said = told(trace)
    assert any(text.startswith("frees table") for text in said)
    assert not any(text.startswith("reads table") and "(freed)" in text for text in said)


COPIES = """
#include <pthread.h>
#include <string.h>
char text[8];
void *greets(void *p) { strcpy(text, "hello"); return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, greets, 0);
  strcpy(text, "bye");
  return 0;
}
"""


def test_a_race_inside_the_library_is_told_where_the_program_called_it(tmp_path: Path) -> None:
    trace = trace_of(COPIES, tmp_path, "no-data-race")
    assert Path(trace.loc.file).name.endswith(".c")
    assert trace.loc.line in (5, 9)
    assert "<runtime>" not in " ".join((trace.cause, *trace.details))
