/* Mutexes of programs that have robust ones: who locks one whose owner has ended gets it, with EOWNERDEAD. As in glibc,
   each thread has a list of the robust mutexes that it holds; when it ends, after its cleanup handlers and the
   destructors of its keys, it gives them up. That is the destructor of a key, in the second round of destructors. */

#include "runtime.h"

enum { EINVAL = 22, EOWNERDEAD = 130, ENOTRECOVERABLE = 131, ROBUST = 256, MOST = 8 };

int __threadproof_robust_lock(void *mutex); /* 256 is 0, of a robust mutex */
int __threadproof_robust_trylock(void *mutex);
int __threadproof_robust_timedlock(void *mutex, const void *until);
int __threadproof_robust_unlock(void *mutex);
int __threadproof_robust_asked(void *mutex);
int __threadproof_robust_destroy(void *mutex);
void __threadproof_robust_give_up(void *mutex);
int __threadproof_late(const void *until); /* EINVAL if it is no time */
int __threadproof_cancels(void);           /* 0, if the program cancels no thread */
void __threadproof_own_lock(void *mutex);
void __threadproof_own_unlock(void *mutex);
void __threadproof_cond_begin(void *condition, void *mutex);
int __threadproof_cond_end(void *condition, void *mutex);
int __threadproof_cond_end_timed(void *condition, void *mutex, const void *until);
int __threadproof_cond_wait(void *condition, void *mutex);
int __threadproof_cond_timedwait(void *condition, void *mutex, const void *until);

struct held {
    void *mutex;
    unsigned depth;
};

static unsigned key;
static _Thread_local struct held held[MOST];
static _Thread_local unsigned count, round;

static void give_up(void *any)
{
    if (round++ == 0) {
        pthread_setspecific(key, any);
        return;
    }
    while (count)
        __threadproof_robust_give_up(held[--count].mutex);
}

void __threadproof_robust_start(void)
{
    pthread_key_create(&key, give_up);
}

static struct held *find(void *mutex)
{
    for (unsigned i = 0; i < count; i++)
        if (held[i].mutex == mutex)
            return &held[i];
    return 0;
}

static void add(void *mutex)
{
    if (count == MOST)
        __threadproof_unsupported("a thread that holds more than 8 robust mutexes");
    if (round > 1)
        __threadproof_unsupported("a robust mutex locked by a destructor that runs again");
    held[count].mutex = mutex;
    held[count++].depth = 1;
    pthread_setspecific(key, &key);
}

static int taken(void *mutex, int code)
{
    if (code != ROBUST && code != EOWNERDEAD)
        return code;
    struct held *known = find(mutex);
    if (known)
        known->depth++;
    else
        add(mutex);
    return code == ROBUST ? 0 : code;
}

static int left(void *mutex, int code)
{
    if (code != ROBUST && code != ENOTRECOVERABLE)
        return code;
    struct held *known = find(mutex);
    if (known && --known->depth == 0) {
        count--;
        for (struct held *each = known; each < held + count; each++)
            *each = each[1];
    }
    return code == ROBUST ? 0 : code;
}

int pthread_mutex_lock(void *mutex) { return taken(mutex, __threadproof_robust_lock(mutex)); }
int pthread_mutex_trylock(void *mutex) { return taken(mutex, __threadproof_robust_trylock(mutex)); }
int pthread_mutex_unlock(void *mutex) { return left(mutex, __threadproof_robust_unlock(mutex)); }
int pthread_mutex_destroy(void *mutex) { return __threadproof_robust_destroy(mutex); }

int pthread_mutex_timedlock(void *mutex, const void *until)
{
    return taken(mutex, __threadproof_robust_timedlock(mutex, until));
}

int pthread_mutex_clocklock(void *mutex, int clock, const void *until)
{
    return clock != 0 && clock != 1 ? EINVAL : pthread_mutex_timedlock(mutex, until);
}

/* Waiting gives a robust mutex back in the same step, by means of a mutex of the thread's own; who has waited takes the
   robust one afterwards, as in glibc. A thread that is cancelled there would have to do so before its handlers run. */
static int wait(void *condition, void *mutex, const void *until)
{
    static _Thread_local unsigned long own[5];
    if (__threadproof_cancels())
        __threadproof_unsupported("waiting with a robust mutex where threads are cancelled");
    __VERIFIER_atomic_begin();
    int code = pthread_mutex_unlock(mutex);
    if (!code) {
        __threadproof_own_lock(own);
        __threadproof_cond_begin(condition, own);
    }
    __VERIFIER_atomic_end();
    if (code)
        return code;
    int late = until ? __threadproof_cond_end_timed(condition, own, until) : __threadproof_cond_end(condition, own);
    __threadproof_own_unlock(own);
    code = pthread_mutex_lock(mutex);
    return code ? code : late;
}

int pthread_cond_wait(void *condition, void *mutex)
{
    return __threadproof_robust_asked(mutex) ? wait(condition, mutex, 0) : __threadproof_cond_wait(condition, mutex);
}

int pthread_cond_timedwait(void *condition, void *mutex, const void *until)
{
    if (!__threadproof_robust_asked(mutex))
        return __threadproof_cond_timedwait(condition, mutex, until);
    return __threadproof_late(until) == EINVAL ? EINVAL : wait(condition, mutex, until);
}

int pthread_cond_clockwait(void *condition, void *mutex, int clock, const void *until)
{
    return clock != 0 && clock != 1 ? EINVAL : pthread_cond_timedwait(condition, mutex, until);
}
