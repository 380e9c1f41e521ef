int main(void)
{
	int square[8];
	for (int i = 0; i <= 8; i++)
		square[i] = i * i;
	return square[3];
}
