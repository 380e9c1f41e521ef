#include <stdlib.h>

static int global[6];

int main(void)
{
	int local[6];
	int *heap = malloc(6 * sizeof *heap);
	for (int i = 5; i >= 0; i--)
		local[i] = global[i] = heap[i] = i;
	int sum = local[0] + local[5] + global[5] + heap[5];
	free(heap);
	return sum != 15;
}
