#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <time.h>

static void dates(void) {
    time_t leap = 951782400, before = -1;
    struct tm parts = {0};
    assert(gmtime_r(&leap, &parts) == &parts && parts.tm_mon == 1 && parts.tm_mday == 29 && parts.tm_year == 100);
    assert(parts.tm_wday == 2 && parts.tm_yday == 59 && timegm(&parts) == leap && mktime(&parts) == leap);
    assert(gmtime(&before)->tm_year == 69 && localtime(&before)->tm_sec == 59);
    parts.tm_mon = 14;
    parts.tm_mday = -5;
    assert(timegm(&parts) == 982886400 && parts.tm_mon == 1 && parts.tm_year == 101);
    assert(localtime_r(&leap, &parts)->tm_hour == 0);
}

static void texts(void) {
    char room[40];
    time_t moment = 1000000000;
    struct tm parts;
    gmtime_r(&moment, &parts);
    assert(!strcmp(asctime_r(&parts, room), "Sun Sep  9 01:46:40 2001\n"));
    assert(!strcmp(ctime_r(&moment, room), asctime(&parts)) && !strcmp(ctime(&moment), room));
    assert(strftime(room, sizeof room, "%F %T %a%n%B %I%p%%", &parts) == 39);
    assert(!strcmp(room, "2001-09-09 01:46:40 Sun\nSeptember 01AM%"));
    assert(strftime(room, 5, "%F", &parts) == 0);
}

int main(void) {
    struct timespec precision;
    time_t now = 7;
    assert(difftime(now, now) == 0 && difftime(5, 8) == -3);
    assert(clock_getres(CLOCK_MONOTONIC, &precision) == 0 && precision.tv_nsec == 1);
    errno = 0;
    assert(clock_gettime(77, &precision) == -1 && errno == EINVAL);
    dates();
    texts();
    return 0;
}
