/* Exact decimal numbers in base 10^9, for the text of floating-point numbers: limb[UNITS] counts units, those before it
   10^9 and more, those behind it fractions. Limbs outside of first..last are zero and were perhaps never written. */

#include "runtime.h"

enum { BASE = 1000000000, UNITS = 36, LIMBS = UNITS + 131 };

struct decimal {
    unsigned limb[LIMBS];
    int first, last;
};

void __threadproof_decimal_shift(struct decimal *number, int bits);
int __threadproof_decimal_digit(const struct decimal *number, int position);
int __threadproof_decimal_top(const struct decimal *number);
void __threadproof_decimal_round(struct decimal *number, int position);
