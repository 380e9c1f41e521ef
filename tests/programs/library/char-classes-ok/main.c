#include <assert.h>

int isalnum(int), isalpha(int), isblank(int), iscntrl(int), isdigit(int), isgraph(int), islower(int), isprint(int);
int ispunct(int), isspace(int), isupper(int), isxdigit(int), tolower(int), toupper(int);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int c = __VERIFIER_nondet_uchar();
    assert(!isalnum(c) == !(isalpha(c) || isdigit(c)));
    assert(!isalpha(c) == !(isupper(c) || islower(c)));
    assert(!(isupper(c) && islower(c)));
    assert(!isdigit(c) == !(c >= '0' && c <= '9'));
    assert(!isalnum(c) || isprint(c));
    assert(!isspace(c) == !(c == ' ' || c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r'));
    assert(!isprint(c) == !(c >= 32 && c < 127));
    assert(!isgraph(c) == !(isprint(c) && c != ' '));
    assert(!isgraph(c) == !(isalnum(c) || ispunct(c)) && !(isalnum(c) && ispunct(c)));
    assert(!iscntrl(c) == !(c < 128 && !isprint(c)));
    assert(!isblank(c) == !(c == ' ' || c == '\t'));
    assert(!isxdigit(c) == !(isdigit(c) || (toupper(c) >= 'A' && toupper(c) <= 'F')));
    if (isupper(c))
        assert(islower(tolower(c)) && toupper(tolower(c)) == c && toupper(c) == c);
    else
        assert(tolower(c) == c);
    return 0;
}
