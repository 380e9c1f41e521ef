extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    while (1) {
        int input = __VERIFIER_nondet_int();
        int state = __VERIFIER_nondet_int();
        if (input == 3 && state > 7)
            reach_error();
    }
}
