static int *current = 0;

int main(void)
{
	*current = 5;
	return 0;
}
