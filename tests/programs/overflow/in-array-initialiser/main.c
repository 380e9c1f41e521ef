int main(void)
{
	int base = 1 << 29;
	int steps[4] = { base, base * 2, base * 3, base * 4 };
	return steps[0] == steps[3];
}
