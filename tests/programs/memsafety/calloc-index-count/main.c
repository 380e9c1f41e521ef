#include <stdlib.h>

static long *bucket;

int main(void)
{
	int buckets = 6;
	bucket = calloc(buckets, sizeof *bucket);
	for (int key = 0; key < 40; key += 13)
		bucket[key % (buckets + 1)]++;
	free(bucket);
	return 0;
}
