#include <pthread.h>
#include <stdlib.h>

static void *mailbox;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *receiver(void *arg)
{
	pthread_mutex_lock(&lock);
	free(mailbox);
	mailbox = 0;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void post(void)
{
	void *message = malloc(4);
	pthread_mutex_lock(&lock);
	mailbox = message;
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	pthread_t t;
	post();
	pthread_create(&t, 0, receiver, 0);
	post();
	pthread_join(t, 0);
	return 0;
}
