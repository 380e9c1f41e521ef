"""Lists that hang on elements of an array, each with a lock of its own: what is proved, and what must not be."""

from __future__ import annotations

from pathlib import Path

import pytest

from threadproof.core.budget import Budget
from threadproof.core.observer import Silent
from threadproof.core.property import Property
from threadproof.core.result import Result, Safe, Unknown, Unsafe
from threadproof.engines import explicit, races
from threadproof.engines.task import Task
from threadproof.frontend import FrontendOptions
from threadproof.ir.program import Program
from threadproof.portfolio import prepare

HEAD = """
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
pthread_mutex_t m[2];
struct node { int value; struct node *next; } *list[2], spare;
pthread_t t;
struct node *new(void) { struct node *n = malloc(sizeof *n); n->value = 0; n->next = 0; return n; }
void add(struct node *n, struct node *to) { n->next = to->next; to->next = n; }
int drawn(void) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 1) abort(); return i; }
"""
MAIN = """
int main(void) {
    for (int i = 0; i < 2; i++) { pthread_mutex_init(&m[i], 0); list[i] = new(); add(new(), list[i]); }
    SETTING
    pthread_create(&t, 0, work, 0);
    work(0);
    return 0;
}
"""
COUNTING = """
void *work(void *unused) {
    int i = drawn();
    pthread_mutex_lock(&m[i]);
    for (struct node *n = list[i]; n; n = n->next) n->value++;
    pthread_mutex_unlock(&m[i]);
    return 0;
}
"""
ADDING = COUNTING.replace("for (", "add(new(), list[i]); for (")
CIRCLE = """
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct link { struct link *next; int mark; };
struct node { int value; struct link link; };
struct { struct link head[3]; } c;
pthread_mutex_t m[3];
#define NODE(p) ((struct node *)((char *)(p) - __builtin_offsetof(struct node, link)))
pthread_t t;
void *work(void *unused) {
    int i = __VERIFIER_nondet_int();
    if (i < 1 || i > 2) abort();
    pthread_mutex_lock(&m[i]);
    c.head[i].mark++;
    struct node *n = NODE(c.head[i].next);
    while (GOES_ON) { n->value++; n = NODE(n->link.next); }
    pthread_mutex_unlock(&m[i]);
    return 0;
}
int main(void) {
    for (int i = 1; i < 3; i++) {
        pthread_mutex_init(&m[i], 0);
        struct node *n = malloc(sizeof *n);
        n->value = 0; n->link.next = &c.head[i]; c.head[i].next = &n->link;
    }
    pthread_create(&t, 0, work, 0);
    work(0);
    return 0;
}
"""
PROVED = {
    "a lock for each list": HEAD + COUNTING + MAIN.replace("SETTING", ""),
    "blocks are added": HEAD + ADDING + MAIN.replace("SETTING", ""),
    "a list that leads back to its head": CIRCLE.replace("GOES_ON", "&n->link != &c.head[i]"),
}
RACY = {
    "one block in two lists": HEAD + COUNTING + MAIN.replace("SETTING", "list[1]->next = list[0]->next;"),
    "lists are joined": HEAD + COUNTING + MAIN.replace("SETTING", "list[0]->next->next = list[1];"),
    "lists lead to each other through another object": HEAD
    + COUNTING
    + MAIN.replace("SETTING", "spare.next = list[0]->next; list[1]->next->next = &spare;"),
    "a block's links are copied": HEAD
    + COUNTING
    + MAIN.replace("SETTING", "struct node *n = new(); *n = *list[1]; n->next = list[1]->next; list[0]->next = n;"),
    "a link is copied as bytes": HEAD
    + COUNTING
    + MAIN.replace("SETTING", "__builtin_memcpy(&list[1]->next, &list[0]->next, sizeof(void *));"),
    "one block is linked in two rounds of a loop": HEAD
    + COUNTING
    + MAIN.replace("SETTING", "struct node *n = new(); for (int i = 0; i < 2; i++) list[i]->next = n;"),
    "blocks lead to each other before they are linked": HEAD
    + COUNTING
    + MAIN.replace("SETTING", "struct node *a = new(), *b = new(); a->next = b; list[0]->next = a; list[1]->next = b;"),
    "elements are stored through another pointer": HEAD
    + COUNTING
    + "struct node **heads = list;"
    + MAIN.replace("SETTING", "heads[0] = heads[1];"),
    "a block is moved to the next list": HEAD
    + COUNTING
    + """
void *move(void *unused) {
    pthread_mutex_lock(&m[0]); struct node *n = list[0]->next; list[0]->next = 0; pthread_mutex_unlock(&m[0]);
    if (n) { pthread_mutex_lock(&m[1]); list[1]->next = n; pthread_mutex_unlock(&m[1]); n->value = 1; }
    return 0;
}
"""
    + MAIN.replace("SETTING", "").replace("work, 0", "move, 0"),
    "the lock of another list": HEAD
    + COUNTING.replace("&m[i]", "&m[other]").replace("drawn();", "drawn(), other = drawn();")
    + MAIN.replace("SETTING", ""),
    "the index changes behind the lock": HEAD
    + COUNTING.replace("for (", "int was = i; i = drawn(); for (").replace("unlock(&m[i])", "unlock(&m[was])")
    + MAIN.replace("SETTING", ""),
    "accessed after the lock": HEAD
    + COUNTING.replace("return 0", "list[i]->next->value++; return 0")
    + MAIN.replace("SETTING", ""),
    "the end of the list is not noticed": CIRCLE.replace("GOES_ON", "n->value < 2"),
    "the wrong end of the list": CIRCLE.replace("GOES_ON", "&n->link != &c.head[3 - i] && n->value < 2"),
}


def program(tmp_path: Path, text: str) -> Program:
    source = tmp_path / "main.c"
    source.write_text(text, encoding="utf-8")
    return prepare([str(source)], Property.NO_DATA_RACE, FrontendOptions())


def proved(found: Program) -> Result:
    return races.prove(Task(found, Property.NO_DATA_RACE), Budget(900), Silent()).result


@pytest.mark.parametrize("name", PROVED)
def test_is_proved(name: str, tmp_path: Path) -> None:
    found = program(tmp_path, PROVED[name])
    result = proved(found)
    assert isinstance(result, Safe), result
    search = explicit.check(Task(found, Property.NO_DATA_RACE), Budget(2), Silent())
    assert not isinstance(search, Unsafe)


@pytest.mark.parametrize("name", RACY)
def test_is_not_proved(name: str, tmp_path: Path) -> None:
    found = program(tmp_path, RACY[name])
    assert isinstance(proved(found), Unknown)
    search = explicit.check(Task(found, Property.NO_DATA_RACE), Budget(900), Silent())
    assert isinstance(search, Unsafe), f"not racy after all: {search}"
