#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *line = 0, text[4];
    size_t room = 0;
    FILE *file = tmpfile(), *other = fdopen(0, "r");
    if (!file || !other || getline(&line, &room, other) < 1)
        return 0;
    assert(room >= 2 && getdelim(&line, &room, ':', file) != 0);
    getchar_unlocked();
    if (fread(text, 1, 4, file) == 3)
        assert(text[2] != 'x');
    free(line);
    fclose(other);
    return fclose(file);
}
