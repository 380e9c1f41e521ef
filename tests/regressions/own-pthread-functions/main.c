// Without <pthread.h>: the functions below are the program's own, and its spin lock locks nothing.
typedef unsigned long thread;
int pthread_create(thread *handle, const void *attributes, void *(*start)(void *), void *argument);
int pthread_join(thread handle, void **result);
void reach_error(void);

static void pthread_spin_lock(volatile int *lock) { *lock = 1; }
static void pthread_spin_unlock(volatile int *lock) { *lock = 0; }
int pthread_self(void) { return 77; }

volatile int lock, inside;

void *run(void *argument) {
  pthread_spin_lock(&lock);
  if (inside++ || pthread_self() != 77)
    reach_error();
  inside--;
  pthread_spin_unlock(&lock);
  return 0;
}

int main(void) {
  thread handle;
  pthread_create(&handle, 0, run, 0);
  run(0);
  pthread_join(handle, 0);
  return 0;
}
