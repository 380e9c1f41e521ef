/* A robot looks for the top right corner of a grid of nine by nine. One thread looks around, the other one moves; a
 * move in a direction that was free a moment ago may lead over the edge. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define WIDTH 9
#define HEIGHT 9

pthread_mutex_t mutex;
int32_t grid[WIDTH * HEIGHT];
int32_t xPos = 0;
int32_t yPos = HEIGHT - 1;

void VERIFIERDone(void) { while (1) {} }
#ifdef NO_CRASH /* an experiment: over the edge is no harm, the robot stays where it is */
void VERIFIERCrash(void) {}
#else
void VERIFIERCrash(void) { while (1) {} }
#endif

static void lock(void) { pthread_mutex_lock(&mutex); }
static void unlock(void) { pthread_mutex_unlock(&mutex); }

static void initGrid(void)
{
    for (int32_t w = 0; w < WIDTH; w++) {
        for (int32_t h = 0; h < HEIGHT; h++) {
            grid[WIDTH * h + w] = 2;
        }
    }
    grid[WIDTH * 0 + WIDTH - 1] = 1;
    pthread_mutex_init(&mutex, 0);
}

static int32_t innerLookUp(void)
{
    if (yPos - 1 >= 0) {
        return grid[WIDTH * (yPos - 1) + xPos];
    }
    return 0;
}

static int32_t innerLookDown(void)
{
    if (yPos + 1 < HEIGHT) {
        return grid[WIDTH * (yPos + 1) + xPos];
    }
    return 0;
}

static int32_t innerLookRight(void)
{
    if (xPos + 1 < WIDTH) {
        return grid[WIDTH * (yPos) + xPos + 1];
    }
    return 0;
}

static int32_t innerLookLeft(void)
{
    if (xPos - 1 >= 0) {
        return grid[WIDTH * (yPos) + xPos - 1];
    }
    return 0;
}

static void moveUp(void)
{
    lock();
    if (innerLookUp()) {
        yPos--;
    } else
        VERIFIERCrash();
    unlock();
}

static void moveDown(void)
{
    lock();
    if (innerLookDown()) {
        yPos++;
    } else
        VERIFIERCrash();
    unlock();
}

static void moveLeft(void)
{
    lock();
    if (innerLookLeft()) {
        xPos--;
    } else
        VERIFIERCrash();
    unlock();
}

static void moveRight(void)
{
    lock();
    if (innerLookRight()) {
        xPos++;
    } else
        VERIFIERCrash();
    unlock();
}

static int32_t lookUp(void)
{
    lock();
    int32_t val = innerLookUp();
    unlock();
    return val;
}

static int32_t lookDown(void)
{
    lock();
    int32_t val = innerLookDown();
    unlock();
    return val;
}

static int32_t lookLeft(void)
{
    lock();
    int32_t val = innerLookLeft();
    unlock();
    return val;
}

static int32_t lookRight(void)
{
    lock();
    int32_t val = innerLookRight();
    unlock();
    return val;
}

static int32_t goal(void) { return grid[yPos * WIDTH + xPos] == 1; }

typedef struct {
    int up, down, left, right, goal, sense;
} Comm;

void *observer(void *inp)
{
    Comm *comm = (Comm *)inp;
    while (comm->sense) {
        comm->goal = goal();
        comm->up = lookUp();
        comm->down = lookDown();
        comm->right = lookRight();
        comm->left = lookLeft();
    }
    return 0;
}

void *runner(void *inp)
{
    Comm *comm = (Comm *)inp;
    int i = 0;
    while (!comm->goal) {
        i++;
        int32_t dir = rand() % 4;
        switch (dir) {
        case 0:
            if (comm->up)
                moveUp();
            break;
        case 1:
            if (comm->down)
                moveDown();
            break;
        case 2:
            if (comm->left)
                moveLeft();
            break;
        case 3:
            if (comm->right)
                moveRight();
            break;
        }
    }
    comm->sense = 0;
    return 0;
}

void gridReady(void) {}

int main(void)
{
    Comm comm;
    initGrid();
    gridReady();
    comm.sense = 1;
    comm.goal = 0;
#ifdef INITIALISED /* an experiment: memory is zero until it is written */
    comm.up = comm.down = comm.left = comm.right = 0;
#endif
    pthread_t senser;
    pthread_t runnerr;
    pthread_create(&senser, 0, observer, &comm);
    pthread_create(&runnerr, 0, runner, &comm);

    pthread_join(senser, 0);
    pthread_join(runnerr, 0);

    VERIFIERDone();
    return 0;
}
