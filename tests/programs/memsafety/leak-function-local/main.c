#include <stdlib.h>

static int largest(int a, int b, int c)
{
	int *copy = malloc(3 * sizeof *copy);
	copy[0] = a;
	copy[1] = b;
	copy[2] = c;
	int max = copy[0];
	for (int i = 1; i < 3; i++)
		if (copy[i] > max)
			max = copy[i];
	return max;
}

int main(void)
{
	return largest(1, 9, 4) != 9;
}
