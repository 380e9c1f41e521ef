#include <assert.h>
#include <time.h>

int main(void) {
    time_t moment = 5;
    assert(difftime(moment, moment) == 0);
    return 0;
}
