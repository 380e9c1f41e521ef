"""How many threads of each template there may be."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.automaton import program_automaton
from threadproof.automaton.bounds import MANY, instance_bounds
from threadproof.core.property import Property
from threadproof.frontend import FrontendOptions
from threadproof.portfolio.prepare import prepare

START = "pthread_create(&t, 0, {}, 0);"
SOURCE = """
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
pthread_t t;
int x;
void *f(void *p);
void *g(void *p) { x++; IN_G return 0; }
void *f(void *p) { x++; IN_F return 0; }
int main(void) { IN_MAIN return 0; }
"""
F, G = START.format("f"), START.format("g")
MAYBE_G = f"if (__VERIFIER_nondet_bool()) {{ {G} }}"


@pytest.mark.parametrize(
    ("in_main", "in_f", "in_g", "expected"),
    [
        (F, "", "", {"f": 1}),
        (F + F + G, "", "", {"f": 2, "g": 1}),
        (F + F, G + G, "", {"f": 2, "g": 4}),
        (f"if (x) {{ {F} }} else {{ {F} {F} }}", MAYBE_G, "", {"f": 2, "g": 2}),
        (f"while (x) {{ {F} }}", G, "", {"f": MANY, "g": MANY}),
        (F, f"if (x) {{ {F} }}", "", {"f": MANY}),  # its like
        (F, G, f"if (x) {{ {F} }}", {"f": MANY, "g": MANY}),  # in a circle
        (F + G, f"if (x) {{ {F} }}", "", {"f": MANY, "g": 1}),
        (F, f"if (x) {{ {F} }} {G}", "", {"f": MANY, "g": MANY}),  # behind a circle
    ],
)
def test_bounds(tmp_path: Path, in_main: str, in_f: str, in_g: str, expected: dict[str, int]) -> None:
    file = tmp_path / "main.c"
    text = SOURCE.replace("IN_MAIN", in_main).replace("IN_F", in_f).replace("IN_G", in_g)
    file.write_text(text, encoding="utf-8")
    program = prepare([str(file)], Property.UNREACH_CALL, FrontendOptions())
    assert instance_bounds(program_automaton(program)) == {"main": 1, **expected}
