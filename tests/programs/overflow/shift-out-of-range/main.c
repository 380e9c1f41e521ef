int main(void)
{
	int pattern = 3;
	int width = 31;
	pattern = pattern << width;
	return pattern == 3;
}
