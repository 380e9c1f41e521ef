#include <assert.h>
#include <string.h>

int main(void)
{
	char s[16];
	strcpy(s, "lock");
	assert(strlen(s) == 4);
	strcat(s, "-free");
	assert(strcmp(s, "lock-free") == 0);
	assert(strcmp(s, "lock") > 0 && strcmp("a", "b") < 0);
	assert(strncmp(s, "lockstep", 4) == 0 && strncmp(s, "lockstep", 5) < 0);
	char *dash = strchr(s, '-');
	assert(dash == s + 4 && strchr(s, 'z') == 0 && *strchr(s, 0) == 0);
	char t[6];
	memset(t, 'x', sizeof t);
	strncpy(t, "ab", 5);
	assert(t[1] == 'b' && t[2] == 0 && t[4] == 0 && t[5] == 'x');
	return 0;
}
