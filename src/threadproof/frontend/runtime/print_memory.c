/* printf into memory. */

#include "format.h"

static const size_t unlimited = -1;

int vsprintf(char *room, const char *format, va_list list)
{
    return vsnprintf(room, unlimited, format, list);
}

int sprintf(char *room, const char *format, ...)
{
    FORWARD(vsprintf(room, format, list));
}

int snprintf(char *room, size_t size, const char *format, ...)
{
    FORWARD(vsnprintf(room, size, format, list));
}

int vasprintf(char **result, const char *format, va_list list)
{
    int count = vsnprintf(0, 0, format, list);
    if (count < 0)
        return count;
    *result = malloc((size_t)count + 1);
    return vsnprintf(*result, (size_t)count + 1, format, list);
}

int asprintf(char **result, const char *format, ...)
{
    FORWARD(vasprintf(result, format, list));
}

/* What _FORTIFY_SOURCE makes of them: the program ends where the room is too small. */
int __vsprintf_chk(char *room, int flag, size_t room_size, const char *format, va_list list)
{
    int count = vsnprintf(room, room_size, format, list);
    if (count >= 0 && (size_t)count >= room_size)
        abort();
    return count;
}

int __vsnprintf_chk(char *room, size_t size, int flag, size_t room_size, const char *format, va_list list)
{
    if (size > room_size)
        abort();
    return vsnprintf(room, size, format, list);
}

int __sprintf_chk(char *room, int flag, size_t room_size, const char *format, ...)
{
    FORWARD(__vsprintf_chk(room, flag, room_size, format, list));
}

int __snprintf_chk(char *room, size_t size, int flag, size_t room_size, const char *format, ...)
{
    FORWARD(__vsnprintf_chk(room, size, flag, room_size, format, list));
}

int __vasprintf_chk(char **result, int flag, const char *format, va_list list)
{
    return vasprintf(result, format, list);
}

int __asprintf_chk(char **result, int flag, const char *format, ...)
{
    FORWARD(vasprintf(result, format, list));
}
