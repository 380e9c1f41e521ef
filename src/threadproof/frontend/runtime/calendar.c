/* Dates: the calendar of the C library, in UTC, which is the local time too. */

#include "runtime.h"

enum { EOVERFLOW = 75, DAY = 86400 };

struct tm {
    int sec, min, hour, mday, mon, year, wday, yday, isdst;
    long gmtoff;
    const char *zone;
};

int snprintf(char *room, size_t size, const char *format, ...);

double difftime(long later, long earlier)
{
    return (double)later - (double)earlier;
}

static _Bool is_leap(long long year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* Days from the first of January 1970 to the first of January of a year. */
static long long days_before(long long year)
{
    long long y = year - 1;
    long long eras = (y >= 0 ? y : y - 399) / 400;
    y -= 400 * eras;
    return eras * 146097 + y * 365 + y / 4 - y / 100 - 719162;
}

static int days_in(long long year, int month)
{
    static const char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month] + (month == 1 && is_leap(year));
}

static struct tm *broken_down(long long time, struct tm *result, const char *zone)
{
    long long days = (time >= 0 ? time : time - (DAY - 1)) / DAY;
    int rest = time - days * DAY;
    long long year = 1970 + days / 146097 * 400 + days % 146097 * 400 / 146097; /* at most a year off */
    while (days_before(year + 1) <= days)
        year++;
    while (days_before(year) > days)
        year--;
    if (year - 1900 > 0x7fffffff || year - 1900 < -0x80000000ll) {
        __threadproof_set_errno(EOVERFLOW);
        return 0;
    }
    int day = days - days_before(year), month = 0;
    result->yday = day;
    for (; day >= days_in(year, month); month++)
        day -= days_in(year, month);
    result->sec = rest % 60;
    result->min = rest / 60 % 60;
    result->hour = rest / 3600;
    result->mday = day + 1;
    result->mon = month;
    result->year = year - 1900;
    result->wday = ((days + 4) % 7 + 7) % 7;
    result->isdst = 0;
    result->gmtoff = 0;
    result->zone = zone;
    return result;
}

struct tm *gmtime_r(const long *time, struct tm *result)
{
    return broken_down(*time, result, "GMT");
}

struct tm *localtime_r(const long *time, struct tm *result)
{
    return broken_down(*time, result, "UTC");
}

/* One for gmtime and localtime and for all threads: they race on it. */
static struct tm shared;

struct tm *gmtime(const long *time)
{
    return gmtime_r(time, &shared);
}

struct tm *localtime(const long *time)
{
    return localtime_r(time, &shared);
}

static long from_parts(struct tm *parts, const char *zone)
{
    long long months = 12 * (1900ll + parts->year) + parts->mon;
    long long year = (months >= 0 ? months : months - 11) / 12;
    long long days = days_before(year) + parts->mday - 1;
    for (int month = 0; month < months - 12 * year; month++)
        days += days_in(year, month);
    long long time = days * DAY + parts->hour * 3600ll + parts->min * 60ll + parts->sec;
    if (time != (long)time) {
        __threadproof_set_errno(EOVERFLOW);
        return -1;
    }
    return broken_down(time, parts, zone) ? time : -1;
}

long timegm(struct tm *parts)
{
    return from_parts(parts, "GMT");
}

long mktime(struct tm *parts)
{
    if (parts->isdst > 0)
        __threadproof_unsupported("mktime of a time with daylight saving");
    return from_parts(parts, "UTC");
}

static const char days[7][10] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char months[12][10] = {"January", "February", "March", "April", "May", "June", "July", "August",
                                    "September", "October", "November", "December"};

static const char *name_of(const char (*names)[10], int count, int which)
{
    return which >= 0 && which < count ? names[which] : "?";
}

char *asctime_r(const struct tm *parts, char *room)
{
    const char *day = name_of(days, 7, parts->wday), *month = name_of(months, 12, parts->mon);
    snprintf(room, 26, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", day, month, parts->mday, parts->hour, parts->min,
             parts->sec, 1900 + parts->year);
    return room;
}

char *ctime_r(const long *time, char *room)
{
    struct tm parts;
    return localtime_r(time, &parts) ? asctime_r(&parts, room) : 0;
}

char *asctime(const struct tm *parts)
{
    static char text[32];
    return asctime_r(parts, text);
}

char *ctime(const long *time)
{
    struct tm *parts = localtime(time);
    return parts ? asctime(parts) : 0;
}

static int piece(char *room, size_t size, char kind, const struct tm *parts)
{
    int hour = parts->hour % 12 ? parts->hour % 12 : 12;
    switch (kind) {
    case 'Y': return snprintf(room, size, "%d", 1900 + parts->year);
    case 'C': return snprintf(room, size, "%.2d", (1900 + parts->year) / 100);
    case 'y': return snprintf(room, size, "%.2d", (parts->year % 100 + 100) % 100);
    case 'm': return snprintf(room, size, "%.2d", parts->mon + 1);
    case 'd': return snprintf(room, size, "%.2d", parts->mday);
    case 'e': return snprintf(room, size, "%2d", parts->mday);
    case 'H': return snprintf(room, size, "%.2d", parts->hour);
    case 'I': return snprintf(room, size, "%.2d", hour);
    case 'M': return snprintf(room, size, "%.2d", parts->min);
    case 'S': return snprintf(room, size, "%.2d", parts->sec);
    case 'j': return snprintf(room, size, "%.3d", parts->yday + 1);
    case 'u': return snprintf(room, size, "%d", parts->wday ? parts->wday : 7);
    case 'w': return snprintf(room, size, "%d", parts->wday);
    case 'a': return snprintf(room, size, "%.3s", name_of(days, 7, parts->wday));
    case 'A': return snprintf(room, size, "%s", name_of(days, 7, parts->wday));
    case 'b': case 'h': return snprintf(room, size, "%.3s", name_of(months, 12, parts->mon));
    case 'B': return snprintf(room, size, "%s", name_of(months, 12, parts->mon));
    case 'p': return snprintf(room, size, "%s", parts->hour >= 12 ? "PM" : "AM");
    case 'Z': return snprintf(room, size, "%s", parts->zone ? parts->zone : "");
    case 'n': return snprintf(room, size, "\n");
    case 't': return snprintf(room, size, "\t");
    case '%': return snprintf(room, size, "%%");
    default:
        __threadproof_unsupported("strftime with a directive that is not modelled");
        return 0;
    }
}

static const char *meaning(char kind)
{
    switch (kind) {
    case 'D': case 'x': return "%m/%d/%y";
    case 'F': return "%Y-%m-%d";
    case 'T': case 'X': return "%H:%M:%S";
    case 'R': return "%H:%M";
    case 'r': return "%I:%M:%S %p";
    case 'c': return "%a %b %e %H:%M:%S %Y";
    default: return 0;
    }
}

/* The length of the text, 0 if there is no room for it. */
size_t strftime(char *room, size_t size, const char *format, const struct tm *parts)
{
    size_t n = 0;
    for (; *format; format++) {
        if (n >= size)
            return 0;
        if (*format != '%') {
            room[n++] = *format;
            continue;
        }
        const char *longer = meaning(*++format);
        size_t more = longer ? strftime(room + n, size - n, longer, parts) : piece(room + n, size - n, *format, parts);
        if (longer && !more)
            return 0;
        n += more;
    }
    if (n >= size)
        return 0;
    room[n] = 0;
    return n;
}
