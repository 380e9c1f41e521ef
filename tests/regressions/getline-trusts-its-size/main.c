#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *line = malloc(1);
    size_t room = 50;
    getline(&line, &room, stdin);
    free(line);
    return 0;
}
