#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec now;
    clock_t first = clock(), second = clock();
    assert(first == -1 || second == -1 || second >= first);
    assert(timespec_get(&now, 0) == 0);
    assert(timespec_get(&now, TIME_UTC) == TIME_UTC);
    assert(now.tv_sec != 5);
    return 0;
}
