static int flag(int bit)
{
	return 1 << bit;
}

int main(void)
{
	int all = 0;
	for (int bit = 28; bit < 32; bit++)
		all |= flag(bit);
	return all == 0;
}
