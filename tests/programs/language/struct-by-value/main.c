#include <assert.h>

struct pair { int x, y; };
struct big { int v[10]; };
struct mixed { char c; double d; };

static struct pair swap(struct pair p)
{
	int t = p.x;
	p.x = p.y;
	p.y = t;
	return p;
}

static struct big doubled(struct big b)
{
	for (int i = 0; i < 10; i++)
		b.v[i] *= 2;
	return b;
}

static struct mixed next(struct mixed m)
{
	return (struct mixed){ (char)(m.c + 1), m.d / 2 };
}

int main(void)
{
	struct pair p = { 1, 2 }, q = swap(p);
	assert(q.x == 2 && q.y == 1 && p.x == 1);
	struct big b = { { 1, 2, 3 } };
	assert(doubled(b).v[2] == 6 && b.v[2] == 3);
	struct mixed m = next((struct mixed){ 'a', 3.0 });
	assert(m.c == 'b' && m.d == 1.5);
	return 0;
}
