void __CPROVER_assume(_Bool);
void __CPROVER_assert(_Bool, const char *);
unsigned char nondet_uchar(void);

int main(void) {
    unsigned char value = nondet_uchar();
    __CPROVER_assume(value > 3);
    __CPROVER_assert(value > 4, "more than four");
    return 0;
}
