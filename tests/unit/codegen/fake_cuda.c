/* A driver without a GPU, for tests: memory is the processor's, a module is a library of the same kernel for it.
 * What it answers is set by FAKE_CUDA: words such as nothing, old-driver, old-gpu, no-memory, old-code, breaks. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long used;
static const long memory = 1L << 30;

static int says(const char *word) { const char *all = getenv("FAKE_CUDA"); return all && strstr(all, word); }

int cuInit(unsigned flags) { return says("nothing") ? 100 : says("broken") ? 999 : 0; }
int cuDriverGetVersion(int *version) { *version = says("old-driver") ? 8000 : 12040; return 0; }
int cuDeviceGetCount(int *count) { *count = says("none") ? 0 : 1; return 0; }
int cuDeviceGet(int *device, int number) { *device = number; return 0; }
int cuDeviceGetName(char *name, int room, int device) { strcpy(name, "Fake 1"); return 0; }
int cuDeviceGetAttribute(int *value, int which, int device) {
    *value = which == 75 ? (says("old-gpu") ? 6 : 8) : which == 76 ? 0 : which == 16 ? 2 : which == 39 ? 128 : 0;
    return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device) { *context = &used; return 0; }
int cuCtxSetCurrent(void *context) { return 0; }
int cuCtxSynchronize(void) { return says("breaks") ? 719 : 0; }
int cuMemGetInfo_v2(size_t *free, size_t *total) {
    *total = memory;
    *free = says("no-memory") ? 4096 : memory - used;
    return 0;
}
/* What is used counts, so that a test sees whether it is given back. */
int cuMemAlloc_v2(unsigned long *at, size_t size) {
    long *block = malloc(size + 16);
    *block = size;
    used += size;
    *at = (unsigned long)(block + 2);
    memset(block + 2, 0xA5, size);
    return 0;
}
int cuMemFree_v2(unsigned long at) { long *block = (long *)at - 2; used -= *block; free(block); return 0; }
long fake_used(void) { return used; }
int cuMemcpyHtoD_v2(unsigned long to, const void *from, size_t n) { memcpy((void *)to, from, n); return 0; }
int cuMemcpyDtoH_v2(void *to, unsigned long from, size_t n) { memcpy(to, (void *)from, n); return 0; }
int cuMemsetD8_v2(unsigned long to, unsigned char value, size_t n) { memset((void *)to, value, n); return 0; }
int cuModuleLoadDataEx(void **module, const char *code, unsigned n, int *options, void **values) {
    if (says("old-code")) return 222;
    if (strncmp(code, "EMULATED ", 9)) { strcpy(values[0], "ptxas fatal: not emulated"); return 218; }
    *module = dlopen(code + 9, RTLD_NOW);
    return *module ? 0 : 218;
}
int cuModuleUnload(void *module) { return 0; }
int cuModuleGetFunction(void **function, void *module, const char *name) {
    *function = dlsym(module, "tp_emulate");
    return *function ? 0 : 500;
}
int cuModuleGetGlobal_v2(unsigned long *at, size_t *size, void *module, const char *name) {
    *at = (unsigned long)dlsym(module, name);
    return *at ? 0 : 500;
}
int cuFuncGetAttribute(int *value, int which, void *function) { *value = 4096; return 0; }
int cuFuncSetAttribute(void *function, int which, int value) { return 0; }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads, size_t shared) {
    *blocks = 1;
    return 0;
}
int cuLaunchKernel(void (*function)(void *), unsigned bx, unsigned by, unsigned bz, unsigned tx, unsigned ty,
                   unsigned tz, unsigned shared, void *stream, void **arguments, void **extra) {
    function(arguments[0]);
    return 0;
}
int cuGetErrorString(int error, const char **text) {
    *text = error == 719 ? "unspecified launch failure" : error == 999 ? "unknown error" : 0;
    return 0;
}
