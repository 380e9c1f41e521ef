"""Static dependence: what is told apart, and under which condition."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.analysis.footprints.dependence import Dependence, StaticDependence
from threadproof.analysis.points_to import Method, analyse
from threadproof.frontend import FrontendOptions, load
from threadproof.ir.instr import Instr, Load, Rmw, Store, Sync
from threadproof.ir.program import Program
from threadproof.passes.pipeline import normalise

HEAD = "#include <pthread.h>\n#include <semaphore.h>\n"
MAIN = """
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, f, (void *)1);
    pthread_create(&u, 0, g, (void *)2);
    return 0;
}
"""


def program(folder: Path, declarations: str, f: str, g: str) -> Program:
    routines = f"void *f(void *arg) {{ {f} return 0; }}\nvoid *g(void *arg) {{ {g} return 0; }}\n"
    source = folder / "main.c"
    source.write_text(HEAD + declarations + "\n" + routines + MAIN, encoding="utf-8")
    return normalise(load([str(source)], FrontendOptions()))


def shared(program: Program, function: str) -> Instr:
    """The last instruction there that touches memory."""
    instrs = [i for block in program.functions[function].blocks for i in block.instrs]
    return [i for i in instrs if isinstance(i, Load | Store | Rmw | Sync)][-1]


def between(program: Program, method: Method = Method.ANDERSEN) -> Dependence:
    static = StaticDependence(program, analyse(program, method))
    return static.between("f", shared(program, "f"), "g", shared(program, "g"))


@pytest.mark.parametrize(
    ("declarations", "f", "g", "said"),
    [
        ("int x, y;", "x = 1;", "y = 1;", "independent"),
        ("int x;", "x = 1;", "x = 2;", "dependent"),
        ("int x, a, b;", "(void)*(volatile int *)&x;", "(void)*(volatile int *)&x;", "independent"),
        ("struct { int a, b; } s;", "s.a = 1;", "s.b = 1;", "independent"),
        ("pthread_mutex_t m, n;", "pthread_mutex_lock(&m);", "pthread_mutex_lock(&n);", "independent"),
        ("pthread_mutex_t m;", "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);", "dependent"),
        ("sem_t s;", "sem_post(&s);", "sem_wait(&s);", "dependent"),
    ],
)
def test_told_apart(tmp_path: Path, declarations: str, f: str, g: str, said: str) -> None:
    assert str(between(program(tmp_path, declarations, f, g))) == said


def test_indices_are_compared(tmp_path: Path) -> None:
    found = between(program(tmp_path, "int v[8];", "v[(int)(long)arg] = 1;", "v[(int)(long)arg] = 2;"))
    assert len(found.unless) == 1
    assert found.unless[0].indices is not None
    assert " != " in str(found)
    assert found.unless[0].holds(1000, 1004)
    assert not found.unless[0].holds(1000, 1002)


def test_fields_of_elements_never_meet(tmp_path: Path) -> None:
    declarations = "struct { int a, b; } v[8];"
    assert between(program(tmp_path, declarations, "v[(long)arg].a = 1;", "v[(long)arg].b = 2;")).never


def test_pointers_give_a_condition_on_addresses(tmp_path: Path) -> None:
    declarations = "int x, y; int *p = &x, *q = &y; int *volatile *volatile which = &p;"
    found = between(
        program(tmp_path, declarations, "int *r = *which; *r = 1;", "int *r = q; *r = 2;"), Method.STEENSGAARD
    )
    assert not found.always
    assert all(apart.indices is None for apart in found.unless)
