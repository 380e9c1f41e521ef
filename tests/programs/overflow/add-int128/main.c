int main(void)
{
	__int128 top = (__int128)(~(unsigned __int128)0 >> 1);
	__int128 next = top + 1;
	return next == 0;
}
