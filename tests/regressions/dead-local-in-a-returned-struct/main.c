struct pair {
    long number;
    int *pointer;
};

static struct pair make(void) {
    struct pair made;
    int local = 1;
    made.number = 1;
    made.pointer = &local;
    return made;
}

static int use(struct pair given) {
    int other = 2, *to_other = &other;
    *to_other = 3;
    return *given.pointer;
}

int main(void) {
    struct pair given = make();
    return use(given);
}
