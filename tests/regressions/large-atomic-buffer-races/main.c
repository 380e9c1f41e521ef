#include <pthread.h>
#include <stdatomic.h>

struct wide { long a[3]; };
_Atomic struct wide object;
struct wide expected; // plain: a failed exchange writes it

void *f(void *argument)
{
    struct wide zero = {{0, 0, 0}};
    atomic_compare_exchange_strong(&object, &expected, zero);
    return 0;
}

int main(void)
{
    struct wide ones = {{1, 1, 1}};
    pthread_t t, u;
    atomic_store(&object, ones);
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, f, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
