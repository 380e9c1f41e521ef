// Figure 4.4 of the thesis: creation, join and a mutex.
#include <pthread.h>

pthread_t id1;
pthread_mutex_t m;
int x = 0;

void *t1(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return ((void *)0);
}

int main() {
  pthread_mutex_init(&m, 0);
  pthread_create(&id1, ((void *)0), t1, ((void *)0));
  pthread_mutex_lock(&m);
  x *= 2;
  pthread_mutex_unlock(&m);
  pthread_join(id1, ((void *)0));
  return 0;
}
