typedef struct { int word; } mtx_t;
int mtx_init(mtx_t *, int);
int mtx_lock(mtx_t *);

static struct {
    mtx_t mutex;
    int beside;
} both;

int main(void) {
    mtx_init(&both.mutex, 0);
    mtx_lock(&both.mutex);
    if (both.beside)
        __builtin_trap();
    return 0;
}
