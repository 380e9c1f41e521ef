/* The environment: what a variable holds is not known, but it does not change while the program runs. */

#include "runtime.h"

int strcmp(const char *left, const char *right);

enum { VARIABLES = 8, NAME = 32, ROOM = 1024 };

/* Looked at and extended in atomic blocks only: getenv may be called by several threads at once. */
static char names[VARIABLES][NAME];
static char texts[VARIABLES][ROOM];
static char *values[VARIABLES];
static int known;

/* Arbitrary where it is read: any text of less than ROOM characters. It is not the program's to free. */
static char *any_text(char *text)
{
    if (!__threadproof_fails())
        return 0;
    __threadproof_unknown_bytes(text, ROOM - 1);
    return text;
}

static int find(const char *name)
{
    for (int i = 0; i < known; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    if (known == VARIABLES)
        __threadproof_unsupported("getenv of more than eight variables");
    memcpy(names[known], name, strlen(name) + 1);
    values[known] = any_text(texts[known]);
    return known++;
}

char *getenv(const char *name)
{
    char copy[NAME];
    size_t n = strlen(name);
    if (n >= NAME)
        __threadproof_unsupported("getenv of a name of more than 31 characters");
    memcpy(copy, name, n + 1);
    __VERIFIER_atomic_begin();
    char *value = values[find(copy)];
    __VERIFIER_atomic_end();
    return value;
}

char *secure_getenv(const char *name)
{
    return getenv(name);
}
