/* Options on the command line: getopt, getopt_long and getopt_long_only as glibc has them, where the environment does
   not ask for POSIXLY_CORRECT. Messages go to stderr and change nothing. */

#include "runtime.h"

char *strchr(const char *text, int c);
int strncmp(const char *left, const char *right, size_t n);

struct option {
    const char *name;
    int has_arg; /* 0: no, 1: required, 2: optional */
    int *flag;
    int val;
};

/* How words that are no options are taken: moved behind the options, as the end, or as an argument of option 1. */
enum order { PERMUTE, STOP, IN_ORDER };
enum { NO_MATCH = -1, AMBIGUOUS = -2 };

struct call {
    int argc;
    char **argv;
    const char *letters;
    const struct option *longs;
    int *index;
    int only; /* long options may start with one dash */
};

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

static const char *rest; /* of a word with several letters */
static enum order order;
static int started;
static int skipped, skipped_end; /* the words between have been skipped */
static int odd; /* what was wrong last; each call puts it into optopt */

static const char *start(const char *letters)
{
    if (optind == 0 || !started) {
        if (optind == 0)
            optind = 1;
        skipped = skipped_end = optind;
        rest = 0;
        order = letters[0] == '+' ? STOP : letters[0] == '-' ? IN_ORDER : PERMUTE;
        started = 1;
    }
    return letters[0] == '+' || letters[0] == '-' ? letters + 1 : letters;
}

static int is_option(const char *word)
{
    return word[0] == '-' && word[1];
}

static void reverse(char **argv, int from, int to)
{
    for (to--; from < to; from++, to--) {
        char *word = argv[from];
        argv[from] = argv[to];
        argv[to] = word;
    }
}

/* The words skipped change places with the options after them. */
static void move_skipped(char **argv)
{
    int options = optind - skipped_end;
    reverse(argv, skipped, skipped_end);
    reverse(argv, skipped_end, optind);
    reverse(argv, skipped, optind);
    skipped += options;
    skipped_end = optind;
}

static void settle(char **argv)
{
    if (skipped != skipped_end && skipped_end != optind)
        move_skipped(argv);
    else if (skipped == skipped_end)
        skipped = optind;
}

static void skip_others(const struct call *call)
{
    if (skipped_end != optind)
        settle(call->argv);
    while (optind < call->argc && !is_option(call->argv[optind]))
        optind++;
    skipped_end = optind;
}

static int wrong(int letter)
{
    odd = letter;
    return '?';
}

static int lacks_argument(const struct call *call, int letter)
{
    wrong(letter);
    return call->letters[0] == ':' ? ':' : '?';
}

/* --- long options --- */

static int differ(const struct option *left, const struct option *right)
{
    return left->has_arg != right->has_arg || left->flag != right->flag || left->val != right->val;
}

/* The option of this name, or the only one whose name starts so. */
static int match(const struct call *call, const char *name, size_t length)
{
    int found = NO_MATCH, several = 0;
    for (int i = 0; call->longs[i].name; i++)
        if (strncmp(call->longs[i].name, name, length) == 0) {
            if (strlen(call->longs[i].name) == length)
                return i;
            if (found == NO_MATCH)
                found = i;
            else
                several |= call->only || differ(&call->longs[found], &call->longs[i]);
        }
    return several ? AMBIGUOUS : found;
}

static int take_long(const struct call *call, int number, char *value)
{
    const struct option *option = &call->longs[number];
    if (value && !option->has_arg)
        return wrong(option->val);
    if (value)
        optarg = value;
    else if (option->has_arg == 1) {
        if (optind >= call->argc)
            return lacks_argument(call, option->val);
        optarg = call->argv[optind++];
    }
    if (call->index)
        *call->index = number;
    if (!option->flag)
        return option->val;
    *option->flag = option->val;
    return 0;
}

/* Whether it is one; else it may be letters. */
static int long_option(const struct call *call, char *name, int *result)
{
    size_t length = 0;
    while (name[length] && name[length] != '=')
        length++;
    int number = match(call, name, length);
    if (number == NO_MATCH && call->only && call->argv[optind][1] != '-' && strchr(call->letters, *name))
        return 0;
    rest = 0;
    optind++;
    *result = number < 0 ? wrong(0) : take_long(call, number, name[length] ? name + length + 1 : 0);
    return 1;
}

/* --- letters --- */

static int letter_option(const struct call *call)
{
    int letter = *rest++;
    const char *known = strchr(call->letters, letter);
    if (!*rest)
        optind++;
    if (!known || letter == ':' || letter == ';')
        return wrong(letter);
    if (known[0] == 'W' && known[1] == ';' && call->longs)
        __threadproof_unsupported("getopt_long with -W");
    if (known[1] != ':')
        return letter;
    if (*rest) {
        optarg = (char *)rest;
        optind++;
    } else if (known[2] != ':') {
        if (optind == call->argc)
            letter = lacks_argument(call, letter);
        else
            optarg = call->argv[optind++];
    }
    rest = 0;
    return letter;
}

/* The next word with options, or a result. */
static int next_word(const struct call *call, int *result)
{
    if (skipped_end > optind)
        skipped_end = optind;
    if (skipped > optind)
        skipped = optind;
    if (order == PERMUTE)
        skip_others(call);
    if (optind != call->argc && strcmp(call->argv[optind], "--") == 0) {
        optind++;
        settle(call->argv);
        skipped_end = optind = call->argc;
    }
    *result = -1;
    if (optind == call->argc) {
        if (skipped != skipped_end)
            optind = skipped;
        return 0;
    }
    char *word = call->argv[optind];
    if (is_option(word))
        return 1;
    if (order == IN_ORDER) {
        optarg = word;
        optind++;
        *result = 1;
    }
    return 0;
}

static int next_option(struct call *call)
{
    int result;
    if (call->argc < 1)
        return -1;
    optarg = 0;
    call->letters = start(call->letters);
    if (!rest || !*rest) {
        if (!next_word(call, &result))
            return result;
        char *word = call->argv[optind];
        int dashes = word[1] == '-' ? 2 : 1;
        int may_be_long = dashes == 2 || (call->only && (word[2] || !strchr(call->letters, word[1])));
        if (call->longs && may_be_long && long_option(call, word + dashes, &result))
            return result;
        rest = word + 1;
    }
    return letter_option(call);
}

static int take(struct call *call)
{
    int result = next_option(call);
    optopt = odd;
    return result;
}

int getopt(int argc, char *const *argv, const char *letters)
{
    struct call call = {argc, (char **)argv, letters, 0, 0, 0};
    return take(&call);
}

int getopt_long(int argc, char *const *argv, const char *letters, const struct option *longs, int *index)
{
    struct call call = {argc, (char **)argv, letters, longs, index, 0};
    return take(&call);
}

int getopt_long_only(int argc, char *const *argv, const char *letters, const struct option *longs, int *index)
{
    struct call call = {argc, (char **)argv, letters, longs, index, 1};
    return take(&call);
}
