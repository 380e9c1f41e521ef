"""Which threads have to move first, as the engine finds them: a kind of edge that is forgotten lets too few."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from threadproof.abstraction.dead_ends import DeadEnds
from threadproof.abstraction.goals import ThreadGoal
from threadproof.abstraction.membranes import Membranes
from threadproof.abstraction.thread_product import ThreadProduct
from threadproof.automaton import Instance, Places, for_letters, program_automaton
from threadproof.core.property import Property
from threadproof.encoding.transitions.all_letters import AllLetters, LetterKey
from threadproof.frontend import FrontendOptions
from threadproof.independence.pairs import InstanceLetter, SwapGoal
from threadproof.independence.swaps import OF_REACHABLE, Swaps
from threadproof.portfolio.prepare import prepare
from threadproof.smt.context import Context

PROP = Property.UNREACH_CALL
HEAD = "#include <pthread.h>\nextern void reach_error(void);\nint x, y;\n"
ENDS = """
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  if (x + y == 9) reach_error();
  return 0;
}
"""
APART = "void *f(void *p) { x = 1; return 0; } void *g(void *p) { y = 1; return 0; }" + ENDS
SHARED = "void *f(void *p) { x = 1; return 0; } void *g(void *p) { x = 2; y = 1; return 0; }" + ENDS
ERROR = (
    "void *f(void *p) { y = 1; return 0; }"
    "void *g(void *p) { int was = x; x = was + 1; if (was == 7) reach_error(); return 0; }" + ENDS
)
JOINED = """
void *f(void *p) { y = 1; return 0; } void *g(void *p) { x = 1; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);
  pthread_join(a, 0);
  y = x;
  pthread_join(b, 0);
  if (x + y == 9) reach_error();
  return 0;
}
"""
STARTED = """
void *g(void *p) { x = 1; return 0; }
void *f(void *p) { pthread_t b; pthread_create(&b, 0, g, 0); return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, f, 0);
  y = x;
  pthread_join(a, 0);
  if (y) reach_error();
  return 0;
}
"""
MAIN, F, G = (Instance(name, 0) for name in ("main", "f", "g"))


class Setting:
    def __init__(self, text: str, folder: Path) -> None:
        file = folder / "main.c"
        file.write_text(HEAD + text, encoding="utf-8")
        program = for_letters(prepare([str(file)], PROP, FrontendOptions()), PROP)
        automaton = program_automaton(program)
        most = dict.fromkeys(automaton.templates, 1)
        self.product = ThreadProduct(program, automaton, PROP, most)
        self.letters = AllLetters(self.product.encoder, most)
        self.goal = ThreadGoal(self.product, self.letters, None)
        about = SwapGoal(None, self.product.forbids)
        self.swaps = Swaps(self.product.encoder, Context(self.product.terms), goal=about, without=OF_REACHABLE)

    @property
    def membranes(self) -> Membranes:
        return Membranes(self.product, self.letters, self.goal, self.swaps)

    def begun(self) -> Places:
        """Main has made its first letter."""
        return self.product.actions(self.product.automaton.initial())[0].target

    def first(self, *threads: Instance) -> tuple[Instance, ...]:
        found = self.membranes.preferred(self.begun(), threads)
        return found.threads if found is not None else ()


@pytest.fixture
def setting(tmp_path: Path) -> Callable[[str], Setting]:
    return lambda text: Setting(text, tmp_path)


def test_threads_that_have_nothing_in_common(setting: Callable[[str], Setting]) -> None:
    assert setting(APART).first(F, G) == (F,)
    assert setting(APART).first(G, F) == (G,)
    assert setting(SHARED).first(F, G) == ()


def test_a_thread_that_goes_wrong_by_itself_is_inside(
    setting: Callable[[str], Setting], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = setting(ERROR)
    assert program.first(F, G) == ()
    assert program.first(G, F) == (G,)
    monkeypatch.setattr(ThreadGoal, "may_go_wrong", lambda *given: False)
    assert program.first(F, G) == (F,)


def test_who_joins_another_thread_is_inside(setting: Callable[[str], Setting], monkeypatch: pytest.MonkeyPatch) -> None:
    """Main waits for f, and reads then what g writes."""
    program = setting(JOINED)
    assert program.first(G, F) == ()
    assert program.first(F, G) == (F,)  # main waits for it

    def joins_nobody(self: AllLetters, threads: object, possible: object) -> list[LetterKey]:
        [standing] = threads  # type: ignore[misc]
        return self.at(*standing) if standing[0] != MAIN else []

    monkeypatch.setattr(AllLetters, "ahead", joins_nobody)
    assert program.first(G, F) == (G,)


def test_threads_that_are_yet_to_be_started_count(
    setting: Callable[[str], Setting], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = setting(STARTED)
    assert program.first(MAIN, F) == ()
    monkeypatch.setattr(AllLetters, "_following", lambda self, key: [(key[0], self.letters[key].target)])
    assert program.first(MAIN, F) == (MAIN,)


def test_several_threads_sleep_for_ever(setting: Callable[[str], Setting]) -> None:
    """Each would wake the other, if it moved."""
    three = """
void *f(void *p) { x = 1; return 0; } void *g(void *p) { x = 2; return 0; } void *h(void *p) { y = 1; return 0; }
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); pthread_create(&c, 0, h, 0);
  pthread_join(a, 0); pthread_join(b, 0); pthread_join(c, 0);
  if (x + y == 9) reach_error();
  return 0;
}
"""
    program = setting(three)
    places = program.begun()
    asleep = [
        InstanceLetter(one.instance, one.letter) for one in program.product.actions(places) if one.instance in (F, G)
    ]
    dead_ends = DeadEnds(program.membranes)
    found = dead_ends.at(places, asleep, program.product.known(places))
    assert found is not None
    assert set(found.threads) == {F, G}
    assert dead_ends.at(places, asleep[:1], program.product.known(places)) is None
