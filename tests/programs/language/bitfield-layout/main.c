#include <assert.h>
#include <string.h>

union view {
	struct { unsigned int a : 4, b : 8, c : 20; } f;
	unsigned int word;
};

struct split { unsigned char x : 3; unsigned char : 0; unsigned char y : 5; };

int main(void)
{
	union view v;
	v.word = 0;
	v.f.a = 0x5;
	v.f.b = 0xab;
	v.f.c = 0x12345;
	assert(v.word == 0x12345ab5);
	v.word = 0xfff00f0f;
	assert(v.f.a == 0xf && v.f.b == 0xf0 && v.f.c == 0xfff00);
	struct split s = { 7, 31 };
	unsigned char bytes[2];
	assert(sizeof s == 2);
	memcpy(bytes, &s, 2);
	assert((bytes[0] & 7) == 7 && (bytes[1] & 31) == 31);
	return 0;
}
