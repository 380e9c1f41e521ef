#include <assert.h>
#include <stddef.h>

extern void __VERIFIER_assume(int);
extern unsigned short __VERIFIER_nondet_ushort(void), __VERIFIER_nondet_u16(void);
extern unsigned __VERIFIER_nondet_uint(void), __VERIFIER_nondet_unsigned(void), __VERIFIER_nondet_u32(void);
extern unsigned __VERIFIER_nondet_unsigned_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void), __VERIFIER_nondet_unsigned_long(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void), __VERIFIER_nondet_u64(void);
extern unsigned long __VERIFIER_nondet_sector_t(void), __VERIFIER_nondet_pthread_t(void);
extern size_t __VERIFIER_nondet_size_t(void);

#define BIT(kind, type)                            \
    static int bit_##kind(void) {                  \
        type value = __VERIFIER_nondet_##kind();   \
        __VERIFIER_assume(value < 2);              \
        return (int)value;                         \
    }

BIT(ushort, unsigned short)
BIT(u16, unsigned short)
BIT(uint, unsigned)
BIT(unsigned, unsigned)
BIT(u32, unsigned)
BIT(unsigned_int, unsigned)
BIT(ulong, unsigned long)
BIT(unsigned_long, unsigned long)
BIT(ulonglong, unsigned long long)
BIT(u64, unsigned long long)
BIT(sector_t, unsigned long)
BIT(pthread_t, unsigned long)
BIT(size_t, size_t)

int main(void) {
    int sum = bit_ushort() + bit_u16() + bit_uint() + bit_unsigned() + bit_u32() + bit_unsigned_int() + bit_ulong();
    sum += bit_unsigned_long() + bit_ulonglong() + bit_u64() + bit_sector_t() + bit_pthread_t() + bit_size_t();
    assert(sum >= 0 && sum <= 13);
    return 0;
}
