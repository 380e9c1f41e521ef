#include <semaphore.h>
extern void reach_error(void);
sem_t s;
int main(){ sem_init(&s,0,2147483647); if(sem_post(&s)==0) reach_error(); return 0;}
