/* The part of the C library that is ordinary C. Linked into a program as far as the program uses it.

   Memory is copied, set and compared in accesses of at most a word, words first: what other threads can see of a
   copy in progress. Nothing is included: this file is compiled for the program's data model, before any header. */

typedef __SIZE_TYPE__ size_t;
typedef unsigned char byte;
typedef unsigned long word __attribute__((may_alias, aligned(1)));

/* Rows of the sync table and instructions of the program model. */
void *malloc(size_t size);
void free(void *block);
size_t __threadproof_object_size(void *block);
void __threadproof_wide_alignment(void);
int __threadproof_once_enter(void *control);
void __threadproof_once_leave(void *control);
int __threadproof_mutex_trylock(void *mutex);
int __threadproof_mutex_timedlock(void *mutex);
int __threadproof_cond_timedwait(void *condition, void *mutex);
unsigned char __VERIFIER_nondet_uchar(void);
unsigned short __VERIFIER_nondet_ushort(void);
unsigned int __VERIFIER_nondet_uint(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
void __VERIFIER_assume(int condition);

/* --- memory --- */

void *memcpy(void *restrict target, const void *restrict source, size_t n)
{
    byte *to = target;
    const byte *from = source;
    while (n >= sizeof(word)) {
        *(word *)to = *(const word *)from;
        to += sizeof(word);
        from += sizeof(word);
        n -= sizeof(word);
    }
    while (n > 0) {
        *to = *from;
        to += 1;
        from += 1;
        n -= 1;
    }
    return target;
}

void *mempcpy(void *restrict target, const void *restrict source, size_t n)
{
    return (byte *)memcpy(target, source, n) + n;
}

static void copy_downwards(byte *to, const byte *from, size_t n)
{
    while (n % sizeof(word) != 0) {
        n -= 1;
        to[n] = from[n];
    }
    while (n > 0) {
        n -= sizeof(word);
        *(word *)(to + n) = *(const word *)(from + n);
    }
}

void *memmove(void *target, const void *source, size_t n)
{
    if ((word)target - (word)source >= n)
        return memcpy(target, source, n);
    copy_downwards(target, source, n);
    return target;
}

void *memset(void *target, int value, size_t n)
{
    byte *to = target;
    word pattern = (byte)value * ((word)-1 / 255);
    while (n >= sizeof(word)) {
        *(word *)to = pattern;
        to += sizeof(word);
        n -= sizeof(word);
    }
    while (n > 0) {
        *to = (byte)value;
        to += 1;
        n -= 1;
    }
    return target;
}

int memcmp(const void *left, const void *right, size_t n)
{
    const byte *a = left, *b = right;
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] - b[i];
    return 0;
}

int bcmp(const void *left, const void *right, size_t n)
{
    return memcmp(left, right, n);
}

void *memchr(const void *block, int wanted, size_t n)
{
    const byte *at = block;
    for (size_t i = 0; i < n; i++)
        if (at[i] == (byte)wanted)
            return (void *)(at + i);
    return 0;
}

void bcopy(const void *source, void *target, size_t n)
{
    memmove(target, source, n);
}

void bzero(void *target, size_t n)
{
    memset(target, 0, n);
}

/* --- the heap --- */

void *realloc(void *block, size_t size)
{
    if (block == 0)
        return malloc(size);
    size_t old = __threadproof_object_size(block);
    void *fresh = malloc(size);
    memcpy(fresh, block, old < size ? old : size);
    free(block);
    return fresh;
}

void *reallocarray(void *block, size_t count, size_t size)
{
    return realloc(block, size && count > (size_t)-1 / size ? (size_t)-1 : count * size);
}

/* Blocks lie at multiples of 16. One that does not by chance lie as the program asks is more than we can give. */
void *aligned_alloc(size_t alignment, size_t size)
{
    void *block = malloc(size);
    if (alignment > 16 && (word)block % alignment != 0)
        __threadproof_wide_alignment();
    return block;
}

void *memalign(size_t alignment, size_t size)
{
    return aligned_alloc(alignment, size);
}

void *valloc(size_t size)
{
    return aligned_alloc(4096, size);
}

int posix_memalign(void **result, size_t alignment, size_t size)
{
    *result = aligned_alloc(alignment, size);
    return 0;
}

