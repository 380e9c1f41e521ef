/* What the files of the runtime library share: the part of the C library that is ordinary C. Each file holds one
   family of functions and is linked into a program as far as the program uses it. No header of a C library is included:
   these files are compiled for the program's data model, whatever headers the program has. */

#pragma once

typedef __SIZE_TYPE__ size_t;
typedef unsigned char byte;
typedef unsigned long word __attribute__((may_alias, aligned(1)));

/* Rows of the sync table and instructions of the program model. */
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *block, size_t size);
void free(void *block);
size_t __threadproof_object_size(void *block);
void *__threadproof_system_block(size_t size); /* zeroed; nobody has to free it */
void __threadproof_wide_alignment(void);
int __threadproof_once_enter(void *control);
void __threadproof_once_leave(void *control);
void __threadproof_once_give_up(void *control);
void __threadproof_once_guard(void *place, void *control); /* nothing, if no thread of the program ends on the way */
void __threadproof_once_unguard(void *place);
int pthread_key_create(unsigned *key, void (*destructor)(void *));
int pthread_setspecific(unsigned key, const void *value);
void *pthread_getspecific(unsigned key);
void __threadproof_sem_must_be_open(void *semaphore); /* nothing, if the program closes none */
int __threadproof_sem_getvalue(void *semaphore, int *value);
int __threadproof_sem_init(void *semaphore, int shared, unsigned value);
int __threadproof_sem_trywait(void *semaphore);
int __threadproof_sem_timedwait(void *semaphore, const void *until);
int __threadproof_sem_post(void *semaphore);
void pthread_testcancel(void);
int pthread_mutex_lock(void *mutex);
int pthread_mutex_unlock(void *mutex);
int pthread_cond_wait(void *condition, void *mutex);
int pthread_cond_timedwait(void *condition, void *mutex, const void *until);
int pthread_cond_signal(void *condition);
int pthread_cond_broadcast(void *condition);
unsigned long __threadproof_self(void);
int __threadproof_thread_create(unsigned long *thread, const void *attributes, void *(*start)(void *), void *argument);
int __threadproof_thread_create_detached(unsigned long *, const void *, void *(*)(void *), void *);
void __threadproof_wait_for_ever(void *locked);
void __threadproof_abort(void) __attribute__((noreturn)); /* ends the program at once */
void __threadproof_bad_call(void) __attribute__((noreturn)); /* undefined behaviour: a call with wrong arguments */
void __threadproof_unsupported(const char *words); /* a constant text; reaching it makes the answer unknown */
int __threadproof_fails(void); /* 0 or 1, as the world likes */
void __threadproof_arbitrary_byte(void *to); /* unknown content, chosen when it is read */
void __threadproof_arbitrary_word(void *to);
void __threadproof_look_at_byte(const void *from); /* a read whose value makes no difference */
void __threadproof_look_at_word(const void *from);
void __threadproof_cancel_point(void);
int __threadproof_sem_trywait(void *semaphore);
int __threadproof_sem_wait(void *semaphore);
int __threadproof_sem_post(void *semaphore);
void abort(void) __attribute__((noreturn));
void _exit(int status) __attribute__((noreturn));
_Bool __VERIFIER_nondet_bool(void);
unsigned char __VERIFIER_nondet_uchar(void);
unsigned short __VERIFIER_nondet_ushort(void);
unsigned int __VERIFIER_nondet_uint(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

/* Functions of this library that several of its files use. */
void *memcpy(void *restrict target, const void *restrict source, size_t n);
void *memmove(void *target, const void *source, size_t n);
void *memset(void *target, int value, size_t n);
int memcmp(const void *left, const void *right, size_t n);
size_t strlen(const char *text);
int strcmp(const char *left, const char *right);
size_t strnlen(const char *text, size_t most);
int tolower(int c);
int isspace(int c);
int isdigit(int c);
char *strerror(int number);

/* errno of the running thread; error numbers are Linux's, those of <errno.h>. */
int *__errno_location(void);
void __threadproof_set_errno(int code);
void __threadproof_maths_error(int code); /* nothing, if the program never looks at errno */

/* Content and results from outside the program. */
void __threadproof_look_at_environment(void); /* nothing, if the program does not change it */
void __threadproof_unknown_bytes(void *target, size_t n);
int __threadproof_failed(void);
int __threadproof_zero_or_fails(void);
size_t __threadproof_any_count(size_t most);
long __threadproof_count_or_fails(long most);
int raise(int number);
int __threadproof_is_signal(int number);
int __threadproof_catch(int number); /* whether a mask or a handler of the program's takes it */
int __threadproof_catch_for_process(int number); /* the same for one that is sent to the process */
int __threadproof_ignored_by_default(int number);
void __threadproof_act_by_default(int number);
unsigned long long __threadproof_signal_mask(void);
void __threadproof_set_signal_mask(unsigned long long mask);
int __threadproof_opened(void);
int __threadproof_is_own_channel(int number);
void __threadproof_read_bytes(const void *source, size_t n);
void __threadproof_name_self(const char *name);
void __threadproof_get_own_name(char *room); /* 16 bytes */
