#include <assert.h>
#include <string.h>

static const char *file_name(const char *path) {
    const char *slash = strchr(path, '/');
    return slash ? slash + 1 : path;
}

int main(void) {
    assert(strcmp(file_name("main.c"), "main.c") == 0);
    assert(strcmp(file_name("src/main.c"), "main.c") == 0);
    assert(strcmp(file_name("a/b/main.c"), "main.c") == 0);
    return 0;
}
