"""Printing, tokens, the environment, error texts, random numbers, time."""

from __future__ import annotations

import random

from library_case import Case
from library_values import INTS, attacked, safe, spread, unsafe

FLAGS = ("", "-", "0", "+", " ", "#", "-+", "0#", "+0")
WIDTHS = ("", "1", "5", "12")
PRECISIONS = ("", ".", ".0", ".3", ".9")
WHOLE = ("d", "i", "u", "x", "X", "o", "c", "hd", "hhu", "ld", "lx", "lld", "zu", "jd", "hhd")
REAL = ("f", "e", "g", "E", "G", "a", "F")
REALS = ("0.0", "-0.0", "1.0", "-2.5", "3.14159265", "1e10", "1e-7", "123456.789", "0.1", "1e300", "5e-324", "INFINITY", "-NAN",
         "99999.5", "0.5", "1.5", "2.5", "1e15", "123456789.0")  # fmt: skip
SHOWN = " obs(n); obs_text(b);"
AS = {"ld": "long", "lx": "long", "lld": "long long", "zu": "size_t", "jd": "intmax_t"}


def cases(rng: random.Random) -> list[Case]:
    return _formats(rng) + _kin(rng) + _tokens(rng) + _world(rng) + _time(rng) + _errors()


def _formats(rng: random.Random) -> list[Case]:
    found: list[Case] = []
    for letter in WHOLE:
        body = (
            f'char b[64]; int n = snprintf(b, sizeof b, "<%$f$w${{p}}{letter}>", ({AS.get(letter, "int")})$v);{SHOWN}'
        )
        found += spread(rng, "snprintf", body, 9, f=FLAGS, w=WIDTHS, p=PRECISIONS, v=INTS)
    for letter in REAL:
        body = f'char b[400]; int n = snprintf(b, sizeof b, "<%$f$w${{p}}{letter}>", $v);{SHOWN}'
        found += spread(rng, "snprintf", body, 10, f=FLAGS, w=WIDTHS, p=PRECISIONS, v=REALS)
    text = f'char b[64]; int n = snprintf(b, sizeof b, "<%$f$w${{p}}s>", $v);{SHOWN}'
    found += spread(rng, "snprintf", text, 12, f=("", "-"), w=WIDTHS, p=PRECISIONS, v=('""', '"abc"', '"hello, world"'))
    found += spread(
        rng,
        "snprintf",
        'char b[16] = "##############"; int n = snprintf(b, $n, "%d-%s", 42, "abc"); obs(n); obs_bytes(b, 15);',
        n=(0, 1, 2, 5, 6, 7, 16),
    )
    found += safe("snprintf", "obs(snprintf(0, 0, \"%d\", 12345));", f'char b[32]; int n = snprintf(b, 32, "%*d|%-*d|%.*s", 5, 1, 4, 2, 2, "xyz");{SHOWN}',
                  f'char b[32]; int k = 0, n = snprintf(b, 32, "ab%ncd", &k); obs(k);{SHOWN}', f'char b[32]; int n = snprintf(b, 32, "%%|%5%|");{SHOWN}',
                  f'char b[32]; int n = snprintf(b, 32, "%2$s %1$d", 7, "x");{SHOWN}', f'char b[32]; int n = snprintf(b, 32, "%p", (void *)0);{SHOWN}',
                  f'char b[64]; int n = snprintf(b, 64, "%Lf %.3Le", 1.5L, 2.25L);{SHOWN}')  # fmt: skip
    return found


