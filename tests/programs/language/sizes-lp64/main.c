#include <assert.h>
#include <stddef.h>

struct s { char c; long l; short h; void *p; char t; };
struct d { char c; double x; long long y; };
struct __attribute__((packed)) k { char c; int i; short h; };

int main(void)
{
	assert(sizeof(int) == 4 && sizeof(long) == 8 && sizeof(void *) == 8 && sizeof(size_t) == 8);
	assert(offsetof(struct s, l) == 8 && offsetof(struct s, p) == 24 && sizeof(struct s) == 40);
	assert(offsetof(struct d, x) == 8 && sizeof(struct d) == 24);
	assert(_Alignof(long long) == 8 && _Alignof(struct s) == 8);
	assert(sizeof(struct k) == 7 && offsetof(struct k, h) == 5);
	return 0;
}
