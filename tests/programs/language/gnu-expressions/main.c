#include <assert.h>

#define max(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define swap(a, b) do { typeof(a) t_ = (a); (a) = (b); (b) = t_; } while (0)

int main(void)
{
	int i = 3;
	long wide = max(i++, 2L);
	assert(wide == 3 && i == 4);
	double x = 1.5, y = 2.5;
	swap(x, y);
	assert(x == 2.5 && y == 1.5 && max(x, y) == 2.5);
	int sum = ({ int s = 0; for (int k = 1; k <= 4; k++) s += k; s; });
	assert(sum == 10);
	assert(__builtin_expect(sum == 10, 1));
	return 0;
}
