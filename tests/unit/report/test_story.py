"""Stories of counterexamples, and what their lanes leave out."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof import verify
from threadproof.core.trace import Bearing, Trace
from threadproof.evidence.relevance import Counterfactuals
from threadproof.evidence.replay import machine_for
from threadproof.frontend import FrontendOptions
from threadproof.ir.reading import Spurious
from threadproof.portfolio import prepare
from threadproof.report.lanes import Amount, call_stacks, plain, quote, rows_of, steps
from threadproof.report.story import story

HEAD = "#include <pthread.h>\n#include <assert.h>\n#include <stdlib.h>\n"
MAIN = """
int main(void) {
  pthread_t a, b;
  prepare();
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  finish();
  return 0;
}
"""
LOST = (
    HEAD
    + """
int n, noise;
void prepare(void) { n = 0; }
void *first(void *p) {
  noise = 1;
  int seen = n;
  n = seen + 1;
  return 0;
}
void *second(void *p) { int seen = n; n = seen + 1; return 0; }
void finish(void) { assert(n == 2); }
"""
    + MAIN
)
CIRCLE = (
    HEAD
    + """
pthread_mutex_t m, k; int noise;
void prepare(void) { noise = 3; }
void inner(pthread_mutex_t *lock) { pthread_mutex_lock(lock); pthread_mutex_unlock(lock); }
void *first(void *p) { pthread_mutex_lock(&m); inner(&k); pthread_mutex_unlock(&m); return 0; }
void *second(void *p) { pthread_mutex_lock(&k); inner(&m); pthread_mutex_unlock(&k); return 0; }
void finish(void) {}
"""
    + MAIN
)
SPURIOUS = (
    HEAD
    + """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready;
void prepare(void) {}
void *first(void *p) {
  pthread_mutex_lock(&m);
  if (!ready) pthread_cond_wait(&c, &m);
  assert(ready);
  pthread_mutex_unlock(&m);
  return 0;
}
void *second(void *p) {
  pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0;
}
void finish(void) {}
"""
    + MAIN
)
FREED = (
    HEAD
    + """
struct node { int v; } *top;
void prepare(void) { top = malloc(sizeof *top); top->v = 1; }
void *first(void *p) { struct node *mine = top; return mine->v ? mine : 0; }
void *second(void *p) { free(top); return 0; }
void finish(void) {}
"""
    + MAIN
)
RACE = (
    HEAD
    + """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int n;
void prepare(void) {}
void *first(void *p) { pthread_mutex_lock(&m); n = 1; pthread_mutex_unlock(&m); return 0; }
void *second(void *p) { n = 2; return 0; }
void finish(void) {}
"""
    + MAIN
)
OVERWRITTEN = (
    HEAD
    + """
struct node { int v; } *top; int noise;
void prepare(void) {}
void *first(void *p) {
  noise = 1;
  top = malloc(sizeof *top);
  return 0;
}
void *second(void *p) { top = malloc(sizeof *top); return 0; }
void finish(void) { free(top); }
"""
    + MAIN
)
TWO_WAIT = (
    HEAD
    + """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready, noise;
