"""Memory in parts: scalars, arrays, tables, summaries, and which accesses may or must be the same."""

from __future__ import annotations

import pytest

from threadproof.analysis.memory.partition import Between, Instances, MemoryAccess, Part, Partition, Shape
from threadproof.analysis.memory.partition_text import listing, nodes, to_dot
from threadproof.analysis.points_to import PointsTo, analyse
from threadproof.frontend import FrontendOptions, load
from threadproof.passes.pipeline import normalise
from threadproof.report.partition_svg import draw_partition

SOURCE = """
#include <pthread.h>
#include <stdlib.h>
struct pair { int left, right; };
int x, a[8], mixed;
const int table[4] = {1, 2, 3, 4};
_Thread_local int own;
struct pair pairs[4];
struct node { struct node *next; int value; } *list;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *work(void *arg) {
    long i = (long)arg;
    pthread_mutex_lock(&lock);
    x = table[i & 3];
    pthread_mutex_unlock(&lock);
    a[i] = x;
    pairs[i].left = 1;
    pairs[i].right = 2;
    *(char *)&mixed = 1;
    own = mixed;
    struct node *one = malloc(sizeof *one);
    one->next = list;
    one->value = own;
    list = one;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work((void *)1);
    x = 2;
    a[0] = 1;
    return pthread_join(t, 0);
}
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Partition, PointsTo]:
    file = tmp_path_factory.mktemp("partition") / "main.c"
    file.write_text(SOURCE, encoding="utf-8")
    program = normalise(load([str(file)], FrontendOptions()))
    points_to = analyse(program)
    return Partition(program, points_to), points_to


def parts(found: tuple[Partition, PointsTo], name: str) -> list[Part]:
    return sorted((part for part in found[0].parts if part.root.name == name), key=lambda part: part.at.start)


def accesses(found: tuple[Partition, PointsTo], name: str, function: str) -> list[MemoryAccess]:
    return [
        access
        for site, made in found[0].accesses.items()
        for access in made
        if site.function == function and any(place.root.name == name for place in access.places)
    ]


def test_shapes(found: tuple[Partition, PointsTo]) -> None:
    shapes = {name: [part.shape for part in parts(found, name)] for name in ("x", "a", "mixed", "table", "pairs")}
    assert shapes == {
        "x": [Shape.SCALAR],
        "a": [Shape.ARRAY],
        "mixed": [Shape.BYTES],
        "table": [Shape.ARRAY],
        "pairs": [Shape.ARRAY, Shape.ARRAY],
    }
    assert [(part.at.stride, part.size) for part in parts(found, "pairs")] == [(8, 4), (8, 4)]
    assert [part.shape for part in parts(found, "lock")] == [Shape.SYNC]
    assert [part.written for part in (*parts(found, "table"), *parts(found, "x"))] == [False, True]


def test_instances(found: tuple[Partition, PointsTo]) -> None:
    assert [part.instances for part in parts(found, "x")] == [Instances.ONE]
    assert [part.instances for part in parts(found, "own")] == [Instances.PER_THREAD]
    heap = {part.instances for part in found[0].parts if part.root.kind.value == "heap"}
    assert heap == {Instances.MANY}


def test_aliases(found: tuple[Partition, PointsTo]) -> None:
    partition = found[0]
    [mine, *_], [main] = accesses(found, "x", "work"), accesses(found, "x", "main")
    assert partition.may_alias(mine, main)
    assert partition.must_alias(mine, main)
    [element], [first] = accesses(found, "a", "work"), accesses(found, "a", "main")
    assert partition.may_alias(element, first)
    assert not partition.must_alias(element, first)
    left, right = accesses(found, "pairs", "work")
    assert not partition.may_alias(left, right)
    own = accesses(found, "own", "work")
    assert partition.must_alias(own[0], own[1], Between.ONE_THREAD)
    assert not partition.must_alias(own[0], own[1])


def test_as_a_graph(found: tuple[Partition, PointsTo]) -> None:
    shown = nodes(*found)
    text = listing(shown)
    assert "at 0, every 4: read-only array of 4 bytes, read by work" in text
    assert "at 0: scalar of 4 bytes, written by work, main; read by work" in text
    [pointer] = [node for node in shown if node.name == "list"]
    [block] = [node for node in shown if node.kind.startswith("heap")]
    assert pointer.targets == (block.name,)
    assert block.name in block.targets
    assert to_dot(shown).startswith("digraph memory {")


def test_as_a_drawing(found: tuple[Partition, PointsTo]) -> None:
    shown = nodes(*found)
    drawn = draw_partition(shown)
    assert drawn.startswith("<svg ")
    assert drawn.count('class="box"') == len(shown)
    assert drawn.count('class="edge') == sum(len(node.targets) for node in shown)
