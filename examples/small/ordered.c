/* Both threads take the locks in the same order. */
#include <pthread.h>

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
int moved;

void *move(void *unused)
{
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    moved++;
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, move, 0);
    pthread_create(&b, 0, move, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