void prepare(void) {}
void *first(void *p) {
  noise = 1;
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return 0;
}
void *second(void *p) { return first(p); }
void finish(void) {}
"""
    + MAIN.replace(
        "  pthread_join(a, 0);",
        "  pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c);\n"
        "  pthread_mutex_unlock(&m); pthread_join(a, 0);",
    )
)
NEVER_ALONE = FrontendOptions(spurious=Spurious.OFF)
EARLY = TWO_WAIT.replace("while (!ready) ", "").replace("return first(p)", "return 0")
STOLEN = SPURIOUS.replace(
    "void *second",
    "void *third(void *p) { pthread_mutex_lock(&m); ready = 0;\n  pthread_mutex_unlock(&m); return 0; }\nvoid *second",
).replace(
    "  pthread_join(a, 0);",
    "  pthread_t d; pthread_create(&d, 0, third, 0); pthread_join(d, 0);\n  pthread_join(a, 0);",
)
CASES = {
    "two wait": (TWO_WAIT, "no-deadlock", "waits, too (line 10), and nobody signals again."),
    "early": (EARLY, "no-deadlock", "(line 10): nobody waits yet, and the signal is lost."),
    "overwritten": (OVERWRITTEN, "valid-memsafety", " in top (line 9); T2 overwrites it with "),
    "lost": (LOST, "unreach-call", "which is lost. Neither holds a lock."),
    "circle": (CIRCLE, "no-deadlock", ": a circle."),
    "spurious": (SPURIOUS, "unreach-call", "although nobody has signalled: a spurious wake-up"),
    "freed": (FREED, "valid-memsafety", "frees top in second"),
    "race": (RACE, "no-data-race", "at the same time"),
}


@pytest.fixture(params=list(CASES))
def case(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Trace, str]:
    source, prop, _ = CASES[request.param]
    file = tmp_path / "main.c"
    file.write_text(source, encoding="utf-8")
    (answer,) = verify(str(file), [prop], engine="explicit", timeout=60)
    assert answer.trace is not None
    return request.param, answer.trace, str(file)


def test_the_story_and_what_is_left_out(case: tuple[str, Trace, str]) -> None:
    which, trace, file = case
    assert CASES[which][2] in story(trace).text
    rows, left_out = rows_of(trace)
    assert len(rows) <= len(rows_of(trace, Amount.FULL)[0])
    text = "\n".join(plain(line) for line in steps(trace, quote, 120))
    assert ("noise" in text) is False
    assert f"{left_out:,} step" in text or not left_out
    _left_out_does_not_matter(trace, file, CASES[which][1])


def _left_out_does_not_matter(trace: Trace, file: str, prop: str) -> None:
    from threadproof.core.property import parse_property

    asked = parse_property(prop)
    program = prepare([file], asked, FrontendOptions())
    check = Counterfactuals(machine_for(program, asked), asked, trace.schedule, trace.loc)
    kinds = [{event.role for event in step.events} for step in trace.steps]
    aside = [index for index, roles in enumerate(kinds) if index and roles <= {Bearing.ASIDE}]
    assert not any(check.needs(index) for index in aside if index < len(kinds) - 1)
    assert check.needs(0)  # the first step creates a thread: without it nothing happens


def test_call_stacks(tmp_path: Path) -> None:
    file = tmp_path / "main.c"
    file.write_text(CIRCLE, encoding="utf-8")
    (answer,) = verify(str(file), ["no-deadlock"], engine="explicit", timeout=60)
    assert answer.trace is not None
    told = [plain(line) for line in call_stacks(answer.trace)]
    assert any(line.startswith("  T1 is in inner (") and "called by first (" in line for line in told)


def test_a_signal_that_comes_to_nothing(tmp_path: Path) -> None:
    file = tmp_path / "main.c"
    file.write_text(STOLEN, encoding="utf-8")
    (answer,) = verify(str(file), ["unreach-call"], engine="explicit", timeout=60, frontend=NEVER_ALONE)
    assert answer.trace is not None
    text = story(answer.trace).text
    assert ", which wakes T1; before T1 goes on, T3 sets ready to 0 in third" in text


def test_a_store_that_waits_is_told_once(tmp_path: Path) -> None:
    file = tmp_path / "main.c"
    thread = "void *{0}(void *p) {{ {1} = 1; if (!{2}) {{ in++; assert(in == 1); in--; }} return 0; }}\n"
    both = thread.format("first", "x", "y") + thread.format("second", "y", "x")
    start = f"{HEAD}int x, y, in;\nvoid prepare(void) {{}}\nvoid finish(void) {{}}\n"
    file.write_text(start + both + MAIN, encoding="utf-8")
    (answer,) = verify(str(file), ["unreach-call"], engine="bmc", memory_model="tso", timeout=60)
    assert answer.trace is not None
    text = story(answer.trace).text
    assert "but this waits in its store buffer: " in text
    for read in ("reads x = 0", "reads y = 0"):
        assert text.count(read) <= 1


def test_nothing_is_told_of_the_library_s_own_variables(tmp_path: Path) -> None:
    file = tmp_path / "main.c"
    body = "jmp_buf l; if (!setjmp(l)) { int seen = x; x = seen + 1; longjmp(l, 7); } return 0;"
    file.write_text(
        f"#include <setjmp.h>\n{HEAD}int x;\nvoid prepare(void) {{}}\nvoid *first(void *p) {{ {body} }}\n"
        f"void *second(void *p) {{ return first(p); }}\nvoid finish(void) {{ assert(x == 2); }}\n{MAIN}",
        encoding="utf-8",
    )
    (answer,) = verify(str(file), ["unreach-call"], engine="explicit", timeout=60)
    assert answer.trace is not None
    told = [story(answer.trace).text, *(event.text for step in answer.trace.steps for event in step.events)]
    assert "which is lost" in told[0]
    hidden = ("<frame>", "calls", "innermost", "target", "jmpbuf")
    assert not [text for text in told for word in hidden if word in text]
    assert {step.function for step in answer.trace.steps} <= {"main", "first", "second", "finish", "prepare", ""}


def test_how_rare_it_is() -> None:
    from threadproof.engines.random.rarity import in_words

    assert (
        in_words(0, 3_000_000) == "None of 3,000,000 random runs shows it, so it is rarer than 1 in 1,000,000 (95 %)."
    )
    assert in_words(10, 42_000).startswith("About 1 random run in 4,200 shows it (95 %: 1 in 2,280 to 1 in 7,730;")
    assert in_words(5, 5) == "Every one of 5 random runs shows it."
    assert in_words(5, 5, 3).endswith("shows it. 3 other runs came to no end, and do not count.")
    assert in_words(0, 0, 7) == ""
