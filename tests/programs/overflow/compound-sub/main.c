int main(void)
{
	int debt = 0;
	for (int month = 0; month < 3; month++)
		debt -= 1000000000;
	return debt == 0;
}
