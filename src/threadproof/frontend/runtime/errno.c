/* errno: one per thread, 0 when the thread starts. */

#include "runtime.h"

static _Thread_local int number;

int *__errno_location(void)
{
    return &number;
}

void __threadproof_set_errno(int code)
{
    number = code;
}

void __threadproof_maths_error(int code)
{
    number = code;
}
