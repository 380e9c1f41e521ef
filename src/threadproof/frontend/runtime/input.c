/* Input: arbitrary values. */

#include "runtime.h"

void __threadproof_scan_1(int converted, int index, void *target)
{
    if (converted > index)
        *(unsigned char *)target = __VERIFIER_nondet_uchar();
}

void __threadproof_scan_2(int converted, int index, void *target)
{
    if (converted > index)
        *(unsigned short *)target = __VERIFIER_nondet_ushort();
}

void __threadproof_scan_4(int converted, int index, void *target)
{
    if (converted > index)
        *(unsigned int *)target = __VERIFIER_nondet_uint();
}

void __threadproof_scan_8(int converted, int index, void *target)
{
    if (converted > index)
        *(unsigned long long *)target = __VERIFIER_nondet_ulonglong();
}
