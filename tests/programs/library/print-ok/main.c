#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

extern int printk(const char *format, ...);

int x;
char letters[3] = {'a', 'b', 'c'};

void *f(void *arg) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    printf("%d%% %s %c\n", 5, "text", 'c');
    fprintf(stderr, "%.3s|%*d\n", letters, 4, 7);
    dprintf(1, "%.*s\n", 2, letters);
    printk("<1>%p\n", (void *)letters);
    putchar('a');
    putchar_unlocked('b');
    putc('c', stdout);
    fputc('d', stdout);
    puts("line");
    fputs("text", stdout);
    perror("nothing");
    fputs(strerror(1), stderr);
    fflush(stdout);
    pthread_join(t, NULL);
    assert(x == 1);
    return 0;
}
