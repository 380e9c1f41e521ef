#define _GNU_SOURCE
#include <assert.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    struct sockaddr_in address = {0};
    socklen_t room = sizeof address;
    int yes = 1;
    char text[4] = "abc";
    int server = socket(AF_INET, SOCK_STREAM, 0);
    if (server < 0 || setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) < 0)
        return 0;
    assert(server == 3);
    if (bind(server, (struct sockaddr *)&address, sizeof address) < 0 || listen(server, 1) < 0)
        return 0;
    int client = accept(server, (struct sockaddr *)&address, &room);
    assert(client == -1 || client == 4);
    assert(recv(client, text, 2, 0) <= 2 && text[2] == 'c');
    assert(send(client, text, 3, 0) >= -1);
    recvfrom(client, text, 2, 0, 0, 0);
    sendto(client, text, 2, 0, 0, 0);
    connect(client, (struct sockaddr *)&address, sizeof address);
    getsockopt(client, SOL_SOCKET, SO_ERROR, &yes, &(socklen_t){sizeof yes});
    shutdown(client, SHUT_RDWR);
    accept4(server, 0, 0, 0);
    close(client);
    return 0;
}
