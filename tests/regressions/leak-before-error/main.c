#include <stdlib.h>
extern void __VERIFIER_assume(int); extern void reach_error(void);
int main(){ char *p = malloc(4); p=0; reach_error(); return 0; }
