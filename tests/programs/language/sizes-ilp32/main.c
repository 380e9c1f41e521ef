#include <assert.h>
#include <stddef.h>

struct s { char c; long l; short h; void *p; char t; };
struct d { char c; double x; long long y; };
struct __attribute__((packed)) k { char c; int i; short h; };

int main(void)
{
	assert(sizeof(int) == 4 && sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(size_t) == 4);
	assert(offsetof(struct s, l) == 4 && offsetof(struct s, p) == 12 && sizeof(struct s) == 20);
	assert(offsetof(struct d, x) == 4 && offsetof(struct d, y) == 12 && sizeof(struct d) == 20);
	assert(sizeof(long long) == 8 && _Alignof(struct s) == 4 && _Alignof(struct d) == 4);
	assert(sizeof(struct k) == 7 && offsetof(struct k, h) == 5);
	return 0;
}
