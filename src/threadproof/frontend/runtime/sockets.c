/* Sockets lead outside: any content, any result. */

#include "runtime.h"

int socket(int domain, int type, int protocol)
{
    return __threadproof_opened();
}

/* An address of unknown content, of as many bytes as there is room for. */
static void unknown_address(void *address, unsigned int *room)
{
    if (address) {
        __threadproof_unknown_bytes(address, *room);
        __threadproof_unknown_bytes(room, 1);
    }
}

int accept(int number, void *address, unsigned int *room)
{
    __threadproof_cancel_point();
    unknown_address(address, room);
    return __threadproof_opened();
}

int accept4(int number, void *address, unsigned int *room, int flags)
{
    return accept(number, address, room);
}

int bind(int number, const void *address, unsigned int size)
{
    __threadproof_read_bytes(address, size);
    return __threadproof_zero_or_fails();
}

int connect(int number, const void *address, unsigned int size)
{
    __threadproof_cancel_point();
    return bind(number, address, size);
}

int listen(int number, int backlog)
{
    return __threadproof_zero_or_fails();
}

int shutdown(int number, int how)
{
    return __threadproof_zero_or_fails();
}

int setsockopt(int number, int level, int option, const void *value, unsigned int size)
{
    __threadproof_read_bytes(value, size);
    return __threadproof_zero_or_fails();
}

int getsockopt(int number, int level, int option, void *value, unsigned int *size)
{
    __threadproof_unknown_bytes(value, *size);
    return __threadproof_zero_or_fails();
}

long recv(int number, void *target, size_t n, int flags)
{
    __threadproof_cancel_point();
    __threadproof_unknown_bytes(target, n);
    return __threadproof_count_or_fails(n);
}

long recvfrom(int number, void *target, size_t n, int flags, void *address, unsigned int *room)
{
    unknown_address(address, room);
    return recv(number, target, n, flags);
}

long send(int number, const void *source, size_t n, int flags)
{
    __threadproof_cancel_point();
    __threadproof_read_bytes(source, n);
    return __threadproof_count_or_fails(n);
}

long sendto(int number, const void *source, size_t n, int flags, const void *address, unsigned int size)
{
    __threadproof_read_bytes(address, address ? size : 0);
    return send(number, source, n, flags);
}
