int main(void)
{
	int offset = -3;
	int scaled = offset << 2;
	return scaled != -12;
}