def _kin(rng: random.Random) -> list[Case]:
    va = "static int f@(char **o, char *b, const char *s, ...) {{ va_list v; va_start(v, s); int n = {}; va_end(v); return n; }}"
    call = 'char b[32] = ""; char *p = b; int n = f@(&p, b, "%d %s|%c", $v, "ab", 65); obs(n); obs_text(p);'
    found: list[Case] = []
    calls = {"vsnprintf": "vsnprintf(b, 32, s, v)", "vsprintf": "vsprintf(b, s, v)", "vasprintf": "vasprintf(o, s, v)"}
    for name, inner in calls.items():
        found += spread(
            rng,
            name,
            call + (" free(p);" if name == "vasprintf" else ""),
            top=va.format(inner),
            v=(0, 1, -5, "INT_MIN"),
        )
    for name, inner in (
        ("vprintf", "vprintf(s, v)"),
        ("vfprintf", "vfprintf(stdout, s, v)"),
        ("vdprintf", "vdprintf(1, s, v)"),
    ):
        body = 'obs(f@(0, 0, "%d\\n", $v));'
        found += [
            Case(c.function, c.body, c.top, among=True)
            for c in spread(rng, name, body, top=va.format(inner), v=(0, -5, 12345))
        ]
    found += spread(
        rng,
        "sprintf",
        f'char b[64]; int n = sprintf(b, "%$k|%5d", $v, 7);{SHOWN}',
        k=("d", "u", "x"),
        v=(0, -1, 77, "INT_MAX"),
    )
    found += spread(
        rng, "asprintf", 'char *b; int n = asprintf(&b, "%d:%s", $v, "xyz");' + SHOWN + " free(b);", v=(0, -1, 100000)
    )
    printed = {"printf": 'printf("%d\\n", 12345)', "fprintf": 'fprintf(stderr, "%s", "abc")', "dprintf": 'dprintf(1, "x%d", 1)', "puts": 'puts("abc") >= 0',
               "fputs": 'fputs("abc", stdout) >= 0', "putchar": "putchar('x')", "putc": "putc('x', stdout)", "fputc": "fputc(300, stdout)",
               "putchar_unlocked": "putchar_unlocked(255)", "fflush": "fflush(stdout)"}  # fmt: skip
    for name, text in printed.items():
        found += safe(name, f"obs({text});", among=True)
    return found + safe("fflush", "obs(fflush(0));", among=True)


def _tokens(rng: random.Random) -> list[Case]:
    texts = ('"a,b,,c"', '",,"', '""', '"abc"', '"a;b,c "')
    again = "char s[32]; strcpy(s, $s); char *k = 0, *p = s;"
    found = spread(
        rng,
        "strtok_r",
        again + " for (char *t = strtok_r(p, $d, &k); t; t = strtok_r(0, $d, &k)) obs_text(t);",
        s=texts,
        d=('","', '",;"', '""'),
    )
    found += spread(
        rng,
        "strtok",
        again + " for (char *t = strtok(p, $d); t; t = strtok(0, $d)) obs_text(t); obs(k == 0);",
        s=texts,
        d=('","', '",;"'),
    )
    found += spread(
        rng,
        "strsep",
        again + " for (char *t; (t = strsep(&p, $d)) != 0;) obs_text(t); obs(k == 0); obs(p == 0);",
        s=texts,
        d=('","', '",;"', '""'),
    )
    found += attacked("strtok_r", 'char s[8] = "a,b", *k;', ("s", '","', "&k"), (0, 1, 2))
    return found + attacked("strsep", 'char s[8] = "a,b", *p = s;', ("&p", '","'), (0, 1))


