/* Sequentialized texts, compiled as they are: all their executions, or some at random.
 *
 * A text runs on a stack of its own until it asks for a choice. Then it is put aside: its variables, its heap and the
 * part of the stack that is in use are a state, and each state goes on with each value once. What a run comes to is
 * one line of output, printed once. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

struct text { int (*main)(void); void (*dump)(int returned); char *data, *data_end, *bss, *bss_end; };
extern struct text texts[];

enum { ASKED = 1, RETURNED, OVER, STACK = 1 << 16, HEAP = 1 << 12, FIRST = 1 << 12 };
typedef struct { long next, high; size_t used; ucontext_t context; char bytes[]; } Saved;

static char stack[STACK] __attribute__((aligned(64))), heap[HEAP] __attribute__((aligned(64)));
static size_t heap_used;
static ucontext_t inside, outside;
static struct text *current;
static int number, event, exploring;
static long low, high, answer;
static char *asked_at;                              /* the stack from here on belongs to the state, the rest to calls */
static Saved **waiting;
static size_t waiting_count, waiting_room;

/* --- hashes that were seen ---------------------------------------------------------------------------------------- */

static uint64_t *seen;
static size_t seen_count, seen_room;

static uint64_t hashed(uint64_t h, const char *p, size_t n) {
    for (; n >= 8; p += 8, n -= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        h = (h ^ word) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    while (n--) h = (h ^ (unsigned char)*p++) * 0x100000001b3u;
    return h ^ h >> 32;
}

static int is_new(uint64_t h) {
    h |= !h;
    if (2 * seen_count >= seen_room) {
        uint64_t *old = seen;
        size_t room = seen_room;
        seen_room = room ? 2 * room : FIRST;
        seen = calloc(seen_room, sizeof *seen);
        seen_count = 0;
        for (size_t i = 0; i < room; i++) if (old[i]) is_new(old[i]);
        free(old);
    }
    for (size_t i = h % seen_room;; i = (i + 1) % seen_room) {
        if (seen[i] == h) return 0;
        if (!seen[i]) { seen[i] = h; seen_count++; return 1; }
    }
}

/* --- what texts call ---------------------------------------------------------------------------------------------- */

static char line[1 << 14];

void tell_value(const char *name, const void *where, unsigned long size) {
    char *end = line + strlen(line);
    end += sprintf(end, " %s=", name);
    for (unsigned long i = 0; i < size; i++) end += sprintf(end, "%02x", ((const unsigned char *)where)[i]);
}

void tell_begin(void) { sprintf(line, "%d ended", number); }

void tell_end(void) {
    if (exploring && !is_new(hashed(7, line, strlen(line)))) return;
    puts(line);
    fflush(stdout);
}

void text_failed(int source) {
    sprintf(line, "%d failed %d", number, source);
    tell_end();
    if (!exploring) _exit(0);
    event = OVER + 1;
    setcontext(&outside);
}

void text_over(void) {
    if (!exploring) _exit(0);
    event = OVER;
    setcontext(&outside);
}

long text_choice(long from, long to) {
    low = from, high = to, event = ASKED, asked_at = (char *)__builtin_frame_address(0) + 8;
    swapcontext(&inside, &outside);
    return answer;
}

void *text_memory(unsigned long size) {
    void *found = heap + heap_used;
    heap_used += (size + 15) / 16 * 16;
    if (heap_used > HEAP) _exit(1);
    memset(found, 0, size);
    return found;
}

/* --- all executions ----------------------------------------------------------------------------------------------- */

static char *in_use(void) { return (char *)inside.uc_mcontext.gregs[REG_RSP]; }

static void put_aside(void) {
    size_t data = current->data_end - current->data, bss = current->bss_end - current->bss;
    size_t used = stack + STACK - in_use(), size = sizeof heap_used + heap_used + data + bss + used;
    Saved *s = malloc(sizeof *s + size);
    char *p = s->bytes;
    memcpy(p, &heap_used, sizeof heap_used), p += sizeof heap_used;
    memcpy(p, heap, heap_used), p += heap_used;
    memcpy(p, current->data, data), p += data;
    memcpy(p, current->bss, bss), p += bss;
    memcpy(p, in_use(), used);
    uint64_t h = hashed(number + 1, s->bytes, p - s->bytes);
    if (!is_new(hashed(h, asked_at, stack + STACK - asked_at))) { free(s); return; }
    s->next = low, s->high = high, s->used = used, s->context = inside;
    if (waiting_count == waiting_room) {
        waiting_room = waiting_room ? 2 * waiting_room : FIRST;
        waiting = realloc(waiting, waiting_room * sizeof *waiting);
    }
    waiting[waiting_count++] = s;
}

static void take_up(const Saved *s) {
    size_t data = current->data_end - current->data, bss = current->bss_end - current->bss;
    const char *p = s->bytes;
    memcpy(&heap_used, p, sizeof heap_used), p += sizeof heap_used;
    memcpy(heap, p, heap_used), p += heap_used;
    memcpy(current->data, p, data), p += data;
    memcpy(current->bss, p, bss), p += bss;
    memcpy(stack + STACK - s->used, p, s->used);
    inside = s->context;
}

static void begin(void) {
    current->main();
    event = RETURNED;
    setcontext(&outside);
}

static void go_on(void) {
    swapcontext(&outside, &inside);
    if (event == ASKED) put_aside();
    else if (event != OVER + 1) current->dump(event == RETURNED);
}

static void explore(size_t limit) {
    exploring = 1;
    getcontext(&inside);
    inside.uc_stack.ss_sp = stack, inside.uc_stack.ss_size = STACK, inside.uc_link = 0;
    makecontext(&inside, begin, 0);
    go_on();
    while (waiting_count) {
        Saved *s = waiting[waiting_count - 1];
        take_up(s);
        answer = s->next++;
        if (s->next > s->high) waiting_count--, free(s);
        if (seen_count > limit) { printf("%d many\n", number); fflush(stdout); _exit(0); }
        go_on();
    }
    printf("%d done\n", number);
    fflush(stdout);
}

static void run(int seed) {
    char value[12];
    sprintf(value, "%d", seed);
    setenv("SEED", value, 1);
    alarm(2);
    current->main();
    current->dump(1);
}

/* Texts before `random` are explored, each in a process, those from there up to `count` run with so many seeds. */
int all_texts(int random, int count, long limit, int seeds) {
    for (number = 0; number < count; number++)
        for (int seed = 0; seed < (number < random ? 1 : seeds); seed++) {
            int status = 0;
            current = &texts[number];
            if (!fork()) {
                if (number < random) explore(limit); else run(seed);
                _exit(0);
            }
            wait(&status);
            int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
            if ((signal && signal != SIGALRM) || (number < random && !WIFEXITED(status)))
                printf("%d crashed %d\n", number, signal), fflush(stdout);
        }
    return 0;
}
