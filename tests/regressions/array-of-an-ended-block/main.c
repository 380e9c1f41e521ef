int main(void) {
    int *p;
    int n = 2;
    {
        int a[n];
        a[0] = 1;
        p = a;
    }
    return *p;
}
