#include <assert.h>

int main(void)
{
	double zero = 0.0, one = 1.0;
	double inf = one / 1e-308 / 1e-308;
	double nan = inf - inf;
	assert(inf > 1e308 && -inf < -1e308);
	assert(nan != nan && !(nan < 1.0) && !(nan >= 1.0));
	assert(-zero == zero && one / inf == 0.0);
	assert(!(nan == inf));
	return 0;
}
