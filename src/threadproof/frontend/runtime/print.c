/* Printing: text that leaves the program. Nothing of it comes back but how much it was, or that it failed. The front
   end calls these only where somebody looks at the result; elsewhere what is printed is only read. */

#include "format.h"

enum { EOF = -1, EIO = 5 };

static int printed(int result)
{
    if (result < 0 || !__threadproof_fails())
        return result;
    __threadproof_set_errno(EIO);
    return EOF;
}

/* printf and its kin where nobody looks at the result. */
void __threadproof_print_list(const char *format, va_list list)
{
    vsnprintf(0, 0, format, list);
}

void __threadproof_print(const char *format, ...)
{
    va_list list;
    __builtin_va_start(list, format);
    vsnprintf(0, 0, format, list);
    __builtin_va_end(list);
}

int vprintf(const char *format, va_list list)
{
    return printed(vsnprintf(0, 0, format, list));
}

int vfprintf(void *stream, const char *format, va_list list)
{
    return vprintf(format, list);
}

int vdprintf(int file, const char *format, va_list list)
{
    return vprintf(format, list);
}

int __vprintf_chk(int flag, const char *format, va_list list)
{
    return vprintf(format, list);
}

int __vfprintf_chk(void *stream, int flag, const char *format, va_list list)
{
    return vprintf(format, list);
}

int printf(const char *format, ...)
{
    FORWARD(vprintf(format, list));
}

int printk(const char *format, ...)
{
    FORWARD(vsnprintf(0, 0, format, list));
}

int fprintf(void *stream, const char *format, ...)
{
    FORWARD(vprintf(format, list));
}

int dprintf(int file, const char *format, ...)
{
    FORWARD(vprintf(format, list));
}

int __printf_chk(int flag, const char *format, ...)
{
    FORWARD(vprintf(format, list));
}

int __fprintf_chk(void *stream, int flag, const char *format, ...)
{
    FORWARD(vprintf(format, list));
}

int puts(const char *text)
{
    return printed((int)strlen(text) + 1);
}

int fputs(const char *text, void *stream)
{
    strlen(text);
    return printed(1);
}

int putchar(int c)
{
    return printed((byte)c);
}

int putchar_unlocked(int c)
{
    return printed((byte)c);
}

int putc(int c, void *stream)
{
    return printed((byte)c);
}

int fputc(int c, void *stream)
{
    return printed((byte)c);
}
