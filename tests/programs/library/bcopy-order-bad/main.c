#include <assert.h>
#include <string.h>
#include <strings.h>

int main(void) {
    char message[4] = "abc", target[4] = "";
    bcopy(target, message, sizeof message);
    assert(strcmp(target, "abc") == 0);
    return 0;
}
