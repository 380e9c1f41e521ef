#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <syslog.h>
#include <unistd.h>

static char name[8];

static void files(void) {
    struct stat about;
    int file = open("a", O_RDONLY), other = creat("b", 0600);
    assert(file == -1 || file == 3);
    assert(other == -1 || other == 3 + (file == 3));
    lseek(file, 0, SEEK_SET);
    ftruncate(other, 0);
    fsync(other);
    stat("a", &about);
    lstat("a", &about);
    fstat(file, &about);
    access("a", R_OK);
    rename("a", "b");
    unlink("a");
    remove("a");
    mkdir("c", 0700);
    rmdir("c");
    chdir("..");
    if (getcwd(name, sizeof name))
        assert(name[7] == 0);
    umask(0);
    isatty(0);
}

static void pages(void) {
    char *block = mmap(0, 10, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(block[4095] == 0);
    assert(mprotect(block, 10, PROT_READ | PROT_WRITE) == 0 && madvise(block, 10, 0) == 0);
    assert(msync(block, 10, MS_SYNC) == 0 && mlock(block, 1) == 0 && munlock(block, 1) == 0);
    assert(munmap(block, 10) == 0);
    assert(mmap(0, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED && errno == EINVAL);
}

int main(void) {
    struct utsname system;
    struct rusage use;
    struct rlimit limit = {0, 0};
    files();
    pages();
    assert(sysconf(_SC_PAGESIZE) == 4096 && getpagesize() == 4096);
    prctl(PR_SET_NAME, "worker");
    gethostname(name, sizeof name);
    uname(&system);
    getrusage(RUSAGE_SELF, &use);
    getrlimit(RLIMIT_NOFILE, &limit);
    setrlimit(RLIMIT_NOFILE, &limit);
    get_nprocs();
    get_nprocs_conf();
    sched_getcpu();
    getppid();
    gettid();
    getuid();
    geteuid();
    getgid();
    getegid();
    openlog("name", 0, LOG_USER);
    closelog();
    return 0;
}
