extern void reach_error(void);
int main(void) {
    int *p = 0, sum = 0;
    for (int i = 0; i < 4; i++) {
        int v = i;
        if (p != 0 || i == 0)
            p = &v;
        sum += *p;
    }
    if (sum != 6)
        reach_error();
    return 0;
}
