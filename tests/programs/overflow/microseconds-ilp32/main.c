static long microseconds(long seconds)
{
	return seconds * 1000000L;
}

int main(void)
{
	long m = microseconds(2000);
	m = microseconds(3000);
	return m == 0;
}
