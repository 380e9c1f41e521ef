#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static void copies(const char *path) {
    char line[9];
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    setvbuf(file, 0, _IOLBF, 0);
    setbuf(file, 0);
    flockfile(file);
    if (fgets(line, sizeof line, file))
        assert(line[8] == 0);
    fread(line, 2, 4, file);
    fwrite(line, 1, 9, file);
    int c = fgetc(file), d = getc(file), e = getc_unlocked(file);
    (void)d, (void)e;
    ungetc(c, file);
    rewind(file);
    clearerr(file);
    fseek(file, 0, SEEK_END);
    ftell(file);
    feof(file);
    ferror(file);
    funlockfile(file);
    fclose(file);
}

int main(void) {
    copies("b");
    assert(fileno(stdin) == 0 && fileno(stderr) == 2);
    return 0;
}
