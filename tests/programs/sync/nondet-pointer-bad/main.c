extern char *__VERIFIER_nondet_pchar(void);

int main(void) {
    char *text = __VERIFIER_nondet_pchar();
    return *text;
}
