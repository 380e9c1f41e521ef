/* Two threads add the two variables to each other, NUM times each. The paper asks for the number F(2 NUM):
 * N = 2, 4, 8, 16 for the numbers 4, 8, 16, 32. With -DONE_MORE a thread has one more instruction before its loop: the
 * place of a result, which clang makes if pthread_exit is not declared as one that does not return. */
#include <pthread.h>

#ifndef NUM
#define NUM 2
#define TARGET 3
#endif

extern void VERIFIERError(void);

int i = 1, j = 1;

void *t1(void *arg)
{
#ifdef ONE_MORE
    void *result;
#endif
    int k = 0;

    for (k = 0; k < NUM; k++)
        i += j;

    pthread_exit(0);
}

void *t2(void *arg)
{
#ifdef ONE_MORE
    void *result;
#endif
    int k = 0;

    for (k = 0; k < NUM; k++)
        j += i;

    pthread_exit(0);
}

int main(void)
{
    pthread_t id1, id2;

    pthread_create(&id1, 0, t1, 0);
    pthread_create(&id2, 0, t2, 0);
    pthread_join(id1, 0);
    pthread_join(id2, 0);

    if (i == TARGET || j == TARGET)
        VERIFIERError();
    return 0;
}
