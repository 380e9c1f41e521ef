"""Random programs whose threads share an array part by part, or lists with locks of their own; often one thing
is a little wrong: another lock, counter, step, element or end, or a block that is linked twice."""

from __future__ import annotations

from random import Random

HEAD = """#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
pthread_mutex_t m[2], o = PTHREAD_MUTEX_INITIALIZER;
pthread_t h;
"""
WRONG = 0.12
"""How often a choice is another one than the usual."""


class _Choice:
    def __init__(self, seed: str) -> None:
        self.rng = Random(seed)

    def usual(self, usual: str, *others: str) -> str:
        return self.rng.choice(others) if self.rng.random() < WRONG else usual

    def of(self, *equal: str) -> str:
        return self.rng.choice(equal)


def drawn_program(seed: int) -> str:
    """Numbers that are drawn from a counter below a limit, and what they are the index of."""
    choice = _Choice(f"drawn {seed}")
    step = choice.of("1", "2", "2")
    kinds = choice.rng.choice((1, 1, 2))
    text = HEAD + "int next, other, len, d[24];\n"
    text += "".join(f"void *t{n}(void *a) {{\n{_draw(choice, step)}return 0;\n}}\n" for n in range(kinds))
    text += "int main(void) {\npthread_mutex_init(&m[0], 0);\n" + choice.usual("", "next = 2;\n", "next = 1;\n")
    text += f"len = {choice.of('6', '8')};\n" + choice.usual("__VERIFIER_assume(len < 9);\n", "")
    text += "".join(f"pthread_create(&h, 0, t{n % kinds}, 0);\n" for n in range(2))
    return text + choice.usual("", "next = 0;\n", "t0(0);\n", "len = 4;\n", "d[0] = 1;\n") + "return 0;\n}\n"


def _draw(choice: _Choice, step: str) -> str:
    counter, added = choice.usual("next", "other"), choice.usual(step, "1", "2", "3")
    lock = choice.usual("&m[0]", "&o")
    test = choice.of(f"{counter} + {step} <= {choice.usual('len', '8')}", f"{counter} < {choice.usual('7', 'len')}")
    first = choice.usual(counter, f"{counter} + 1", "other")
    early = choice.rng.random() < WRONG
    read = f"i = {first}; {counter} = {counter} + {added};"
    taken, given = f"pthread_mutex_lock({lock});\n", f"pthread_mutex_unlock({lock});\n"
    text = f"int n = {counter};\n" if early else ""
    inner = f"i = n; {counter} = n + {added};" if early else read
    text += f"int i = -1;\n{taken}if ({test}) {{ {inner} }}\n" + choice.usual(given, f"d[0]++;\n{given}")
    end, begin = choice.usual(f"i + {step}", "i + 2", "i + 3", "8"), choice.usual("i", "i + 1", "i - 1")
    factor = choice.usual("j", "j + 1", "j / 2", "j * 2", "j & 3")
    loop = f"for (int j = {begin}; j < {end}; j++) d[{factor}] = 1;"
    single = f"d[{choice.usual('i', 'i + 1', 'i * 2', 'i / 2')}] = 1;"
    return text + f"if (i < 0) return 0;\n{choice.of(loop, single)}\n" + choice.usual("", "d[i]++;\n")


def lists_program(seed: int) -> str:
    """Lists that hang on two elements of an array."""
    choice = _Choice(f"lists {seed}")
    text = HEAD + "struct node { int value; struct node *next; } *list[2], *kept, spare;\n"
    text += "struct node *new(void) { struct node *n = malloc(sizeof *n); n->value = 0; n->next = 0; return n; }\n"
    text += "int index(void) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 1) abort(); return i; }\n"
    kinds = choice.rng.choice((1, 2))
    text += "".join(f"void *t{n}(void *a) {{\n{_visit(choice)}return 0;\n}}\n" for n in range(kinds))
    text += "int main(void) {\nfor (int i = 0; i < 2; i++) { pthread_mutex_init(&m[i], 0); list[i] = new(); "
    text += "struct node *n = new(); n->next = list[i]; list[i] = n; }\n"
    text += choice.usual(
        "",
        "list[0]->next = list[1];\n",
        "list[0]->next->next = &spare;\n",
        "kept = list[0];\n",
        "struct node *n = new(); n->next = list[1]->next; list[0] = n;\n",
    )
    return text + f"pthread_create(&h, 0, t0, 0);\nt{kinds - 1}(0);\nreturn 0;\n}}\n"


def _visit(choice: _Choice) -> str:
    index, lock = choice.of("index()", "index()", "0"), choice.usual("i", "1 - i", "0")
    element = choice.usual("i", "1 - i", "0")
    inside = "".join(_inside(choice, element) for _ in range(choice.rng.choice((1, 1, 2))))
    after = choice.usual("", "list[i]->value++;\n", "if (k) k->value++;\n", "if (kept) kept->value++;\n")
    text = f"int i = {index};\nstruct node *k = 0;\npthread_mutex_lock(&m[{lock}]);\n{inside}"
    return text + choice.usual("", "i = 1 - i;\n") * (lock == "0") + f"pthread_mutex_unlock(&m[{lock}]);\n{after}"


def _inside(choice: _Choice, element: str) -> str:
    return choice.of(
        f"for (struct node *n = list[{element}]; n; n = n->next) n->value++;\n",
        f"for (struct node *n = list[{element}]; n; n = n->next) n->value++;\n",
        f"{{ struct node *n = new(); n->next = list[{element}]; list[{choice.usual(element, '1', '0')}] = n; }}\n",
        f"{{ struct node *n = new(); n->next = list[{element}]->next; list[{element}]->next = n; }}\n",
        f"k = list[{element}]; list[{element}] = {choice.usual('k->next', 'new()', 'list[0]')};\n",
        f"{{ struct node **p = &list[{element}]; while (*p) {{ (*p)->value++; p = &(*p)->next; }} }}\n",
        f"list[{element}]->value++;\n",
        choice.usual("", f"kept = list[{element}];\n", f"list[{element}] = kept;\n"),
    )
