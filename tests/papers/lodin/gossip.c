/* Processes pass on what they know through one variable each, until everybody knows everything. A message can be
 * overwritten, and a process that knows everything stops talking: the others may wait for ever. */
#include <pthread.h>
#include <stdlib.h>

#ifndef PROCS
#define PROCS 2
#endif
#define ALLKNOWN ((1 << PROCS) - 1)

int VERIFIERError(void) { return 0; }
void VERIFIERFinished(void) {}

typedef struct {
    int *secret;
    int *commVars;
    int id;
} setup;

void *protocol(void *inp)
{
    setup *set = (setup *)inp;
    while (*set->secret != ALLKNOWN) {
        int selectedRecv = rand() % PROCS;
        set->commVars[selectedRecv] = *set->secret;
        if (set->commVars[set->id] != 0) {
            *set->secret |= set->commVars[set->id];
            set->commVars[set->id] = 0;
        }
    }
    return 0;
}

int main(void)
{
    int secretsKnown[PROCS];
    int commVar[PROCS];
    pthread_t threads[PROCS];
    setup sets[PROCS];

    for (int i = 0; i < PROCS; i++) {
        secretsKnown[i] = 1 << i;
        commVar[i] = 0;
        sets[i].secret = &secretsKnown[i];
        sets[i].commVars = commVar;
        sets[i].id = i;
    }
    for (int i = 0; i < PROCS; i++)
        pthread_create(&threads[i], 0, protocol, &sets[i]);
    for (int i = 0; i < PROCS; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < PROCS; i++)
        if (secretsKnown[i] != ALLKNOWN)
            VERIFIERError();
    VERIFIERFinished();
    return 0;
}