def _world(rng: random.Random) -> list[Case]:
    found = spread(rng, "strerror", "obs_text(strerror($n));", n=(0, 1, 2, 11, 22, 35, 110, 133, 134, 41, 58, -1, 9999))
    found += spread(rng, "strerror_r", "char b[$k]; obs_text(strerror_r($n, b, $k));", 8, n=(1, 22, 999), k=(40, 64))
    found += spread(rng, "__errno_location", "errno = $n; obs(errno);", n=(0, 5, -1))
    found += safe("__errno_location", "errno = 5; pthread_t h; pthread_create(&h, 0, t@, 0); pthread_join(h, 0); obs(errno);",
                  top="static void *t@(void *p) { obs(errno); errno = 9; return 0; }")  # fmt: skip
    found += safe("perror", 'errno = 2; perror("x"); obs(1);', "perror(0); obs(1);")
    found += safe("getenv", 'obs(getenv("NOT_SET_ANYWHERE") == 0);', among=True)
    found += safe(
        "setenv",
        'obs(setenv("ABC", "x y", 1)); obs_text(getenv("ABC")); obs(setenv("ABC", "z", 0)); obs_text(getenv("ABC"));',
    )
    found += safe("setenv", 'errno = 0; obs(setenv("", "x", 1)); obs(errno); obs(setenv("a=b", "x", 1));')
    found += safe(
        "unsetenv", 'setenv("ABC", "x", 1); obs(unsetenv("ABC")); obs_text(getenv("ABC")); obs(unsetenv("ABC"));'
    )
    found += spread(
        rng,
        "rand_r",
        "unsigned s = $n; obs(rand_r(&s)); obs(rand_r(&s)); obs(s);",
        n=(0, 1, 2, 42, 12345, "4294967295u", 777),
    )
    found += attacked("rand_r", "", ("0",), (0,)) + attacked("getenv", "", ("0",), (0,))
    found += safe("rand", "srand(3); int a = rand(); obs(a >= 0);") + safe("random", "srandom(3); obs(random() >= 0);")
    found += safe("srand", "srand(3); obs(1);") + safe("srandom", "srandom(3); obs(1);")
    found += safe("getpid", "obs(getpid() > 0);", "obs(getpid() == getpid());")
    scan = 'int a = -7, b = -7; char t[8] = "?"; obs(sscanf($s, $f)); obs(a); obs(b); obs_text(t);'
    return found + spread(
        rng,
        "sscanf",
        scan,
        s=('"12 34 ab"', '"x"', '""', '"7,8"'),
        f=('"%d %d %7s", &a, &b, t', '"%d,%d", &a, &b', '"%x", &a'),
    )


def _time(rng: random.Random) -> list[Case]:
    stamps = (0, 1, 86399, 951782400, 1709164800, 1700000000, 2147483647, 4102444800, -1, -86400, 1078012800)
    shown = "obs(r.tm_year); obs(r.tm_mon); obs(r.tm_mday); obs(r.tm_hour); obs(r.tm_min); obs(r.tm_sec); obs(r.tm_wday); obs(r.tm_yday); obs(r.tm_isdst);"
    found: list[Case] = []
    for name in ("gmtime_r", "localtime_r"):
        found += spread(rng, name, f"time_t t = $n; struct tm r; obs({name}(&t, &r) == &r); {shown}", n=stamps)
        found += attacked(name, "time_t t = 5; struct tm r;", ("&t", "&r"), (0, 1))
    for name in ("gmtime", "localtime"):
        found += spread(rng, name, f"time_t t = $n; struct tm r = *{name}(&t); {shown}", n=stamps)
    for name in ("mktime", "timegm"):
        body = f"struct tm r = {{.tm_year = $y, .tm_mon = $m, .tm_mday = $d, .tm_hour = $h}}; obs({name}(&r)); {shown}"
        found += spread(
            rng, name, body, 10, y=(70, 100, 124, 69), m=(0, 1, 11, 13, -1), d=(1, 29, 31, 0, 40), h=(0, 23, 25, -3)
        )
    forms = (
        "%Y-%m-%d %H:%M:%S",
        "%a %A %b %B",
        "%j %U %W %w %u",
        "%y %C %e %I %p",
        "%D %F %T %R",
        "%% %n%t|",
        "%c",
        "%x %X %r",
        "%V %G %g",
        "%s",
        "%h %k %l",
    )
    body = 'time_t t = $t; struct tm r; gmtime_r(&t, &r); char b[$n] = ""; size_t n = strftime(b, $n, "$f", &r); obs(n); if (n) obs_text(b);'
    found += spread(rng, "strftime", body, 16, f=forms, n=(64, 12), t=(0, 951782400, 1709251199))
    found += spread(
        rng,
        "asctime_r",
        "time_t t = $t; struct tm r; gmtime_r(&t, &r); char b[32]; obs_text(asctime_r(&r, b));",
        t=stamps[:6],
    )
    found += spread(rng, "ctime_r", "time_t t = $t; char b[32]; obs_text(ctime_r(&t, b));", t=stamps[:6])
    found += spread(rng, "difftime", "obs_double(difftime($a, $b));", a=(0, 5, 1700000000), b=(0, 7, -3))
    found += safe(
        "time",
        "time_t t; time_t r = time(&t); obs(r == t); obs(r > 0);",
        "time_t a = time(0), b = time(0); obs(b >= a);",
    )
    found += (
        attacked("time", "", ("0",), (0,))
        + attacked("gettimeofday", "", ("0", "0"), (0,))
        + attacked("clock_gettime", "", ("1", "0"), (1,))
    )
    found += safe(
        "gettimeofday", "struct timeval t; obs(gettimeofday(&t, 0)); obs(t.tv_usec < 1000000 && t.tv_usec >= 0);"
    )
    found += spread(rng, "clock_gettime", "struct timespec t; errno = 0; int e = clock_gettime($c, &t); obs(e); obs(errno); if (!e) obs(t.tv_nsec >= 0 && t.tv_nsec < 1000000000);",
                    c=("CLOCK_REALTIME", "CLOCK_MONOTONIC", 77, "CLOCK_BOOTTIME"))  # fmt: skip
    found += safe(
        "clock_gettime",
        "struct timespec a, b; clock_gettime(CLOCK_MONOTONIC, &a); clock_gettime(CLOCK_MONOTONIC, &b); obs(b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec));",
    )
    found += spread(
        rng,
        "clock_getres",
        "struct timespec t = {7, 7}; errno = 0; obs(clock_getres($c, &t)); obs(errno); obs(t.tv_sec);",
        c=(0, 1, 77),
    )
    found += safe("clock", "obs(clock() >= 0);")
    times = ("{0, 0}", "{0, 5}", "{0, -1}", "{0, 1000000000}", "{-1, 0}")
    found += spread(rng, "nanosleep", "struct timespec t = $t; errno = 0; obs(nanosleep(&t, 0)); obs(errno);", t=times)
    found += attacked("nanosleep", "struct timespec t = {0, 0};", ("&t", "0"), (0,))
    found += spread(
        rng,
        "clock_nanosleep",
        "struct timespec t = $t; obs(clock_nanosleep($c, 0, &t, 0));",
        t=times,
        c=("CLOCK_REALTIME", "CLOCK_MONOTONIC", 77),
    )
    return found + safe("usleep", "obs(usleep(1));") + safe("sleep", "obs(sleep(0));")


