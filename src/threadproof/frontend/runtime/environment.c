/* The environment: what a variable holds at the start is not known, but it changes only by the functions below.
   Texts are blocks of the system's, behind a header: nobody may free them, and one that is replaced stays where it is,
   as with glibc. */

#include "runtime.h"

enum { EINVAL = 22, VARIABLES = 8, NAME = 32, ROOM = 1024 };
enum state { UNASKED, ABSENT, PRESENT, PUT };

struct variable {
    char name[NAME];
    enum state state;
    char *text; /* the value if it is PRESENT; the program's own "name=value" if it is PUT */
};

struct block {
    struct block *previous; /* what is forgotten here is not lost memory */
    long unused;
    char text[];
};

/* Looked at and extended in atomic blocks only: getenv may be called by several threads at once. */
static struct variable variables[VARIABLES];
static struct block *blocks;
static int known;
static int cleared;

static char *new_text(size_t size)
{
    struct block *block = __threadproof_system_block(sizeof(struct block) + size);
    block->previous = blocks;
    blocks = block;
    return block->text;
}

/* Whether the text is the name and "=" and something. */
static const char *value_in(const char *text, const char *name)
{
    for (; *name; name++, text++)
        if (*text != *name)
            return 0;
    return *text == '=' ? text + 1 : 0;
}

static int is_of(const struct variable *variable, const char *name)
{
    return variable->state == PUT ? value_in(variable->text, name) != 0 : strcmp(variable->name, name) == 0;
}

static struct variable *find(const char *name)
{
    for (int i = 0; i < known; i++)
        if (is_of(&variables[i], name))
            return &variables[i];
    if (known == VARIABLES)
        __threadproof_unsupported("more than eight variables of the environment");
    struct variable *fresh = &variables[known++];
    memcpy(fresh->name, name, strlen(name) + 1);
    fresh->state = cleared ? ABSENT : UNASKED;
    return fresh;
}

/* Any text of less than ROOM characters, each chosen where it is read; or none. */
static void ask(struct variable *variable)
{
    variable->state = __threadproof_fails() ? PRESENT : ABSENT;
    if (variable->state == PRESENT) {
        variable->text = new_text(ROOM);
        __threadproof_unknown_bytes(variable->text, ROOM - 1);
        variable->text[ROOM - 1] = 0;
    }
}

static char *value_of(struct variable *variable, const char *name)
{
    if (variable->state == UNASKED)
        ask(variable);
    if (variable->state == PUT)
        return (char *)value_in(variable->text, name);
    return variable->state == PRESENT ? variable->text : 0;
}

static size_t copy_name(char *copy, const char *name, size_t length)
{
    if (length >= NAME)
        __threadproof_unsupported("a variable of the environment with a name of more than 31 characters");
    memcpy(copy, name, length);
    copy[length] = 0;
    return length;
}

/* A name with "=" in it is found where the value of the variable before goes on with the rest and "=". */
char *getenv(const char *name)
{
    char copy[NAME];
    size_t length = copy_name(copy, name, strlen(name)), end = 0;
    while (copy[end] && copy[end] != '=')
        end++;
    copy[end] = 0;
    __threadproof_look_at_environment();
    if (length == 0)
        return 0;
    __VERIFIER_atomic_begin();
    char *value = value_of(find(copy), copy);
    if (value && end < length)
        value = (char *)value_in(value, copy + end + 1);
    __VERIFIER_atomic_end();
    return value;
}

char *secure_getenv(const char *name)
{
    return getenv(name);
}

/* --- changes: threads that do this beside others that use the environment race --- */

static long environment;

void __threadproof_look_at_environment(void)
{
    __threadproof_look_at_word(&environment);
}

static void change(void)
{
    environment = 1;
}

static int no_name(void)
{
    __threadproof_set_errno(EINVAL);
    return -1;
}

/* The length of the name, or 0 if it is none. */
static size_t name_length(const char *name)
{
    size_t length = 0;
    while (name && name[length])
        if (name[length++] == '=')
            return 0;
    return length;
}

static void set(const char *name, enum state state, char *text)
{
    struct variable *variable = find(name);
    variable->state = state;
    variable->text = text;
}

int setenv(const char *name, const char *value, int replace)
{
    char copy[NAME];
    size_t length = name_length(name);
    if (length == 0)
        return no_name();
    copy_name(copy, name, length);
    size_t size = strlen(value) + 1;
    change();
    __VERIFIER_atomic_begin();
    if (replace || !value_of(find(copy), copy)) {
        char *text = new_text(size);
        set(copy, PRESENT, text);
        __VERIFIER_atomic_end();
        memcpy(text, value, size);
        return 0;
    }
    __VERIFIER_atomic_end();
    return 0;
}

int unsetenv(const char *name)
{
    char copy[NAME];
    size_t length = name_length(name);
    if (length == 0)
        return no_name();
    copy_name(copy, name, length);
    change();
    __VERIFIER_atomic_begin();
    set(copy, ABSENT, 0);
    __VERIFIER_atomic_end();
    return 0;
}

/* The text itself becomes part of the environment; without "=" the variable goes. */
int putenv(char *text)
{
    char copy[NAME];
    size_t length = 0;
    while (text[length] && text[length] != '=')
        length++;
    if (!text[length])
        return length ? unsetenv(text) : no_name();
    copy_name(copy, text, length);
    change();
    __VERIFIER_atomic_begin();
    set(copy, PUT, text);
    __VERIFIER_atomic_end();
    return 0;
}

int clearenv(void)
{
    change();
    __VERIFIER_atomic_begin();
    for (int i = 0; i < known; i++) {
        variables[i].state = ABSENT;
        variables[i].text = 0;
    }
    cleared = 1;
    __VERIFIER_atomic_end();
    return 0;
}
