typedef unsigned long pthread_t;
typedef int pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
struct { pthread_mutex_t m; int neighbour; } s;
int main(void)
{
    pthread_mutex_lock(&s.m);
    s.neighbour = 1;
    pthread_mutex_unlock(&s.m);
    return 0;
}
