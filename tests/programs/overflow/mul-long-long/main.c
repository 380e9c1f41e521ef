static long long square(long long v)
{
	return v * v;
}

int main(void)
{
	long long v = 2;
	for (int i = 0; i < 6; i++)
		v = square(v);
	return v == 2;
}
