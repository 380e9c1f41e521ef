#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    const char *name;
    char tag;
};

static int by_value(const void *a, const void *b) {
    int left = *(const int *)a, right = *(const int *)b;
    return (left > right) - (left < right);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

int main(void) {
    int numbers[5] = {3, -1, 7, 0, 3};
    qsort(numbers, 5, sizeof numbers[0], by_value);
    for (int i = 0; i < 4; i++)
        assert(numbers[i] <= numbers[i + 1]);
    assert(numbers[0] == -1 && numbers[4] == 7);

    int wanted = 7, missing = 5;
    assert(bsearch(&wanted, numbers, 5, sizeof numbers[0], by_value) == &numbers[4]);
    assert(bsearch(&missing, numbers, 5, sizeof numbers[0], by_value) == NULL);
    assert(bsearch(&wanted, numbers, 0, sizeof numbers[0], by_value) == NULL);

    struct entry table[3] = {{"sem", 's'}, {"barrier", 'b'}, {"mutex", 'm'}};
    qsort(table, 3, sizeof table[0], by_name);
    assert(table[0].tag == 'b' && table[1].tag == 'm' && table[2].tag == 's');
    struct entry key = {"mutex", 0};
    struct entry *found = bsearch(&key, table, 3, sizeof table[0], by_name);
    assert(found == &table[1]);
    return 0;
}
