#include <assert.h>

struct pair { int x, y; };
struct triple { char a; short b; int c; };

static struct pair add(struct pair p, struct pair q)
{
	p.x += q.x;
	p.y += q.y;
	return p;
}

static struct triple rotate(struct triple t)
{
	struct triple r = { (char)t.b, (short)t.c, t.a };
	return r;
}

int main(void)
{
	struct pair p = { 1, 2 }, q = { 10, 20 };
	struct pair s = add(p, add(q, q));
	assert(s.x == 21 && s.y == 42 && p.x == 1);
	struct triple t = rotate((struct triple){ 1, 2, 3 });
	assert(t.a == 2 && t.b == 3 && t.c == 1);
	return 0;
}
