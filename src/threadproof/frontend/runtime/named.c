/* Semaphores with a name, within the process. */

#include "runtime.h"

enum { ENOENT = 2, EEXIST = 17, EINVAL = 22, O_CREAT = 0100, O_EXCL = 0200, MOST = 8, NAME = 64 };

static struct named {
    char name[NAME];
    int exists, opened;
    long semaphore[4];
} all[MOST];

static struct named *find(const char *name)
{
    for (int i = 0; i < MOST; i++)
        if (all[i].exists && !strcmp(all[i].name, name))
            return &all[i];
    return 0;
}

static struct named *create(const char *name, unsigned value)
{
    for (int i = 0; i < MOST; i++)
        if (!all[i].exists && !all[i].opened) {
            memcpy(all[i].name, name, strlen(name) + 1);
            all[i].exists = 1;
            __threadproof_sem_init(all[i].semaphore, 0, value);
            return &all[i];
        }
    __threadproof_unsupported("more than eight named semaphores");
    return 0;
}

static void *opened(const char *name, int flags, unsigned value, int *error)
{
    struct named *found = find(name);
    if (found && (flags & O_CREAT) && (flags & O_EXCL))
        *error = EEXIST;
    else if (!found && !(flags & O_CREAT))
        *error = ENOENT;
    else if (!found && value > 0x7fffffff)
        *error = EINVAL;
    if (*error)
        return 0;
    if (!found)
        found = create(name, value);
    found->opened++;
    return found->semaphore;
}

/* As glibc: slashes at the beginning are left out; another one, or nothing behind them, is no name (null). */
static const char *plain_name(const char *name)
{
    while (*name == '/')
        name++;
    size_t n = 0;
    while (name[n] && name[n] != '/')
        n++;
    return n > 0 && !name[n] ? name : 0;
}

void *sem_open(const char *name, int flags, ...)
{
    unsigned value = 0;
    int error = 0;
    if (strlen(name) >= NAME)
        __threadproof_unsupported("a semaphore with a long name");
    name = plain_name(name);
    if (!name) {
        __threadproof_set_errno(EINVAL);
        return 0;
    }
    if (flags & O_CREAT) {
        __builtin_va_list list;
        __builtin_va_start(list, flags);
        __builtin_va_arg(list, unsigned);
        value = __builtin_va_arg(list, unsigned);
    }
    __VERIFIER_atomic_begin();
    void *result = opened(name, flags, value, &error);
    __VERIFIER_atomic_end();
    if (error)
        __threadproof_set_errno(error);
    return result;
}

/* A semaphore that was closed is not mapped any more: using it is an access to nothing. */
void __threadproof_sem_must_be_open(void *semaphore)
{
    int gone = 0;
    __VERIFIER_atomic_begin();
    for (int i = 0; i < MOST; i++)
        gone |= semaphore == all[i].semaphore && !all[i].opened;
    __VERIFIER_atomic_end();
    if (gone)
        __threadproof_look_at_byte(0);
}

int sem_close(void *semaphore)
{
    int error = EINVAL;
    __VERIFIER_atomic_begin();
    for (int i = 0; i < MOST; i++)
        if (all[i].opened && semaphore == all[i].semaphore) {
            all[i].opened--;
            error = 0;
        }
    __VERIFIER_atomic_end();
    if (!error)
        return 0;
    __threadproof_set_errno(error);
    return -1;
}

int sem_unlink(const char *name)
{
    name = plain_name(name);
    __VERIFIER_atomic_begin();
    struct named *found = name ? find(name) : 0;
    if (found)
        found->exists = 0;
    __VERIFIER_atomic_end();
    if (found)
        return 0;
    __threadproof_set_errno(ENOENT);
    return -1;
}
