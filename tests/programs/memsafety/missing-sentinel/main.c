static const int primes[5] = { 2, 3, 5, 7, 0 };
static const int evens[4] = { 2, 4, 6, 8 };

static int count(const int *p)
{
	int n = 0;
	while (*p++ != 0)
		n++;
	return n;
}

int main(void)
{
	return count(primes) == count(evens);
}
