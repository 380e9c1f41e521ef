#include <stdlib.h>
extern void reach_error(void);
__attribute__((destructor)) void d(void){ reach_error(); }
int main(){ exit(0); }
