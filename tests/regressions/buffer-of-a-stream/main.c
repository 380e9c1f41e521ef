// Undefined: the buffer is dead when stdout is flushed at the end. Nothing caught it: the model dropped the pointer, and no
// case of the differential test gave a stream a buffer of the program's.
#include <stdio.h>

static void quiet(void) {
    char room[64];
    setvbuf(stdout, room, _IOFBF, sizeof room);
}

int main(void) {
    quiet();
    puts("hello");
    return 0;
}
