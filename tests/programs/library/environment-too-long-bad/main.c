#include <stdlib.h>
#include <string.h>

int main(void) {
    char room[3];
    char *text = getenv("NAME");
    if (text && text[0] == 'a' && text[1] == 'a' && text[2] == 'a')
        strcpy(room, text);
    return 0;
}
