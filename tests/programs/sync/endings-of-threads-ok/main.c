#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

static int said[8], n;
static pthread_key_t key, later;
static sem_t one;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static const struct timespec soon = {0, 1};

static void say(void *what) { said[n++] = (int)(long)what; }

static void again(void *what) {
    say(what);
    pthread_setspecific(key, what); /* four rounds */
}

static void *result_of(void *(*f)(void *)) {
    pthread_t t;
    void *result;
    n = 0;
    assert(pthread_create(&t, NULL, f, NULL) == 0 && pthread_join(t, &result) == 0);
    return result;
}

static void *exits(void *arg) {
    pthread_setspecific(later, (void *)9);
    pthread_setspecific(key, (void *)3);
    pthread_cleanup_push(say, (void *)1);
    pthread_cleanup_push(say, (void *)2);
    pthread_exit((void *)5);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
}

static void passes_points(void *arg) {
    say((void *)1);
    pthread_cancel(pthread_self());
    pthread_testcancel();
    sem_wait(&one);
    say((void *)2);
}

static void *cancelled_once(void *arg) {
    pthread_cleanup_push(passes_points, NULL);
    pthread_cancel(pthread_self());
    pthread_testcancel();
    pthread_cleanup_pop(0);
    return NULL;
}

static void *before_waiting(void *arg) {
    pthread_cancel(pthread_self());
    pthread_mutex_lock(&m); /* no cancellation point */
    pthread_mutex_unlock(&m);
    say((void *)1);
    sem_wait(&one); /* one, though it need not wait */
    say((void *)2);
    return NULL;
}

static void *sleeping(void *arg) {
    pthread_cancel(pthread_self());
    nanosleep(&soon, NULL);
    say((void *)1);
    return NULL;
}

static void *disabled(void *arg) {
    int old = 7;
    assert(pthread_setcancelstate(5, &old) == EINVAL && old == 7);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_cancel(pthread_self());
    pthread_testcancel();
    say((void *)1);
    assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
    say((void *)2);
    usleep(1);
    say((void *)3);
    return NULL;
}

static void *in_condition(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &m);
    pthread_cancel(pthread_self());
    pthread_cond_timedwait(&c, &m, &soon);
    say((void *)1);
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void) {
    pthread_key_create(&key, again);
    pthread_key_create(&later, say);
    sem_init(&one, 0, 1);
    assert(result_of(exits) == (void *)5 && n == 7);
    assert(said[0] == 2 && said[1] == 1 && said[2] == 3 && said[3] == 9 && said[4] == 3 && said[6] == 3);
    assert(result_of(before_waiting) == PTHREAD_CANCELED && n == 1);
    assert(result_of(cancelled_once) == PTHREAD_CANCELED && n == 2 && said[1] == 2);
    assert(result_of(sleeping) == PTHREAD_CANCELED && n == 0);
    assert(result_of(disabled) == PTHREAD_CANCELED && n == 2);
    assert(result_of(in_condition) == PTHREAD_CANCELED && n == 0 && pthread_mutex_trylock(&m) == 0);
    return 0;
}
