/* A stack of integers without locks. `pop` gives the element back before it writes to it once more: another thread may
 * have taken it in between, and finds 100 where it pushed a number. */
#include <pthread.h>
#include <stdio.h>

#define CAPACITY 20

/* Functions defined nowhere: the paper's marks, by which its observer knows where the threads are. */
void gotFree(void);
void inLoop(void);
void gotFree1(void);
void gotFree2(void);
void inIf(void);
void gotFree3(void);
void pushed(void);
void pushed1(void);
void pushed2(void);
void pushed3(void);
void poppedHead(void);
void popped(void);
void popped1(void);
void popped2(void);

struct Element {
    int i;
    struct Element *next;
    int index;
};

struct Element *head;
struct Element elemsBuf[CAPACITY];
int free_[CAPACITY];

void VERIFIERDone(void);

void init(void)
{
    head = 0;
    for (int i = 0; i < CAPACITY; i++) {
        elemsBuf[i].i = 100;
        elemsBuf[i].next = 0;
        elemsBuf[i].index = i;
        free_[i] = 1;
    }
}

struct Element *getFree(void)
{
    while (1) {
        int selected = -1;
        gotFree();
        for (int i = 0; i < CAPACITY; i++) {
            inLoop();
            if (free_[i]) {
                gotFree1();
                selected = i;
                break;
            }
        }
        gotFree2();
        if (selected >= 0) {
            inIf();
            if (__sync_bool_compare_and_swap(&free_[selected], 1, 0)) {
                gotFree3();
                return &elemsBuf[selected];
            }
        }
    }
}

void push(int i)
{
    struct Element *elem = getFree();
    struct Element *hh;
    pushed();
    elem->i = i;
    pushed2();
    do {
        hh = head;
        pushed1();
        elem->next = hh;
    } while (!__sync_bool_compare_and_swap(&head, hh, elem));
    pushed3();
    printf("Pushed %i-%i\n", elem->i, elem->index);
}

int pop(void)
{
    struct Element *elem = 0;
    do {
        elem = head;
        poppedHead();
        if (!elem)
            return -1;
    } while (!__sync_bool_compare_and_swap(&head, elem, elem->next));
    popped();
    int i = elem->i;
    free_[elem->index] = 1;
    popped1();
    popped2();
    elem->i = 100;
    return i;
}

void *thread1(void *n)
{
    push(20);
    return 0;
}

void *thread2(void *n)
{
    pop();
    push(5);
    return 0;
}

int main(void)
{
    init();
    pthread_t t1, t2;
    push(10);
    pthread_create(&t1, 0, thread1, 0);
    pthread_create(&t2, 0, thread2, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    struct Element *h = head;
    while (h) {
        if (h->i == 100)
            VERIFIERDone();
        h = h->next;
    }
    return 0;
}
