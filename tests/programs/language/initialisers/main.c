#include <assert.h>

struct point { int x, y, z; };

static int sparse[8] = { 1, [5] = 50, 60, [1] = 10 };
static struct { struct point p[2]; int n; } shape = { .p[1].y = 4, .n = 2 };

static int norm1(const struct point *p) { return p->x + p->y + p->z; }

int main(void)
{
	assert(sparse[1] == 10 && sparse[4] == 0 && sparse[6] == 60 && sparse[7] == 0);
	assert(shape.p[1].y == 4 && shape.p[0].x == 0 && shape.n == 2);
	assert(norm1(&(struct point){ .z = 3, .x = 1 }) == 4);
	int *v = (int[]){ 7, 8, 9 };
	v[1]++;
	assert(v[0] + v[1] + v[2] == 25);
	struct point local = { 1 };
	assert(local.y == 0 && local.z == 0);
	return 0;
}
