#include <stdlib.h>
#include <threads.h>

int main(void)
{
    cnd_t *c = malloc(1);
    cnd_signal(c);
    free(c);
    return 0;
}
