int main(void)
{
	int mask = 1;
	int rounds = 0;
	while (rounds < 31) {
		mask <<= 1;
		rounds++;
	}
	return mask == 0;
}
