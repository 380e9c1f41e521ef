#include <assert.h>

static int find(int target)
{
	int i, j;
	for (i = 1; i < 6; i++)
		for (j = i; j < 6; j++)
			if (i * j == target)
				goto found;
	return -1;
found:
	return 10 * i + j;
}

int main(void)
{
	int odd = 0, n = 0, retries = 0;
	assert(find(12) == 34 && find(7) == -1);
	for (int i = 0; i < 10; i++) {
		if (i % 2 == 0)
			continue;
		odd += i;
	}
	do
		n++;
	while (n < 0);
again:
	if (++retries < 3)
		goto again;
	assert(odd == 25 && n == 1 && retries == 3);
	return 0;
}
