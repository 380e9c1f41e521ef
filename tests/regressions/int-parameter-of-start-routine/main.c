#include <pthread.h>
extern void reach_error(void);
void *f(int id){ int z=id; if(z!=-1) reach_error(); return 0; }
int main(){ pthread_t t; pthread_create(&t,0,(void*(*)(void*))f,(void*)-1L); pthread_join(t,0); return 0; }
