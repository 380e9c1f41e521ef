void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);
unsigned char __ESBMC_nondet_uchar(void);

int main(void) {
    unsigned char value = __ESBMC_nondet_uchar();
    __ESBMC_assume(value != 0);
    __ESBMC_assert(value != 255, "not the largest");
    return 0;
}
