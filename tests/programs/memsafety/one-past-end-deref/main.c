static int data[4] = { 5, 6, 7, 8 };

int main(void)
{
	int *end = data + 4;
	int last = end[-1];
	return last - *end;
}
