#include <stdatomic.h>
int a[4]; _Atomic(int*) p;
int main(){ int *e=0; atomic_compare_exchange_strong(&p,&e,a+100000); return 0; }
