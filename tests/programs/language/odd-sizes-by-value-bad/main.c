#include <pthread.h>
#include <assert.h>

struct colour { unsigned char red, green, blue; };
struct point { signed char x, y, z, s, t; };

struct colour colour;
struct point point;
pthread_mutex_t m;

struct colour mixed(struct colour c) {
    c.blue = c.red + c.green;
    return c;
}

struct point moved(struct point p, int by) {
    p.z += by;
    return p;
}

void *work(void *arg) {
    pthread_mutex_lock(&m);
    colour = mixed(colour);
    pthread_mutex_unlock(&m);
    point = moved(point, 2);
    return 0;
}

int main(void) {
    pthread_t a, b;
    colour.red = 3;
    colour.green = 4;
    point.z = -1;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(colour.blue == 7);
    assert(point.z == 3);
    return 0;
}
