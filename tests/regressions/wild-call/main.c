int (*f)(int);
int main() { return f(3); }
