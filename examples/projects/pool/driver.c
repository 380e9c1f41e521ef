/* Two jobs for two workers. */
#include "pool.h"

#include <assert.h>

static int results[2];

static void store(void *argument) { *(int *)argument = 7; }

int main(void) {
    struct pool *p = pool_start();
    for (int i = 0; i < 2; i++)
        pool_submit(p, store, &results[i]);
    assert(pool_stop(p) == 2);
    assert(results[0] == 7 && results[1] == 7);
    return 0;
}
