static const int volume[4] = { 900000000, 900000000, 900000000, -2000000000 };

int main(void)
{
	int sum = 0;
	for (int i = 0; i < 4; i++)
		sum += volume[i];
	return sum != 700000000;
}
