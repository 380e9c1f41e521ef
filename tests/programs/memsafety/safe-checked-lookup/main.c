#include <assert.h>

struct entry { int key, value; };

static struct entry table[3] = { { 1, 10 }, { 2, 20 }, { 4, 40 } };

static struct entry *find(int key)
{
	for (int i = 0; i < 3; i++)
		if (table[i].key == key)
			return &table[i];
	return 0;
}

int main(void)
{
	int sum = 0;
	for (int key = 1; key <= 5; key++) {
		struct entry *e = find(key);
		if (e)
			sum += e->value;
	}
	assert(sum == 70);
	return 0;
}
