/* Peterson's mutual exclusion for two threads. With -DBUG the first does not announce itself. */
#include <pthread.h>

#ifdef BUG
#define ANNOUNCED 0
#else
#define ANNOUNCED 1
#endif

void crit(void);

typedef struct {
    int *mflag;
    int *oflag;
    int *turn;
} Options;

void *petersons1(void *opti)
{
    Options *opt = (Options *)opti;

    *(opt->mflag) = ANNOUNCED;
    *(opt->turn) = 1;

    while (*(opt->oflag) && *(opt->turn) == 1) {
        /* busy wait */
    }
    crit();

    *(opt->mflag) = 0;
    return 0;
}

void *petersons2(void *opti)
{
    Options *opt = (Options *)opti;

    *(opt->mflag) = 1;
    *(opt->turn) = 0;

    while (*(opt->oflag) && *(opt->turn) == 0) {
        /* busy wait */
    }
    crit();

    *(opt->mflag) = 0;
    return 0;
}

int main(void)
{
    int flags[2] = {0, 0};
    int turn;

    Options opt1;
    opt1.mflag = &flags[0];
    opt1.oflag = &flags[1];
    opt1.turn = &turn;

    Options opt2;
    opt2.mflag = &flags[1];
    opt2.oflag = &flags[0];
    opt2.turn = &turn;

    pthread_t t1;
    pthread_t t2;

    pthread_create(&t1, 0, petersons1, &opt1);
    pthread_create(&t2, 0, petersons2, &opt2);

    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
