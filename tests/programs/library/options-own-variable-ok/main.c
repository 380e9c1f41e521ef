#include <assert.h>
#include <unistd.h>

int optind = 2; /* the one that getopt uses */

int main(void) {
    char *words[] = {"p", "-a", "-b", 0};
    assert(getopt(3, words, "ab") == 'b' && optind == 3);
    return 0;
}
