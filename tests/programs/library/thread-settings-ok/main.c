#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <syslog.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static void log_list(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsyslog(LOG_INFO, format, list);
    va_end(list);
}

int main(void) {
    pthread_t me = pthread_self();
    char name[16];
    assert(pthread_setname_np(me, "a name of sixteen") == ERANGE);
    assert(pthread_setname_np(me, "worker") == 0);
    assert(pthread_getname_np(me, name, 15) == ERANGE);
    assert(pthread_getname_np(me, name, 16) == 0 && strcmp(name, "worker") == 0);
    assert(prctl(PR_SET_NAME, "a name of sixteen") == 0);
    assert(pthread_getname_np(me, name, 16) == 0 && strcmp(name, "a name of sixte") == 0);

    struct sched_param p = {1};
    int policy = 7;
    assert(pthread_setschedparam(me, SCHED_OTHER, &p) == EINVAL && pthread_setschedprio(me, 0) == 0);
    assert(sched_setscheduler(0, SCHED_OTHER, &p) == -1 && errno == EINVAL);
    assert(sched_setparam(0, &p) == -1 && sched_getscheduler(0) == SCHED_OTHER);
    assert(pthread_getschedparam(me, &policy, &p) == 0 && policy == SCHED_OTHER && p.sched_priority == 0);
    p.sched_priority = 3;
    assert(sched_getparam(0, &p) == 0 && p.sched_priority == 0);
    struct timespec slice;
    assert(sched_rr_get_interval(0, &slice) == 0);

    assert(pthread_getconcurrency() == 0 && pthread_setconcurrency(-1) == EINVAL);
    assert(pthread_setconcurrency(5) == 0 && pthread_getconcurrency() == 5);

    cpu_set_t set;
    assert(pthread_getaffinity_np(me, 1, &set) == EINVAL);
    assert(pthread_getaffinity_np(me, sizeof set, &set) == 0 && sched_getaffinity(0, sizeof set, &set) == 0);
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    int set_for_thread = pthread_setaffinity_np(me, sizeof set, &set);
    assert(set_for_thread == 0 || set_for_thread == EINVAL);
    assert(sched_setaffinity(0, sizeof set, &set) == 0 || errno == EINVAL);

    pthread_attr_t attributes;
    assert(pthread_getattr_np(me, &attributes) == 0);
    clockid_t clock;
    assert(pthread_getcpuclockid(me, &clock) == 0);
    syslog(LOG_INFO, "%s", name);
    log_list("%d", 1);
    return 0;
}
