/* Creating threads in programs that set signal masks or signal their process, or have attributes by which a thread is detached. */

#include "runtime.h"

typedef void *(*routine)(void *);

int __threadproof_is_detached(const void *attributes); /* 0, if no attributes of the program say so */
int __threadproof_passes_masks(void);                  /* 0, if the program has none */
void __threadproof_pass_mask_to(unsigned long thread);

static int create(unsigned long *thread, const void *attributes, routine start, void *argument)
{
    return __threadproof_is_detached(attributes)
               ? __threadproof_thread_create_detached(thread, attributes, start, argument)
               : __threadproof_thread_create(thread, attributes, start, argument);
}

/* A thread starts with the mask of the one that created it. */
int pthread_create(unsigned long *thread, const void *attributes, routine start, void *argument)
{
    if (!__threadproof_passes_masks())
        return create(thread, attributes, start, argument);
    __VERIFIER_atomic_begin();
    int code = create(thread, attributes, start, argument);
    __threadproof_pass_mask_to(*thread);
    __VERIFIER_atomic_end();
    return code;
}

int thrd_create(unsigned long *thread, int (*start)(void *), void *argument)
{
    return pthread_create(thread, 0, (routine)start, argument);
}
