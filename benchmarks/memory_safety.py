"""States per second of the native explicit search: `valid-memsafety` beside `unreach-call` (goal: at least a third).

python benchmarks/memory_safety.py [--states 300000]

Five programs that allocate; both properties hold. Both searches get the same form of the program, so that what differs
is the look for lost memory. Times are of the processor; machines are compiled without optimisation, as the engine does
at first.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from threadproof.analysis.footprints.futures import futures
from threadproof.codegen.runs.build import CompilerEffort
from threadproof.codegen.runs.native import NativeMachine
from threadproof.core.property import Property
from threadproof.engines.explicit.native import question
from threadproof.engines.explicit.search import NativeSearch, SearchEnd
from threadproof.frontend import FrontendOptions, load
from threadproof.ir.program import Program
from threadproof.passes.pipeline import instruction_form

HEAD = """#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int turn, done;
static void *get(unsigned long size) { void *p = malloc(size); if (!p) exit(1); return p; }
"""
LIST = """
struct node { int key; struct node *next; } *head;
static void insert(int key) {
    struct node *n = get(sizeof *n), **at = &head;
    n->key = key;
    pthread_mutex_lock(&m);
    while (*at && (*at)->key < key) at = &(*at)->next;
    n->next = *at; *at = n;
    pthread_mutex_unlock(&m);
}
static void clear(void) { while (head) { struct node *n = head; head = n->next; free(n); } }
void *one(void *p) { for (int i = 0; i < 7; i++) insert(2 * i); return 0; }
void *two(void *p) { for (int i = 0; i < 7; i++) insert(2 * i + 1); return 0; }
"""
QUEUE = """
struct item { int value; struct item *next; } *first, **last = &first;
int sum;
static void put(int value) {
    struct item *i = get(sizeof *i);
    i->value = value; i->next = 0;
    pthread_mutex_lock(&m); *last = i; last = &i->next; pthread_mutex_unlock(&m);
}
static int take(void) {
    pthread_mutex_lock(&m);
    struct item *i = first;
    if (i && !(first = i->next)) last = &first;
    pthread_mutex_unlock(&m);
    if (!i) return 0;
    int v = i->value;
    free(i);
    return v;
}
static void clear(void) { while (first) take(); }
void *one(void *p) { for (int i = 0; i < 12; i++) put(i + 1); return 0; }
void *two(void *p) { for (int i = 0; i < 12; i++) sum += take(); return 0; }
"""
TREE = """
struct tree { int key; struct tree *left, *right; } *root;
static void insert(int key) {
    struct tree *t = get(sizeof *t), **at = &root;
    t->key = key; t->left = t->right = 0;
    pthread_mutex_lock(&m);
    while (*at) at = key < (*at)->key ? &(*at)->left : &(*at)->right;
    *at = t;
    pthread_mutex_unlock(&m);
}
static void clear_tree(struct tree *t) { if (t) { clear_tree(t->left); clear_tree(t->right); free(t); } }
static void clear(void) { clear_tree(root); root = 0; }
void *one(void *p) { insert(4); insert(2); insert(6); insert(10); insert(8); return 0; }
void *two(void *p) { insert(5); insert(3); insert(1); insert(9); insert(7); return 0; }
"""
STACK = """
struct node { int value; struct node *below; } *top;
static void push(int value) {
    struct node *n = get(sizeof *n);
    n->value = value;
    pthread_mutex_lock(&m); n->below = top; top = n; pthread_mutex_unlock(&m);
}
static int pop(void) {
    pthread_mutex_lock(&m);
    struct node *n = top;
    if (n) top = n->below;
    pthread_mutex_unlock(&m);
    free(n);
    return n != 0;
}
static void clear(void) { while (pop()) ; }
void *one(void *p) { for (int i = 0; i < 12; i++) push(i); return 0; }
void *two(void *p) { for (int i = 0; i < 12; i++) done += pop(); return 0; }
"""
TABLE = """
struct entry { int key, value; struct entry *next; } *bucket[4];
pthread_mutex_t lock[4] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                            PTHREAD_MUTEX_INITIALIZER };
static void store(int key, int value) {
    int b = key % 4;
    pthread_mutex_lock(&lock[b]);
    struct entry *e = bucket[b];
    while (e && e->key != key) e = e->next;
    if (!e) { e = get(sizeof *e); e->key = key; e->next = bucket[b]; bucket[b] = e; }
    e->value = value;
    pthread_mutex_unlock(&lock[b]);
}
static void clear(void) {
    for (int b = 0; b < 4; b++) while (bucket[b]) { struct entry *e = bucket[b]; bucket[b] = e->next; free(e); }
}
void *one(void *p) { for (int i = 0; i < 8; i++) store(i, 1); return 0; }
void *two(void *p) { for (int i = 4; i < 12; i++) store(i, 2); return 0; }
"""
TAIL = """
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    clear();
    return 0;
}
"""
PROGRAMS = {"linked list": LIST, "queue": QUEUE, "tree": TREE, "stack, freed by another": STACK, "hash table": TABLE}


def program(text: str) -> Program:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "main.c"
        path.write_text(HEAD + text + TAIL, encoding="utf-8")
        return instruction_form(load([str(path)], FrontendOptions()))


def searched(found: Program, prop: Property, most: int) -> tuple[NativeSearch, SearchEnd, float]:
    """A search by a machine that is large enough, and the seconds it took."""
    machine: NativeMachine | None = NativeMachine(found, effort=CompilerEffort.NONE)
    known = futures(found)
    while machine is not None:
        search = NativeSearch(machine, question(found, prop), known=known)
        began = time.process_time()
        end = search.run(most)
        spent = time.process_time() - began
        if end is not SearchEnd.SHORT:
            return search, end, spent
        machine = machine.grown(search.short_of)
        search.close()
    raise SystemExit("a program needs more room than there is")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=300_000, help="most states of one search")
    most: int = parser.parse_args().states
    for name, text in PROGRAMS.items():
        found, speeds = program(text), []
        for prop in (Property.UNREACH_CALL, Property.VALID_MEMSAFETY):
            search, end, spent = searched(found, prop, most)
            speeds.append(search.states / spent)
            print(
                f"{name:24} {prop.value:16} {search.states:9,} states {spent:6.2f} s {speeds[-1]:9,.0f} states/s",
                end="",
            )
            print(f"  {end.name.lower()}")
            search.close()
        print(f"{name:24} ratio {speeds[1] / speeds[0]:.2f}")


if __name__ == "__main__":
    main()
