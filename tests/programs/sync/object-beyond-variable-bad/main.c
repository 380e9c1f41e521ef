#include <pthread.h>

pthread_cond_t whole = PTHREAD_COND_INITIALIZER;

int main(void)
{
    pthread_cond_signal((void *)((char *)&whole + 8));
    return 0;
}
