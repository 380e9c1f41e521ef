int main(void)
{
	int sum = 0;
	sum += 2000000000;
	sum += 2000000000;
	return sum > 0;
}
