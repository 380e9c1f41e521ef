#include <assert.h>
#include <limits.h>

int main(void)
{
	char c = (char)0xff;
	unsigned char u = 0xff;
	assert(c == -1 && u == 255 && c != u);
	assert((unsigned char)c == u && CHAR_MIN == -128);
	assert(c >> 1 == -1 && u >> 1 == 127);
	assert('\377' == -1 && sizeof 'a' == sizeof(int));
	c = (char)128;
	assert(-c == 128);
	return 0;
}
