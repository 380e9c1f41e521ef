"""What belongs to one letter because others cannot tell, by hand. That claims of both movers hold in walks of the
machine: tests/differential/test_automaton.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.automaton import LetterSize, StepMover, for_letters, program_automaton
from threadproof.automaton.letters import is_join
from threadproof.core.property import Property
from threadproof.frontend import FrontendOptions, load
from threadproof.ir.instr import Assume, Halt
from threadproof.ir.program import Program
from threadproof.passes.pipeline import normalise

HEAD = """#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void); extern void abort(void); extern void reach_error(void);
int n, sum, flag, *a; pthread_t s, t; pthread_mutex_t m; pthread_key_t k; pthread_attr_t at;
"""


def read(folder: Path, text: str) -> Program:
    path = folder / "main.c"
    path.write_text(HEAD + text, encoding="utf-8")
    return normalise(load([str(path)], FrontendOptions()))


def letters(folder: Path, text: str, size: LetterSize = LetterSize.LARGE) -> dict[str, int]:
    automaton = program_automaton(read(folder, text), size=size)
    return {name: len(thread.letters) for name, thread in automaton.templates.items()}


TWO = """
void *one(void *p) { for (int i = 0; i < n; i++) sum = sum + n; return 0; }
void *two(void *p) { flag = n; return 0; }
int main(void) {
  n = __VERIFIER_nondet_int(); sum = 0;
  pthread_create(&s, 0, one, 0); %s pthread_create(&t, 0, two, 0);
  pthread_join(s, 0); pthread_join(t, 0);
  return sum + flag;
}
"""


def test_what_nobody_conflicts_with(tmp_path: Path) -> None:
    """`one`: to the loop, a round, the end. `main`: up to the creations, and the rest. Before, each access was one."""
    assert letters(tmp_path, TWO % "") == {"main": 2, "one": 3, "two": 1}
    assert letters(tmp_path, TWO % "", LetterSize.SMALL) == {"main": 9, "one": 7, "two": 3}


@pytest.mark.parametrize(
    ("between", "parallel"),
    [
        ("n = 3;", True),  # the first thread is there already
        ("sum = 3;", True),
        ("pthread_join(s, 0); sum = 3; n = 4;", False),
        ("if (n) pthread_join(s, 0); sum = 3;", True),
        ("s = (pthread_t)0; pthread_join(s, 0); sum = 3;", True),  # whose handle is it?
        ("pthread_join(pthread_self(), 0); sum = 3;", True),
        ("for (int i = 0; i < n; i++) pthread_create(&s, 0, one, 0);", True),
        ("pthread_create(&s, 0, one, 0); pthread_join(s, 0); sum = 3;", True),  # the other one is not joined
    ],
)
def test_who_may_be_running(tmp_path: Path, between: str, parallel: bool) -> None:
    assert (letters(tmp_path, TWO % between)["one"] > 3) is parallel


ENDS = """
void *one(void *p) { flag = 1; return 0; }
int main(void) { pthread_create(&s, 0, one, 0); flag = 2; %s return 0; }
"""


@pytest.mark.parametrize(
    ("asks", "unseen"),
    [
        ("pthread_join(s, 0);", True),
        ("pthread_detach(s);", False),
        ("pthread_cancel(s);", False),
        ("pthread_key_create(&k, 0);", False),
    ],
)
def test_the_end_of_a_thread(tmp_path: Path, asks: str, unseen: bool) -> None:
    assert (letters(tmp_path, ENDS % asks)["one"] == 1) is unseen


def test_what_was_only_read_may_be_followed_by_an_end(tmp_path: Path) -> None:
    text = """
    void *one(void *p) { if (flag) reach_error(); return 0; }
    int main(void) { pthread_create(&s, 0, one, 0); flag = 1; return 0; }
    """
    assert letters(tmp_path, text)["one"] == 2


def test_handles_that_others_see_are_noticed(tmp_path: Path) -> None:
    text = """
    void *one(void *p) { return (void *)t; }
    int main(void) { pthread_create(&s, 0, one, 0); pthread_create(&t, 0, one, 0); return 0; }
    """
    steps = [step for letter in program_automaton(read(tmp_path, text)).letters for step in letter.steps]
    assert [step.mover for step in steps if step.enters] == [StepMover.LEFT, StepMover.NONE]


def test_aborting_is_assumed_away(tmp_path: Path) -> None:
    text = "void assume(int c) { if (!c) { abort(); } } int main(void) { assume(n > 0); if (n < 5) exit(0); return 0; }"
    program = for_letters(read(tmp_path, text), Property.UNREACH_CALL)
    reached = [step.instr for letter in program_automaton(program).letters for step in letter.steps]
    assert sum(isinstance(instr, Halt) for instr in reached) == 1
    assert any(isinstance(instr, Assume) for instr in reached)


def test_which_thread_is_joined(tmp_path: Path) -> None:
    """Unless it is one of several, or something else may be in the variable."""

    def joined(text: str) -> list[str]:
        steps = [step for letter in program_automaton(read(tmp_path, text)).letters for step in letter.steps]
        return list({step.site: step.joined for step in steps if is_join(step.instr)}.values())

    assert joined(TWO % "") == ["one", "two"]
    assert joined(TWO % "pthread_create(&s, 0, one, 0);") == ["", "two"]
    assert joined(TWO % "if (n) s = t;") == ["", "two"]
    assert joined(TWO.replace("flag = n;", "s = 0;") % "") == ["", "two"]