/* --- strings --- */

size_t strlen(const char *text)
{
    size_t n = 0;
    while (text[n])
        n++;
    return n;
}

size_t strnlen(const char *text, size_t most)
{
    size_t n = 0;
    while (n < most && text[n])
        n++;
    return n;
}

char *stpcpy(char *restrict target, const char *restrict source)
{
    while ((*target = *source)) {
        target++;
        source++;
    }
    return target;
}

char *strcpy(char *restrict target, const char *restrict source)
{
    stpcpy(target, source);
    return target;
}

char *strncpy(char *restrict target, const char *restrict source, size_t n)
{
    size_t i = 0;
    for (; i < n && source[i]; i++)
        target[i] = source[i];
    for (; i < n; i++)
        target[i] = 0;
    return target;
}

char *strcat(char *restrict target, const char *restrict source)
{
    stpcpy(target + strlen(target), source);
    return target;
}

char *strncat(char *restrict target, const char *restrict source, size_t n)
{
    char *end = target + strlen(target);
    size_t i = 0;
    for (; i < n && source[i]; i++)
        end[i] = source[i];
    end[i] = 0;
    return target;
}

int strcmp(const char *left, const char *right)
{
    while (*left && *left == *right) {
        left++;
        right++;
    }
    return (byte)*left - (byte)*right;
}

int strncmp(const char *left, const char *right, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        byte a = left[i], b = right[i];
        if (a != b || !a)
            return a - b;
    }
    return 0;
}

int tolower(int c)
{
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

int toupper(int c)
{
    return c >= 'a' && c <= 'z' ? c - 32 : c;
}

int strncasecmp(const char *left, const char *right, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int a = tolower((byte)left[i]), b = tolower((byte)right[i]);
        if (a != b || !a)
            return a - b;
    }
    return 0;
}

int strcasecmp(const char *left, const char *right)
{
    return strncasecmp(left, right, (size_t)-1);
}

char *strchr(const char *text, int wanted)
{
    for (;; text++) {
        char c = *text;
        if (c == (char)wanted)
            return (char *)text;
        if (!c)
            return 0;
    }
}

char *strrchr(const char *text, int wanted)
{
    const char *last = 0;
    for (;; text++) {
        char c = *text;
        if (c == (char)wanted)
            last = text;
        if (!c)
            return (char *)last;
    }
}

char *strstr(const char *text, const char *wanted)
{
    size_t n = strlen(wanted);
    for (;; text++) {
        if (strncmp(text, wanted, n) == 0)
            return (char *)text;
        if (!*text)
            return 0;
    }
}

size_t strspn(const char *text, const char *accepted)
{
    size_t n = 0;
    while (text[n] && strchr(accepted, text[n]))
        n++;
    return n;
}

size_t strcspn(const char *text, const char *rejected)
{
    size_t n = 0;
    while (text[n] && !strchr(rejected, text[n]))
        n++;
    return n;
}

char *strpbrk(const char *text, const char *accepted)
{
    text += strcspn(text, accepted);
    return *text ? (char *)text : 0;
}

char *strndup(const char *text, size_t most)
{
    size_t n = strnlen(text, most);
    char *copy = malloc(n + 1);
    memcpy(copy, text, n);
    copy[n] = 0;
    return copy;
}

char *strdup(const char *text)
{
    size_t n = strlen(text) + 1;
    return memcpy(malloc(n), text, n);
}

/* --- characters (the C locale) --- */

int isdigit(int c)
{
    return c >= '0' && c <= '9';
}

int isupper(int c)
{
    return c >= 'A' && c <= 'Z';
}

int islower(int c)
{
    return c >= 'a' && c <= 'z';
}

int isalpha(int c)
{
    return isupper(c) || islower(c);
}

int isalnum(int c)
{
    return isalpha(c) || isdigit(c);
}

