#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int (*operations[])(int) = { abs, isdigit, toupper };

int main(void)
{
    char text[32] = "hello";
    strcat(text, ", world");
    assert(strlen(text) == 12 && strcmp(text, "hello, world") == 0);
    assert(strncmp(text, "help", 3) == 0 && strncmp(text, "help", 4) < 0);
    assert(strchr(text, 'w') == text + 7 && strrchr(text, 'o') == text + 8 && strchr(text, 0) == text + 12);
    assert(strstr(text, "lo,") == text + 3 && !strstr(text, "xyz"));
    memmove(text + 2, text, 10);
    assert(memcmp(text, "hehello, wor", 12) == 0);
    memmove(text, text + 2, 10);
    assert(memcmp(text, "hello, wor", 10) == 0);
    memset(text, 'x', 31);
    assert(text[30] == 'x' && text[31] == 0);
    strncpy(text, "ab", 5);
    assert(text[4] == 0 && text[5] == 'x');
    int numbers[] = { 5, 3, 9, 1, 7 }, key = 7;
    qsort(numbers, 5, sizeof *numbers, by_value);
    for (int i = 0; i < 4; i++)
        assert(numbers[i] < numbers[i + 1]);
    assert(bsearch(&key, numbers, 5, sizeof *numbers, by_value) == numbers + 3);
    assert(operations[0](-3) == 3 && operations[1]('5') && operations[2]('a') == 'A');
    assert(atoi(" -123x") == -123 && ffs(0) == 0 && ffs(16) == 5);
    int *block = malloc(4 * sizeof *block);
    for (int i = 0; i < 4; i++)
        block[i] = i;
    block = realloc(block, 8 * sizeof *block);
    assert(block[3] == 3);
    free(block);
    char *copy = strdup("copy");
    assert(!strcmp(copy, "copy"));
    void (*release)(void *) = free;
    release(copy);
    printf("%d %s %.*s\n", key, text, 2, text);
    puts("done");
    fprintf(stderr, "done\n");
}
