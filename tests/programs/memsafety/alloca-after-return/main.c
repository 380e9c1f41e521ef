#include <alloca.h>

static int *make(int v)
{
	int *cell = alloca(sizeof *cell);
	*cell = v;
	return cell;
}

int main(void)
{
	int *cell = make(3);
	return *cell;
}
