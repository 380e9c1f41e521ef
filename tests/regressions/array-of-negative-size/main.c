extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int n = __VERIFIER_nondet_bool() ? 1 : -1;
    int a[n];
    a[0] = 0;
    return a[0];
}
