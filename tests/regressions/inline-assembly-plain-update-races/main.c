#include <pthread.h>

int locked, plain;

void *f(void *argument)
{
    __asm__ volatile("lock; incl %0" : "+m"(locked));
    __asm__ volatile("incl %0" : "+m"(plain) : : "cc");
    return 0;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, f, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    if (locked != 2)
        __asm__ volatile(".byte 0x0f, 0x0b"); // no directive without a meaning, as was once thought: these are bytes of code
    return 0;
}
