/* Files by name or descriptor, and what the system tells about itself: unknown. */

#include "runtime.h"

static int asked_by_name(const char *path)
{
    strlen(path);
    return __threadproof_zero_or_fails();
}

int open(const char *path, int flags, ...)
{
    strlen(path);
    __threadproof_cancel_point();
    return __threadproof_opened();
}

int creat(const char *path, unsigned int mode)
{
    return open(path, 0);
}

int unlink(const char *path)
{
    return asked_by_name(path);
}

int remove(const char *path)
{
    return asked_by_name(path);
}

int rmdir(const char *path)
{
    return asked_by_name(path);
}

int access(const char *path, int mode)
{
    return asked_by_name(path);
}

int mkdir(const char *path, unsigned int mode)
{
    return asked_by_name(path);
}

int chdir(const char *path)
{
    return asked_by_name(path);
}

int rename(const char *from, const char *to)
{
    strlen(from);
    return asked_by_name(to);
}

long lseek(int number, long offset, int whence)
{
    if (__threadproof_fails())
        return __threadproof_failed();
    return (long)(__VERIFIER_nondet_ulonglong() & -1ul >> 1);
}

int ftruncate(int number, long length)
{
    return __threadproof_zero_or_fails();
}

int fsync(int number)
{
    return __threadproof_zero_or_fails();
}

static int told(void *target, size_t n)
{
    if (__threadproof_fails())
        return __threadproof_failed();
    __threadproof_unknown_bytes(target, n);
    return 0;
}

enum { STAT = sizeof(long) == 8 ? 144 : 88 };

int stat(const char *path, void *result)
{
    strlen(path);
    return told(result, STAT);
}

int lstat(const char *path, void *result)
{
    return stat(path, result);
}

int fstat(int number, void *result)
{
    return told(result, STAT);
}

static int told_text(char *text, size_t n)
{
    if (n == 0)
        return __threadproof_failed();
    int result = told(text, n);
    if (result == 0)
        text[n - 1] = 0;
    return result;
}

char *getcwd(char *text, size_t n)
{
    if (!text)
        text = malloc(n ? n : 4096);
    return told_text(text, n ? n : 4096) ? 0 : text;
}

int gethostname(char *text, size_t n)
{
    return told_text(text, n);
}

int uname(char *result)
{
    enum { PARTS = 6, PART = 65 };
    if (__threadproof_fails())
        return __threadproof_failed();
    for (int part = 0; part < PARTS; part++) {
        __threadproof_unknown_bytes(result + part * PART, PART - 1);
        result[part * PART + PART - 1] = 0;
    }
    return 0;
}

int getrusage(int who, void *result)
{
    return told(result, 18 * sizeof(long));
}

int getrlimit(int resource, void *result)
{
    return told(result, 2 * sizeof(long));
}

int setrlimit(int resource, const void *limit)
{
    __threadproof_read_bytes(limit, 2 * sizeof(long));
    return __threadproof_zero_or_fails();
}

enum { EINVAL = 22 };

long sysconf(int name)
{
    enum { SC_PAGESIZE = 30, SC_CONFIGURED = 83, SC_ONLINE = 84 };
    if (name == SC_PAGESIZE)
        return 4096;
    long value = __VERIFIER_nondet_long();
    int processors = name == SC_CONFIGURED || name == SC_ONLINE;
    __VERIFIER_assume(processors ? value >= 1 && value <= 4096 : value >= -1);
    if (value == -1 && __VERIFIER_nondet_uchar() % 2) /* no such name, or no limit */
        __threadproof_set_errno(EINVAL);
    return value;
}

int prctl(int option, ...)
{
    enum { SET_NAME = 15, GET_NAME = 16 };
    __builtin_va_list rest;
    __builtin_va_start(rest, option);
    int result = 0;
    if (option == SET_NAME)
        __threadproof_name_self(__builtin_va_arg(rest, char *));
    else if (option == GET_NAME)
        __threadproof_get_own_name(__builtin_va_arg(rest, char *));
    else
        result = __threadproof_count_or_fails(0x7fffffff);
    __builtin_va_end(rest);
    return result;
}

void openlog(const char *name, int option, int facility)
{
    if (name)
        strlen(name);
}

void closelog(void)
{
}

/* --- memory by pages --- */

enum { PAGE = 4096, ANONYMOUS = 0x20, FIXED = 0x10, TYPE = 0xf, SHARED = 1, PRIVATE = 2 };

static void *mappings[16]; /* the system knows them: what the program forgets is not lost memory */

static void remember(void *before, void *now)
{
    __VERIFIER_atomic_begin();
    for (int i = 0; i < 16; i++)
        if (mappings[i] == before) {
            mappings[i] = now;
            __VERIFIER_atomic_end();
            return;
        }
    __VERIFIER_atomic_end();
    __threadproof_unsupported("more than sixteen mappings at once");
}

/* Anonymous memory is a block of its own, zeroed, behind a header: nobody may free it as if it came from malloc. */
enum { HEADER = 16 };

void *mmap(void *where, size_t size, int protection, int flags, int number, long offset)
{
    if (!(flags & ANONYMOUS) || flags & FIXED)
        __threadproof_unsupported("mmap other than of anonymous memory anywhere");
    if (size == 0 || ((flags & TYPE) != SHARED && (flags & TYPE) != PRIVATE)) {
        __threadproof_set_errno(EINVAL);
        return (void *)-1;
    }
    if ((protection & 3) != 3)
        __threadproof_unsupported("memory that must not be read or written (mmap)");
    char *block = __threadproof_system_block(HEADER + (size + PAGE - 1) / PAGE * PAGE);
    remember(0, block);
    return block + HEADER;
}

int munmap(void *start, size_t size)
{
    void *block = (char *)start - HEADER;
    if (__threadproof_object_size(block) != HEADER + (size + PAGE - 1) / PAGE * PAGE)
        __threadproof_unsupported("munmap of a part of a mapping");
    remember(block, 0);
    free(block);
    return 0;
}

int mprotect(void *block, size_t size, int protection)
{
    if ((protection & 3) != 3)
        __threadproof_unsupported("memory that must not be read or written (mprotect)");
    return 0;
}
