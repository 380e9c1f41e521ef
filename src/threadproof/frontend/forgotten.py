"""Prototypes of functions of the C library, for programs that forgot a header."""

from __future__ import annotations

from collections.abc import Iterable

_SIZE = "__SIZE_TYPE__"
_TM, _FILE = "struct tm *", "struct _IO_FILE *"
# Those whose call without a prototype means something else: results that are no int, parameters that are no int.
# What is not here and clang does not know either returns an int and takes ints and pointers.
PROTOTYPES: dict[str, str] = {
    "aligned_alloc": f"void *aligned_alloc({_SIZE}, {_SIZE});",
    "asctime": f"char *asctime(const {_TM});",
    "atof": "double atof(const char *);",
    "atol": "long atol(const char *);",
    "atoll": "long long atoll(const char *);",
    "bsearch": f"void *bsearch(const void *, const void *, {_SIZE}, {_SIZE}, int (*)(const void *, const void *));",
    "clock": "long clock(void);",
    "ctime": "char *ctime(const long *);",
    "difftime": "double difftime(long, long);",
    "drand48": "double drand48(void);",
    "fdopen": f"{_FILE}fdopen(int, const char *);",
    "fgets": f"char *fgets(char *, int, {_FILE});",
    "fopen": f"{_FILE}fopen(const char *, const char *);",
    "ftell": f"long ftell({_FILE});",
    "getenv": "char *getenv(const char *);",
    "gmtime": f"{_TM}gmtime(const long *);",
    "localtime": f"{_TM}localtime(const long *);",
    "lrand48": "long lrand48(void);",
    "memalign": f"void *memalign({_SIZE}, {_SIZE});",
    "mktime": f"long mktime({_TM});",
    "posix_memalign": f"int posix_memalign(void **, {_SIZE}, {_SIZE});",
    "pthread_getspecific": "void *pthread_getspecific(unsigned);",
    "pthread_self": "unsigned long pthread_self(void);",
    "qsort": f"void qsort(void *, {_SIZE}, {_SIZE}, int (*)(const void *, const void *));",
    "random": "long random(void);",
    "read": f"__PTRDIFF_TYPE__ read(int, void *, {_SIZE});",
    "sbrk": "void *sbrk(__PTRDIFF_TYPE__);",
    "strerror": "char *strerror(int);",
    "strsep": "char *strsep(char **, const char *);",
    "strtof": "float strtof(const char *, char **);",
    "strtok_r": "char *strtok_r(char *, const char *, char **);",
    "sysconf": "long sysconf(int);",
    "time": "long time(long *);",
    "valloc": f"void *valloc({_SIZE});",
    "write": f"__PTRDIFF_TYPE__ write(int, const void *, {_SIZE});",
}


def declarations(names: Iterable[str]) -> str:
    return "\n".join(["struct tm; struct _IO_FILE;", *(PROTOTYPES[name] for name in names), ""])
