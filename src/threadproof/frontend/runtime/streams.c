/* Streams and files: what is in them is unknown, any result is possible. A stream is a block of the C library's, on a
   list of its own as long as it is open; the list is looked at in atomic blocks, as behind a lock. */

#include "runtime.h"

struct stream {
    long first; /* never written: only looked at */
    struct stream *next, *previous;
};

extern struct stream *stdin, *stdout, *stderr;
static struct stream *streams;

static struct stream *new_stream(void)
{
    if (__threadproof_fails()) {
        __threadproof_failed();
        return 0;
    }
    __VERIFIER_atomic_begin();
    struct stream *new = malloc(sizeof(struct stream));
    new->next = streams;
    new->previous = 0;
    if (streams)
        streams->previous = new;
    streams = new;
    __VERIFIER_atomic_end();
    return new;
}

/* Null and closed streams are noticed. */
void __threadproof_use_stream(const void *stream)
{
    __threadproof_look_at_byte(stream);
}

static int end_or_zero(void)
{
    return __threadproof_fails() ? __threadproof_failed() : 0;
}

static void read_text(const char *text)
{
    strlen(text);
}

struct stream *fopen(const char *path, const char *mode)
{
    read_text(path);
    read_text(mode);
    return new_stream();
}

struct stream *fdopen(int number, const char *mode)
{
    read_text(mode);
    return new_stream();
}

struct stream *tmpfile(void)
{
    return new_stream();
}

int fclose(struct stream *stream)
{
    __threadproof_use_stream(stream);
    if (stream != stdin && stream != stdout && stream != stderr) {
        __VERIFIER_atomic_begin();
        if (stream->next)
            stream->next->previous = stream->previous;
        if (stream->previous)
            stream->previous->next = stream->next;
        else
            streams = stream->next;
        __VERIFIER_atomic_end();
        free(stream);
    }
    return end_or_zero();
}

/* --- reading --- */

static int any_character(void)
{
    return __threadproof_fails() ? -1 : __VERIFIER_nondet_uchar();
}

int fgetc(struct stream *stream)
{
    __threadproof_use_stream(stream);
    return any_character();
}

int getc(struct stream *stream)
{
    return fgetc(stream);
}

int getc_unlocked(struct stream *stream)
{
    return fgetc(stream);
}

int getchar_unlocked(void)
{
    return any_character();
}

int ungetc(int c, struct stream *stream)
{
    __threadproof_use_stream(stream);
    return c == -1 || __threadproof_fails() ? -1 : (byte)c;
}

/* How long the line is, is where the first unknown byte turns out to be zero. */
char *fgets(char *text, int n, struct stream *stream)
{
    __threadproof_use_stream(stream);
    if (n <= 0 || __threadproof_fails())
        return 0;
    __threadproof_unknown_bytes(text, n - 1);
    text[n - 1] = 0;
    return text;
}

size_t fread(void *target, size_t size, size_t n, struct stream *stream)
{
    __threadproof_use_stream(stream);
    if (size == 0 || n == 0)
        return 0;
    __threadproof_unknown_bytes(target, size * n);
    return __threadproof_any_count(n);
}

/* Lines of at most 119 characters. */
long getdelim(char **line, size_t *room, int delimiter, struct stream *stream)
{
    enum { ROOM = 120 };
    __threadproof_use_stream(stream);
    size_t length = __threadproof_fails() ? 0 : __threadproof_any_count(ROOM - 1);
    if (*line == 0 || *room <= length) {
        *line = realloc(*line, ROOM);
        *room = ROOM;
    }
    if (length == 0)
        return -1;
    __threadproof_unknown_bytes(*line, length);
    (*line)[length] = 0;
    return length;
}

long getline(char **line, size_t *room, struct stream *stream)
{
    return getdelim(line, room, '\n', stream);
}

/* --- writing --- */

size_t fwrite(const void *source, size_t size, size_t n, struct stream *stream)
{
    __threadproof_use_stream(stream);
    if (size == 0 || n == 0)
        return 0;
    __threadproof_read_bytes(source, size * n);
    return __threadproof_any_count(n);
}

/* --- the rest --- */

int fseek(struct stream *stream, long offset, int whence)
{
    __threadproof_use_stream(stream);
    return __threadproof_zero_or_fails();
}

long ftell(struct stream *stream)
{
    __threadproof_use_stream(stream);
    if (__threadproof_fails())
        return __threadproof_failed();
    return (long)(__VERIFIER_nondet_ulonglong() & -1ul >> 1);
}

void rewind(struct stream *stream)
{
    __threadproof_use_stream(stream);
}

int feof(struct stream *stream)
{
    __threadproof_use_stream(stream);
    return __threadproof_fails();
}

int ferror(struct stream *stream)
{
    __threadproof_use_stream(stream);
    return __threadproof_fails();
}

void clearerr(struct stream *stream)
{
    __threadproof_use_stream(stream);
}

int fileno(struct stream *stream)
{
    __threadproof_use_stream(stream);
    if (stream == stdin || stream == stdout || stream == stderr)
        return stream == stdin ? 0 : stream == stdout ? 1 : 2;
    int number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number >= 16);
    return number;
}

/* The stream would read and write it from now on, also when the program ends. */
static void take_buffer(const char *buffer)
{
    if (buffer)
        __threadproof_unsupported("a stream with a buffer of the program's (setvbuf)");
}

int setvbuf(struct stream *stream, char *buffer, int mode, size_t size)
{
    enum { UNBUFFERED = 2 };
    __threadproof_use_stream(stream);
    if (mode != UNBUFFERED && size)
        take_buffer(buffer);
    return __threadproof_fails();
}

void setbuf(struct stream *stream, char *buffer)
{
    __threadproof_use_stream(stream);
    take_buffer(buffer);
}