int isspace(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

int isprint(int c)
{
    return c >= ' ' && c <= '~';
}

int isgraph(int c)
{
    return c > ' ' && c <= '~';
}

int ispunct(int c)
{
    return isgraph(c) && !isalnum(c);
}

int iscntrl(int c)
{
    return (c >= 0 && c < ' ') || c == 127;
}

int isblank(int c)
{
    return c == ' ' || c == '\t';
}

int isascii(int c)
{
    return c >= 0 && c < 128;
}

int toascii(int c)
{
    return c & 127;
}

int isxdigit(int c)
{
    return isdigit(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

/* The tables behind the macros of glibc's <ctype.h>, for -128..255. */
enum {
    BLANK = 1, CONTROL = 2, PUNCT = 4, ALNUM = 8, UPPER = 1 << 8, LOWER = 1 << 9, ALPHA = 1 << 10, DIGIT = 1 << 11,
    XDIGIT = 1 << 12, SPACE = 1 << 13, PRINT = 1 << 14, GRAPH = 1 << 15,
    OF_PUNCT = PRINT | GRAPH | PUNCT, OF_ALNUM = PRINT | GRAPH | ALNUM, OF_DIGIT = OF_ALNUM | DIGIT | XDIGIT,
    OF_UPPER = OF_ALNUM | ALPHA | UPPER, OF_LOWER = OF_ALNUM | ALPHA | LOWER,
};

#define RANGE(first, last) [128 + (first) ... 128 + (last)]

static const unsigned short classes[384] = {
    RANGE(0, 8) = CONTROL,
    RANGE('\t', '\t') = CONTROL | SPACE | BLANK,
    RANGE('\n', '\r') = CONTROL | SPACE,
    RANGE(14, 31) = CONTROL,
    RANGE(' ', ' ') = PRINT | SPACE | BLANK,
    RANGE('!', '/') = OF_PUNCT,
    RANGE('0', '9') = OF_DIGIT,
    RANGE(':', '@') = OF_PUNCT,
    RANGE('A', 'F') = OF_UPPER | XDIGIT,
    RANGE('G', 'Z') = OF_UPPER,
    RANGE('[', '`') = OF_PUNCT,
    RANGE('a', 'f') = OF_LOWER | XDIGIT,
    RANGE('g', 'z') = OF_LOWER,
    RANGE('{', '~') = OF_PUNCT,
    RANGE(127, 127) = CONTROL,
};
static const unsigned short *const class_of = classes + 128;

const unsigned short *const *__ctype_b_loc(void)
{
    return &class_of;
}

/* --- numbers --- */

int abs(int n)
{
    return n < 0 ? -n : n;
}

long labs(long n)
{
    return n < 0 ? -n : n;
}

long long llabs(long long n)
{
    return n < 0 ? -n : n;
}

long long imaxabs(long long n)
{
    return llabs(n);
}

struct div { int quotient, remainder; };
struct ldiv { long quotient, remainder; };
struct lldiv { long long quotient, remainder; };

struct div div(int n, int by)
{
    return (struct div){n / by, n % by};
}

struct ldiv ldiv(long n, long by)
{
    return (struct ldiv){n / by, n % by};
}

struct lldiv lldiv(long long n, long long by)
{
    return (struct lldiv){n / by, n % by};
}

unsigned int htonl(unsigned int n)
{
    return __builtin_bswap32(n);
}

unsigned int ntohl(unsigned int n)
{
    return __builtin_bswap32(n);
}

unsigned short htons(unsigned short n)
{
    return __builtin_bswap16(n);
}

unsigned short ntohs(unsigned short n)
{
    return __builtin_bswap16(n);
}

long long atoll(const char *text)
{
    long long value = 0;
    int negative = 0;
    while (isspace((byte)*text))
        text++;
    if (*text == '-' || *text == '+') {
        negative = *text == '-';
        text++;
    }
    for (; isdigit((byte)*text); text++)
        value = 10 * value + (*text - '0');
    return negative ? -value : value;
}

long atol(const char *text)
{
    return (long)atoll(text);
}

int atoi(const char *text)
{
    return (int)atoll(text);
}

int ffsll(long long n)
{
    for (int i = 0; i < 64; i++)
        if ((unsigned long long)n >> i & 1)
            return i + 1;
    return 0;
}

int ffsl(long n)
{
    return ffsll((unsigned long)n);
}

int ffs(int n)
{
    return ffsll((unsigned)n);
}

/* --- searching and sorting: by insertion, any correct sequence of comparisons will do --- */

static void exchange(byte *a, byte *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        byte kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    byte *first = base;
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && compare(first + (j - 1) * size, first + j * size) > 0; j--)
            exchange(first + (j - 1) * size, first + j * size, size);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *))
{
    const byte *first = base;
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(key, first + middle * size);
        if (order == 0)
            return (void *)(first + middle * size);
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

/* --- input and output --- */

void perror(const char *text)
{
    if (text)
        strlen(text);
}

/* Which text belongs to which number is not modelled: nothing but a person can depend on it. */
char *strerror(int number)
{
    static char text[] = "error";
    return text;
}

void __threadproof_scan_1(int converted, int index, void *target)
{
    if (converted > index)
        *(unsigned char *)target = __VERIFIER_nondet_uchar();
}

void __threadproof_scan_2(int converted, int index, void *target)
{
    if (converted > index)
        *(unsigned short *)target = __VERIFIER_nondet_ushort();
}

void __threadproof_scan_4(int converted, int index, void *target)
{
    if (converted > index)
        *(unsigned int *)target = __VERIFIER_nondet_uint();
}

void __threadproof_scan_8(int converted, int index, void *target)
{
    if (converted > index)
        *(unsigned long long *)target = __VERIFIER_nondet_ulonglong();
}

/* --- time: any --- */

struct time_pair {
    long seconds;
    long fraction;
};

static int any_time(struct time_pair *result, long parts)
{
    long fraction = __VERIFIER_nondet_long();
    __VERIFIER_assume(fraction >= 0 && fraction < parts);
    result->seconds = __VERIFIER_nondet_long();
    result->fraction = fraction;
    return 0;
}

long time(long *result)
{
    long now = __VERIFIER_nondet_long();
    if (result)
        *result = now;
    return now;
}

int gettimeofday(struct time_pair *result, void *zone)
{
    return any_time(result, 1000000);
}

int clock_gettime(int clock, struct time_pair *result)
{
    return any_time(result, 1000000000);
}

/* --- atomic objects too large for the processor: the compiler's own library takes a lock for them --- */

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

void atomic_load_any(size_t n, void *object, void *result, int order) __asm__("__atomic_load");
void atomic_store_any(size_t n, void *object, void *value, int order) __asm__("__atomic_store");
void atomic_exchange_any(size_t n, void *object, void *value, void *result, int order) __asm__("__atomic_exchange");
_Bool atomic_compare_exchange_any(size_t n, void *object, void *expected, void *value, int success, int failure)
    __asm__("__atomic_compare_exchange");

void atomic_load_any(size_t n, void *object, void *result, int order)
{
    __VERIFIER_atomic_begin();
    memcpy(result, object, n);
    __VERIFIER_atomic_end();
}

void atomic_store_any(size_t n, void *object, void *value, int order)
{
    __VERIFIER_atomic_begin();
    memcpy(object, value, n);
    __VERIFIER_atomic_end();
}

void atomic_exchange_any(size_t n, void *object, void *value, void *result, int order)
{
    __VERIFIER_atomic_begin();
    memcpy(result, object, n);
    memcpy(object, value, n);
    __VERIFIER_atomic_end();
}

_Bool atomic_compare_exchange_any(size_t n, void *object, void *expected, void *value, int success, int failure)
{
    __VERIFIER_atomic_begin();
    _Bool equal = memcmp(object, expected, n) == 0;
    if (equal)
        memcpy(object, value, n);
    else
        memcpy(expected, object, n);
    __VERIFIER_atomic_end();
    return equal;
}

/* --- threads --- */

int pthread_once(void *control, void (*routine)(void))
{
    if (__threadproof_once_enter(control)) {
        routine();
        __threadproof_once_leave(control);
    }
    return 0;
}

void call_once(void *control, void (*routine)(void))
{
    pthread_once(control, routine);
}

enum { thrd_success = 0, thrd_busy = 1, thrd_timedout = 4 };

int mtx_trylock(void *mutex)
{
    return __threadproof_mutex_trylock(mutex) == 0 ? thrd_success : thrd_busy;
}

int mtx_timedlock(void *mutex, const void *until)
{
    return __threadproof_mutex_timedlock(mutex) == 0 ? thrd_success : thrd_timedout;
}

int cnd_timedwait(void *condition, void *mutex, const void *until)
{
    return __threadproof_cond_timedwait(condition, mutex) == 0 ? thrd_success : thrd_timedout;
}
