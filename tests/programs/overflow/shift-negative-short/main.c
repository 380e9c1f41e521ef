int main(void)
{
	short sample = -100;
	int amplified = sample << 4;
	return amplified == 0;
}
