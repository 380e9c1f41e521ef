int main(void)
{
	signed char acc = 100;
	acc += 27;
	int scaled = acc * 16909321;
	return scaled == 0;
}