def _errors() -> list[Case]:
    found = unsafe(
        "sprintf",
        'char *b = malloc(4); sprintf(b, "%d", 1234);',
        'char *b = 0; sprintf(b, "x");',
        "char b[9]; sprintf(b, (char *)0);",
    )
    found += unsafe("snprintf", 'char *b = malloc(4); snprintf(b, 5, "%d", 1234);', 'char b[9]; char *s = malloc(2); s[0] = s[1] = 65; snprintf(b, 9, "%s", s);',
                    'char b[9]; char *s = malloc(4); s[0] = 0; free(s); snprintf(b, 9, "%s", s);', 'char b[9]; snprintf(b, 9, "%s", (char *)8);')  # fmt: skip
    found += unsafe("printf", "char *f = 0; printf(f);", 'char *f = malloc(2); f[0] = f[1] = 65; printf(f);', 'char *s = malloc(2); s[0] = 65; s[1] = 65; printf("%s", s);',
                    'char *f = malloc(4); strcpy(f, "x"); free(f); printf(f);', 'printf("%s", (char *)8);')  # fmt: skip
    found += safe(
        "printf",
        'char *s = malloc(2); s[0] = s[1] = 65; printf("%.2s", s); free(s); obs(1);',
        'char *s = malloc(2); s[0] = s[1] = 65; printf("%.*s", 2, s); free(s); obs(1);',
    )
    return (
        found
        + unsafe("puts", "puts(0);", "char *s = malloc(1); *s = 65; puts(s);")
        + unsafe("fputs", "fputs(0, stdout);")
        + unsafe("strtok_r", "char *k; strtok_r(0, 0, &k);")
    )
