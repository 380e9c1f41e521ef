static long bits;

static void mark(int bit)
{
	bits |= 1L << bit;
}

int main(void)
{
	mark(31);
	mark(62);
	mark(63);
	return bits == 0;
}
