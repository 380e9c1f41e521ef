int main(void)
{
	int power = 1;
	for (int digit = 0; digit < 10; digit++)
		power *= 10;
	return power == 1;
}
